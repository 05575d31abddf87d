/** How many random inputs a test tries. */
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Set in the project `outside`, which repeats some files of `engine` with all their runs. */
    isThorough: boolean;
  }
}

/** @returns `few` in the fast tier, `many` in `npm run test:all`; PLATBOOK_RUNS, where it is set, in both */
export function runs(few: number, many: number): number {
  const asked = process.env.PLATBOOK_RUNS;
  if (asked) return Number(asked);
  return inject('isThorough') ? many : few;
}
