/** The lists at the end of a book: small parcels by page, and all holdings by name. */
import type { BookFile } from './book-file.ts';
import { ColumnPages, type ListRow } from './columns-of-text.ts';
import { type Holding, othersWords } from './holdings.ts';
import type { FoundAt } from './map-pages.ts';
import { acresWords } from './place-labels.ts';

interface Listed {
  readonly holding: Holding;
  /** Undefined: it has no shape. */
  readonly found: FoundAt | undefined;
}

const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

type Small = Listed & { readonly found: FoundAt };

const isSmall = (one: Listed): one is Small => one.found?.labelClass === 'number' || one.found?.labelClass === 'cell';

/** What has a number or only a cell, by page in the order of the book. @returns number of pages */
export function addSmallParcels(
  file: BookFile,
  bookTitle: string,
  listed: readonly Listed[],
  pages: readonly string[],
): number {
  const small = listed.filter(isSmall);
  if (small.length === 0) return 0;
  const byPage = Map.groupBy(small, ({ found }) => found.page);
  const rows = smallRows(small);
  const list = new ColumnPages(file, { title: 'Small parcels', bookTitle, name: 'Small parcels', rows });
  file.bookmarks.push({ title: 'Small parcels', target: { page: 'Small parcels' }, below: [] });
  for (const page of pages.filter((name) => byPage.has(name))) {
    list.add({ text: page, isHeading: true, target: { page } }, 2);
    for (const one of (byPage.get(page) ?? []).sort(inListOrder)) list.add(smallRow(one));
  }
  return list.finish();
}

const smallRow = ({ holding, found }: Small): ListRow => ({
  number: found.number === null ? '·' : String(found.number),
  text: holding.name + othersWords(holding),
  acres: acresWords(holding),
  place: found.cell,
  target: found.target,
});

function* smallRows(small: readonly Small[]): Generator<ListRow> {
  for (const one of small) yield smallRow(one);
}

/** Cells without a number come after the numbers. */
const inListOrder = (a: Small, b: Small): number =>
  (a.found.number ?? 1e9) - (b.found.number ?? 1e9) || names.compare(a.holding.name, b.holding.name);

export const indexTitle = (hasNames: boolean): string => (hasNames ? 'Index of owners' : 'Index of parcels');

/** One name of a holding. */
interface Entry extends Listed {
  readonly text: string;
}

/** Every holding under each of its names. @returns number of pages */
export function addIndex(file: BookFile, bookTitle: string, listed: readonly Listed[], hasNames: boolean): number {
  const title = indexTitle(hasNames);
  const sorted = listed
    .flatMap((one): Entry[] => [
      { ...one, text: one.holding.name + othersWords(one.holding) },
      ...one.holding.alsoNames.map((text) => ({ ...one, text })),
    ])
    // Stable: equal names with equal acres keep the order of the holdings.
    .sort((a, b) => names.compare(a.text, b.text) || (b.holding.acres ?? 0) - (a.holding.acres ?? 0));
  const list = new ColumnPages(file, { title, bookTitle, name: title, rows: indexRows(sorted) });
  const mark = { title, target: { page: title }, below: [] as typeof file.bookmarks };
  file.bookmarks.push(mark);
  let letter = '';
  for (const row of indexRows(sorted)) {
    const page = list.pageName;
    const first = row.text.normalize('NFD').charAt(0).toUpperCase();
    if (first !== letter && /[A-Z]/.test(first) && hasNames)
      mark.below.push({ title: first, target: { page }, below: [] });
    letter = first;
    list.add(row);
  }
  return list.finish();
}

/** One at a time: a hundred thousand that are kept would fill memory. */
function* indexRows(sorted: readonly Entry[]): Generator<ListRow> {
  for (const [at, { text, holding, found }] of sorted.entries()) {
    yield {
      text,
      isSame: text === sorted[at - 1]?.text,
      acres: acresWords(holding),
      place: found ? `${found.page} ${found.cell}` : 'no shape',
      ...(found && { target: found.target }),
    };
  }
}
