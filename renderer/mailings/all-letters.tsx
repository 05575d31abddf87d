/** All letters of a mailing, found by owner, APN or code; or the parcels that get none for one reason. */
import { ListFilter, X } from 'lucide-react';
import { useState } from 'react';
import { formatNumber } from '../parts/format.ts';
import { IconButton } from '../parts/hint.tsx';
import { EmptyState } from '../parts/states.tsx';
import { useClient } from '../state/client-context.tsx';
import { acresColumn, apnColumn, Flags, offerColumn, outcomesOf, ownerColumn, valueColumn } from './letter-cells.tsx';
import { type Column, LetterGrid } from './letter-grid.tsx';
import { chooseLetters, type LeftOut, type Letter, type Mailing } from './mailing-state.ts';

export function matching(letters: readonly Letter[], words: string): readonly Letter[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return letters;
  return letters.filter(({ owner_name: owner, apn, code }) =>
    [owner, apn, code].some((text) => text?.toLowerCase().includes(wanted)),
  );
}

/** @param ordering `offer` or `-offer`; null: as the letters are numbered */
function sorted(letters: readonly Letter[], ordering: string | null): readonly Letter[] {
  if (ordering === null) return letters;
  const [name, by] = ordering.startsWith('-') ? [ordering.slice(1), -1] : [ordering, 1];
  const value = (letter: Letter) => letter[name as keyof Letter];
  return letters.toSorted((a, b) => {
    const [one, other] = [value(a), value(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    const order =
      typeof one === 'number' && typeof other === 'number'
        ? one - other
        : String(one).localeCompare(String(other), 'en', { numeric: true });
    return by * order;
  });
}

const codeColumn: Column<Letter> = {
  ...{ id: 'code', label: 'Code', isNumber: false, width: [5.5], ordering: null },
  cell: ({ code }) => <span className="num quieter">{code}</span>,
};

const columnsOf = (mailing: Mailing, widthRem: number): readonly Column<Letter>[] => {
  const outcomes = outcomesOf(mailing);
  const columns: readonly Column<Letter>[] = [
    ...(mailing.written_on === null ? [] : [codeColumn]),
    ownerColumn,
    apnColumn('About'),
    acresColumn,
    valueColumn,
    offerColumn,
    {
      ...{ id: 'flags', label: 'Flags', isNumber: false, width: [7, 0.8] as const, from: 36, ordering: null },
      cell: (letter) => <Flags letter={letter} outcome={outcomes.get(letter.property_id)} />,
    },
  ];
  return columns.filter(({ from = 0 }) => widthRem >= from);
};

interface AllLettersProps {
  readonly mailing: Mailing;
  readonly widthRem: number;
  /** Where the focus goes: beside another table it has a place of its own. */
  readonly place: string;
}

export function AllLetters({ mailing, widthRem, place }: AllLettersProps) {
  const [words, setWords] = useState('');
  const [ordering, setOrdering] = useState<string | null>(null);
  const { letters } = mailing;
  const found = sorted(matching(letters, words), ordering);
  return (
    <section className="all-letters" aria-label="All letters">
      <header className="letters-head">
        <h2>All letters</h2>
        <span className="quieter num">
          {found.length === letters.length ? '' : `${formatNumber(found.length)} of `}
          {formatNumber(letters.length)}
        </span>
        <span className="grow" />
        <LettersFilter words={words} onChange={setWords} isWritten={mailing.written_on !== null} />
      </header>
      {letters.length === 0 ? <NoLetters /> : null}
      {letters.length > 0 && found.length === 0 ? (
        <EmptyState
          title="No letter is like this"
          text="Part of an owner’s name, of an APN or of a code finds letters."
        />
      ) : null}
      {found.length > 0 && widthRem > 0 ? (
        <LetterGrid
          label="All letters"
          place={place}
          rows={found}
          columns={columnsOf(mailing, widthRem)}
          ordering={ordering}
          onSort={({ ordering: name, isNumber }) => {
            const [first, second] = isNumber ? [`-${name}`, name] : [name, `-${name}`];
            setOrdering(ordering === first ? second : first);
          }}
        />
      ) : null}
    </section>
  );
}

export const LettersFilter = ({
  words,
  onChange,
  isWritten,
}: {
  words: string;
  onChange: (words: string) => void;
  isWritten: boolean;
}) => (
  <label className="field letters-words">
    <ListFilter aria-hidden className="small" />
    <span className="sr">Words</span>
    <input
      value={words}
      maxLength={100}
      placeholder={isWritten ? 'Owner, APN, code' : 'Owner, APN'}
      onChange={({ target }) => onChange(target.value)}
    />
  </label>
);

export const NoLetters = () => (
  <EmptyState
    title="No parcel gets a letter"
    text="“Who gets none” says why. Values come from “Add columns” of the list, and a rule without a percent of the value needs none."
  />
);

/** The parcels that get none for one reason; those that were left out by hand can be put back. */
export function Without({ mailing, group, onClose }: { mailing: Mailing; group: LeftOut; onClose: () => void }) {
  const client = useClient();
  const { words, parcels, reason } = group;
  const putBack = reason === 'by_you' && mailing.written_on === null;
  return (
    <section className="all-letters" aria-label={words}>
      <header className="letters-head">
        <h2>{words}</h2>
        <span className="quieter num">{formatNumber(parcels.length)}</span>
        <span className="grow" />
        {putBack ? (
          <button
            type="button"
            className="button"
            onClick={() => {
              const ids = parcels.map(({ property_id: id }) => id);
              void chooseLetters(client, mailing.mailing_id, ids, null).then((done) => done && onClose());
            }}
          >
            Put {parcels.length === 1 ? 'it' : 'them'} back
          </button>
        ) : null}
        <IconButton label="Back to all letters" onPress={onClose}>
          <X aria-hidden />
        </IconButton>
      </header>
      <LetterGrid
        label={words}
        place="letters"
        rows={parcels}
        columns={[apnColumn('APN'), ownerColumn, acresColumn].map((column) => ({ ...column, ordering: null }))}
      />
    </section>
  );
}
