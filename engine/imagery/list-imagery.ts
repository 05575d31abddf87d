/** The layers of photos as lists and the map show them. Loads no decoder. */
import path from 'node:path';
import type { SqliteFile } from '../store/sqlite.ts';
import { type ImageryRow, imageryRows, isThere, storedFiles } from './imagery-rows.ts';

type Stored = ReturnType<typeof storedFiles>[number];

export interface ListedImagery extends ImageryRow {
  readonly files: number;
  /** How much of the halved levels is made, from 0 to 1; of missing files no more can be. */
  readonly state: number;
  /** Files that are not where they were, by name, up to `mostNamed`; they are drawn from the halved levels alone. */
  readonly missing: readonly string[];
  readonly missingCount: number;
  readonly bounds: readonly [west: number, south: number, east: number, north: number];
  readonly minZoom: number;
  readonly maxZoom: number;
  /** Changes with the tiles; while they sharpen, with each tenth. */
  readonly generation: string;
  /** The file of a layer of tiles. */
  readonly tiles: string | null;
}

const mostNamed = 20;
const deepest = 22;
const tileSide = 512;
/** A photo that is smaller on the map is not drawn. */
const leastPixels = 8;

/** Newest first. @param file null: there are none. @throws EngineError if the file is damaged */
export function listImagery(home: string, file: SqliteFile | null): ListedImagery[] {
  if (file === null) return [];
  const byLayer = Map.groupBy(storedFiles(file), ({ imagery_id: id }) => id);
  return imageryRows(file)
    .flatMap((row) => {
      const files = byLayer.get(row.imagery_id) ?? [];
      return files.length === 0 ? [] : [listed(home, row, files)];
    })
    .reverse();
}

function listed(home: string, row: ImageryRow, files: readonly Stored[]): ListedImagery {
  const [missing, there] = [[] as Stored[], [] as Stored[]];
  for (const each of files) (isThere(home, each) ? there : missing).push(each);
  const steps = there.reduce((sum, each) => sum + each.steps, 0);
  const done = there.reduce((sum, each) => sum + each.done, 0);
  const state = steps === 0 ? 1 : done / steps;
  const bounds = boundsOf(files);
  const finest = Math.min(...files.map(({ west, east, width }) => (east - west) / Math.max(1, width)));
  const zoomFor = (degrees: number) => Math.log2(360 / (tileSide * degrees));
  const clamp = (zoom: number) => Math.min(deepest, Math.max(0, zoom));
  return {
    ...row,
    ...{ files: files.length, state, bounds, missingCount: missing.length },
    missing: missing.slice(0, mostNamed).map((each) => path.basename(each.path)),
    minZoom: clamp(Math.floor(zoomFor((bounds[2] - bounds[0]) / leastPixels))),
    maxZoom: clamp(Math.ceil(zoomFor(finest) - 0.1)),
    generation: [row.imagery_id, row.added_at, files.at(-1)?.file_id, Math.floor(state * 10), missing.length].join(' '),
    tiles: row.kind === 'tiles' ? (files[0]?.path ?? null) : null,
  };
}

function boundsOf(files: readonly Stored[]): ListedImagery['bounds'] {
  const box: [number, number, number, number] = [180, 90, -180, -90];
  for (const { west, south, east, north } of files) {
    box[0] = Math.min(box[0], west);
    box[1] = Math.min(box[1], south);
    box[2] = Math.max(box[2], east);
    box[3] = Math.max(box[3], north);
  }
  return box;
}
