/** One page of the matches of one or more counties, in the requested order. */
import type { CountyColumns, LoadedOrder } from './county-columns.ts';
import type { TextOrder } from './text-order.ts';
import { compareUtf8 } from './text-table.ts';

/** A county with the bitmap of its matches. */
export interface CountyMatches {
  readonly county: CountyColumns;
  readonly bits: number;
  readonly count: number;
}

interface Sorting {
  readonly column: string;
  readonly descending: boolean;
}

interface Slice {
  readonly offset: number;
  readonly size: number;
}

/** Ids by property_id, ascending or descending. */
export function pageById(matches: readonly CountyMatches[], { offset, size }: Slice, descending: boolean): number[] {
  if (descending) {
    const total = matches.reduce((sum, { count }) => sum + count, 0);
    const from = Math.max(0, total - offset - size);
    return pageById(matches, { offset: from, size: total - offset - from }, false).reverse();
  }
  const found = matches.filter(({ count }) => count > 0).sort((a, b) => a.county.id(0) - b.county.id(0));
  return areApart(found) ? pageInTurn(found, offset, size) : mergedPage(found, offset, size);
}

/** Whether every county's ids end before the next one's begin; always true unless another program assigned ids. */
const areApart = (matches: readonly CountyMatches[]): boolean =>
  matches.every(({ county }, i) => {
    const next = matches[i + 1];
    return !next || county.id(county.rows - 1) < next.county.id(0);
  });

function pageInTurn(matches: readonly CountyMatches[], offset: number, size: number): number[] {
  const parts: number[][] = [];
  let [skip, left] = [offset, size];
  for (const match of matches) {
    if (skip < match.count && left > 0) {
      const ids = idsOf(match, skip, left);
      parts.push(ids);
      left -= ids.length;
    }
    skip = Math.max(0, skip - match.count);
  }
  // A page may be the whole result: push cannot take a million arguments.
  return parts.flat();
}

function idsOf({ county, bits }: CountyMatches, skip: number, take: number): number[] {
  const { memory, kernels, words } = county;
  return memory.withScratch(take * 4, (out) => {
    const found = kernels.select(bits, words, skip, take, out);
    return Array.from(memory.numbers(out, found), (row) => county.id(row));
  });
}

function mergedPage(matches: readonly CountyMatches[], offset: number, size: number): number[] {
  const ids = matches.flatMap((match) => idsOf(match, 0, offset + size));
  return ids.sort((a, b) => a - b).slice(offset, offset + size);
}

/** Orders of columns outside the index. */
export interface TextOrders {
  /** All rows by text and position, those without a text last. */
  sortedRows(county: CountyColumns, column: string): TextOrder;
  values(ids: readonly number[], column: string): ReadonlyMap<number, string | null>;
}

/** Ids by the value of a column, rows without a value last; ties by property_id. */
export function pageByColumn(
  matches: readonly CountyMatches[],
  slice: Slice,
  { column, descending }: Sorting,
  texts: TextOrders,
): number[] {
  const found = matches.filter(({ count }) => count > 0);
  const orders = new Map(
    found.map(({ county }) => [
      county,
      county.order(column) ?? county.addOrder(column, texts.sortedRows(county, column)),
    ]),
  );
  const rowsOfPage = (match: CountyMatches, part: Slice) =>
    rowsByOrder(match, orders.get(match.county) as LoadedOrder, part, descending);
  const [only] = found;
  if (!only) return [];
  if (found.length === 1) return rowsOfPage(only, slice).map((row) => only.county.id(row));
  const upTo = { offset: 0, size: slice.offset + slice.size };
  const entries = found.flatMap((match) => entriesOf(match, rowsOfPage(match, upTo), column, texts));
  entries.sort((a, b) => compareEntries(a, b, descending));
  return entries.slice(slice.offset, slice.offset + slice.size).map(({ id }) => id);
}

interface Entry {
  readonly id: number;
  readonly value: number | string | null;
}

function entriesOf({ county }: CountyMatches, rows: readonly number[], column: string, texts: TextOrders): Entry[] {
  const ids = rows.map((row) => county.id(row));
  if (!county.isCoded(column)) {
    const values = texts.values(ids, column);
    return ids.map((id) => ({ id, value: values.get(id) ?? null }));
  }
  const loaded = county.column(column);
  const codes = county.codes(loaded);
  return rows.map((row, at) => {
    const code = codes[row] as number;
    return { id: ids[at] as number, value: code === 0 ? null : loaded.scale.value(code) };
  });
}

function compareEntries(a: Entry, b: Entry, descending: boolean): number {
  if (a.value === null || b.value === null) {
    return Number(a.value === null) - Number(b.value === null) || a.id - b.id;
  }
  const order = typeof a.value === 'string' ? compareUtf8(a.value, String(b.value)) : a.value - (b.value as number);
  return (descending ? -order : order) || a.id - b.id;
}

function rowsByOrder(
  { county, bits, count }: CountyMatches,
  order: LoadedOrder,
  { offset, size }: Slice,
  descending: boolean,
): number[] {
  const { memory, kernels, rows } = county;
  const known = memory.withScratch(size * 4, (out) => {
    const found = descending
      ? kernels.walkDown(order.at, order.starts, 0, order.known, bits, offset, size, out)
      : kernels.walk(order.at, 0, order.known, bits, offset, size, out);
    return [...memory.numbers(out, found)];
  });
  if (known.length === size || order.known === rows || offset + known.length >= count) return known;
  // Rows without a value come last, by position, in either direction.
  return memory.withScratch(size * 4, (out) => {
    const before = count - kernels.countOrdered(order.at, order.known, rows, bits);
    const skip = Math.max(0, offset - before);
    const found = kernels.walk(order.at, order.known, rows, bits, skip, size - known.length, out);
    return [...known, ...memory.numbers(out, found)];
  });
}
