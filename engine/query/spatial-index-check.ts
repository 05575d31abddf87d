/** Compares the R-tree of the parcels with their geometries, row by row. */
import { blobBounds, decodeMultiPolygon } from '../geo/spatialite-blob.ts';
import type { LandStore } from '../store/land-store.ts';

interface IndexedShape {
  readonly property_id: number;
  readonly geom: Buffer;
  readonly pkid: number | null;
  readonly xmin: number;
  readonly xmax: number;
  readonly ymin: number;
  readonly ymax: number;
}

/** @returns the number of shapes, and up to ten sentences about shapes with a wrong index entry */
export function indexedBounds({ file }: LandStore): { shapes: number; problems: string[] } {
  const problems: string[] = [];
  let shapes = 0;
  const rows = file.iterate<IndexedShape>(
    'SELECT p.property_id, p.geom, i.* FROM parcels p LEFT JOIN idx_parcels_geom i ON i.pkid = p.property_id WHERE p.geom IS NOT NULL',
  );
  for (const row of rows) {
    shapes++;
    const problem = problemOf(row);
    if (problem && problems.length < 10) problems.push(`parcel ${row.property_id}: ${problem}`);
  }
  const entries = file.get<{ n: number }>('SELECT count(*) AS n FROM idx_parcels_geom')?.n ?? 0;
  if (entries !== shapes) problems.push(`${entries} index entries for ${shapes} shapes`);
  return { shapes, problems };
}

function problemOf(row: IndexedShape): string | null {
  const bounds = blobBounds(row.geom);
  if (!bounds) return 'its geometry is not a SpatiaLite geometry';
  try {
    decodeMultiPolygon(row.geom);
  } catch (error) {
    return (error as Error).message;
  }
  if (row.pkid === null) return 'not in the spatial index';
  const holds =
    row.xmin <= bounds.minX && row.xmax >= bounds.maxX && row.ymin <= bounds.minY && row.ymax >= bounds.maxY;
  return holds ? null : 'its index entry does not cover its geometry';
}
