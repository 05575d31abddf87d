/** Caches the latest tiles up to 24 MB, until the land file is written, so that panning back is free. */
import type { LandStore } from '../store/land-store.ts';

/** Some hundred tiles of a town. */
const budgetBytes = 24 * 1024 * 1024;

/** Memory of an entry besides its bytes. */
const entryBytes = 200;

interface KeptTiles {
  readonly writes: string;
  /** Least recently used first. */
  readonly tiles: Map<string, Uint8Array | null>;
  bytes: number;
}

const kept = new WeakMap<LandStore, KeptTiles>();

/**
 * @param name unique within the file
 * @param make may read only this file
 * @returns shared bytes; do not change them
 */
export function keptTile(land: LandStore, name: string, make: () => Uint8Array | null): Uint8Array | null {
  // An open transaction may be rolled back.
  if (land.file.inTransaction) return make();
  // Read before the tile is made, so that a write meanwhile invalidates it.
  const tiles = tilesOf(land, land.file.writesSeen());
  const known = tiles.tiles.get(name);
  if (known !== undefined) {
    tiles.tiles.delete(name);
    tiles.tiles.set(name, known);
    return known;
  }
  const tile = make();
  tiles.tiles.set(name, tile);
  tiles.bytes += bytesOf(tile);
  shrink(tiles);
  return tile;
}

function tilesOf(land: LandStore, writes: string): KeptTiles {
  const before = kept.get(land);
  if (before?.writes === writes) return before;
  const tiles = { writes, tiles: new Map<string, Uint8Array | null>(), bytes: 0 };
  kept.set(land, tiles);
  return tiles;
}

function shrink(kept: KeptTiles): void {
  for (const [name, tile] of kept.tiles) {
    if (kept.bytes <= budgetBytes) return;
    kept.tiles.delete(name);
    kept.bytes -= bytesOf(tile);
  }
}

export const bytesOf = (tile: Uint8Array | null): number => (tile?.length ?? 0) + entryBytes;
