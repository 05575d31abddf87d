/** What a tile draws of the parcels near it, straight from the parcels table: the oracle of near-by-columns.ts, and its stand-in. */
import type { Bounds } from '../geo/geometry.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { isShape, joinedShapes } from './stored-shapes.ts';

/** What the fills of the map need, but for the APN; null where the county did not publish it. */
export interface Fill {
  acres: number | null;
  ownerType: string | null;
  /** Market value, else assessed. */
  value: number | null;
  slope: number | null;
  flood: number | null;
  structures: number | null;
}

export interface Texts {
  readonly longitude: number | null;
  readonly latitude: number | null;
  readonly apn: string | null;
  readonly owner: string | null;
}

/** Least degrees of the boxes of parcels whose texts are wanted: most at low zooms are not large enough for a label. */
export interface LeastSize {
  readonly width: number;
  readonly height: number;
}

/** Some parcels by property_id; one number each in `ids`, `starts` and `lengths`. */
export interface NearParcels {
  readonly ids: ArrayLike<number>;
  /** SpatiaLite geometries. */
  readonly shapes: Uint8Array;
  /** Where each begins in `shapes`, and its bytes. */
  readonly starts: ArrayLike<number>;
  readonly lengths: ArrayLike<number>;
  /** Reads what is known of the parcel at a place of the list. */
  readFill(place: number, into: Fill): void;
  /** By property_id. */
  readonly texts: ReadonlyMap<number, Texts>;
}

/** CROSS: from the boxes to the parcels, whatever the planner thinks of the number of rows. */
const nearSql = `idx_parcels_geom i CROSS JOIN parcels p ON p.property_id = i.pkid
WHERE i.xmin <= :maxX AND i.xmax >= :minX AND i.ymin <= :maxY AND i.ymax >= :minY AND p.status = 'current'
  AND ${isShape('p.geom')}`;

/** As near-by-columns.ts lists them: county by county. */
const order = 'ORDER BY p.fips, p.property_id';

const fillsSql = `SELECT p.property_id, length(p.geom), coalesce(p.acres, p.calculated_acres), p.owner_type,
  coalesce(p.market_total_value, p.assessed_total_value), p.slope_mean_percent, p.flood_zone_percent, p.structure_count
FROM ${nearSql} ${order}`;

const textsSql = `SELECT p.property_id, p.point_lon, p.point_lat, p.apn, p.owner_name
FROM ${nearSql} AND i.xmax - i.xmin >= :width AND i.ymax - i.ymin >= :height`;

/** To be called within a snapshot. */
export function nearBySql(file: SqliteFile, near: Bounds, least: LeastSize): NearParcels {
  const rows = file.rawRows(fillsSql, near);
  const lengths = Float64Array.from(rows, (row) => row[1] as number);
  const starts = new Float64Array(lengths.length);
  for (let place = 1; place < lengths.length; place++) {
    starts[place] = (starts[place - 1] as number) + (lengths[place - 1] as number);
  }
  return {
    ids: Float64Array.from(rows, (row) => row[0] as number),
    shapes: joinedShapes(file, nearSql, 'p.geom', near, order),
    starts,
    lengths,
    readFill: (place, into) => {
      const [, , acres, ownerType, value, slope, flood, structures] = rows[place] as unknown[];
      into.acres = numberOf(acres);
      into.ownerType = textOf(ownerType);
      into.value = numberOf(value);
      into.slope = numberOf(slope);
      into.flood = numberOf(flood);
      into.structures = numberOf(structures);
    },
    texts: textsOf(file.rawRows(textsSql, { ...near, ...least })),
  };
}

/** @param rows property_id, point_lon, point_lat, apn, owner_name */
export const textsOf = (rows: readonly (readonly unknown[])[]): ReadonlyMap<number, Texts> =>
  new Map(
    rows.map(([id, longitude, latitude, apn, owner]) => [
      id as number,
      { longitude: numberOf(longitude), latitude: numberOf(latitude), apn: textOf(apn), owner: textOf(owner) },
    ]),
  );

/** What stands in a cell is what somebody wrote there, of whatever type. */
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
