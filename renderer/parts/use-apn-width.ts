/** How wide the APNs of a table are: one county writes `4-6`, another seventeen digits that differ in the last alone. */
import { useRef } from 'react';

/** Digits and capitals of a row's text, and its padding. */
const remPerLetter = 0.57;
const paddingRem = 1.5;
/** Longer ones are cut, and whole in their title. */
const mostLetters = 26;
/** As many as “no shape” beside one is wide, with the room between. */
const badgeLetters = 7;
/** Width of `no APN`, the text of a row without one. */
const noApnLetters = 6;

const lettersOf = (apn: unknown): number => (typeof apn === 'string' ? Math.min(apn.length, mostLetters) : 0);

/**
 * It grows with what is scrolled to and never shrinks, so that nothing moves back and forth.
 * @param of what the rows are of: another result starts over
 * @param badged those of the APNs that have “no shape” beside them
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
