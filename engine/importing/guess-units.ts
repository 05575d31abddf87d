/** A column that says the unit of each row's area, and the factors of its units. */
import type { SampledColumn } from './guess-sources.ts';
import type { ExpressionObject } from './mapping-schema.ts';

const acresPerSquareFoot = 1 / 43_560;
const acresPerSquareMeter = 1 / 4046.8564224;
const acresPerHectare = 10_000 * acresPerSquareMeter;

/** Acres for one of the unit; written without blanks and dots. */
const units: ReadonlyMap<string, number> = new Map([
  ...['A', 'AC', 'ACR', 'ACRE', 'ACRES'].map((name) => [name, 1] as const),
  ...['F', 'FT', 'SF', 'SQFT', 'SQFEET', 'SQUAREFEET', 'FT2'].map((name) => [name, acresPerSquareFoot] as const),
  ...['M2', 'SQM', 'SQUAREMETERS'].map((name) => [name, acresPerSquareMeter] as const),
  ...['H', 'HA', 'HECTARE', 'HECTARES'].map((name) => [name, acresPerHectare] as const),
]);

const folded = (text: string): string => text.toUpperCase().replace(/[\s.]/g, '');

export interface UnitColumn {
  readonly name: string;
  readonly scaleBy: NonNullable<ExpressionObject['scaleBy']>;
}

/** The column all of whose values are units, more than one; null: none, or two that could be it. */
export function findUnitColumn(columns: readonly SampledColumn[]): UnitColumn | null {
  const found = columns.flatMap(({ name, words, values }): UnitColumn[] => {
    const said = new Set(values.filter((value) => value !== null));
    const named = [...said].map((text) => [text, units.get(folded(text))] as const);
    // A and F are classes of anything, unless the name says that they are units.
    const isNamed = words.some(({ concepts }) => concepts.includes('unit'));
    if (!isNamed && [...said].some((text) => folded(text).length < 2)) return [];
    if (said.size < 2 || named.some(([, factor]) => factor === undefined)) return [];
    const factors = Object.fromEntries(named.map(([text, factor]) => [text, factor ?? 1]));
    return new Set(Object.values(factors)).size < 2 ? [] : [{ name, scaleBy: { unit: name, factors } }];
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}
