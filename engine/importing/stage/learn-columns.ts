/** Learns a file's columns from its first rows. Every thread of an import learns from the same rows. */
import { importColumns } from '../../spec/parcel-columns.ts';
import type { FeaturePosition } from '../formats/parcel-feature.ts';
import { type ParcelLayer, rowsPerTurn } from '../formats/parcel-source.ts';
import type { MappingRow } from '../mapping/mapping-expression.ts';
import type { RowMapper } from '../mapping/row-mapper.ts';
import type { StoredValue } from '../values/convert-value.ts';

/** @returns the position of the last of these rows; null: there is none */
export function learn(layer: ParcelLayer, mapper: RowMapper): FeaturePosition | null {
  const row: MappingRow = { properties: {}, id: undefined, table: null };
  const values: StoredValue[] = importColumns.map(() => null);
  let last: FeaturePosition | null = null;
  for (const { properties, id, position } of layer.features()) {
    if (position.row > rowsPerTurn) break;
    row.properties = properties;
    row.id = id;
    mapper.convert(row, values, () => {});
    last = position;
  }
  return last;
}
