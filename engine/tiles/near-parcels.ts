/** Finds the parcels near a tile in the parcels table: answers while a column index is stale, and is the tests' oracle. */
import type { Bounds } from '../geo/geometry.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { isShape, joinedShapes } from './stored-shapes.ts';

/** The attributes that the map's fills need, without the APN; null if not published. */
export interface Fill {
  acres: number | null;
  ownerType: string | null;
  /** Market value, else assessed value, in US dollars. */
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

/** Least box size, in degrees, of parcels whose label texts are read: at low zooms most are too small for a label. */
export interface LeastSize {
  readonly width: number;
  readonly height: number;
}

/** Parcels in ascending property_id; `ids`, `starts` and `lengths` are parallel. */
export interface NearParcels {
  readonly ids: ArrayLike<number>;
  /** SpatiaLite geometries, one after another. */
  readonly shapes: Uint8Array;
  /** Offset of each geometry in `shapes`, and its length in bytes. */
  readonly starts: ArrayLike<number>;
  readonly lengths: ArrayLike<number>;
  /** Reads the attributes of the parcel at an index into `into`. */
  readFill(place: number, into: Fill): void;
  /** By property_id. */
  readonly texts: ReadonlyMap<number, Texts>;
}

/** CROSS JOIN forces SQLite to start at the boxes, whatever its planner estimates. */
const nearSql = `idx_parcels_geom i CROSS JOIN parcels p ON p.property_id = i.pkid
WHERE i.xmin <= :maxX AND i.xmax >= :minX AND i.ymin <= :maxY AND i.ymax >= :minY AND p.status = 'current'
  AND ${isShape('p.geom')}`;

/** The order of near-by-columns.ts: county by county. */
const order = 'ORDER BY p.fips, p.property_id';

const fillsSql = `SELECT p.property_id, length(p.geom), coalesce(p.acres, p.calculated_acres), p.owner_type,
  coalesce(p.market_total_value, p.assessed_total_value), p.slope_mean_percent, p.flood_zone_percent, p.structure_count
FROM ${nearSql} ${order}`;

const textsSql = `SELECT p.property_id, p.point_lon, p.point_lat, p.apn, p.owner_name
FROM ${nearSql} AND i.xmax - i.xmin >= :width AND i.ymax - i.ymin >= :height`;

/** Call it within a snapshot. */
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

/** Another program may have written a value of any type. */
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
