/** Parts of an address that stands in several lines: the last filled one is `CITY ST ZIP`. */
import { stateCodeOf, usStates } from '../values/state-codes.ts';

export const lineParts = ['street', 'city', 'state', 'zip'] as const;
export type LinePart = (typeof lineParts)[number];

/** No line is longer; `.+?` before the state would otherwise try every place of a hostile text. */
const maxLineLength = 200;
const cityLine = /^(\p{L}[\p{L} .'’-]*?),?\s+([A-Z]{2}|[A-Z]\.[A-Z]\.)[.,]?\s+(\d{5}(?:\s?-?\s?\d{4})?)-?$/iu;
const country = /^(?:U\.?S\.?A?\.?|UNITED STATES(?: OF AMERICA)?)$/i;

interface CityLine {
  readonly city: string;
  readonly state: string;
  readonly zip: string;
}

/** `THREE FORKS, MT 59752`, with or without the comma; null for any other line, a foreign one too. */
export function readCityLine(line: string): CityLine | null {
  const [, city, letters, zip] = (line.length <= maxLineLength && cityLine.exec(line)) || [];
  const state = letters === undefined ? null : stateCodeOf(letters);
  if (city === undefined || zip === undefined || state === null || !usStates.has(state)) return null;
  return { city, state, zip };
}

/** @param lines filled ones, in order */
export function partOfLines(lines: readonly string[], part: LinePart): string | null {
  const own = lines.length > 1 && country.test(lines.at(-1) ?? '') ? lines.slice(0, -1) : lines;
  const last = readCityLine(own.at(-1) ?? '');
  if (part !== 'street') return last?.[part] ?? null;
  // Without a line of city and state every line is kept: nothing of a foreign address is lost.
  return (last ? own.slice(0, -1) : lines).join(', ') || null;
}
