/** Permanent deletion of a traced person; says first what is deleted, what remains, and that there is no undo. */
import { useQueryClient } from '@tanstack/react-query';
import { UserX } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ChangeOutputOf } from '../../engine/work/index.ts';
import { plural } from '../parts/format.ts';
import { useClient } from '../state/client-context.tsx';
import { makeChange } from '../work/make-change.ts';
import { type KnownTrace, TraceOutcome } from './trace-parts.tsx';
import { personName, personPlace, type TracedPerson } from './trace-words.ts';

type Deleted = ChangeOutputOf<'delete_contact'>;

interface DeletePersonProps {
  readonly person: TracedPerson;
  /** Whether contact records of the person were found. */
  readonly isKnown: boolean;
  readonly isOptedOut: boolean;
}

interface OutcomeProps {
  readonly trace: KnownTrace | null;
  /** The person whom the next trace searches for, if any. */
  readonly person: TracedPerson | null;
  readonly isOptedOut: boolean;
}

/** The outcome of a trace, with deletion of the person found. */
export function OutcomeToDelete({ trace, person, isOptedOut }: OutcomeProps) {
  const found = trace?.asked ?? person;
  return (
    <>
      {trace ? <TraceOutcome trace={trace} /> : null}
      {found ? <DeletePerson person={found} isKnown={trace?.result.matched ?? false} isOptedOut={isOptedOut} /> : null}
    </>
  );
}

function DeletePerson({ person, isKnown, isOptedOut }: DeletePersonProps) {
  const [done, setDone] = useState<{ readonly person: TracedPerson; readonly deleted: Deleted } | null>(null);
  const [isAsking, setAsking] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  if (done && JSON.stringify(done.person) === JSON.stringify(person)) return <Gone {...done} />;
  if (isOptedOut)
    return (
      <p className="note">
        <span>
          <b className="medium">{personName(person)}</b> is on the opt-out list of this home: a trace finds no one, and
          later contact lists do not bring the person back.
        </span>
      </p>
    );
  if (!isKnown) return null;
  if (isAsking)
    return (
      <Question
        person={person}
        onEnd={(deleted) => {
          setAsking(false);
          if (deleted) setDone({ person, deleted });
          else setTimeout(() => opener.current?.focus());
        }}
      />
    );
  return (
    <button ref={opener} type="button" className="link" data-focus="delete-person" onClick={() => setAsking(true)}>
      Delete this person from my contacts …
    </button>
  );
}

function Question({ person, onEnd }: { person: TracedPerson; onEnd: (deleted: Deleted | null) => void }) {
  const client = useClient();
  const queries = useQueryClient();
  const [isRunning, setRunning] = useState(false);
  const cancel = useRef<HTMLButtonElement>(null);
  // The first focused button must not delete.
  useEffect(() => cancel.current?.focus(), []);
  const run = async () => {
    setRunning(true);
    const answer = await makeChange(client, 'delete_contact', { person });
    await queries.invalidateQueries({ queryKey: ['trace_preview'] });
    setRunning(false);
    if (answer) onEnd(answer.data);
  };
  return (
    <section className="note warn delete-person" aria-label="Delete this person">
      <p>
        <b className="medium">
          Delete {personName(person)}, {personPlace(person)}, for good? This cannot be undone.
        </b>
      </p>
      <ul>
        <li>Every contact record of the person goes, with what traces found and the exports that wait to be saved.</li>
        <li>The person’s numbers leave the records of other people too.</li>
        <li>An opt-out list keeps later contact lists and traces from bringing the person back.</li>
        <li>Backups and exports that you saved before still hold the person. The county’s owner names stay.</li>
      </ul>
      <div className="line wrap">
        <button ref={cancel} type="button" className="button" disabled={isRunning} onClick={() => onEnd(null)}>
          Cancel
        </button>
        <button type="button" className="button" disabled={isRunning} onClick={() => void run()}>
          <UserX aria-hidden />
          {isRunning ? 'Deleting …' : 'Delete for good'}
        </button>
      </div>
    </section>
  );
}

const Gone = ({ person, deleted }: { person: TracedPerson; deleted: Deleted }) => (
  <section className="note delete-person" role="status">
    <p>
      <b className="medium">
        {personName(person)} is deleted: {plural(deleted.records, 'record', 'records')} and{' '}
        {plural(deleted.traces, 'kept trace', 'kept traces')}.
      </b>{' '}
      {plural(deleted.numbers, 'number is', 'numbers are')} on the opt-out list;{' '}
      {plural(deleted.other_records, 'other record', 'other records')} lost one.
    </p>
    <ul>
      {deleted.still_held.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  </section>
);
