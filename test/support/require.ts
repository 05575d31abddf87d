/**
 * Some tests need a program or data that a machine may lack. There they are skipped with one line; with
 * `PLATBOOK_REQUIRE=all` (continuous integration) a missing one is a failure instead, so that nothing is skipped unseen.
 */

/** Whether to run the tests that need `name`; `why` says what is missing and how to get it. */
export function requireOrSkip(name: string, available: boolean, why: string): boolean {
  if (available) return true;
  if (process.env.PLATBOOK_REQUIRE === 'all') throw new Error(`${name} is required (PLATBOOK_REQUIRE=all): ${why}`);
  console.warn(`SKIPPED: ${name}: ${why}`);
  return false;
}
