/** The tiles made last, so that panning back costs nothing: as long as nobody has written the file, within a budget of bytes. */
import type { LandStore } from '../store/land-store.ts';

/** Some hundred tiles of a town. */
const budgetBytes = 24 * 1024 * 1024;

/** What a tile costs beside its bytes; those that are empty cost this alone. */
const entryBytes = 200;

interface KeptTiles {
  readonly writes: string;
  /** In the order of use. */
  readonly tiles: Map<string, Uint8Array | null>;
  bytes: number;
}

const kept = new WeakMap<LandStore, KeptTiles>();

/**
 * @param name of the tile among all of this file
 * @param make what reads nothing but the file
 * @returns bytes that are not to be changed
 */
export function keptTile(land: LandStore, name: string, make: () => Uint8Array | null): Uint8Array | null {
  // What an open transaction shows may be taken back.
  if (land.file.inTransaction) return make();
  // Told before the tile is made: what is written meanwhile makes it old at once.
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

const bytesOf = (tile: Uint8Array | null): number => (tile?.length ?? 0) + entryBytes;
