/** Shapes for the geometry tests: rings from pairs, seeded random polygons, and parcels that really exist. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { multiPolygonFromGeoJson } from '../../engine/geo/geojson-geometry.ts';
import {
  boundsOfCoordinates,
  type MultiPolygon,
  type PolygonRings,
  type QueryGeometry,
  type Ring,
} from '../../engine/geo/geometry.ts';

export type Position = readonly [number, number];

export function ring(...positions: readonly Position[]): Ring {
  return Float64Array.from(positions.flat());
}

/** Counterclockwise rectangle. */
export function box(minX: number, minY: number, maxX: number, maxY: number): Ring {
  return ring([minX, minY], [maxX, minY], [maxX, maxY], [minX, maxY], [minX, minY]);
}

export function reversed(given: Ring): Ring {
  return ring(...positionsOf(given).reverse());
}

export function positionsOf(given: Float64Array): Position[] {
  const positions: Position[] = [];
  for (let index = 0; index < given.length; index += 2) {
    positions.push([given[index] as number, given[index + 1] as number]);
  }
  return positions;
}

export function queryOf(parts: {
  points?: readonly Position[];
  lines?: readonly Float64Array[];
  polygons?: readonly PolygonRings[];
}): QueryGeometry {
  const points = Float64Array.from((parts.points ?? []).flat());
  const lines = parts.lines ?? [];
  const polygons = parts.polygons ?? [];
  return { points, lines, polygons, bounds: boundsOfCoordinates([points, ...lines, ...polygons.flat()]) };
}

/** Linear congruential generator (Numerical Recipes' constants): 0 ≤ value < 1, the same sequence on every machine. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A simple polygon around a centre: vertices at even angles and random distances up to the radius. */
export function star(random: () => number, x: number, y: number, radius: number, vertexCount: number): Ring {
  const positions: Position[] = [];
  for (let index = 0; index < vertexCount; index++) {
    const angle = (index / vertexCount) * 2 * Math.PI;
    const distance = radius * (0.4 + 0.6 * random());
    positions.push([x + distance * Math.cos(angle), y + distance * Math.sin(angle)]);
  }
  return ring(...positions, positions[0] ?? [x, y]);
}

const realData = fileURLToPath(new URL('../../../shared/data/', import.meta.url));

export function realParcelsExist(): boolean {
  return existsSync(realData);
}

/** Shapes of real parcels, without the ones that have none. */
export function readRealParcels(place: 'washington_nh' | 'three_forks_mt' | 'williamsburg_va'): MultiPolygon[] {
  const collection: { features: { geometry: unknown }[] } = JSON.parse(
    readFileSync(`${realData}${place}/parcels.geojson`, 'utf8'),
  );
  return collection.features.flatMap(({ geometry }) => {
    const result = multiPolygonFromGeoJson(geometry);
    if (!result.ok) throw new Error(result.problem);
    return result.polygons === null ? [] : [result.polygons];
  });
}
