/** Units of measure as files write them, beside a number or behind it. */

/** Without case, blanks, dots and the signs of an estimate: `Sq. Ft.`, `± acres`, `+/- ac`. */
export const foldUnit = (text: string): string => text.toUpperCase().replace(/[\s.±+/-]/g, '');

/** No number with its unit is written longer. */
const maxLength = 64;

/** `5.2 acres` as its number and its unit; the whole as the number where no unit stands behind one. */
export function splitUnit(text: string): readonly [number: string, unit: string | null] {
  const [, number, unit] = (text.length <= maxLength && /^([\d.,]+)([^\d.,].*)$/.exec(text)) || [];
  return number === undefined || unit === undefined ? [text, null] : [number, unit];
}
