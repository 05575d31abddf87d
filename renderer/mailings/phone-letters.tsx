/** A phone's list: first the letters to look at, with their reasons and buttons, then all of them. */
import { useState } from 'react';
import { rangeWords } from '../desk/money-words.ts';
import { formatNumber } from '../parts/format.ts';
import { LettersFilter, matching, NoLetters } from './all-letters.tsx';
import { ChoiceButtons, Flags, OfferWords, offerTitle, outcomesOf, Why } from './letter-cells.tsx';
import { type Column, LetterGrid } from './letter-grid.tsx';
import { LookHead } from './look-at.tsx';
import type { Letter, Mailing } from './mailing-state.ts';

/** In pixels: two lines and a thumb; with a reason and buttons of 44. */
const rowHeight = 66;
const lookHeight = 132;

export function PhoneLetters({ mailing }: { mailing: Mailing }) {
  const [words, setWords] = useState('');
  const [isLooking, setLooking] = useState(true);
  const { letters, look_at: looked, mailing_id: id } = mailing;
  const outcomes = outcomesOf(mailing);
  const hasLook = looked.length > 0;
  const isShown = hasLook && isLooking;
  const rows = isShown ? looked : matching(letters, words);
  const column: Column<Letter> = {
    ...{ id: 'letter', label: 'Letter', isNumber: false, width: [10, 1], ordering: null },
    cell: (letter) => (
      <>
        <span className="phone-line">
          <span className="apn medium">{letter.apn || 'no APN'}</span>
          <span className="grow ellipsis">{letter.owner_name ?? 'owner not published'}</span>
          <span className="num" title={offerTitle(letter)}>
            <OfferWords letter={letter} />
          </span>
        </span>
        {isShown ? (
          <>
            <span className="phone-line ellipsis">
              <Why letter={letter} />
            </span>
            <ChoiceButtons mailing={id} letter={letter} />
          </>
        ) : (
          <span className="phone-line quieter num">
            {letter.code === null ? '' : `${letter.code}  `}
            {rangeWords(letter) ?? 'no value yet'}
            <span className="grow" />
            <Flags letter={letter} outcome={outcomes.get(letter.property_id)} />
          </span>
        )}
      </>
    ),
  };
  return (
    <section className="all-letters" aria-label={isShown ? 'Letters to look at' : 'All letters'}>
      {hasLook ? (
        <div className="look-at">
          <LookHead mailing={mailing} />
        </div>
      ) : null}
      <header className="letters-head">
        {hasLook ? (
          <button type="button" className="button" onClick={() => setLooking(!isLooking)}>
            {isShown
              ? `All letters ${formatNumber(letters.length)}`
              : `Those to look at ${formatNumber(looked.length)}`}
          </button>
        ) : null}
        {isShown ? (
          <span className="small-text quieter">Nothing is left out by itself.</span>
        ) : (
          <LettersFilter words={words} onChange={setWords} isWritten={mailing.written_on !== null} />
        )}
      </header>
      {letters.length === 0 && !isShown ? <NoLetters /> : null}
      <LetterGrid
        key={String(isShown)}
        label={isShown ? 'Letters to look at' : 'All letters'}
        place="table"
        rows={rows}
        columns={[column]}
        heightOf={() => (isShown ? lookHeight : rowHeight)}
        isPhone
      />
    </section>
  );
}
