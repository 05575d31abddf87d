/** How wide the APNs of a table are: one county writes `4-6`, another seventeen digits that differ in the last alone. */
import { useRef } from 'react';

/** Digits and capitals of a row's text, and its padding. */
const remPerLetter = 0.57;
const paddingRem = 1.5;
/** Longer ones are cut, and whole in their title. */
const mostLetters = 26;

/**
 * It grows with what is scrolled to and never shrinks, so that nothing moves back and forth.
 * @param of what the rows are of: another result begins anew
 */
export function useApnWidth(of: unknown, apns: Iterable<unknown>, leastRem: number): number {
  const seen = useRef({ of, letters: 0 });
  if (seen.current.of !== of) seen.current = { of, letters: 0 };
  for (const apn of apns)
    if (typeof apn === 'string') seen.current.letters = Math.max(seen.current.letters, apn.length);
  return Math.max(leastRem, Math.min(seen.current.letters, mostLetters) * remPerLetter + paddingRem);
}
