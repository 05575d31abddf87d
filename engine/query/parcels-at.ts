/** Finds the parcels that contain a point. */
import { type MultiPolygon, planarRingArea } from '../geo/geometry.ts';
import { holdsPoint } from '../geo/holds-point.ts';
import { decodeMultiPolygon } from '../geo/spatialite-blob.ts';
import type { LandStore } from '../store/land-store.ts';

const nearSql = `SELECT p.property_id, p.geom FROM idx_parcels_geom i CROSS JOIN parcels p ON p.property_id = i.pkid
WHERE i.xmin <= :longitude AND i.xmax >= :longitude AND i.ymin <= :latitude AND i.ymax >= :latitude
  AND p.status = 'current'`;

/**
 * property_ids of the parcels that contain a point, smallest first, since condominiums may lie on top of their land. A point
 * on a shared border belongs to one of the two; a point in a hole does not belong to the parcel around it.
 */
export function parcelsAt({ file }: LandStore, longitude: number, latitude: number): number[] {
  return file
    .rawRows(nearSql, { longitude, latitude })
    .flatMap(([id, geometry]) => {
      const polygons = shapeOf(geometry);
      return polygons && holdsPoint(polygons, longitude, latitude)
        ? [{ id: id as number, area: areaOf(polygons) }]
        : [];
    })
    .sort((a, b) => a.area - b.area || a.id - b.id)
    .map(({ id }) => id);
}

/** Null for a damaged geometry; `platbook check` reports it. */
function shapeOf(geometry: unknown): MultiPolygon | null {
  try {
    return decodeMultiPolygon(geometry as Uint8Array);
  } catch {
    return null;
  }
}

/** Area in square degrees: comparable, since parcels at one point share a latitude. */
function areaOf(polygons: MultiPolygon): number {
  let area = 0;
  for (const [exterior, ...holes] of polygons) {
    if (exterior) area += Math.abs(planarRingArea(exterior));
    for (const hole of holes) area -= Math.abs(planarRingArea(hole));
  }
  return area;
}
