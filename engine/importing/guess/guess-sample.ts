/** The first rows of a file, by column, with the areas of their shapes and the table rows that join them. */
import { acresOfMultiPolygon } from '../../geo/area.ts';
import { readFeatureGeometry } from '../../geo/ring-geometry.ts';
import { readParcelFile } from '../formats/parcel-reader.ts';
import type { ReadOptions } from '../formats/parcel-source.ts';
import type { TableFile } from '../formats/table-file.ts';
import type { MappingRow } from '../mapping/mapping-expression.ts';
import { textOf } from '../values/convert-value.ts';

export interface ParcelSample {
  /** Names of the columns, in file order; those of a joined table as `table.NAME`. */
  readonly columns: readonly string[];
  readonly rows: readonly MappingRow[];
  /** Acres of each row's shape; null without one. */
  readonly acres: readonly (number | null)[];
  readonly tableColumns: readonly string[] | null;
}

/** Enough to tell columns apart, read in a second. */
export const sampleRows = 3000;

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

export const tablePrefix = 'table.';

/** A source's value in each row. */
export const valuesOf = (rows: readonly MappingRow[], read: (row: MappingRow) => unknown): (string | null)[] =>
  rows.map((row) => textOf(read(row)));

/** The sample joined with the table's rows by the keys of the join. */
export function joinSample(
  sample: ParcelSample,
  table: TableFile,
  keys: { readonly parcel: (row: MappingRow) => string | null; readonly table: (row: MappingRow) => string | null },
): ParcelSample {
  const wanted = new Map<string, number[]>();
  for (const [index, row] of sample.rows.entries()) {
    const key = keys.parcel(row);
    if (key !== null) wanted.set(key, [...(wanted.get(key) ?? []), index]);
  }
  const rows = [...sample.rows];
  const row: MappingRow = { properties: {}, id: undefined, table: null };
  for (const { values } of table.rows(table.columns.map((_, index) => index))) {
    row.table = values;
    const key = keys.table(row);
    for (const index of (key === null ? undefined : wanted.get(key)) ?? []) {
      const parcel = rows[index];
      // Keeps the first row of a key, as an import does.
      if (parcel && parcel.table === null) rows[index] = { ...parcel, table: values };
    }
  }
  return {
    ...sample,
    columns: [...sample.columns, ...table.columns.map((name) => tablePrefix + name)],
    rows,
    tableColumns: table.columns,
  };
}
