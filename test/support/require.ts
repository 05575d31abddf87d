/**
 * Some tests need a program or data that a machine may lack. There they are skipped with one line; with
 * `PLATBOOK_REQUIRE=all` (continuous integration) a missing one is a failure instead, so that nothing is skipped unseen.
 */

import fs from 'node:fs';

/** File of this run in which skips are noted, one line of JSON each; absent where no homes are made (the project `unit`, scripts). */
export const skipsVariable = 'PLATBOOK_TEST_SKIPS';

/** Notes that tests are skipped, for the line at the end of the run (global-setup.ts). */
export function noteSkip(name: string, why: string): void {
  const file = process.env[skipsVariable];
  if (file) fs.appendFileSync(file, `${JSON.stringify({ name, why })}\n`);
  else console.warn(`SKIPPED: ${name}: ${why}`);
}

/**
 * Whether to run the tests that need `name`; `why` says what is missing and how to get it. The run's last lines list
 * it.
 */
export function requireOrSkip(name: string, available: boolean, why: string): boolean {
  if (available) return true;
  if (process.env.PLATBOOK_REQUIRE === 'all') throw new Error(`${name} is required (PLATBOOK_REQUIRE=all): ${why}`);
  noteSkip(name, why);
  return false;
}
