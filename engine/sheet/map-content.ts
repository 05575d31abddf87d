/** Reads what a map sheet shows: lots, and features of layers, in the order of the file. */

import type { Bounds, MultiPolygon } from '../geo/geometry.ts';
import { decodeMultiPolygon } from '../geo/spatialite-blob.ts';
import { decodeMultiLine, decodePoint } from '../geo/spatialite-lines.ts';
import type { LandStore } from '../store/land-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { heightOf, routeNumber, shieldOf } from '../tiles/feature-words.ts';
import { isShape } from '../tiles/stored-shapes.ts';
import type { FillValues } from './lot-fill.ts';

export interface SheetLot {
  readonly id: number;
  readonly apn: string | null;
  readonly owner: string | null;
  readonly acres: number | null;
  readonly values: FillValues;
  readonly polygons: MultiPolygon;
}

/** Parcels whose box touches one, by the index `i`. */
export const nearBox = 'i.xmin <= :maxX AND i.xmax >= :minX AND i.ymin <= :maxY AND i.ymax >= :minY';

const lotsSql = `SELECT p.property_id, p.apn, p.owner_name, coalesce(p.acres, p.calculated_acres), p.owner_type,
  coalesce(p.market_total_value, p.assessed_total_value), p.slope_mean_percent, p.flood_zone_percent, p.geom
FROM idx_parcels_geom i CROSS JOIN parcels p ON p.property_id = i.pkid
WHERE ${nearBox} AND p.status = 'current' AND ${isShape('p.geom')} ORDER BY p.property_id`;

type LotRow = [
  id: number,
  apn: string | null,
  owner: string | null,
  acres: number | null,
  ownerType: string | null,
  value: number | null,
  slope: number | null,
  flood: number | null,
  geom: Uint8Array,
];

export const countLots = (file: SqliteFile, near: Bounds): number =>
  file.get<{ lots: number }>(`SELECT count(*) AS lots FROM idx_parcels_geom i WHERE ${nearBox}`, near)?.lots ?? 0;

/** Leaves out a lot whose shape is damaged: `platbook check` names it. */
export const readLots = (file: SqliteFile, near: Bounds): SheetLot[] =>
  (file.rawRows(lotsSql, near) as LotRow[]).flatMap(([id, apn, owner, acres, ownerType, value, slope, flood, geom]) => {
    const polygons = polygonsOf(geom);
    const values = {
      value_per_acre: value === null || acres === null || acres <= 0 ? null : Math.round(value / acres),
      ...{ acres, owner_type: ownerType, slope_mean_percent: slope, flood_zone_percent: flood },
    };
    return polygons ? [{ id, apn, owner, acres, values, polygons }] : [];
  });

/** Null: the shape is damaged, or no area. */
export function polygonsOf(geom: Uint8Array): MultiPolygon | null {
  try {
    return decodeMultiPolygon(geom);
  } catch {
    return null;
  }
}

export interface SheetFeature {
  readonly class: string | null;
  /** Null also where the route's number says the same. */
  readonly name: string | null;
  /** Number of a route, for its shield. */
  readonly route: string | null;
  /** Height of a summit. */
  readonly feet: number | null;
  /** One of these is not empty. */
  readonly polygons: MultiPolygon;
  readonly lines: readonly Float64Array[];
  readonly point: readonly [number, number] | null;
}

/** CROSS JOIN forces SQLite to start at the boxes, not at all features of the layer. */
const featuresSql = `SELECT f.class, f.name, f.properties, f.geom
FROM layer_features_index i CROSS JOIN layer_features f ON f.layer_feature_id = i.layer_feature_id
WHERE i.max_lon >= :minX AND i.min_lon <= :maxX AND i.max_lat >= :minY AND i.min_lat <= :maxY
  AND +f.layer_id = :layerId AND ${isShape('f.geom')} ORDER BY f.feature_id`;

type FeatureRow = [featureClass: string | null, name: string | null, properties: string, geom: Uint8Array];

/** Leaves out shapes that are neither polygons, lines nor points. */
export const readFeatures = ({ file }: LandStore, layerId: number, near: Bounds): SheetFeature[] =>
  (file.rawRows(featuresSql, { ...near, layerId }) as FeatureRow[]).flatMap((row): SheetFeature[] => {
    const [featureClass, , , geom] = row;
    const polygons = polygonsOf(geom);
    if (polygons) return [{ ...wordsOf(row, null), class: featureClass, polygons, lines: [], point: null }];
    const lines = linesOf(geom);
    if (lines.length > 0) return [{ ...wordsOf(row, 'line'), class: featureClass, polygons: [], lines, point: null }];
    const point = decodePoint(geom);
    return point ? [{ ...wordsOf(row, 'point'), class: featureClass, polygons: [], lines: [], point }] : [];
  });

/** Roads of a main class have routes, summits have heights. */
function wordsOf(
  [featureClass, name, properties]: FeatureRow,
  form: 'line' | 'point' | null,
): Pick<SheetFeature, 'name' | 'route' | 'feet'> {
  const feet = form === 'point' && featureClass === 'summit' ? heightOf(properties) : null;
  const isMain = form === 'line' && featureClass !== null && featureClass !== 'local_road';
  const route = isMain ? shieldOf(name, properties) : null;
  return { name: route !== null && routeNumber(name ?? '') === route ? null : name, route, feet };
}

function linesOf(geom: Uint8Array): Float64Array[] {
  try {
    return decodeMultiLine(geom);
  } catch {
    return [];
  }
}

interface Source {
  readonly name: string;
  /** ISO date. */
  readonly date: string;
}

/** Who published the parcels in a box, and when. */
export const parcelSources = (file: SqliteFile, near: Bounds): Source[] =>
  file.all<Source>(
    `SELECT DISTINCT d.source_name AS name, d.source_date AS date
     FROM idx_parcels_geom i CROSS JOIN parcels p ON p.property_id = i.pkid JOIN datasets d USING (dataset_id)
     WHERE ${nearBox} AND p.status = 'current' ORDER BY name`,
    near,
  );
