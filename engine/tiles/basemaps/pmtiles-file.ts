/**
 * Reads PMTiles version 3 (https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md). The `pmtiles` package walks the
 * directories but trusts them, so offsets and lengths are checked here before anything is read.
 */
import fs from 'node:fs';
import { bytesToHeader, Compression, type Header, PMTiles, ResolvedValueCache, type Source, TileType } from 'pmtiles';
import {
  type Basemap,
  boundsFrom,
  layerNames,
  maxStoredBytes,
  parseJson,
  plainAttribution,
  UnfitBasemap,
  unzipped,
} from './basemap.ts';
import { tileSideOf } from './picture-side.ts';

const headerBytes = 127;
/** Header and root directory lie in the first bytes, by the format. */
const startBytes = 16_384;
const mostZoom = 22;
const maxDirectoryBytes = 8 * 1024 * 1024;
/** Directories kept in memory; each covers some thousand tiles. */
const keptDirectories = 64;
/** A directory entry is four numbers of at least one byte each. */
const leastEntryBytes = 4;
/** Enough for a whole tile, of which the first is looked at. */
const mostTileBytes = 1024 * 1024;

/** @throws UnfitBasemap */
export function openPmtiles(filePath: string): Basemap {
  const descriptor = fs.openSync(filePath, 'r');
  try {
    return readPmtiles(filePath, descriptor);
  } catch (error) {
    fs.closeSync(descriptor);
    throw error;
  }
}

function readPmtiles(filePath: string, descriptor: number): Basemap {
  const { size } = fs.fstatSync(descriptor);
  const read = (offset: number, length: number): ArrayBuffer => readBytes(descriptor, size, offset, length);
  const header = readHeader(read(0, Math.min(size, headerBytes)), size);
  // Checked now, so that damage is reported before the map asks for a tile.
  directoryBytes(new Uint8Array(read(header.rootDirectoryOffset, header.rootDirectoryLength)));
  const metadata = readMetadata(new Uint8Array(read(header.jsonMetadataOffset, header.jsonMetadataLength)));
  const source: Source = {
    getKey: () => filePath,
    // The package's first request may be longer than a small file.
    getBytes: async (offset, length) => ({
      data: read(offset, offset === 0 && length === startBytes ? Math.min(size, length) : length),
    }),
  };
  const directories = new ResolvedValueCache(keptDirectories, false, async (bytes) =>
    bufferOf(directoryBytes(new Uint8Array(bytes))),
  );
  const archive = new PMTiles(source, directories, async (bytes) => bufferOf(unzipped(new Uint8Array(bytes))));
  return {
    type: header.tileType === TileType.Mvt ? 'vector' : 'raster',
    // A clustered archive begins with its first tile; the header of a picture stands in its first bytes.
    tileSize: tileSideOf(
      header.tileType === TileType.Mvt
        ? null
        : new Uint8Array(read(header.tileDataOffset, Math.min(header.tileDataLength ?? 0, mostTileBytes))),
    ),
    minZoom: header.minZoom,
    maxZoom: header.maxZoom,
    bounds: boundsFrom([header.minLon, header.minLat, header.maxLon, header.maxLat]),
    attribution: plainAttribution((metadata as { attribution?: unknown } | null)?.attribution),
    layers: layerNames(metadata),
    tile: async (z, x, y) => {
      const tile = await archive.getZxy(z, x, y);
      return tile ? new Uint8Array(tile.data) : null;
    },
    close: () => fs.closeSync(descriptor),
  };
}

function readBytes(descriptor: number, size: number, offset: number, length: number): ArrayBuffer {
  const isWithin = Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length >= 0;
  if (!isWithin || offset + length > size) {
    throw new Error(`It names bytes ${offset} to ${offset + length}, and has ${size}.`);
  }
  if (length > maxStoredBytes) throw new Error(`It names a part of ${length} bytes, more than any tile has.`);
  const bytes = new Uint8Array(length);
  const found = fs.readSync(descriptor, bytes, 0, length, offset);
  if (found !== length) throw new Error(`It was cut off while it was read: ${found} of ${length} bytes at ${offset}.`);
  return bytes.buffer;
}

/** A copy in its own ArrayBuffer, which the package needs. */
const bufferOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

const rasterTypes: readonly number[] = [TileType.Png, TileType.Jpeg, TileType.Webp, TileType.Avif];
const readCompressions: readonly number[] = [Compression.None, Compression.Gzip];

function readHeader(bytes: ArrayBuffer, size: number): Header {
  const start = Buffer.from(bytes).toString('latin1', 0, 7);
  if (start !== 'PMTiles') throw new UnfitBasemap(`It is not a PMTiles file: it begins with ${JSON.stringify(start)}.`);
  if (bytes.byteLength < headerBytes)
    throw new UnfitBasemap(`It is cut off: it has ${size} bytes, less than a header.`);
  const version = new Uint8Array(bytes)[7];
  if (version !== 3) throw new UnfitBasemap(`Expected version 3 of PMTiles, found version ${version}.`);
  const header = bytesToHeader(bytes);
  expectWithin(header, size);
  if (header.tileType !== TileType.Mvt && !rasterTypes.includes(header.tileType)) {
    throw new UnfitBasemap(`Its tiles are neither images nor vector tiles (type ${header.tileType}).`);
  }
  const compressions = [header.internalCompression, header.tileCompression];
  if (!compressions.every((one) => readCompressions.includes(one) || one === Compression.Unknown)) {
    throw new UnfitBasemap('It is packed with Brotli or Zstandard; expected gzip, or nothing.');
  }
  if (header.minZoom > header.maxZoom || header.maxZoom > mostZoom) {
    throw new UnfitBasemap(`Expected zooms from 0 to ${mostZoom}, found ${header.minZoom} to ${header.maxZoom}.`);
  }
  return header;
}

function expectWithin(header: Header, size: number): void {
  const parts: readonly (readonly [string, number, number])[] = [
    ['root directory', header.rootDirectoryOffset, header.rootDirectoryLength],
    ['metadata', header.jsonMetadataOffset, header.jsonMetadataLength],
    ['directories', header.leafDirectoryOffset, header.leafDirectoryLength ?? 0],
    ['tiles', header.tileDataOffset, header.tileDataLength ?? 0],
  ];
  for (const [name, offset, length] of parts) {
    if (offset + length <= size) continue;
    throw new UnfitBasemap(`It is cut off: its ${name} end at byte ${offset + length}, and it has ${size}.`);
  }
  if (header.rootDirectoryOffset + header.rootDirectoryLength > startBytes) {
    throw new UnfitBasemap(
      `Its root directory ends at byte ${header.rootDirectoryOffset + header.rootDirectoryLength}, beyond ${startBytes}.`,
    );
  }
}

/** The unpacked directory. Refuses more entries than fit, since the package allocates them before it reads the bytes. */
function directoryBytes(packed: Uint8Array): Uint8Array {
  const bytes = unzipped(packed, maxDirectoryBytes);
  const entries = firstNumber(bytes);
  if (entries > 0 && entries * leastEntryBytes <= bytes.length) return bytes;
  throw new UnfitBasemap(`A directory names ${entries} tiles in ${bytes.length} bytes.`);
}

/** The first varint; Infinity if it is too long for a count. */
function firstNumber(bytes: Uint8Array): number {
  let value = 0;
  for (let index = 0; index < 5; index++) {
    const byte = bytes[index] ?? 0;
    value += (byte & 127) * 128 ** index;
    if (byte < 128) return value;
  }
  return Number.POSITIVE_INFINITY;
}

const readMetadata = (packed: Uint8Array): unknown =>
  packed.length === 0 ? null : parseJson(Buffer.from(unzipped(packed, maxDirectoryBytes)).toString('utf8'));
