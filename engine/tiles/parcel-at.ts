/** Which parcel is here? */
import { type MultiPolygon, planarRingArea } from '../geo/geometry.ts';
import { holdsPoint } from '../geo/holds-point.ts';
import { decodeMultiPolygon } from '../geo/spatialite-blob.ts';
import type { LandStore } from '../store/land-store.ts';

const nearSql = `SELECT p.property_id, p.geom FROM idx_parcels_geom i CROSS JOIN parcels p ON p.property_id = i.pkid
WHERE i.xmin <= :longitude AND i.xmax >= :longitude AND i.ymin <= :latitude AND i.ymax >= :latitude
  AND p.status = 'current'`;

/**
 * property_ids of the parcels that hold a point, the smallest first: condominiums may lie upon their land. A point on the
 * border of two belongs to one of them; one in a hole does not belong to the parcel around it.
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

/** Null for a damaged one: `platbook check` names it. */
function shapeOf(geometry: unknown): MultiPolygon | null {
  try {
    return decodeMultiPolygon(geometry as Uint8Array);
  } catch {
    return null;
  }
}

/** Square degrees: those that hold one point lie at one latitude. */
function areaOf(polygons: MultiPolygon): number {
  let area = 0;
  for (const [exterior, ...holes] of polygons) {
    if (exterior) area += Math.abs(planarRingArea(exterior));
    for (const hole of holes) area -= Math.abs(planarRingArea(hole));
  }
  return area;
}
