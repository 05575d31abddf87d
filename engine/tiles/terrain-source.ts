/** The kept heights of a home, as the tile makers read them. */
import type { LandStore } from '../store/land-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { Heights } from '../terrain/heights.ts';
import { attributionsOf } from '../terrain/store-heights.ts';

interface Terrain {
  readonly slope: number;
  readonly attribution: string;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

const known = new WeakMap<SqliteFile, { readonly generation: string; readonly heights: Heights }>();

/** By FIPS code. An unreadable file is no terrain: `platbook check` names it. */
export function terrainsOf(land: LandStore): readonly Terrain[] {
  try {
    return (
      land.terrain?.all<Terrain>('SELECT slope, attribution, west, south, east, north FROM terrains ORDER BY fips') ??
      []
    );
  } catch {
    return [];
  }
}

/** Files that are named; a county may have dozens. */
const named = 3;

/** `Elevation: USGS 3DEP, 2023-05-01; County lidar, 2019-04-01; 4 more`, newest first; empty if no file is named. */
export function elevationWords(land: LandStore): string {
  const files = [...new Set(terrainsOf(land).flatMap(({ attribution }) => attributionsOf(attribution)))];
  const rest = files.length - named;
  const words = [...files.slice(0, named), ...(rest > 0 ? [`${rest} more`] : [])];
  return words.length === 0 ? '' : `Elevation: ${words.join('; ')}`;
}

/** Rises whenever the heights change. */
export const terrainGeneration = (land: LandStore): string => {
  try {
    return String(land.terrain?.get<{ written: number }>('SELECT written FROM terrain_writes')?.written ?? 0);
  } catch {
    return '0';
  }
};

/** Null without heights. */
export function heightsOf(land: LandStore): Heights | null {
  if (terrainsOf(land).length === 0) return null;
  const file = land.terrain;
  if (file === null) return null;
  const generation = terrainGeneration(land);
  const before = known.get(file);
  if (before?.generation === generation) return before.heights;
  const heights = new Heights(file);
  known.set(file, { generation, heights });
  return heights;
}

/** The steepest county, which decides the interval of contours, and the latitude of all. */
export function steepest(land: LandStore): { readonly slope: number; readonly latitude: number } {
  const terrains = terrainsOf(land);
  const latitudes = terrains.flatMap(({ south, north }) => [south, north]);
  return {
    slope: Math.max(0, ...terrains.map(({ slope }) => slope)),
    latitude: terrains.length === 0 ? 0 : (Math.min(...latitudes) + Math.max(...latitudes)) / 2,
  };
}
