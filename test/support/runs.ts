/** How much a test does, and what it measured. The only place that reads the size of a run. */
import fs from 'node:fs';
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Set in the project `outside`, which repeats some files of `engine` with all their runs. */
    isThorough: boolean;
  }
}

/** Set by test/torture/run.ts: everything in the size that docs/reliability.md promises. */
const isFullSize = Boolean(process.env.PLATBOOK_TORTURE);

export const fullSize = <Size>(usual: Size, full: Size): Size => (isFullSize ? full : usual);

/**
 * How many inputs a test tries.
 * @returns `few` in the fast tier, `many` in `npm run test:all`, `full` in `npm run test:torture`; PLATBOOK_RUNS, where it
 * is set, in all of them
 */
export function runs(few: number, many: number, full = many): number {
  const asked = process.env.PLATBOOK_RUNS;
  if (asked) return Number(asked);
  return fullSize(inject('isThorough') ? many : few, full);
}

/** Rows of a table: some in the fast tier, all in `npm run test:all`. */
export const byDay = <Row>(some: readonly Row[], all: readonly Row[]): readonly Row[] =>
  inject('isThorough') ? all : some;

/** File of a row of test/torture/run.ts for what its tests measured: a line of JSON each. */
export const measuredVariable = 'PLATBOOK_MEASURED';

/** What a test measured; no test fails by a time, so the scorecard says whether its target was met. */
export interface Measured {
  readonly what: string;
  readonly isMet: boolean | null;
}

/** @param target in words, and whether what was measured meets it */
export function measured(what: string, target?: readonly [words: string, isMet: boolean]): void {
  const file = process.env[measuredVariable];
  const line: Measured = { what: target ? `${what} (${target[0]})` : what, isMet: target?.[1] ?? null };
  if (file) fs.appendFileSync(file, `${JSON.stringify(line)}\n`);
}
