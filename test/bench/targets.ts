/** What each figure of the bench is held against. */

/** Minimum ratio of another engine's time to ours, count and page warm; by engine, then by query. */
const ratios: Readonly<Record<string, { readonly usual: number; readonly of?: Readonly<Record<string, number>> }>> = {
  DuckDB: { usual: 15, of: { Q1: 40, Q3: 40, Q7: 40, Q9: 10 } },
  PostGIS: { usual: 25 },
  SpatiaLite: { usual: 60 },
};

export const ratioTarget = (engine: string, question: string): number =>
  ratios[engine]?.of?.[question] ?? ratios[engine]?.usual ?? Number.NaN;

/** Milliseconds that a count alone may take: one and a half times its bytes at the measured bandwidth, and 0.15. */
export const countTarget = (bytes: number, bytesPerSecond: number): number => (1500 * bytes) / bytesPerSecond + 0.15;

export const targets = {
  /** Cold first query: times DuckDB's. */
  coldRatio: 1,
  /** Import: times as many rows a second as ogr2ogr. */
  importRatio: 4,
  /** File: times SpatiaLite's. */
  fileRatio: 1.4,
  residentBytes: 350e6,
  compsMilliseconds: 3,
  compValueP95Milliseconds: 20,
  httpAddsMilliseconds: 0.4,
  tileMilliseconds: 2,
  /** A million parcels imported: seconds, and resident bytes (R6 of docs/reliability.md). */
  importSecondsAMillion: 120,
  importResidentBytes: 512e6,
  /** R5 of docs/reliability.md, "What must hold": what is answered during an import, and the import's own speed. */
  beside: { answersASecond: 500, p99Milliseconds: 50, mostMilliseconds: 500, rowsASecond: 10_000 },
} as const;
