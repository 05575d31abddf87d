/**
 * The sources of a guess: each column by itself, and values that counties split over several columns or combine in one:
 * lines of an address, house number and street, "CITY ST ZIP".
 */

import { directions, streetWords as endingWords } from '../../spec/street-words.ts';
import { splitTableName, withoutTable } from '../../spec/table-names.ts';
import { foldSpaces } from '../../spec/text-fold.ts';
import { lineParts, partOfLines, readCityLine } from '../mapping/address-lines.ts';
import type { Expression, ExpressionObject } from '../mapping/mapping-schema.ts';
import { maxFormLength } from './guess-facts.ts';
import { inOwnUnits } from './guess-units.ts';
import { type NameWord, wordsOf } from './guess-words.ts';

export interface GuessSource {
  /** For display: `LOCNUMB + LOCNAME`. */
  readonly label: string;
  readonly expression: Expression;
  /** Columns of the file that it uses. */
  readonly columns: readonly string[];
  readonly words: readonly NameWord[];
  /** Its text holds the texts of these columns, and more: the parts say it better. */
  readonly holds?: readonly string[];
}

/** A column with the values of the sampled rows. */
export interface SampledColumn {
  readonly name: string;
  readonly values: readonly (string | null)[];
  readonly words: readonly NameWord[];
}

const has = ({ words }: { words: readonly NameWord[] }, concept: string): boolean =>
  words.some(({ concepts }) => concepts.includes(concept));
const word = (concept: string): NameWord => ({ text: concept, concepts: [concept], isCut: false });

/** Names without a common prefix: `Parcels.OWNER`, `PVA_OWNER`. */
function plainNames(names: readonly string[]): string[] {
  const short = names.map((name) => withoutTable(name).replace(/^.*\.(?=[^.])/, ''));
  const [first = ''] = short;
  const prefix = /^[A-Za-z]+_/.exec(first)?.[0] ?? '';
  const shared = prefix === '' ? 0 : short.filter((name) => name.startsWith(prefix)).length;
  // Two thirds of all: a few names like SALE_DATE and SALE_PRICE share a word that matters.
  return shared >= 4 && shared >= short.length * 0.67 && wordsOf(prefix).every(({ concepts }) => concepts.length === 0)
    ? short.map((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : name))
    : short;
}

export function sampledColumns(
  names: readonly string[],
  valuesOfColumn: (name: string) => readonly (string | null)[],
): SampledColumn[] {
  const plain = plainNames(names);
  return names.map((name, index) => ({
    name,
    values: valuesOfColumn(name),
    words: name === '$id' ? [word('feature')] : wordsOf(plain[index] ?? name),
  }));
}

/**
 * Every source: a combination or a part uses its columns up, so that none is proposed twice.
 * @param key columns that join a table only together: their combination may be the parcel number
 */
export function sourcesOf(columns: readonly SampledColumn[], key: readonly string[] = []): GuessSource[] {
  const used = new Set<string>();
  const made: GuessSource[] = [];
  const add = (sources: readonly GuessSource[]) => {
    for (const source of sources) for (const name of source.columns) used.add(name);
    made.push(...sources);
  };
  const free = () => columns.filter(({ name }) => !used.has(name));
  if (key.length > 0) add([joined(key, [word('map'), word('lot')], '-')]);
  add(addressLines(columns));
  for (const column of free()) add(partsOf(column));
  add(streetAddresses(free()));
  add(numberedLines(free()));
  add(personNames(free()));
  add(zipsWithFour(free()));
  return [...made, ...free().map((column) => inOwnUnits(column) ?? asItIs(column, columns))];
}

function asItIs(column: SampledColumn, columns: readonly SampledColumn[]): GuessSource {
  const { name, words } = column;
  const source = { label: name, expression: name, columns: [name], words };
  if (!has(column, 'address')) return source;
  const holds = columns.filter(
    (other) =>
      placeWords.some((one) => has(other, one)) && isOfOwner(other) === isOfOwner(column) && holdsText(column, other),
  );
  return holds.length === 0 ? source : { ...source, holds: holds.map((one) => one.name) };
}

const placeWords = ['city', 'zip'] as const;

const leastShare = 0.9;
/** Fewer values prove nothing. */
const leastRows = 5;

/** The share of values of this form; longer texts have none. */
function shareOf(values: readonly (string | null)[], form: { readonly test: (text: string) => boolean }): number {
  const texts = values.filter((value) => value !== null);
  const fits = (text: string) => text.length <= maxFormLength && form.test(text);
  return texts.length < leastRows ? 0 : texts.filter(fits).length / texts.length;
}

const wholeLine = /^[^,A-Z\d]*[A-Z\d][^,]*,(?:[^,]*,)*[^,]+,\s*[A-Z]{2}\s+\d{5}(?:-?\d{4})?$/i;

const lastOf = (from: Expression, separator: string): ExpressionObject => ({ from, split: { separator, index: -1 } });

const kindOf = ({ words }: SampledColumn): NameWord[] =>
  words.filter(({ concepts }) =>
    concepts.some((one) => ['mail', 'situs', 'owner', 'taxpayer', 'parcel'].includes(one)),
  );

/** Splits "12 MAIN ST, THREE FORKS, MT 59752" and "THREE FORKS MT 59752". */
function partsOf(column: SampledColumn): GuessSource[] {
  const { name, values } = column;
  const part = (what: string, expression: Expression): GuessSource => ({
    label: `${name} (its ${what})`,
    expression,
    columns: [name],
    words: [...kindOf(column), word(what)],
  });
  if (shareOf(values, wholeLine) >= leastShare) {
    return [
      part('address', { from: name, split: { separator: ',', index: 0 } }),
      part('city', { from: name, split: { separator: ',', index: -2 } }),
      part('state', { from: lastOf(name, ','), slice: [0, 2] }),
      part('zip', lastOf(name, ' ')),
    ];
  }
  const areCities = shareOf(values, { test: (text) => readCityLine(text) !== null }) >= leastShare;
  return areCities ? lineParts.slice(1).map((what) => part(what, { lines: [name], part: what })) : [];
}

/**
 * TAXPAYER_1 to TAXPAYER_3, each row filled as far as it needs: the last filled line has city, state and ZIP. A first
 * line that is always a name is the owner's.
 */
function addressLines(columns: readonly SampledColumn[]): GuessSource[] {
  const numbered = columns.filter(
    (column) => has(column, 'address') || has(column, 'line') || kindOf(column).length > 0,
  );
  return [...Map.groupBy(numbered, lineKey).values()].flatMap((group) => {
    const sorted = group.toSorted((a, b) => (numberOf(a) ?? 0) - (numberOf(b) ?? 0));
    const own = isNameLine(sorted[0]) ? sorted.slice(1) : sorted;
    const [first] = own;
    if (!first || own.length < 2 || !endInCity(own)) return [];
    const names = own.map(({ name }) => name);
    return lineParts.map((part) => ({
      label: `${names[0]} to ${names.at(-1)} (their ${part})`,
      expression: { lines: names, part },
      columns: names,
      words: [...kindOf(first), word(part === 'street' ? 'address' : part)],
    }));
  });
}

/** More than one column holds cities: a single one is read by itself. */
function endInCity(lines: readonly SampledColumn[]): boolean {
  const cities = lines.map(() => 0);
  let rows = 0;
  for (const row of lines[0]?.values.keys() ?? []) {
    const at = lines.findLastIndex(({ values }) => (values[row] ?? null) !== null);
    if (at === -1) continue;
    rows++;
    const filled = lines.map(({ values }) => values[row] ?? null).filter((value) => value !== null);
    if (partOfLines(filled, 'zip') !== null) cities[at] = (cities[at] ?? 0) + 1;
  }
  const found = cities.reduce((sum, count) => sum + count, 0);
  return rows >= leastRows && found >= leastShare * rows && Math.max(...cities) < found;
}

/** A name on nearly every row: not the care-of line that some have. */
const isNameLine = (column: SampledColumn | undefined): boolean =>
  column !== undefined &&
  column.values.filter((value) => value !== null && !/\d|%|^C\/O|^ATTN/i.test(value)).length >=
    leastShare * column.values.length;

/** The parts of an address, in the order of writing. */
const streetParts = ['number', 'direction', 'street', 'suffix', 'unit'] as const;
type StreetPart = (typeof streetParts)[number];

const areNumbers = (values: readonly (string | null)[]): boolean =>
  shareOf(values, /^0*\d{1,6}(?:\.0+)?\s?[A-Z]?$/i) >= 0.8;
const areWords = (values: readonly (string | null)[]): boolean => shareOf(values, /[A-Z]{2}/i) >= 0.8;

const noStreet = ['parcel', 'account', 'id', 'building', 'area'];
/** Parts that need a word for a street or place: UNIT alone may be a unit of anything. */
const streetWords = ['suffix', 'direction', 'unit'] as const;

function streetPartOf(column: SampledColumn): StreetPart | null {
  if (noStreet.some((one) => has(column, one))) return null;
  const isAtPlace = isPlace(column) || has(column, 'address');
  if ((has(column, 'house') || (has(column, 'number') && isAtPlace)) && areNumbers(column.values)) return 'number';
  const part = streetWords.find((one) => has(column, one));
  if (part !== undefined && isAtPlace) return part;
  // STREET_TYPE: RD, AVE.
  if (has(column, 'street') && has(column, 'type')) return 'suffix';
  return isStreetName(column) ? 'street' : null;
}

const standing = (table: ReadonlyMap<string, string>): ReadonlySet<string> =>
  new Set([...table.keys(), ...table.values()]);
const [ways, endings] = [standing(directions), standing(endingWords)];
const isWordOf = (words: ReadonlySet<string>) => (text: string) => words.has(text.toUpperCase().replaceAll('.', ''));

/** Headings that are parts of an address only beside its other parts: what they are called, and what stands below them. */
const bareParts: readonly { part: StreetPart; concepts: readonly string[]; isValue: (text: string) => boolean }[] = [
  { part: 'number', concepts: ['number', 'address'], isValue: (text) => /^\d{1,6}(?:\.0+)?\s?[A-Z]?$/i.test(text) },
  { part: 'direction', concepts: ['direction'], isValue: isWordOf(ways) },
  { part: 'suffix', concepts: ['suffix', 'type'], isValue: isWordOf(endings) },
];

function barePartOf({ words, values }: SampledColumn): StreetPart | null {
  const texts = values.filter((value) => value !== null);
  const found = bareParts.find(
    ({ concepts, isValue }) =>
      words.length > 0 &&
      words.every((one) => one.concepts.some((concept) => concepts.includes(concept))) &&
      texts.filter(isValue).length >= 0.8 * Math.max(texts.length, 1),
  );
  return found?.part ?? null;
}

/** NUMBER, DIR, STREET, SUFFIX: from the street on, bare headings that touch a part before or behind them. */
function addBareParts(parts: Map<StreetPart, SampledColumn>, columns: readonly SampledColumn[]): void {
  if (!parts.has('street')) return;
  const taken = new Set(parts.values());
  const next = columns.findIndex((column, at) => {
    const part = taken.has(column) ? null : barePartOf(column);
    const isBeside = [columns[at - 1], columns[at + 1]].some((one) => one !== undefined && taken.has(one));
    if (part === null || parts.has(part) || !isBeside) return false;
    parts.set(part, column);
    return true;
  });
  if (next !== -1) addBareParts(parts, columns);
}

function isStreetName(column: SampledColumn): boolean {
  const isNamed = has(column, 'street') || (has(column, 'name') && has(column, 'situs'));
  // ST alone means state.
  const isOther =
    (has(column, 'address') && !has(column, 'street')) || (has(column, 'state') && column.words.length === 1);
  return isNamed && !isOther && areWords(column.values) && shareOf(column.values, /^\d+\s+\S/) < 0.3;
}

const isPlace = (column: SampledColumn): boolean =>
  ['situs', 'mail', 'owner', 'street'].some((concept) => has(column, concept));
const isOfOwner = (column: SampledColumn): boolean =>
  has(column, 'mail') || has(column, 'owner') || has(column, 'taxpayer');

/** House number, direction, street, suffix and unit as one address: the parcel's, and the owner's. */
function streetAddresses(columns: readonly SampledColumn[]): GuessSource[] {
  return [false, true].flatMap((ofOwner) => {
    const parts = new Map<StreetPart, SampledColumn>();
    for (const column of columns) {
      if (isOfOwner(column) !== ofOwner) continue;
      const part = streetPartOf(column);
      if (part !== null && !parts.has(part)) parts.set(part, column);
    }
    addBareParts(parts, columns);
    if (!parts.has('number') || !parts.has('street')) return [];
    const used = streetParts.flatMap((part) => parts.get(part)?.name ?? []);
    return [joined(used, [word(ofOwner ? 'mail' : 'situs'), word('address')])];
  });
}

const joined = (names: readonly string[], words: readonly NameWord[], separator = ' '): GuessSource => ({
  label: names.join(' + '),
  expression: { concat: [...names], separator },
  columns: names,
  words,
});

const withoutNumber = (words: readonly NameWord[]): NameWord[] =>
  words.filter(({ concepts }) => !concepts.some((one) => one.startsWith('#')));
const numberOf = ({ words }: SampledColumn): number | null => {
  const last = words.at(-1)?.concepts[0];
  return last?.startsWith('#') ? Number(last.slice(1)) : null;
};

/** What the lines of one text share. */
function lineKey({ name, words }: SampledColumn): string {
  const said = withoutNumber(words).map(
    ({ concepts }) => ['address', 'legal', 'line'].find((one) => concepts.includes(one)) ?? concepts.join('/'),
  );
  return [splitTableName(name)?.table, ...said.filter((one) => one !== 'line')].join(' ');
}

/** ADDR1, ADDR2, ADDR3 and LEGAL1, LEGAL2: lines of one text. Also ADDRESS and ADDRESS2. */
function numberedLines(columns: readonly SampledColumn[]): GuessSource[] {
  const lines = columns.filter(
    (column) => has(column, 'address') || has(column, 'legal') || (has(column, 'line') && has(column, 'mail')),
  );
  const groups = Map.groupBy(lines, lineKey);
  return [...groups.values()].flatMap((group) => {
    const sorted = group
      .filter((column) => !group.some((other) => holdsText(column, other)))
      .sort((a, b) => (numberOf(a) ?? 0) - (numberOf(b) ?? 0));
    const [first] = sorted;
    // ADDR1, ADDR2; ADDRESS, ADDRESS2; and three long names cut by a DBF: OWNERADDRE, OWNERADD_1, OWNERADD_2.
    const start = first && numberOf(first) === null ? (numberOf(sorted[1] ?? first) ?? 0) - 1 : 1;
    const numbers = sorted.map((column) => numberOf(column) ?? start);
    const areInOrder = numbers.every((number, index) => number === start + index);
    if (!first || sorted.length < 2 || !areInOrder) return [];
    // A second line with cities or states is not part of the street.
    const kept = sorted.filter(({ values }) => shareOf(values, /,\s*[A-Z]{2}\.?(?:\s+\d{5}.*)?$/i) < 0.5);
    return kept.length < 2
      ? []
      : [
          joined(
            kept.map(({ name }) => name),
            withoutNumber(first.words),
          ),
        ];
  });
}

/** On nearly all rows with both, a whole beside one of its parts; of two equal columns the later one. */
function holdsText(whole: SampledColumn, part: SampledColumn): boolean {
  if (whole === part) return false;
  let [rows, holding, longer] = [0, 0, 0];
  for (const [row, text] of part.values.entries()) {
    const other = whole.values[row] ?? null;
    if (text === null || other === null) continue;
    const [short, long] = [foldSpaces(text), foldSpaces(other)];
    rows++;
    if (long.includes(short)) holding++;
    if (long.length > short.length) longer++;
  }
  const isSecond = longer > 0 || (numberOf(whole) ?? 0) > (numberOf(part) ?? 0);
  return isSecond && rows >= leastRows && holding >= leastShare * rows;
}

/** Last and first names in separate columns, joined as assessors write them: SMITH JOHN. */
function personNames(columns: readonly SampledColumn[]): GuessSource[] {
  const find = (concept: string) =>
    columns.find(
      (column) =>
        has(column, 'owner') && has(column, concept) && !has(column, 'second') && (numberOf(column) ?? 1) === 1,
    );
  const [last, first] = [find('last'), find('first')];
  if (!last || !first || last === first || !areWords(last.values)) return [];
  return [joined([last.name, first.name], [word('owner'), word('name')])];
}

/** ZIP and its four-digit extension; a bare ZIP_4 behind a ZIP is that one's. */
function zipsWithFour(columns: readonly SampledColumn[]): GuessSource[] {
  return columns
    .filter((column) => has(column, 'zip4') && column.words.length <= 2)
    .flatMap((four) => {
      const kind = four.words.filter(({ concepts }) => !concepts.includes('zip4'));
      const before = columns[columns.indexOf(four) - 1];
      const isBehind = kind.length === 0 && before !== undefined && has(before, 'zip') && !has(before, 'zip4');
      const five = isBehind
        ? before
        : columns.find(
            (column) =>
              column !== four &&
              has(column, 'zip') &&
              column.words.length === kind.length + 1 &&
              kind.every(({ concepts }) => concepts.some((one) => has(column, one))),
          );
      const areFour = shareOf(four.values, /^\d{1,4}(?:\.0+)?$/) >= 0.8;
      if (!five || !areFour) return [];
      const whole = joined([five.name, four.name], five.words, '-');
      // Numbers have lost their first zeros.
      const padded = { from: four.name, wholeNumber: true, pad: { length: 4, with: '0' } } as const;
      const isShort = four.values.some((value) => value !== null && !/^\d{4}$/.test(value));
      return [isShort ? { ...whole, expression: { concat: [five.name, padded], separator: '-' } } : whole];
    });
}
