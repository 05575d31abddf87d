/** Links of a plat book by what stands under them: the page that a link opens shows the thing that it names. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { bookOptions } from '../../engine/book/book-fields.ts';
import { cellOf, frameBox } from '../../engine/book/book-paper.ts';
import { initialed } from '../../engine/book/label-words.ts';
import { type BookReport, makeBook } from '../../engine/book/make-book.ts';
import { abbreviated } from '../../engine/contacts/short-words.ts';
import { openHomeCopy, removeHome, sampleHome } from '../support/homes.ts';
import { workOutOwners } from '../support/known-owners.ts';
import { requireOrSkip } from '../support/require.ts';
import { type Link, linksOf, type Word, wordsIn, wordsOf } from './pdf-inside.ts';

const hasPoppler = requireOrSkip(
  'poppler',
  spawnSync('pdftotext', ['-v']).status === 0,
  'it reads the book back (apt-get install poppler-utils)',
);

const box = frameBox([612, 792]);

const title = { left: 0, top: 20, right: 300, bottom: 44 };
const fromLeft = (words: readonly Word[]): Word[] => words.toSorted((a, b) => a.left - b.left);

/** The red name at the top right of a map page. */
const nameOf = (words: readonly Word[]): string =>
  fromLeft(wordsIn(words, { left: 480, top: 15, right: 612, bottom: 55 }))
    .map(({ text }) => text)
    .join(' ');

/** Lines of a list that lead to one place are one row: a long name has two. */
function rowsOf(links: readonly Link[]): Link[][] {
  const rows: Link[][] = [];
  for (const link of links) {
    const before = rows.at(-1)?.[0];
    if (before && JSON.stringify([before.to, before.target]) === JSON.stringify([link.to, link.target])) {
      rows.at(-1)?.push(link);
    } else rows.push([link]);
  }
  return rows;
}

const plain = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');

/** Beginnings that a name can have on the map. */
const firstWords = (name: string): string[] =>
  [name, abbreviated(name), initialed(name) ?? name].map((one) => plain(one.split(' ')[0] ?? ''));

const acresForm = /^±?<?[\d.,]+$/;

/** What a row of a list says, and what its link shows. */
interface Row {
  readonly texts: readonly string[];
  readonly list: string;
  /** Name of the page that opens. */
  readonly page: string;
  readonly cell: string;
  /** In the part that the link shows. */
  readonly shown: readonly string[];
}

function rowOf(row: readonly Link[], words: readonly Word[][]): Row {
  const [{ from, to, target }] = row as [Link & { target: NonNullable<Link['target']> }];
  const there = words[to] ?? [];
  const textsOf = (found: readonly Word[]) => found.map(({ text }) => text);
  return {
    texts: row.flatMap(({ at }) => textsOf(fromLeft(wordsIn(words[from] ?? [], at)))),
    list: textsOf(fromLeft(wordsIn(words[from] ?? [], title)))
      .slice(0, 2)
      .join(' '),
    page: nameOf(there),
    cell: cellOf(box, (target.left + target.right) / 2, (target.top + target.bottom) / 2),
    shown: textsOf(wordsIn(there, target)).map(plain),
  };
}

/** The name in a row `NAME … 5.00 B2 c4`; null: a ditto mark. */
function nameIn({ texts }: Row): string | null {
  const name = texts.slice(0, -2);
  if (acresForm.test(name.at(-1) ?? '')) name.pop();
  return name[0] === '"' ? null : name.join(' ');
}

let book: {
  readonly report: BookReport;
  readonly rows: readonly Row[];
  /** Number of holdings with a level name where they are at home: poppler takes turned words apart. */
  readonly levelNames: number;
};

describe.runIf(hasPoppler)('a line of a list opens the page that it names', () => {
  beforeAll(async () => {
    const engine = openHomeCopy(sampleHome());
    workOutOwners(engine);
    const pieces: Uint8Array[] = [];
    let levelNames = 0;
    const report = makeBook(engine.land, bookOptions({}, new Date('2026-11-25T03:00:00Z')), {
      put: (piece) => pieces.push(piece),
      progress: () => {},
      onPage: (_name, seen, labels) => {
        const homes = new Set(seen.filter(({ isHome }) => isHome).map(({ at }) => at));
        const level = labels.filter(
          ({ at, angle, labelClass }) => homes.has(at) && angle === 0 && labelClass !== 'number',
        );
        levelNames += level.length;
      },
    });
    const pdf = Buffer.concat(pieces);
    const file = path.join(engine.home, 'book.pdf');
    fs.writeFileSync(file, pdf);
    const words = wordsOf(file);
    const links = (await linksOf(pdf)).filter(({ target }) => target);
    book = { levelNames, report, rows: rowsOf(links).map((row) => rowOf(row, words)) };
    removeHome(engine);
  });

  const rowsIn = (list: string) => book.rows.filter((row) => row.list === list);

  test('in its cell', () => {
    expect(book.rows.filter(({ texts, cell }) => texts.at(-1) !== cell)).toEqual([]);
  });

  test('small parcels: at the number', () => {
    const rows = rowsIn('Small parcels');
    const { number, cell } = book.report.classes;
    expect(rows.length).toBe(number + cell);
    const lost = rows.filter(({ texts: [given = ''], shown }) => given !== '·' && !shown.includes(given));
    expect(lost).toEqual([]);
  });

  test('the index: at the name, or at the number that the list of small parcels explains', () => {
    const rows = rowsIn('Index of');
    const { report, levelNames } = book;
    expect(rows.length).toBe(report.holdings - report.classes.no_shape);
    expect(rows.filter(({ texts, page }) => texts.at(-2) !== page)).toEqual([]);
    let name = '';
    const named = rows.filter((row) => {
      name = nameIn(row) ?? name;
      return firstWords(name).some((word) => row.shown.includes(word));
    });
    // 4.5 points are the least: what does not fit at that size has a number.
    expect(levelNames).toBeGreaterThan(2900);
    expect(named.length).toBeGreaterThanOrEqual(levelNames);
  });
});
