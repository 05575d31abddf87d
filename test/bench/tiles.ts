/**
 * Tiles of the generated county, never the same twice: at places of parcels, so that towns, with most parcels, weigh as
 * for real users. `node test/bench/tiles.ts HOME` measures an existing home, and the encoder beside @maplibre/vt-pbf on
 * the same shapes.
 */

import { VectorTile } from '@mapbox/vector-tile';
import { fromVectorTileJs } from '@maplibre/vt-pbf';
import { PbfReader } from 'pbf';
import { tableText } from '../../engine/cli/output.ts';
import { openEngine } from '../../engine/engine.ts';
import { worldX, worldY } from '../../engine/geo/web-mercator.ts';
import type { Engine } from '../../engine/index.ts';
import { parseLiveRequest } from '../../engine/query/live-request.ts';
import { getTile } from '../../engine/tiles/index.ts';
import { matchingDensity, matchingInTile } from '../../engine/tiles/matching.ts';
import { type Attribute, LayerWriter, writeTile } from '../../engine/tiles/mvt-writer.ts';
import { parcelAttributes } from '../../engine/tiles/parcel-tile.ts';
import { TilePlace } from '../../engine/tiles/tile-place.ts';
import { createRandom } from '../sample-maker/random.ts';
import type { Figure } from './figures.ts';
import { median, milliseconds, quantile } from './statistics.ts';

export interface Address {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** Different tiles of a zoom that hold parcels, in the order of a seeded draw of parcels. */
export function drawTiles({ land }: Engine, z: number, count: number, seed: number): Address[] {
  const random = createRandom(seed);
  const highest = land.file.get<{ id: number }>('SELECT max(property_id) AS id FROM parcels')?.id ?? 0;
  const found = new Map<string, Address>();
  for (let tries = 0; found.size < count && tries < count * 50; tries++) {
    const place = land.file.get<{ x: number; y: number }>(
      'SELECT point_lon AS x, point_lat AS y FROM parcels WHERE property_id >= ? AND geom IS NOT NULL LIMIT 1',
      random.integer(1, highest),
    );
    if (!place) continue;
    const side = 2 ** z;
    const address = { z, x: Math.floor(worldX(place.x) * side), y: Math.floor(worldY(place.y) * side) };
    found.set(`${address.x} ${address.y}`, address);
  }
  return [...found.values()];
}

async function timed<Answer>(
  what: string,
  addresses: readonly Address[],
  ask: (address: Address) => Promise<Answer>,
  countOf: (answer: Answer) => number,
): Promise<Figure> {
  const [first, ...others] = addresses;
  if (first) await ask(first);
  const times: number[] = [];
  const matches: number[] = [];
  for (const address of others) {
    const began = performance.now();
    const answer = await ask(address);
    times.push(performance.now() - began);
    matches.push(countOf(answer));
  }
  return { what, median: median(times), p95: quantile(times, 0.95), medianMatches: median(matches) };
}

const featuresIn = (tile: Uint8Array | null, layer: string): number =>
  tile ? (new VectorTile(new PbfReader(tile)).layers[layer]?.length ?? 0) : 0;

/** Filters of a panel: no tile gets the same one twice. */
const filterFor = (fips: string, variant: number) => ({
  county: fips,
  acres_min: 1 + variant / 100,
  structure_count_max: 0,
});

/** @param fips of the county that filters ask for */
export async function measureTiles(engine: Engine, fips: string, variants: number): Promise<Figure[]> {
  const tilesAt = (z: number, layer: string): Promise<Figure> =>
    timed(
      `tile z${z}: ${layer}`,
      drawTiles(engine, z, variants + 1, z),
      (address) => getTile(engine, 'parcels', address.z, address.x, address.y),
      (tile) => featuresIn(tile, layer),
    );
  const figures: Figure[] = [];
  for (const z of [9, 11]) figures.push(await tilesAt(z, 'density'));
  for (const z of [12, 13, 14, 15, 16]) figures.push(await tilesAt(z, 'parcels'));
  let variant = 0;
  const request = () => parseLiveRequest(filterFor(fips, variant++));
  const { land } = engine;
  const lots = await timed(
    'matches in a tile, z13',
    drawTiles(engine, 13, variants + 1, 99),
    async ({ z, x, y }) => matchingInTile(land, request(), new TilePlace(z, x, y)),
    (ids) => ids.length,
  );
  const cells = await timed(
    'matches by cell, z11',
    drawTiles(engine, 11, variants + 1, 98),
    async ({ z, x, y }) => matchingDensity(land, request(), new TilePlace(z, x, y)),
    (found) => found.length,
  );
  return [...figures, lots, cells];
}

interface DrawnFeature {
  readonly id: number;
  readonly values: readonly Attribute[];
  readonly rings: readonly Int32Array[];
}

/** The same parcels as each encoder wants them, made before the clock runs. */
function forBoth(tile: Uint8Array) {
  const layer = new VectorTile(new PbfReader(tile)).layers.parcels;
  if (!layer) throw new Error('the tile has no parcels');
  const features = Array.from({ length: layer.length }, (_, index) => {
    const feature = layer.feature(index);
    const geometry = feature.loadGeometry();
    return { ...feature, id: feature.id, properties: feature.properties, loadGeometry: () => geometry };
  });
  const drawn = features.map(
    ({ id, properties, loadGeometry }): DrawnFeature => ({
      id: id ?? 0,
      values: parcelAttributes.map((name) => (properties[name] as Attribute | undefined) ?? null),
      // The last corner closes the ring, which the tile does not repeat.
      rings: loadGeometry().map((ring) => Int32Array.from(ring.slice(0, -1).flatMap(({ x, y }) => [x, y]))),
    }),
  );
  const theirs = {
    version: 2,
    name: 'parcels',
    extent: 4096,
    length: features.length,
    feature: (i: number) => features[i],
  };
  return { drawn, theirs: { layers: { parcels: theirs } } };
}

function encodeOurs(features: readonly DrawnFeature[]): Uint8Array | null {
  const layer = new LayerWriter('parcels', parcelAttributes);
  for (const { id, values, rings } of features) {
    for (const ring of rings) layer.ring(ring, ring.length / 2);
    layer.feature(id, values);
  }
  return writeTile([layer]);
}

/** Times of our writer and of the library, over the same tiles. */
async function compareEncoders(engine: Engine, variants: number): Promise<Figure[]> {
  const tiles: ReturnType<typeof forBoth>[] = [];
  for (const { z, x, y } of drawTiles(engine, 14, variants, 14)) {
    const tile = await getTile(engine, 'parcels', z, x, y);
    if (tile) tiles.push(forBoth(tile));
  }
  const addresses = tiles.map((_, x) => ({ z: 14, x, y: 0 }));
  const given = ({ x }: Address) => tiles[x] as ReturnType<typeof forBoth>;
  const bytes = (tile: Uint8Array | null) => tile?.length ?? 0;
  return [
    await timed('encoding z14: ours', addresses, async (address) => encodeOurs(given(address).drawn), bytes),
    await timed(
      'encoding z14: vt-pbf',
      addresses,
      async (address) => fromVectorTileJs(given(address).theirs as unknown as Parameters<typeof fromVectorTileJs>[0]),
      bytes,
    ),
  ];
}

const [, script, home] = process.argv;
if (script === import.meta.filename && home !== undefined) {
  const engine = openEngine({ home, keepsIndexes: false });
  const fips = engine.land.file.get<{ fips: string }>('SELECT fips FROM parcels LIMIT 1')?.fips ?? '';
  const figures = [...(await measureTiles(engine, fips, 100)), ...(await compareEncoders(engine, 100))];
  engine.close();
  const rows = figures.map(({ what, median: middle, p95, medianMatches }) => ({
    what,
    median: `${milliseconds(middle)} ms`,
    p95: `${milliseconds(p95)} ms`,
    found: String(medianMatches),
  }));
  console.log(tableText(['what', 'median', 'p95', 'found'], rows));
}
