/** Tiles of the user's photos: drawn by a process of their own, the latest kept. */
import type { ListedImagery } from '../imagery/list-imagery.ts';
import { bytesOf } from './tile-cache.ts';
import type { TilePlace } from './tile-place.ts';

export interface PhotoTasks {
  inTurn(
    kind: 'imagery_tile',
    input: { readonly id: number; readonly z: number; readonly x: number; readonly y: number },
    isWanted?: () => boolean,
  ): Promise<unknown>;
}

interface Drawer {
  readonly home: string;
  readonly jobs: PhotoTasks;
}

/** Some hundred tiles. */
const budgetBytes = 24 * 1024 * 1024;

interface KeptTiles {
  /** Least recently used first. */
  readonly tiles: Map<string, Uint8Array | null>;
  bytes: number;
}

const kept = new WeakMap<PhotoTasks, KeptTiles>();

/** Null where the photos are not. @throws EngineError import_refused beyond the limits; validation_error if not wanted */
export async function photoTile(
  { jobs }: Drawer,
  { imagery_id: id, generation, minZoom, maxZoom }: ListedImagery,
  { z, x, y }: TilePlace,
  isWanted?: () => boolean,
): Promise<Uint8Array | null> {
  if (z < minZoom || z > maxZoom) return null;
  const own = kept.get(jobs) ?? { tiles: new Map<string, Uint8Array | null>(), bytes: 0 };
  kept.set(jobs, own);
  const key = `${generation}/${z}/${x}/${y}`;
  const known = own.tiles.get(key);
  if (known !== undefined) {
    own.tiles.delete(key);
    own.tiles.set(key, known);
    return known;
  }
  const tile = (await jobs.inTurn('imagery_tile', { id, z, x, y }, isWanted)) as Uint8Array | null;
  own.tiles.set(key, tile);
  own.bytes += bytesOf(tile);
  for (const [old, bytes] of own.tiles) {
    if (own.bytes <= budgetBytes) break;
    own.tiles.delete(old);
    own.bytes -= bytesOf(bytes);
  }
  return tile;
}
