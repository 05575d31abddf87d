/** Shapes of given parcels, for outlines on the map. */
import { blobToGeoJson, type GeoJsonMultiPolygon } from '../geo/spatialite-blob.ts';
import type { LandStore } from '../store/land-store.ts';

export interface ParcelShape {
  readonly property_id: number;
  readonly shape: GeoJsonMultiPolygon;
}

const shapesSql = `SELECT property_id, geom FROM parcels
WHERE property_id IN (SELECT value FROM json_each(?)) AND geom IS NOT NULL ORDER BY property_id`;

/** Skips parcels without a shape, or with a damaged one: `platbook check` names it. */
export const parcelShapes = ({ file }: LandStore, ids: readonly number[]): ParcelShape[] =>
  file.rawRows(shapesSql, JSON.stringify(ids)).flatMap(([id, geometry]) => {
    const shape = shapeOf(geometry as Uint8Array);
    return shape ? [{ property_id: id as number, shape }] : [];
  });

function shapeOf(geometry: Uint8Array): GeoJsonMultiPolygon | null {
  try {
    return blobToGeoJson(geometry);
  } catch {
    return null;
  }
}
