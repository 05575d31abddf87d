/** Shapes of given parcels, for outlines on the map. */
import { blobToGeoJson, type GeoJsonMultiPolygon } from '../geo/spatialite-blob.ts';
import type { LandStore } from '../store/land-store.ts';

export interface ParcelShape {
  readonly property_id: number;
  readonly shape: GeoJsonMultiPolygon;
}

const shapesSql = `SELECT property_id, geom FROM parcels
WHERE property_id IN (SELECT value FROM json_each(?)) AND geom IS NOT NULL ORDER BY property_id`;

/** As they are stored, by property_id, in its order; a parcel without one is left out. */
export const storedShapes = ({ file }: LandStore, ids: readonly number[]): ReadonlyMap<number, Uint8Array> =>
  new Map(file.rawRows(shapesSql, JSON.stringify(ids)) as [id: number, geom: Uint8Array][]);

/** Skips parcels without a shape, or with a damaged one: `platbook check` names it. */
export const parcelShapes = (land: LandStore, ids: readonly number[]): ParcelShape[] =>
  [...storedShapes(land, ids)].flatMap(([id, geom]) => {
    const shape = shapeOf(geom);
    return shape ? [{ property_id: id, shape }] : [];
  });

function shapeOf(geometry: Uint8Array): GeoJsonMultiPolygon | null {
  try {
    return blobToGeoJson(geometry);
  } catch {
    return null;
  }
}
