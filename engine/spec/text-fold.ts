/**
 * How text is compared. One definition for filters, search, the registry and the brute-force twins of the tests.
 */

/** Case folding: upper case of the composed form, composed again, so that `ñ` equals `Ñ` and `i̇` equals `İ` however typed. */
export const foldCase = (text: string): string => text.normalize('NFC').toUpperCase().normalize('NFC');

/** Case folding, with runs of white space as one space and none at the ends. */
export const foldSpaces = (text: string): string => foldCase(text).replace(/\s+/gu, ' ').trim();

/** Words only: everything but letters, marks and digits separates; one space between, one at each end. */
export const foldWords = (text: string): string =>
  ` ${foldCase(text)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()} `;

/** Letters and digits of an APN in upper case: for lookup only, two lots can share it (`12-201`, `12-2-01`). */
export const apnKey = (apn: string): string => foldCase(apn).replace(/[^\p{L}\p{N}]+/gu, '');
