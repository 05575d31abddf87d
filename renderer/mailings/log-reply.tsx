/** A reply, found by code, APN or owner; what it says; and the stage it proposes for the deal, which the person moves. */
import { ArrowRight, Reply, Search } from 'lucide-react';
import { useState } from 'react';
import { type DealStage, stageLabel } from '../../engine/spec/deals.ts';
import { type ReplyOutcome, replyOutcomes } from '../../engine/spec/mailings.ts';
import { desk, moveTo } from '../desk/desk-state.ts';
import { useCombo } from '../parts/combo.ts';
import { NumberField } from '../parts/number-field.tsx';
import { Select } from '../parts/select.tsx';
import { useClient } from '../state/client-context.tsx';
import { goTo } from '../state/navigation.ts';
import { makeChange } from '../work/make-change.ts';
import { matching } from './all-letters.tsx';
import type { Letter, Mailing } from './mailing-state.ts';

const returned = 'returned';
const outcomes = [
  ...Object.entries(replyOutcomes).map(([value, label]) => ({ value, label })),
  { value: returned, label: 'The letter came back' },
];

interface Proposal {
  readonly id: number;
  readonly stage: DealStage;
}

export function LogReply({ mailing }: { mailing: Mailing }) {
  const client = useClient();
  const [words, setWords] = useState('');
  const [outcome, setOutcome] = useState<string>('lead');
  const [price, setPrice] = useState<number | undefined>(undefined);
  const [note, setNote] = useState('');
  const [proposal, setProposal] = useState<Proposal | null>(null);
  const found = words.trim() === '' ? [] : matching(mailing.letters, words);
  // A code of another mailing is a code, too.
  const [only] = found;
  const code = found.length === 1 && only?.code ? only.code : words.trim();
  const log = async () => {
    if (code === '') return;
    const done =
      outcome === returned
        ? await makeChange(client, 'mark_returned', { code })
        : await makeChange(client, 'log_reply', {
            ...{ code, outcome: outcome as ReplyOutcome, price: price === undefined ? null : Math.round(price) },
            ...(note.trim() === '' ? {} : { note: note.trim() }),
          });
    if (!done) return;
    const { data } = done;
    setProposal('proposed_stage' in data ? { id: data.property_id, stage: data.proposed_stage as DealStage } : null);
    setWords('');
    setPrice(undefined);
    setNote('');
  };
  return (
    <section className="after-part" aria-label="Log a reply">
      <h3>Log a reply</h3>
      <form
        className="log-reply"
        onSubmit={(event) => {
          event.preventDefault();
          void log();
        }}
      >
        <LetterField words={words} found={found} onWords={setWords} />
        <label className="field">
          <span className="sr">What it says</span>
          <Select value={outcome} options={outcomes} onChange={setOutcome} />
        </label>
        {outcome === returned ? null : (
          <div className="line">
            <NumberField
              label="Price the owner names"
              value={price}
              unit="$"
              placeholder="asks"
              minimum={0}
              onChange={setPrice}
            />
            <label className="field grow">
              <span className="sr">Note</span>
              <input
                value={note}
                maxLength={2000}
                placeholder="Note"
                onChange={({ target }) => setNote(target.value)}
              />
            </label>
          </div>
        )}
        <button type="submit" className="button" disabled={code === ''}>
          <Reply aria-hidden />
          Log
        </button>
      </form>
      {proposal ? <Proposed {...proposal} onDone={() => setProposal(null)} /> : null}
    </section>
  );
}

const mostOffered = 6;

interface LetterFieldProps {
  readonly words: string;
  readonly found: readonly Letter[];
  readonly onWords: (words: string) => void;
}

function LetterField({ words, found, onWords }: LetterFieldProps) {
  const offers = found.length === 1 && found[0]?.code === words ? [] : found.slice(0, mostOffered);
  const combo = useCombo<Letter>({
    offers,
    canOpen: offers.length > 0,
    onTake: ({ code }) => {
      onWords(code ?? '');
      combo.close();
    },
  });
  return (
    <div className="letter-field">
      <label className="field">
        <Search aria-hidden className="small" />
        <span className="sr">Code, APN or owner</span>
        <input
          {...combo.inputProps}
          data-focus="reply"
          value={words}
          maxLength={100}
          placeholder="Code, APN or owner"
          onChange={({ target }) => {
            onWords(target.value);
            combo.open();
          }}
          onKeyDown={(event) => {
            if (combo.press(event) && event.key === 'Enter') event.preventDefault();
          }}
        />
      </label>
      {combo.isShown ? (
        <ul className="menu letter-offers" {...combo.listProps('Letters found')}>
          {offers.map((letter, i) => (
            <li key={letter.property_id} {...combo.optionProps(letter, i)}>
              <span className="num medium">{letter.code}</span>
              <span className="grow ellipsis">{letter.owner_name ?? 'owner not published'}</span>
              <span className="apn quieter">{letter.apn}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

function Proposed({ id, stage, onDone }: Proposal & { onDone: () => void }) {
  const client = useClient();
  return (
    <div className="proposed" role="status">
      <p>Noted in the deal’s timeline. Move the deal?</p>
      <div className="line">
        <button type="button" className="button" onClick={() => void moveTo(client, [id], stage).then(onDone)}>
          <ArrowRight aria-hidden />
          {stageLabel(stage)}
        </button>
        <button
          type="button"
          className="button quiet"
          onClick={() => {
            desk.set({ stage: null, due: [], words: '', selected: [id], isCardOpen: true });
            goTo('desk');
          }}
        >
          Next step on the Desk
        </button>
      </div>
    </div>
  );
}
