/** The width of a table's APNs: one county writes `4-6`, another seventeen digits that differ only in the last. */
import { useRef } from 'react';

/** Digits and capitals of a row's text, and its padding. */
const remPerLetter = 0.57;
const paddingRem = 1.5;
/** Longer ones are cut, and complete in their title. */
const mostLetters = 26;
/** Letters as wide as the “no shape” beside an APN, with the gap. */
const badgeLetters = 7;
/** Width of `no APN`, the text of a row without one. */
const noApnLetters = 6;

const lettersOf = (apn: unknown): number => (typeof apn === 'string' ? Math.min(apn.length, mostLetters) : 0);

/**
 * Grows as rows scroll into view and never shrinks, so that nothing moves back and forth.
 * @param of the source of the rows: another result starts over
 * @param badged the APNs with “no shape” beside them
 */
export function useApnWidth(
  of: unknown,
  apns: Iterable<unknown>,
  leastRem: number,
  badged: Iterable<unknown> = [],
): number {
  const seen = useRef({ of, letters: 0 });
  if (seen.current.of !== of) seen.current = { of, letters: 0 };
  const see = (letters: number) => {
    seen.current.letters = Math.max(seen.current.letters, letters);
  };
  for (const apn of apns) see(lettersOf(apn));
  for (const apn of badged) see((lettersOf(apn) || noApnLetters) + badgeLetters);
  return Math.max(leastRem, seen.current.letters * remPerLetter + paddingRem);
}
