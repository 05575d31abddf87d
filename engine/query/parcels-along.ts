/** Finds the parcels that a line crosses. */
import { boundsOfCoordinates } from '../geo/geometry.ts';
import { prepareGeometry } from '../geo/intersects.ts';
import type { LandStore } from '../store/land-store.ts';
import { parcelsAt } from './parcels-at.ts';

const nearSql = `SELECT p.property_id, p.geom FROM idx_parcels_geom i CROSS JOIN parcels p ON p.property_id = i.pkid
WHERE i.xmin <= :maxX AND i.xmax >= :minX AND i.ymin <= :maxY AND i.ymax >= :minY AND p.status = 'current'`;

/** Vertices that are looked at together: the box around a whole walk holds many parcels that it does not come near. */
const piece = 64;

/** property_ids of the parcels that share a point with a line `[longitude, latitude, …]`, in the order of the line. */
export function parcelsAlong(land: LandStore, line: Float64Array): Set<number> {
  const found = new Set<number>();
  if (line.length === 2) return new Set(parcelsAt(land, line[0] as number, line[1] as number));
  for (let at = 0; at + 2 < line.length; at += 2 * (piece - 1)) {
    const part = line.subarray(at, at + 2 * piece);
    const bounds = boundsOfCoordinates([part]);
    const prepared = prepareGeometry({ points: new Float64Array(0), lines: [part], polygons: [], bounds });
    for (const [id, geometry] of land.file.rawRows(nearSql, { ...bounds }))
      if (!found.has(id as number) && isCrossed(prepared, geometry)) found.add(id as number);
  }
  return found;
}

/** False for a damaged geometry; `platbook check` reports it. */
function isCrossed(prepared: ReturnType<typeof prepareGeometry>, geometry: unknown): boolean {
  try {
    return prepared.intersectsBlob(geometry as Uint8Array);
  } catch {
    return false;
  }
}
