/**
 * Loads tiles through the window's client, over any transport: maplibre itself fetches nothing. Its worker is a file of
 * our own, set here, because otherwise the map stays empty.
 */
import { addProtocol, setWorkerUrl } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import type { EngineClient } from '../client/engine-client.ts';

const scheme = 'platbook';

/** @param generation changes with the data, so that no outdated tile is shown */
export const tileAddress = (source: string, generation: string | number): string =>
  `${scheme}://${encodeURIComponent(source)}/{z}/{x}/{y}?${encodeURIComponent(String(generation))}`;

interface TilePlace {
  readonly source: string;
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** The parts of an address that maplibre has filled in; null for any other. */
function parseTileAddress(address: string): TilePlace | null {
  const match = /^platbook:\/\/([^/]+)\/(\d+)\/(\d+)\/(\d+)(?:\?|$)/.exec(address);
  if (!match) return null;
  const [, source = '', z, x, y] = match;
  return { source: decodeURIComponent(source), z: Number(z), x: Number(x), y: Number(y) };
}

let isReady = false;
let client: EngineClient | null = null;

/** Makes maplibre use this client. */
export function connectTiles(next: EngineClient): void {
  client = next;
  if (isReady) return;
  isReady = true;
  setWorkerUrl(workerUrl);
  addProtocol(scheme, async ({ url, type }, { signal }) => {
    const place = parseTileAddress(url);
    if (!place || !client) throw new Error(`No tile is at ${url}.`);
    const data = await client.tile(place.source, place.z, place.x, place.y, { signal });
    // An image of zero bytes cannot be decoded; a missing image tile draws nothing.
    if (type === 'image' && data.byteLength === 0) return { data: await createImageBitmap(new ImageData(1, 1)) };
    return { data };
  });
}
