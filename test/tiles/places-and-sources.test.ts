/** Where tiles are, which sources exist, and how missing or damaged ones behave. */
import { PbfReader } from 'pbf';
import { expect, test } from 'vitest';
import { decodeMultiPolygon, encodeMultiPolygon } from '../../engine/geo/spatialite-blob.ts';
import { EngineError } from '../../engine/spec/errors.ts';
import { getTile } from '../../engine/tiles/index.ts';
import { LayerWriter, writeTile } from '../../engine/tiles/mvt-writer.ts';
import { PolygonScanner } from '../../engine/tiles/polygon-scanner.ts';
import { Projection } from '../../engine/tiles/projection.ts';
import { TilePlace, tilePlace } from '../../engine/tiles/tile-place.ts';
import { box, ring } from '../geo/shapes.ts';
import { randomFrom } from '../importing/readers/mutants.ts';
import { decodeTile, ringArea } from '../support/decode-tile.ts';
import { openFixtureHome } from '../support/fixture-home.ts';
import { engineOn, sampleHome } from '../support/homes.ts';
import { tilesOf, tileUnits } from './tile-oracle.ts';

test.for([
  [-1, 0, 0],
  [23, 0, 0],
  [1.5, 0, 0],
  [Number.NaN, 0, 0],
  [3, 8, 0],
  [3, 0, 8],
  [3, -1, 0],
  [3, 0, 0.5],
  [22, 2 ** 53, 0],
  [0, 0, Number.POSITIVE_INFINITY],
] as const)('no tile stands at %s/%s/%s, and that is said', async ([z, x, y]) => {
  const engine = engineOn(sampleHome());
  const refused = getTile(engine, 'parcels', z, x, y);
  await expect(refused).rejects.toMatchObject({ code: 'validation_error' });
  await expect(refused).rejects.toThrow(/^Expected a .+, found .+\.$/);
});

test.for([
  ['parcel', 'not_found', /There is no tile source "parcel"; did you mean parcels\?/],
  ['layer-99', 'not_found', /There is no tile source "layer-99"; /],
  ['layer-1e3', 'not_found', /There is no tile source/],
  ['base-', 'not_found', /There is no tile source/],
  ['base-../../etc/passwd', 'not_found', /There is no tile source/],
  ['__proto__', 'not_found', /there are parcels, comps, outlines, contours, relief, heights\./],
  ['x'.repeat(10_000), 'not_found', /^.{100,400}$/],
] as const)('a source that is not there is not found: %s', async ([source, code, words]) => {
  const engine = engineOn(sampleHome());
  const refused = getTile(engine, source, 0, 0, 0);
  await expect(refused).rejects.toBeInstanceOf(EngineError);
  await expect(refused).rejects.toMatchObject({ code });
  await expect(refused).rejects.toThrow(words);
});

test('degrees lie on a tile where the formulas of the grid say, from the first zoom to the last', () => {
  const random = randomFrom(1);
  for (let run = 0; run < 3000; run++) {
    const z = Math.floor(random() * 23);
    const x = Math.floor(random() * 2 ** z);
    const y = Math.floor(random() * 2 ** z);
    const place = new TilePlace(z, x, y);
    const { minX, minY, maxX, maxY } = place.bounds(64);
    const longitude = minX + random() * (maxX - minX);
    const latitude = Math.min(85, Math.max(-85, minY + random() * (maxY - minY)));
    const projection = new Projection(place);
    const [wantedX, wantedY] = tileUnits({ z, x, y }, longitude, latitude);
    // A unit of zoom 22 is 2 mm; a double of degrees at 180 tells 3 nm.
    expect(Math.abs(projection.x(longitude) - wantedX)).toBeLessThan(0.002);
    expect(Math.abs(projection.y(latitude) - wantedY)).toBeLessThan(0.002);
  }
});

test('every place of the world is on exactly one tile of a zoom, also on its edges and poles', () => {
  for (const [longitude, latitude] of [
    [0, 0],
    [-180, 90],
    [180, -90],
    [180, 0],
    [-90, 66.51326044311186],
    [1e-12, -1e-12],
  ] as const) {
    for (const z of [0, 1, 2, 3]) {
      const holding = Array.from({ length: 4 ** z }, (_, i) => tilePlace(z, i % 2 ** z, Math.floor(i / 2 ** z)));
      expect(holding.filter((place) => place.holds(longitude, latitude)).length, `${longitude} ${latitude}`).toBe(1);
    }
  }
});

test('the tile is what ProtoBuf and the specification say', () => {
  const layer = new LayerWriter('lots', ['text', 'whole', 'part', 'flag']);
  layer.ring(Int32Array.of(0, 0, 10, 0, 10, 10, 0, 10), 4);
  layer.ring(Int32Array.of(2, 2, 2, 8, 8, 8, 8, 2), 4);
  layer.feature(2 ** 40 + 3, ['Ñandú', 7, -0.5, true]);
  layer.line(Int32Array.of(-64, 4160, 5, 5), 2);
  layer.feature(5, ['Ñandú', null, 1e300, false]);
  layer.feature(6, ['nothing was drawn', null, null, null]);
  layer.point(1, 4095);
  layer.feature(0, [null, 2 ** 52, null, null]);
  const { lots } = decodeTile(writeTile([layer, new LayerWriter('empty', [])]));
  expect(lots).toMatchObject([
    { id: 2 ** 40 + 3, type: 3, properties: { text: 'Ñandú', whole: 7, part: -0.5, flag: true } },
    { id: 5, type: 2, properties: { text: 'Ñandú', part: 1e300, flag: false } },
    { id: 0, type: 1, properties: { whole: 2 ** 52 } },
  ]);
  // The exterior of 10 × 10 runs one way, the hole of 6 × 6 the other.
  expect(lots?.[0]?.parts.map((part) => ringArea(part.slice(0, -1)))).toEqual([100, -36]);
  expect(lots?.[1]?.parts).toEqual([
    [expect.objectContaining({ x: -64, y: 4160 }), expect.objectContaining({ x: 5, y: 5 })],
  ]);
  expect(writeTile([new LayerWriter('empty', [])])).toBeNull();
  expect(() => new PbfReader(writeTile([layer]) as Uint8Array)).not.toThrow();
});

/** The scanner's result for bytes: rings of corners, or null for damage. */
function scanned(blob: Uint8Array): number[][] | null {
  const scanner = new PolygonScanner(blob);
  if (!scanner.begin(0, blob.length)) return null;
  const rings: number[][] = [];
  while (scanner.nextRing()) {
    const corners = [scanner.isExterior ? 1 : 0];
    for (let point = 0; point < scanner.points; point++) {
      scanner.nextPoint();
      corners.push(scanner.x, scanner.y);
    }
    rings.push(corners);
  }
  return scanner.isDamaged ? null : rings;
}

function decoded(blob: Uint8Array): number[][] | null {
  try {
    return decodeMultiPolygon(blob).flatMap((rings) => rings.map((one, index) => [index === 0 ? 1 : 0, ...one]));
  } catch {
    return null;
  }
}

test('the scanner reads what the decoder reads, and takes for damaged what the decoder refuses', () => {
  const whole = encodeMultiPolygon([
    [box(-72, 43, -71, 44), ring([-71.9, 43.1], [-71.8, 43.1], [-71.8, 43.2], [-71.9, 43.1])],
    [box(-70, 43, -69.5, 43.5)],
  ]);
  expect(scanned(whole)).toEqual(decoded(whole));
  const random = randomFrom(7);
  let damaged = 0;
  for (let run = 0; run < 20_000; run++) {
    const bent = Buffer.from(whole.subarray(0, random() < 0.2 ? Math.floor(random() * whole.length) : whole.length));
    for (let times = Math.floor(random() * 3); times >= 0 && bent.length > 0; times--) {
      bent[Math.floor(random() * bent.length)] = Math.floor(random() * 256);
    }
    const wanted = decoded(bent);
    const isOutside = wanted?.some(([, ...numbers]) =>
      numbers.some((value, i) => !(Math.abs(value) <= (i % 2 ? 90 : 180))),
    );
    if (wanted === null || isOutside) damaged++;
    expect(scanned(bent)).toEqual(isOutside ? null : wanted);
  }
  expect(damaged).toBeGreaterThan(2000);
});

test('a damaged parcel costs its own picture and nothing else', async () => {
  const { engine, close } = openFixtureHome({ keepsIndexes: false });
  try {
    const { file } = engine.land;
    const bounds = { minX: -72.2, minY: 43.1, maxX: -72.19, maxY: 43.11 };
    const idsOf = async () => {
      const ids = new Set<number>();
      for (const { z, x, y } of tilesOf(bounds, 15)) {
        for (const { id } of decodeTile(await getTile(engine, 'parcels', z, x, y)).parcels ?? []) ids.add(id);
      }
      return [...ids].sort((a, b) => a - b);
    };
    const before = await idsOf();
    expect(before).toEqual(expect.arrayContaining([1, 2, 9, 10]));
    const { geom } = file.get<{ geom: Buffer }>('SELECT geom FROM parcels WHERE property_id = 2') ?? {
      geom: Buffer.alloc(0),
    };
    const bend = (work: (bytes: Buffer) => void): Buffer => {
      const bent = Buffer.from(geom);
      work(bent);
      return bent;
    };
    const bents = [
      // two billion rings; a million points; a NaN corner; one beyond the earth; an invalid boundary
      bend((bytes) => bytes.writeInt32LE(0x7fffffff, 52)),
      bend((bytes) => bytes.writeInt32LE(1_000_000, 56)),
      bend((bytes) => bytes.writeDoubleLE(Number.NaN, 76)),
      bend((bytes) => bytes.writeDoubleLE(1e300, 76)),
      bend((bytes) => bytes.writeDoubleLE(-72.5, 60)),
      bend((bytes) => bytes.writeDoubleLE(1e9, 22)),
    ];
    for (const [index, bent] of bents.entries()) {
      file.run('UPDATE parcels SET geom = ? WHERE property_id = 2', bent);
      expect(await idsOf(), `damage ${index}`).toEqual(before.filter((id) => id !== 2));
    }
    // Values of other types than their columns', as any program may write them.
    file.run(
      `UPDATE parcels SET geom = ?, acres = x'00ff', owner_type = 7.5, structure_count = 'many', apn = x'00',
      owner_name = 3, point_lon = 'west' WHERE property_id = 2`,
      geom,
    );
    expect(await idsOf()).toEqual(before);
  } finally {
    close();
  }
});
