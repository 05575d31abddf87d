/** Columns of an export: those of the parcel dictionary, and computed ones such as value per acre; chosen by name. */
import { EngineError } from '../spec/errors.ts';
import { type ColumnType, type ParcelColumn, parcelColumns } from '../spec/parcel-columns.ts';
import { nearNames } from '../spec/validate.ts';
import { effectiveAcresSql } from '../store/parcel-expressions.ts';

/** Type of a value in a file; dates are ISO texts of ten characters. */
export type ValueKind = 'text' | 'integer' | 'number' | 'date' | 'boolean';

export interface ExportColumn {
  /** The heading: the dictionary's name, so that the file can be imported again without a mapping. */
  readonly name: string;
  readonly label: string;
  readonly docs: string;
  readonly unit?: string;
  readonly kind: ValueKind;
}

export type ExportValue = string | number | boolean | null;

const kinds: Record<Exclude<ColumnType, 'point' | 'shape'>, ValueKind> = {
  id: 'integer',
  integer: 'integer',
  money: 'integer',
  number: 'number',
  percent: 'number',
  text: 'text',
  date: 'date',
  boolean: 'boolean',
  // A list of eleven numbers: JSON, as the import reads it.
  percents: 'text',
};

const coordinate = (name: string, label: string): ExportColumn => ({
  name,
  label,
  docs: `${label} of a point on the surface of the parcel, WGS84.`,
  unit: '°',
  kind: 'number',
});

/** `point` is two columns in a table; `shape` is the geometry itself, in the formats that have one. */
function columnsOf(column: ParcelColumn): ExportColumn[] {
  const { name, label, docs, unit, type } = column;
  if (type === 'shape') return [];
  if (type === 'point') return [coordinate('longitude', 'Longitude'), coordinate('latitude', 'Latitude')];
  return [{ name, label, docs, kind: kinds[type], ...(unit === undefined ? {} : { unit }) }];
}

/** Every column of the dictionary, in its order. */
export const dictionaryColumns: readonly ExportColumn[] = parcelColumns.flatMap(columnsOf);

/** Columns of the app's table beyond the dictionary, exported only if named; `sql` is over parcels `p`. */
export const madeColumns: readonly (ExportColumn & { readonly sql: string })[] = [
  {
    name: 'effective_acres',
    label: 'Acres',
    docs: 'Recorded acres, or those of the polygon if the county published none.',
    unit: 'ac',
    kind: 'number',
    sql: effectiveAcresSql,
  },
  {
    name: 'market_value_per_acre',
    label: 'Market value per acre',
    docs: 'Market value over recorded acres, or over those of the polygon; dollars and cents.',
    unit: '$/ac',
    kind: 'number',
    sql: `round(market_total_value * 1.0 / nullif(${effectiveAcresSql}, 0), 2)`,
  },
];

const expand = (name: string): string[] => (name === 'point' ? ['longitude', 'latitude'] : [name]);

/**
 * The named columns, in that order; all dictionary columns if none are named.
 * @throws EngineError usage for an unknown name
 */
export function chooseColumns(
  names: readonly string[] | undefined,
  available: readonly ExportColumn[],
): readonly ExportColumn[] {
  if (!names || names.length === 0) return available;
  const byName = new Map([...madeColumns, ...available].map((column) => [column.name, column]));
  // The shape is not a column: the format has geometry or not.
  const wanted = [...new Set(names.filter((name) => name !== 'shape').flatMap(expand))];
  return wanted.map((name) => {
    const column = byName.get(name);
    if (column) return column;
    const near = nearNames(name, [...byName.keys()]);
    throw new EngineError(
      'usage',
      `There is no column ${JSON.stringify(name)}${near.length > 0 ? `; did you mean ${near.join(' or ')}?` : ` to export. There are: ${[...byName.keys()].join(', ')}.`}`,
    );
  });
}
