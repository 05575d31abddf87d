/** The lists at the end of a book: small parcels by page, and all holdings by name. */
import type { BookFile } from './book-file.ts';
import { ColumnPages } from './columns-of-text.ts';
import type { Holding } from './holdings.ts';
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
  const byPage = Map.groupBy(listed.filter(isSmall), ({ found }) => found.page);
  if (byPage.size === 0) return 0;
  const list = new ColumnPages(file, { title: 'Small parcels', bookTitle, name: 'Small parcels' });
  file.bookmarks.push({ title: 'Small parcels', target: { page: 'Small parcels' }, below: [] });
  for (const page of pages.filter((name) => byPage.has(name))) {
    list.add({ text: page, isHeading: true, target: { page } }, 2);
    for (const { holding, found } of (byPage.get(page) ?? []).sort(inListOrder)) {
      list.add({
        number: found.number === null ? '·' : String(found.number),
        text: holding.name,
        acres: acresWords(holding),
        place: found.cell,
        target: found.target,
      });
    }
  }
  return list.finish();
}

/** Cells without a number come after the numbers. */
const inListOrder = (a: Small, b: Small): number =>
  (a.found.number ?? 1e9) - (b.found.number ?? 1e9) || names.compare(a.holding.name, b.holding.name);

export const indexTitle = (hasNames: boolean): string => (hasNames ? 'Index of owners' : 'Index of parcels');

/** Every holding. @returns number of pages */
export function addIndex(file: BookFile, bookTitle: string, listed: readonly Listed[], hasNames: boolean): number {
  const title = indexTitle(hasNames);
  const sorted = listed
    // Stable: equal names with equal acres keep the order of the holdings.
    .toSorted(
      (a, b) => names.compare(a.holding.name, b.holding.name) || (b.holding.acres ?? 0) - (a.holding.acres ?? 0),
    );
  const list = new ColumnPages(file, { title, bookTitle, name: title });
  const mark = { title, target: { page: title }, below: [] as typeof file.bookmarks };
  file.bookmarks.push(mark);
  let last: string | null = null;
  let letter = '';
  for (const { holding, found } of sorted) {
    const page = list.pageName;
    const first = holding.name.normalize('NFD').charAt(0).toUpperCase();
    if (first !== letter && /[A-Z]/.test(first) && hasNames)
      mark.below.push({ title: first, target: { page }, below: [] });
    letter = first;
    const isSame = holding.name === last;
    last = holding.name;
    list.add({
      text: holding.name,
      isSame,
      acres: acresWords(holding),
      place: found ? `${found.page} ${found.cell}` : 'no shape',
      ...(found && { target: found.target }),
    });
  }
  return list.finish();
}
