/** Finds the neighbors of all parcels of a county and stores them; runs in a worker process (jobs/upkeep.ts). */
import {
  type Bounds,
  boundsOfCoordinates,
  boundsOfMultiPolygon,
  type MultiPolygon,
  unionOfBounds,
} from '../geo/geometry.ts';
import { aroundShape, sharedEdges } from '../geo/shared-edges.ts';
import { decodeMultiPolygon } from '../geo/spatialite-blob.ts';
import { isRoadParcel, roadParcelColumns } from '../spec/road-parcels.ts';
import {
  isStillFinding,
  listStaleNeighbours,
  markFinding,
  type NeighbourRow,
  writeNeighbours,
} from '../store/neighbour-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';

/** Raise it with every change of what counts as a neighbor: stored pairs are then found once more. */
export const neighbourMethod = 2;

/** Attempts at a county that other programs keep changing, before it is left for later. */
const tries = 3;

/** Parcels between two looks at the time. */
const rowsPerStep = 2000;

interface ShapeRow {
  readonly property_id: number;
  readonly fips: string;
  readonly point_lon: number | null;
  readonly point_lat: number | null;
  readonly geom: Uint8Array;
  readonly land_use_description: string | null;
  readonly property_class_id: string | null;
}

type StackedRow = Pick<ShapeRow, 'property_id' | 'point_lon' | 'point_lat' | 'geom'>;

/** Shapes that differ, each with the parcels that have it. */
export class Stacks {
  readonly ids: number[][] = [];
  readonly #byPoint = new Map<string, { readonly geom: Uint8Array; readonly ids: number[] }[]>();

  /** @returns whether the shape is new */
  add({ property_id: id, point_lon: x, point_lat: y, geom }: StackedRow): boolean {
    const key = `${x} ${y}`;
    const met = this.#byPoint.get(key);
    const equal = met?.find((one) => Buffer.compare(one.geom, geom) === 0);
    if (equal) {
      equal.ids.push(id);
      return false;
    }
    const ids = [id];
    this.ids.push(ids);
    if (met) met.push({ geom, ids });
    else this.#byPoint.set(key, [{ geom, ids }]);
    return true;
  }
}

/** The polygons of a stored shape; none if it is damaged. */
export function shapeOf(geom: Uint8Array): MultiPolygon {
  try {
    return decodeMultiPolygon(geom);
  } catch {
    return [];
  }
}

const useColumns = roadParcelColumns.join(', ');
const ownSql = `SELECT property_id, fips, point_lon, point_lat, geom, ${useColumns} FROM parcels
  WHERE fips IS nullif(:fips, '') AND status = 'current' AND geom IS NOT NULL`;
const beyondSql = `SELECT p.property_id, coalesce(p.fips, '') AS fips, p.point_lon, p.point_lat, p.geom, ${useColumns}
  FROM idx_parcels_geom i JOIN parcels p ON p.property_id = i.pkid
  WHERE i.xmin <= :maxX AND i.xmax >= :minX AND i.ymin <= :maxY AND i.ymax >= :minY
    AND p.status = 'current' AND p.fips IS NOT nullif(:fips, '')`;

/** Call it within a snapshot. @returns each pair in both directions */
function neighboursIn(file: SqliteFile, fips: string, onStep: () => void): NeighbourRow[] {
  const stacks = new Stacks();
  const own = new Set<number>();
  let seen = 0;
  const roads = new Set<number>();
  const isNew = (row: ShapeRow): boolean => {
    if (!stacks.add(row)) return false;
    if (isRoadParcel(row)) roads.add(stacks.ids.length - 1);
    return true;
  };
  function* shapes(): Generator<MultiPolygon> {
    let box = boundsOfCoordinates([]);
    for (const row of file.iterate<ShapeRow>(ownSql, { fips })) {
      if (seen++ % rowsPerStep === 0) onStep();
      own.add(row.property_id);
      if (!isNew(row)) continue;
      const polygons = shapeOf(row.geom);
      box = unionOfBounds([box, boundsOfMultiPolygon(polygons)]) as Bounds;
      yield polygons;
    }
    if (box.minX > box.maxX) return;
    for (const row of file.iterate<ShapeRow>(beyondSql, { fips, ...aroundShape(box) }))
      if (isNew(row)) yield shapeOf(row.geom);
  }
  const rows: NeighbourRow[] = [];
  for (const { one, other, sharedMeters, acrossMeters } of sharedEdges(shapes(), { roads, onStep })) {
    const [ones, others] = [stacks.ids[one] ?? [], stacks.ids[other] ?? []];
    for (const a of ones) {
      for (const b of others) {
        if (!own.has(a) && !own.has(b)) continue;
        rows.push([a, b, sharedMeters, acrossMeters], [b, a, sharedMeters, acrossMeters]);
      }
    }
  }
  return rows;
}

/**
 * Finds the neighbors of every county whose pairs are missing or stale. Others may write meanwhile: the file is locked
 * only to store the result, which is discarded if a shape of the county has changed since.
 * @param onStep called now and then; an error it throws ends the work, and unfinished counties stay stale
 * @returns their FIPS codes
 */
export function findStaleNeighbours(file: SqliteFile, onStep: () => void = () => {}): string[] {
  const stale = listStaleNeighbours(file, neighbourMethod);
  return stale.filter((fips) => Array.from({ length: tries }).some(() => findApart(file, fips, onStep)));
}

/** @returns false if the county changed meanwhile */
function findApart(file: SqliteFile, fips: string, onStep: () => void): boolean {
  file.transaction(() => markFinding(file, fips));
  const rows = file.snapshot(() => neighboursIn(file, fips, onStep));
  return file.transaction(() => {
    if (!isStillFinding(file, fips)) return false;
    writeNeighbours(file, fips, neighbourMethod, rows);
    return true;
  });
}
