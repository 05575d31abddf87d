/** A home for base maps of tests, and how such files are written. */
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { onTestFinished } from 'vitest';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { closeBasemaps } from '../../engine/tiles/basemaps/list-basemaps.ts';
import { mapSources } from '../../engine/tiles/map-sources.ts';
import { LayerWriter, writeTile } from '../../engine/tiles/mvt-writer.ts';
import { decodeTile } from '../support/decode-tile.ts';
import { emptyHome } from '../support/homes.ts';

export function emptyEngine(): Engine {
  const engine = openEngine({ home: emptyHome(), keepsIndexes: false });
  fs.mkdirSync(path.join(engine.home, 'basemaps'));
  onTestFinished(() => {
    closeBasemaps(engine.home);
    engine.close();
  });
  return engine;
}

export const place = (engine: Engine, name: string, bytes: Uint8Array): void =>
  fs.writeFileSync(path.join(engine.home, 'basemaps', name), bytes);

export const sourcesOf = (engine: Engine) => mapSources(engine.home, engine.land);

export const refusalOf = (engine: Engine, name: string): string | undefined =>
  sourcesOf(engine).refused.find((one) => one.name === name)?.why;

/** A vector tile with one point, whose name identifies the tile. */
export function markedTile(name: string): Uint8Array {
  const layer = new LayerWriter('places', ['name']);
  layer.point(10, 20);
  layer.feature(1, [name]);
  return writeTile([layer]) as Uint8Array;
}

export const nameIn = (tile: Uint8Array | null): unknown => decodeTile(tile).places?.[0]?.properties.name;

export interface GivenTile {
  readonly id: number;
  readonly bytes: Uint8Array;
}

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))];

/** A directory as the specification lays it down: ids as steps, run lengths, lengths, then offsets (each + 1). */
function directoryOf(tiles: readonly GivenTile[]): Buffer {
  let offset = 0;
  const offsets = tiles.map(({ bytes }) => {
    const own = offset;
    offset += bytes.length;
    return own + 1;
  });
  return Buffer.from([
    ...varint(tiles.length),
    ...tiles.flatMap(({ id }, index) => varint(id - (tiles[index - 1]?.id ?? 0))),
    ...tiles.flatMap(() => varint(1)),
    ...tiles.flatMap(({ bytes }) => varint(bytes.length)),
    ...offsets.flatMap(varint),
  ]);
}

/** A PMTiles file of zoom 0 and 1. */
export function pmtilesOf(
  tiles: readonly GivenTile[],
  directory = zlib.gzipSync(directoryOf(tiles)),
  compression = 2,
): Buffer {
  const metadata = zlib.gzipSync('{"attribution":"© me","vector_layers":[{"id":"places"}]}');
  const header = Buffer.alloc(127);
  header.write('PMTiles', 'latin1');
  header[7] = 3;
  const data = Buffer.concat(tiles.map(({ bytes }) => bytes));
  const offsets = [
    127,
    directory.length,
    127 + directory.length,
    metadata.length,
    127 + directory.length + metadata.length,
    0,
  ];
  for (const [index, value] of [...offsets, 127 + directory.length + metadata.length, data.length].entries()) {
    header.writeBigUInt64LE(BigInt(value), 8 + index * 8);
  }
  header[97] = compression;
  header[98] = compression;
  header[99] = 1;
  header[100] = 0;
  header[101] = 1;
  for (const [index, degrees] of [-180, -85, 180, 85].entries()) header.writeInt32LE(degrees * 1e7, 102 + index * 4);
  return Buffer.concat([header, directory, metadata, data]);
}

// Along the Hilbert curve of zoom 1: 0/0, 0/1, 1/1, 1/0, after the one tile of zoom 0.
export const fourTiles = ['world', 'nw', 'sw', 'se'].map((name, id) => ({
  id,
  bytes: zlib.gzipSync(markedTile(name)),
}));
