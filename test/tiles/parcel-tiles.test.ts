/** Parcels on the map: all of them, in their place and size, without gaps, each labelled once. */
import { beforeAll, describe, expect, test } from 'vitest';
import { clipRing } from '../../engine/geo/clip-ring.ts';
import type { PolygonRings } from '../../engine/geo/geometry.ts';
import { holdsPoint } from '../../engine/geo/holds-point.ts';
import { prepareGeometry } from '../../engine/geo/intersects.ts';
import type { Engine } from '../../engine/index.ts';
import { mapZooms } from '../../engine/spec/map-zooms.ts';
import { getTile } from '../../engine/tiles/index.ts';
import { decodeTile, type TileFeature } from '../support/decode-tile.ts';
import { engineOn, openHomeCopy, realHome, removeHome, sampleHome } from '../support/homes.ts';
import { realDataOrSkip } from '../support/shared-data.ts';
import {
  currentShapes,
  landBounds,
  type OracleParcel,
  Picture,
  shapesNear,
  type TileAddress,
  tileRing,
  tilesOf,
  tilesOfShapes,
  tileUnits,
  unitsASide,
  worldUnits,
} from './tile-oracle.ts';

const buffer = 64;
const wholeTile = { minX: 0, minY: 0, maxX: unitsASide, maxY: unitsASide };

const layersAt = async (engine: Engine, { z, x, y }: TileAddress) =>
  decodeTile(await getTile(engine, 'parcels', z, x, y));

/** Twice the area of a ring, with its sign. */
function shoelace(points: readonly (readonly [number, number])[]): number {
  let sum = 0;
  for (const [index, [x, y]] of points.entries()) {
    const [nextX, nextY] = points[(index + 1) % points.length] ?? [x, y];
    sum += x * nextY - nextX * y;
  }
  return sum;
}

const pairs = (numbers: Float64Array): [number, number][] =>
  Array.from({ length: numbers.length / 2 }, (_, i) => [numbers[i * 2] ?? 0, numbers[i * 2 + 1] ?? 0]);

/** Square units of a feature on the tile itself, exteriors less holes by their directions. */
function drawnArea({ parts }: TileFeature): number {
  let area = 0;
  for (const part of parts) {
    const left = clipRing(Float64Array.from(part.flatMap(({ x, y }) => [x, y])), wholeTile);
    if (left) area += shoelace(pairs(left).slice(0, -1)) / 2;
  }
  return area;
}

/** Square units of a parcel at a zoom, from its degrees. */
function trueArea(polygons: OracleParcel['polygons'], z: number): number {
  const ofRing = (ring: Float64Array) =>
    Math.abs(
      shoelace(
        pairs(ring)
          .slice(0, -1)
          .map(([x, y]) => worldUnits(z, x, y)),
      ),
    ) / 2;
  const ofPolygon = ([exterior, ...holes]: PolygonRings) =>
    exterior ? ofRing(exterior) - holes.reduce((sum, hole) => sum + ofRing(hole), 0) : 0;
  return polygons.reduce((sum, polygon) => sum + ofPolygon(polygon), 0);
}

/** Enough to be sure, of tiles by the thousand. */
const everyNth = (shapes: readonly OracleParcel[], n: number): OracleParcel[] =>
  shapes.filter((_, index) => index % n === 0);

const hasRealData = realDataOrSkip('tiles of real counties');

describe.each([
  { name: 'the sample county', home: sampleHome, isThere: true },
  { name: 'two real counties', home: () => realHome() as string, isThere: hasRealData },
])('$name', ({ home, isThere }) => {
  let engine: Engine;
  let shapes: OracleParcel[];

  beforeAll(() => {
    if (!isThere) return;
    engine = openHomeCopy(home());
    shapes = currentShapes(engine);
    return () => removeHome(engine);
  });

  test.runIf(isThere).for([12, 14])(
    'a parcel is in every tile that it touches, at zoom %i, and in no other',
    async (z) => {
      expect(shapes.length).toBeGreaterThan(1000);
      for (const address of tilesOfShapes(shapes, z)) {
        const drawn = new Set((await layersAt(engine, address)).parcels?.map(({ id }) => id));
        const touches = (around: number) => {
          const ring = tileRing(address, around);
          const [minX = 0, minY = 0, maxX = 0, , , maxY = 0] = ring;
          const tile = prepareGeometry({
            points: new Float64Array(0),
            lines: [],
            polygons: [[ring]],
            bounds: { minX, minY, maxX, maxY },
          });
          return shapesNear(shapes, address, around)
            .filter(({ blob }) => tile.intersectsBlob(blob))
            .map(({ id }) => id);
        };
        expect(
          touches(-1).filter((id) => !drawn.has(id)),
          JSON.stringify(address),
        ).toEqual([]);
        const near = new Set(touches(buffer + 1));
        expect(
          [...drawn].filter((id) => !near.has(id)),
          JSON.stringify(address),
        ).toEqual([]);
      }
    },
  );

  test.runIf(isThere)('what is drawn of a parcel at zoom 16 is its area within 1 %', async () => {
    const z = 16;
    const some = everyNth(shapes, 9);
    const areas = new Map(some.map(({ id }) => [id, 0]));
    for (const address of tilesOfShapes(some, z)) {
      for (const feature of (await layersAt(engine, address)).parcels ?? []) {
        const before = areas.get(feature.id);
        if (before !== undefined) areas.set(feature.id, before + drawnArea(feature));
      }
    }
    // 100 square meters, the smallest lot on sale: a unit is 0.11 m there.
    const least = 100 / 0.11 ** 2;
    const wrong = some.flatMap(({ id, polygons }) => {
      const wanted = trueArea(polygons, z);
      const found = areas.get(id) ?? 0;
      return wanted > least && Math.abs(found / wanted - 1) > 0.01 ? [{ id, wanted, found }] : [];
    });
    expect(wrong).toEqual([]);
    const sum = (values: Iterable<number>) => [...values].reduce((a, b) => a + b, 0);
    const whole = sum(some.map(({ polygons }) => trueArea(polygons, z)));
    expect(Math.abs(sum(areas.values()) / whole - 1)).toBeLessThan(0.0005);
  });

  test.runIf(isThere).for([12, 13, 14])('no background shows between neighbours at zoom %i', async (z) => {
    let inside = 0;
    let background = 0;
    for (const address of tilesOfShapes(shapes, z)) {
      const { wanted, drawn } = picturesOf(shapes, address, (await layersAt(engine, address)).parcels ?? []);
      inside += wanted.pixels.filter(Boolean).length;
      background += wanted.pixels.filter((isWanted, index) => isWanted && !drawn.pixels[index]).length;
    }
    expect(inside).toBeGreaterThan(10_000);
    expect(background / inside).toBeLessThan(0.001);
  });

  test.runIf(isThere).for([12, 14, 15, 16])(
    'no label stands twice at zoom %i, below 14 none stands, and from 15 on none is missing',
    async (z) => {
      const some = everyNth(shapes, z >= 15 ? 5 : 1);
      const byId = new Map(some.map((shape) => [shape.id, shape]));
      const seen = new Map<number, number>();
      for (const address of tilesOfShapes(some, z)) {
        const labels = (await layersAt(engine, address)).labels ?? [];
        for (const label of labels.filter(({ id }) => byId.has(id))) {
          seen.set(label.id, (seen.get(label.id) ?? 0) + 1);
          expect(faultsOf(address, byId.get(label.id), label), `label of ${label.id}`).toEqual([]);
        }
      }
      expect([...seen].filter(([, count]) => count !== 1)).toEqual([]);
      if (z >= 15) expect(seen.size).toBe(some.length);
      else if (z < mapZooms.lotLabels) expect(seen.size).toBe(0);
      else expect(seen.size).toBeLessThan(some.length);
    },
  );
});

/** A tile in 512 pixels: the parcels as they are, and as the tile has them. */
function picturesOf(shapes: readonly OracleParcel[], address: TileAddress, features: readonly TileFeature[]) {
  const wanted = new Picture(512);
  for (const { polygons } of shapesNear(shapes, address, 0)) {
    wanted.fill(polygons.flat().map((ring) => pairs(ring).map(([x, y]) => tileUnits(address, x, y))));
  }
  const drawn = new Picture(512);
  for (const { parts } of features) drawn.fill(parts.map((part) => part.map(({ x, y }) => [x, y] as const)));
  return { wanted, drawn };
}

/** Places of a label, and of its box shrunk by the rounding of its units, that lie off the tile or the parcel. */
function faultsOf(
  address: TileAddress,
  parcel: OracleParcel | undefined,
  { parts, properties: { width, height } }: TileFeature,
): [number, number][] {
  if (!parcel) throw new Error('a label without a parcel');
  const { x, y } = parts[0]?.[0] ?? { x: -1, y: -1 };
  if (x < 0 || x >= unitsASide || y < 0 || y >= unitsASide) return [[x, y]];
  const [halfWidth, halfHeight] = [Number(width) / 2 - 1, Number(height) / 2 - 1];
  if (halfWidth < 1 || halfHeight < 1) return [];
  const steps = [-1, -0.5, 0, 0.5, 1];
  const places = steps.flatMap((across) =>
    steps.map((down): [number, number] => [across * halfWidth, down * halfHeight]),
  );
  const ring = tileRing(address, 0);
  const [west = 0, south = 0, east = 0, , , north = 0] = ring;
  return places.filter(([dx, dy]) => {
    // Within a tile from zoom 12 on, latitude is a straight line of units to a hundredth of one.
    const longitude = west + ((x + 0.5 + dx) / unitsASide) * (east - west);
    const latitude = north - ((y + 0.5 + dy) / unitsASide) * (north - south);
    return !holdsPoint(parcel.polygons, longitude, latitude);
  });
}

test('a tile is the same with and without a column index', async () => {
  const engine = engineOn(sampleHome());
  const bounds = landBounds(engine);
  const before = new Map<string, Uint8Array | null>();
  const addresses = [10, 11, 13, 15].flatMap((z) => [...tilesOf(bounds, z)]);
  for (const { z, x, y } of addresses) before.set(`${z}/${x}/${y}`, await getTile(engine, 'parcels', z, x, y));
  expect([...before.values()].some((tile) => tile !== null)).toBe(true);

  const stale = engineOn(sampleHome());
  stale.land.file.run("UPDATE column_indexes SET state = 'stale'");
  for (const { z, x, y } of addresses) {
    expect(await getTile(stale, 'parcels', z, x, y), `${z}/${x}/${y}`).toEqual(before.get(`${z}/${x}/${y}`));
  }
});
