/** Units of measure in files, beside or after a number. */

/** Removes case, blanks, dots and signs of an estimate: `Sq. Ft.`, `± acres`, `+/- ac`. */
export const foldUnit = (text: string): string => text.toUpperCase().replace(/[\s.±+/-]/g, '');

/** No number with its unit is longer. */
const maxLength = 64;

/** Splits `5.2 acres` into number and unit; without a unit the whole text is the number. */
export function splitUnit(text: string): readonly [number: string, unit: string | null] {
  const [, number, unit] = (text.length <= maxLength && /^([\d.,]+)([^\d.,].*)$/.exec(text)) || [];
  return number === undefined || unit === undefined ? [text, null] : [number, unit];
}
