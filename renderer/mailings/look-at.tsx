/** The letters most likely wrong, riskiest first, each with its reason; and what the person says of each. */
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { formatNumber, plural } from '../parts/format.ts';
import {
  acresColumn,
  apnColumn,
  ChoiceButtons,
  offerColumn,
  ownerColumn,
  valueColumn,
  Why,
  whyTitle,
} from './letter-cells.tsx';
import { type Column, LetterGrid } from './letter-grid.tsx';
import type { Letter, Mailing } from './mailing-state.ts';

const fewRows = 6;

export const leftToLookAt = ({ look_at: letters }: Mailing): number =>
  letters.filter(({ choice }) => choice === null).length;

export function LookAt({ mailing, widthRem }: { mailing: Mailing; widthRem: number }) {
  const { mailing_id: id, look_at: letters } = mailing;
  const [isWhole, setWhole] = useState(false);
  const more = letters.length - fewRows;
  const unsorted = <Row,>(column: Column<Row>): Column<Row> => ({ ...column, ordering: null });
  const columns: readonly Column<Letter>[] = [
    unsorted<Letter>(apnColumn('APN')),
    unsorted<Letter>({ ...ownerColumn, width: [6.25, 0.25] }),
    unsorted<Letter>({ ...acresColumn, from: 60 }),
    unsorted(valueColumn),
    unsorted(offerColumn),
    {
      ...{ id: 'why', label: 'Why', isNumber: false, width: [11, 1] as const, ordering: null },
      title: whyTitle,
      cell: (letter) => <Why letter={letter} />,
    },
    {
      ...{ id: 'choice', label: 'Keep or leave out', isNumber: true, isQuiet: true, width: [8.75], ordering: null },
      cell: (letter) => <ChoiceButtons mailing={id} letter={letter} />,
    },
  ];
  return (
    <section className="look-at" aria-label={lookTitle(letters.length)}>
      <LookHead mailing={mailing} hasKeys />
      <div
        className="look-rows"
        style={{ '--rows': isWhole ? letters.length : Math.min(fewRows, letters.length) } as never}
      >
        <LetterGrid
          label={lookTitle(letters.length)}
          place="table"
          rows={letters}
          columns={columns.filter(({ from = 0 }) => widthRem >= from)}
        />
      </div>
      <p className="look-foot small-text">
        {more > 0 ? (
          <button type="button" className="link" onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Fewer' : `${formatNumber(more)} more`}
          </button>
        ) : null}
        <span className="quieter">Nothing is left out by itself.</span>
      </p>
    </section>
  );
}

export const lookTitle = (count: number): string =>
  count === 1 ? 'Look at this letter before you send' : `Look at these ${count} before you send`;

export const LookHead = ({ mailing, hasKeys = false }: { mailing: Mailing; hasKeys?: boolean }) => {
  const left = leftToLookAt(mailing);
  return (
    <header className="look-head">
      <TriangleAlert aria-hidden />
      <h2>{lookTitle(mailing.look_at.length)}</h2>
      <span className="quieter num" aria-live="polite">
        {left === 0
          ? 'You looked at all of them'
          : `${plural(left, 'letter', 'letters')} left to look at, riskiest first`}
      </span>
      <span className="grow" />
      {hasKeys ? (
        <span className="small-text quieter nowrap at-medium">
          <kbd>K</kbd> keep <kbd>O</kbd> leave out
        </span>
      ) : null}
    </header>
  );
};
