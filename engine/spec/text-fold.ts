/** Folds text for comparison; filters, search, the registry and the tests' oracles share these functions. */

/** Upper case of the composed form (NFC), composed again, so that `ñ` equals `Ñ` and `i̇` equals `İ` however typed. */
export const foldCase = (text: string): string =>
  isAscii(text) ? text.toUpperCase() : text.normalize('NFC').toUpperCase().normalize('NFC');

/** Such texts, the usual ones, are composed: an import folds ten a row. */
const isAscii = (text: string): boolean => !/[^ -~]/.test(text);

/** Folds case, reduces white space to single spaces and trims. */
export const foldSpaces = (text: string): string => foldCase(text).replace(/\s+/gu, ' ').trim();

/** Plain ASCII with single blanks: folded by case alone. */
const isPlain = /^[!-~]*(?: [!-~]+)*$/;

/**
 * A text as filters and searches compare it: without case, accents (`Maëlle` is `MAELLE`) and repeated white space. Never
 * for identity: two names that differ in accents may be two people's.
 */
export const foldText = (text: string): string =>
  isPlain.test(text) ? text.toUpperCase() : foldSpaces(text.normalize('NFD').replace(/[\u0300-\u036f]/g, ''));

/** Words of a folded text, with one space between and at each end; anything but letters, marks and digits separates words. */
export const foldWords = (text: string): string =>
  ` ${foldText(text)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()} `;

/** Letters and digits of an APN in upper case. For lookup only: two parcels can share it (`12-201`, `12-2-01`). */
export const apnKey = (apn: string): string => foldCase(apn).replace(/[^\p{L}\p{N}]+/gu, '');
