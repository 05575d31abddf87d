/** Rows of land.sqlite as input of the comp value: comps with the known land attributes of their parcels. */
import type { StoredComp } from '../comps/comp-columns.ts';
import { compDateSql, dayOf } from '../comps/comp-facts.ts';
import type { DegreeBox } from '../comps/distance.ts';
import { recordOf } from '../comps/same-sale.ts';
import type { ValueAttributes, ValueComp } from '../comps/value-types.ts';
import { slopeEdgesPercent, steepSlope } from '../spec/parcel-columns.ts';
import type { SqliteFile } from '../store/sqlite.ts';

export interface AttributeRow {
  readonly wetlands_percent: number | null;
  readonly flood_zone_percent: number | null;
  readonly slope_area_percent: string | null;
  readonly landlocked: number | null;
  readonly road_frontage_ft: number | null;
  readonly water_frontage_ft: number | null;
}

/** Columns of the parcels table, aliased `p`. */
export const attributeNames = [
  'p.wetlands_percent',
  'p.flood_zone_percent',
  'p.slope_area_percent',
  'p.landlocked',
  'p.road_frontage_ft',
  'p.water_frontage_ft',
] as const;

/** What a value reads of parcels `p`. */
export const landNames = [
  ...attributeNames,
  'coalesce(p.market_land_value, p.assessed_land_value) AS county_land_value',
] as const;

export interface LandRow extends AttributeRow {
  /** US dollars. */
  readonly county_land_value: number | null;
}

const share = (percent: number | null): number | null => (percent === null ? null : percent / 100);

/** Share steeper than 15 percent grade: the class that `exclude_steep_slope` calls steep. */
function steepShare(json: string | null): number | null {
  const shares = json === null ? null : (JSON.parse(json) as (number | null)[]);
  return shares?.length === slopeEdgesPercent.length ? share(shares[steepSlope.index] ?? null) : null;
}

export const attributesOf = (row: AttributeRow): ValueAttributes => ({
  wetlandsShare: share(row.wetlands_percent),
  floodShare: share(row.flood_zone_percent),
  steepShare: steepShare(row.slope_area_percent),
  landlocked: row.landlocked === null ? null : row.landlocked === 1,
  roadFrontageFeet: row.road_frontage_ft,
  waterFrontageFeet: row.water_frontage_ft,
});

const columnNames = [
  'comp_id',
  'price',
  'lot_size',
  'longitude',
  'latitude',
  'status',
  'use',
  'property_id',
  'apn',
  'address',
  'coordinate_grain',
  'source_id',
  'struck',
] as const satisfies (keyof StoredComp)[];

export type ValueCompRow = Pick<StoredComp, (typeof columnNames)[number]> & LandRow & { readonly date: string | null };

/** The columns of a `ValueCompRow`, of comps `c`, without those of their parcels. */
export const valueCompColumns = `${compDateSql} AS date, ${columnNames.map((name) => `c.${name}`).join(', ')}`;

const valueCompsSql = `SELECT c.comp_rowid, ${valueCompColumns}, ${landNames.join(', ')}
  FROM comps c LEFT JOIN parcels p ON p.property_id = c.property_id`;

export const valueCompOf = (row: ValueCompRow): ValueComp => ({
  id: row.comp_id,
  price: row.price,
  acres: row.lot_size,
  longitude: row.longitude,
  latitude: row.latitude,
  status: row.status,
  date: dayOf(row.date),
  use: row.use,
  propertyId: row.property_id,
  apn: row.apn ?? '',
  address: row.address ?? '',
  attributes: attributesOf(row),
  countyLandValue: row.county_land_value,
  coordinateGrain: row.coordinate_grain ?? 'parcel',
  record: recordOf(row.address, row.source_id),
  struck: row.struck,
});

/** The comps with these row ids, in the same order; all must exist. */
export function valueCompsAt(file: SqliteFile, rowids: readonly number[]): ValueComp[] {
  const rows = file.all<ValueCompRow & { readonly comp_rowid: number }>(
    `${valueCompsSql} WHERE c.comp_rowid IN (SELECT value FROM json_each(?))`,
    JSON.stringify(rowids),
  );
  const byRowid = new Map(rows.map((row) => [row.comp_rowid, row]));
  return rowids.map((rowid) => {
    const row = byRowid.get(rowid);
    if (!row) throw new Error(`comp row ${rowid} is missing: the comps in memory do not match the file`);
    return valueCompOf(row);
  });
}

/** Every comp in a box of degrees, both bounds included. */
export const compsInBox = (file: SqliteFile, { west, east, south, north }: DegreeBox): ValueComp[] =>
  file
    .all<ValueCompRow>(
      `${valueCompsSql} WHERE c.longitude BETWEEN ? AND ? AND c.latitude BETWEEN ? AND ?`,
      west,
      east,
      south,
      north,
    )
    .map(valueCompOf);

/** Every recorded sale of a county. */
export const countySales = (file: SqliteFile, fips: string): ValueComp[] =>
  file.all<ValueCompRow>(`${valueCompsSql} WHERE c.fips = ? AND c.status = 'SOLD'`, fips).map(valueCompOf);
