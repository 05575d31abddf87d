/** 12345.6 → `12,345.6`, the same on every machine. */
export const grouped = (count: number): string => count.toLocaleString('en-US');

/** A count with its words, in singular or plural: `1 row is`, `3,000 rows are`. */
export const counted = (count: number, one: string, many: string): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;
