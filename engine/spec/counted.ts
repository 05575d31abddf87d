/**
 * 12345.6 → `12,345.6`, the same on every machine. Written by hand: the first `toLocaleString` of a process loads ICU for
 * 20 ms, a twentieth of a short command, and half the time allowed for a WKT bomb.
 */
export const grouped = (count: number): string => String(count).replace(/\B(?<!\.\d*)(?=(?:\d{3})+(?!\d))/g, ',');

/** A count with its words, in singular or plural: `1 row is`, `3,000 rows are`. */
export const counted = (count: number, one: string, many: string): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;

/** The first of a list, and how many are left: `a, b, 3 more`. */
export function firstOf(texts: readonly string[], most: number): string {
  const rest = texts.length - most;
  return [...texts.slice(0, most), ...(rest > 0 ? [`${grouped(rest)} more`] : [])].join(', ');
}
