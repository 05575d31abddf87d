/**
 * Finds the unit of areas: from the name, from the shapes, from a column with each row's unit, or from the size of the
 * numbers.
 */
import type { ExpressionObject } from '../mapping/mapping-schema.ts';
import { parseNumber } from '../values/convert-value.ts';
import { foldUnit, splitUnit } from '../values/unit-text.ts';
import type { Agreement } from './guess-facts.ts';
import { guessByName } from './guess-patterns.ts';
import type { GuessSource, SampledColumn } from './guess-sources.ts';
import type { NameWord } from './guess-words.ts';

export const acresPerSquareFoot = 1 / 43_560;
const acresPerSquareMeter = 1 / 4046.8564224;
const acresPerHectare = 10_000 * acresPerSquareMeter;

/** Acres per unit; units without blanks and dots. */
const units: ReadonlyMap<string, number> = new Map([
  ...['A', 'AC', 'ACR', 'ACRE', 'ACRES'].map((name) => [name, 1] as const),
  ...['F', 'FT', 'SF', 'SQFT', 'SQFEET', 'SQUAREFEET', 'SQUAREFOOT', 'FT2', 'FT²'].map(
    (name) => [name, acresPerSquareFoot] as const,
  ),
  ...['M2', 'M²', 'SQM', 'SQUAREMETERS'].map((name) => [name, acresPerSquareMeter] as const),
  ...['H', 'HA', 'HECTARE', 'HECTARES'].map((name) => [name, acresPerHectare] as const),
]);

interface UnitColumn {
  readonly name: string;
  readonly scaleBy: NonNullable<ExpressionObject['scaleBy']>;
}

/** The column whose values are all units, more than one of them; null: none, or two candidates. */
export function findUnitColumn(columns: readonly SampledColumn[]): UnitColumn | null {
  const found = columns.flatMap(({ name, words, values }): UnitColumn[] => {
    const said = new Set(values.filter((value) => value !== null));
    const named = [...said].map((text) => [text, units.get(foldUnit(text))] as const);
    // A and F are classes of anything, unless the name means units.
    const isNamed = words.some(({ concepts }) => concepts.includes('unit'));
    if (!isNamed && [...said].some((text) => foldUnit(text).length < 2)) return [];
    if (said.size < 2 || named.some(([, factor]) => factor === undefined)) return [];
    const factors = Object.fromEntries(named.map(([text, factor]) => [text, factor ?? 1]));
    return new Set(Object.values(factors)).size < 2 ? [] : [{ name, scaleBy: { unit: name, factors } }];
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

type OwnUnits = Pick<UnitColumn['scaleBy'], 'factors'>;

/** Beside a number these are lengths: only columns of units use them for areas. */
const lengths = new Set(['F', 'FT']);

/** The factors of the units in the values themselves, like `5.2 acres`; null: too few have one. */
export function unitsInValues(values: readonly string[], leastShare: number): OwnUnits | null {
  const said = values.flatMap((value): [string, number][] => {
    const unit = foldUnit(splitUnit(value)[1] ?? '');
    const factor = lengths.has(unit) ? undefined : units.get(unit);
    return factor === undefined ? [] : [[unit, factor]];
  });
  return said.length === 0 || said.length < leastShare * values.length ? null : { factors: Object.fromEntries(said) };
}

const medianOf = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/**
 * Without shapes: whether the numbers of different units come closer to each other once converted to acres. Lots in
 * square feet are not thousands of times as large as those in acres; buildings with a code of two letters do not
 * change.
 * @param sizes and the units of the same rows
 */
export function unitsExplain(
  sizes: readonly (string | null)[],
  unitsOfRows: readonly (string | null)[],
  { scaleBy: { factors } }: UnitColumn,
): boolean {
  const byFactor = new Map<number, number[]>();
  for (const [row, text] of sizes.entries()) {
    const factor = factors[unitsOfRows[row] ?? ''];
    const number = text === null ? Number.NaN : parseNumber(text);
    if (factor === undefined || !(number > 0)) continue;
    byFactor.set(factor, [...(byFactor.get(factor) ?? []), number]);
  }
  const spread = (medians: readonly number[]): number => Math.max(...medians) / Math.min(...medians);
  const medians = [...byFactor].map(([factor, numbers]) => ({ factor, median: medianOf(numbers) }));
  return (
    medians.length > 1 &&
    spread(medians.map(({ factor, median }) => factor * median)) < spread(medians.map(({ median }) => median))
  );
}

interface AreaUnit {
  readonly acresPerUnit: number;
  /** In words, if the size of the numbers decided; null: the name or the shapes did. */
  readonly reason: string | null;
}

/** Few lots have 1,000 acres or more, and few less than 1,000 square feet. */
const squareFeetFrom = 1000;
const shown = (value: number): string => Number(value.toPrecision(4)).toLocaleString('en-US');

/** @param median of the numbers above 0 */
export function unitBySize(median: number): { readonly acresPerUnit: number; readonly reason: string } {
  return median < squareFeetFrom
    ? { acresPerUnit: 1, reason: `taken as acres: half are below ${shown(median)}` }
    : { acresPerUnit: acresPerSquareFoot, reason: `taken as square feet: half are above ${shown(median)}` };
}

/** From this agreement on the shapes decide, whatever the name says. */
const sureAgreement = 0.5;
/** Enough where the name gives no unit: numbers agree with another unit by chance on a few percent of rows. */
export const someAgreement = 0.2;

/** Acres per unit in a column's name; null: it names none. */
export function namedUnit(words: readonly NameWord[]): number | null {
  const says = (concept: string) => words.some(({ concepts }) => concepts.includes(concept));
  if (says('sqft') || says('square')) return acresPerSquareFoot;
  return says('acres') ? 1 : null;
}

/**
 * @param words of the column's name
 * @param median of its numbers above 0; NaN: there are none
 */
export function areaUnitOf(words: readonly NameWord[], median: number, agreement: Agreement | null): AreaUnit {
  const agreed = agreement?.share ?? 0;
  if (agreement && agreed >= sureAgreement) return { acresPerUnit: agreement.acresPerUnit, reason: null };
  const named = namedUnit(words);
  if (named !== null) return { acresPerUnit: named, reason: null };
  if (agreement && agreed >= someAgreement) return { acresPerUnit: agreement.acresPerUnit, reason: null };
  return Number.isNaN(median) ? { acresPerUnit: 1, reason: null } : unitBySize(median);
}

const leastShare = 0.9;
const inAcres: NameWord = { text: 'acres', concepts: ['acres'], isCut: false };
const unitConcepts = new Set(['sqft', 'square', 'feet']);
const saysUnit = ({ concepts }: NameWord): boolean => concepts.some((one) => unitConcepts.has(one));

/**
 * The column in acres where values include their unit, like `0.25 AC` and `10,890 sq ft`, whatever unit its name gives;
 * null if its name means no area or its values have no unit.
 */
export function inOwnUnits({ name, values, words }: SampledColumn): GuessSource | null {
  if (!guessByName(words).some(({ target }) => target === 'acres')) return null;
  const scaleBy = unitsInValues(
    values.filter((value) => value !== null),
    leastShare,
  );
  return (
    scaleBy && {
      label: `${name}, each value with its unit`,
      expression: { from: name, scaleBy },
      columns: [name],
      words: [...words.filter((word) => !saysUnit(word)), inAcres],
    }
  );
}
