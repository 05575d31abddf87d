/** The first rows of a file, by column, with the areas of their shapes and the table rows that join them. */
import { acresOfMultiPolygon } from '../../geo/area.ts';
import { readFeatureGeometry } from '../../geo/ring-geometry.ts';
import { tablePrefix } from '../../spec/table-names.ts';
import { readParcelFile } from '../formats/parcel-reader.ts';
import type { ReadOptions } from '../formats/parcel-source.ts';
import type { TableFile } from '../formats/table-file.ts';
import { combineRows, foldKey, type KeyedRow, rowsOfKey } from '../mapping/join-rows.ts';
import type { MappingRow } from '../mapping/mapping-expression.ts';
import type { CompiledJoin } from '../mapping/row-mapper.ts';
import { textOf } from '../values/convert-value.ts';

export interface ParcelSample {
  /** Names of the columns, in file order; those of joined tables with their prefix. */
  readonly columns: readonly string[];
  readonly rows: readonly MappingRow[];
  /** Acres of each row's shape; null without one. */
  readonly acres: readonly (number | null)[];
  readonly tableColumns: readonly string[] | null;
}

/** All rows of most files: a column that is read by its first rows alone is read wrong behind them. */
const sampleRows = 20_000;

/** @throws EngineError like the readers: import_refused, file_missing, file_damaged */
export function sampleParcels(filePath: string, reading: ReadOptions = {}): ParcelSample {
  const rows: MappingRow[] = [];
  const acres: (number | null)[] = [];
  const columns = new Set<string>();
  let hasIds = false;
  for (const { properties, geometry, id } of readParcelFile(filePath, { ...reading, sampleRows })) {
    for (const name of Object.keys(properties)) columns.add(name);
    hasIds ||= id !== undefined;
    const shape = readFeatureGeometry(geometry);
    acres.push(shape.ok && shape.polygons ? acresOfMultiPolygon(shape.polygons) : null);
    rows.push({ properties: { ...properties }, id, table: null });
    if (rows.length === sampleRows) break;
  }
  return { columns: hasIds ? [...columns, '$id'] : [...columns], rows, acres, tableColumns: null };
}

/** A source's value in each row. */
export const valuesOf = (rows: readonly MappingRow[], read: (row: MappingRow) => unknown): (string | null)[] =>
  rows.map((row) => textOf(read(row)));

interface JoinedSample {
  readonly sample: ParcelSample;
  /** Sampled parcels that found a row, and those that found several which differ. */
  readonly found: number;
  readonly several: number;
}

/**
 * The sample joined with a table's rows, as an import joins them. The table's columns follow those of earlier tables.
 * @param place of the table, from 0
 */
export function joinSample(
  sample: ParcelSample,
  table: TableFile,
  join: Omit<CompiledJoin, 'accountProperties'>,
  place = 0,
): JoinedSample {
  const before = sample.tableColumns ?? [];
  const keys = sample.rows.map((row) => join.parcelKey(row));
  const given = new Set(keys);
  const alike = new Map(keys.flatMap((key) => (key === null ? [] : [[foldKey(key), [] as KeyedRow[]] as const])));
  const blanks = before.map(() => null);
  const row: MappingRow = { properties: {}, id: undefined, table: null };
  for (const { values } of table.rows(table.columns.map((_, index) => index))) {
    row.table = [...blanks, ...values];
    const key = join.tableKey(row);
    if (key !== null) alike.get(foldKey(key))?.push({ key, values });
  }
  let [found, several] = [0, 0];
  const rows = sample.rows.map((parcel, index) => {
    const key = keys[index] ?? null;
    const all = key === null ? [] : (alike.get(foldKey(key)) ?? []);
    const mine = key === null ? [] : rowsOfKey(key, all, (other) => given.has(other.key)).rows;
    if (mine.length === 0) return parcel;
    const { values, isUndecided } = combineRows(mine, table.columns, join.rows);
    found++;
    if (isUndecided) several++;
    return { ...parcel, table: [...(parcel.table ?? blanks), ...values] };
  });
  const names = table.columns.map((name) => tablePrefix(place) + name);
  const joined = { ...sample, columns: [...sample.columns, ...names], rows, tableColumns: [...before, ...names] };
  return { sample: joined, found, several };
}
