/** A base map: a tile file of the user, drawn under the parcels. It may come from anywhere, so everything in it is checked. */
import zlib from 'node:zlib';

export interface Basemap {
  readonly type: 'vector' | 'raster';
  readonly minZoom: number;
  readonly maxZoom: number;
  /** Pixels across a picture tile. */
  readonly tileSize: 256 | 512;
  /** West, south, east, north in degrees; null if the file does not say. */
  readonly bounds: readonly [number, number, number, number] | null;
  /** Plain text. */
  readonly attribution: string | null;
  /** Layers of vector tiles; empty if the file does not say. */
  readonly layers: readonly string[];
  /**
   * One tile, uncompressed; null if the file has none there.
   * @throws Error with a sentence if the bytes are damaged
   */
  readonly tile: (z: number, x: number, y: number) => Promise<Uint8Array | null>;
  readonly close: () => void;
}

/** A file that is not a usable base map; the message says what was found and expected. */
export class UnfitBasemap extends Error {}

/** A tile of a map is some hundred kilobytes at most. */
export const maxStoredBytes = 8 * 1024 * 1024;
const maxPlainBytes = 32 * 1024 * 1024;

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** @throws Error if the bytes are damaged or inflate beyond `limit` */
export function unzipped(bytes: Uint8Array, limit: number = maxPlainBytes): Uint8Array {
  if (!isGzip(bytes)) return bytes;
  try {
    return zlib.gunzipSync(bytes, { maxOutputLength: limit });
  } catch (error) {
    const isBomb = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new Error(isBomb ? `It is larger than ${limit} bytes when unpacked.` : 'Its gzip data are damaged.', {
      cause: error,
    });
  }
}

const startsWith = (bytes: Uint8Array, ...start: number[]): boolean =>
  start.every((value, index) => bytes[index] === value);

/** Type of a tile, by its first bytes; null if it is neither an image nor a vector tile. */
export function typeOfTile(bytes: Uint8Array): Basemap['type'] | null {
  const isPicture =
    startsWith(bytes, 0x89, 0x50, 0x4e, 0x47) ||
    startsWith(bytes, 0xff, 0xd8, 0xff) ||
    (startsWith(bytes, 0x52, 0x49, 0x46, 0x46) && Buffer.from(bytes.subarray(8, 12)).toString('latin1') === 'WEBP') ||
    Buffer.from(bytes.subarray(4, 12)).toString('latin1') === 'ftypavif';
  if (isPicture) return 'raster';
  // A vector tile begins with a layer, which is field 3 of the message.
  return isGzip(bytes) || bytes[0] === 0x1a ? 'vector' : null;
}

const mostAttribution = 400;

/** An attribution as one line of plain text; files often hold HTML. */
export function plainAttribution(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const plain = text
    .slice(0, 10_000)
    .replace(/<[^<>]*>/g, '')
    .replace(/&copy;/gi, '©')
    .replace(/&amp;/gi, '&')
    .replace(/\s+/g, ' ')
    .trim();
  return plain === '' ? null : plain.slice(0, mostAttribution);
}

/** The values as a box in degrees; null if they are not one. */
export function boundsFrom(values: readonly number[]): Basemap['bounds'] {
  const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN] = values;
  const isBox =
    values.length === 4 && west >= -180 && east <= 180 && west < east && south >= -90 && north <= 90 && south < north;
  return isBox ? [west, south, east, north] : null;
}

/** Names of the layers in the metadata that both formats share (`vector_layers`). */
export function layerNames(metadata: unknown): string[] {
  const layers = (metadata as { vector_layers?: unknown } | null)?.vector_layers;
  if (!Array.isArray(layers)) return [];
  return layers.flatMap((layer: unknown) => {
    const id = (layer as { id?: unknown } | null)?.id;
    return typeof id === 'string' ? [id] : [];
  });
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
