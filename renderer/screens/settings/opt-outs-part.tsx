/** Settings: the opt-out list. It names no one, so that it is asked and changed by name or number only. */
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ChangeInputOf } from '../../../engine/work/index.ts';
import { formatDate, plural } from '../../parts/format.ts';
import { useClient, useRead } from '../../state/client-context.tsx';

type Unwanted = ChangeInputOf<'allow_contact'>;

const nothing = { first: '', last: '', zip: '', phone: '' };
const fields = [
  ['first', 'First name'],
  ['last', 'Last name'],
  ['zip', 'ZIP'],
  ['phone', 'or a phone number'],
] as const;

/** Null while neither is complete. */
function unwantedOf({ first, last, zip, phone }: typeof nothing): Unwanted | null {
  if (phone.trim() !== '') return { phone: phone.trim() };
  const hasAll = [first, last, zip].every((text) => text.trim() !== '');
  return hasAll ? { person: { firstName: first.trim(), lastName: last.trim(), zip: zip.trim() } } : null;
}

export function OptOutsPart() {
  const { data } = useRead('opt_out_list', {});
  const [said, say] = useState('');
  if (!data) return null;
  const { persons, numbers, newest } = data;
  return (
    <section className="option-lines opt-outs" aria-label="Opt-out list">
      <h2>Opt-out list</h2>
      <p>
        {newest === null
          ? 'The list is empty. A person whom you delete below a skip trace is put on it.'
          : `The list has ${plural(persons, 'entry', 'entries')} of persons by name and place, and ${plural(numbers, 'number', 'numbers')}; the newest is of ${formatDate(newest)}.`}{' '}
        <span className="quieter">
          It holds no readable name. Later contact lists, traces and restores leave out whoever is on it.
        </span>
      </p>
      {newest === null && said === '' ? null : <TakeOff onDone={say} />}
      <p role="status">{said}</p>
    </section>
  );
}

function TakeOff({ onDone }: { onDone: (words: string) => void }) {
  const client = useClient();
  const queries = useQueryClient();
  const [typed, setTyped] = useState(nothing);
  const unwanted = unwantedOf(typed);
  const take = async (event: FormEvent) => {
    event.preventDefault();
    if (!unwanted) return;
    try {
      const { entries } = (await client.change('allow_contact', unwanted)).data;
      onDone(
        entries === 0 ? 'This is not on the list.' : `${plural(entries, 'entry is', 'entries are')} off the list.`,
      );
      if (entries > 0) setTyped(nothing);
    } catch (error) {
      onDone(error instanceof Error ? error.message : String(error));
    }
    await Promise.all(['opt_out_list', 'trace_preview'].map((name) => queries.invalidateQueries({ queryKey: [name] })));
  };
  return (
    <form className="line wrap" aria-label="Take off the opt-out list" onSubmit={(event) => void take(event)}>
      {fields.map(([name, label]) => (
        <label key={name} className="control">
          <span className="control-label">{label}</span>
          <span className="field">
            <input
              autoComplete="off"
              value={typed[name]}
              onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
            />
          </span>
        </label>
      ))}
      <button type="submit" className="button" disabled={unwanted === null}>
        Take off the list
      </button>
    </form>
  );
}
