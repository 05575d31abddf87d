/** Comps, the user's layers, and the outlines of states and counties. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { feature } from 'topojson-client';
import { expect, test } from 'vitest';
import { boundsOfMultiPolygon } from '../../engine/geo/geometry.ts';
import { encodeMultiPolygon, multiPolygonToGeoJson } from '../../engine/geo/spatialite-blob.ts';
import { encodeMultiLine } from '../../engine/geo/spatialite-lines.ts';
import { readTopology } from '../../engine/geo/topology.ts';
import { getTile } from '../../engine/tiles/index.ts';
import { mapSources } from '../../engine/tiles/map-sources.ts';
import { box, ring } from '../geo/shapes.ts';
import { decodeTile, polygonsOf } from '../support/decode-tile.ts';
import { openFixtureHome } from '../support/fixture-home.ts';
import { engineOn, sampleHome } from '../support/homes.ts';
import { tilesOf, tileUnits } from './tile-oracle.ts';

const require = createRequire(import.meta.url);
const atlas = require('us-atlas/counties-10m.json');
const stored = JSON.parse(
  fs.readFileSync(path.resolve(import.meta.dirname, '..', '..', 'data', 'outlines', 'counties.topojson'), 'utf8'),
);

test.for(['states', 'counties'])('outlines of %s are those of us-atlas, as its own library reads them', (object) => {
  const wanted = feature(atlas, atlas.objects[object]) as unknown as { features: GeoJSON.Feature[] };
  const found = readTopology(stored)(object);
  expect(found.length).toBe(wanted.features.length);
  for (const [index, { id, name, polygons }] of found.entries()) {
    const { id: wantedId, properties, geometry } = wanted.features[index] ?? {};
    expect({ id, name }).toEqual({ id: wantedId, name: properties?.name });
    const coordinates =
      geometry?.type === 'Polygon' ? [geometry.coordinates] : (geometry as GeoJSON.MultiPolygon).coordinates;
    // The library repeats the corner of a ring that was simplified away until there are four.
    const rings = multiPolygonToGeoJson(polygons).coordinates.map((polygon) => polygon.map(filledUp));
    expect(rings).toEqual(coordinates);
  }
});

const filledUp = (positions: [number, number][]): [number, number][] => {
  const [first = [0, 0]] = positions;
  return [...positions, ...Array.from({ length: Math.max(0, 4 - positions.length) }, () => first as [number, number])];
};

test('states are there from the first zoom, counties from the fourth, by name and code', async () => {
  const engine = engineOn(sampleHome());
  const world = decodeTile(await getTile(engine, 'outlines', 0, 0, 0));
  expect(Object.keys(world)).toEqual(['states']);
  // Fifty states, the District of Columbia, and five territories.
  expect(world.states).toHaveLength(56);
  const [address] = tilesOf({ minX: -72, maxX: -72, minY: 43.2, maxY: 43.2 }, 6);
  if (!address) throw new Error('no tile');
  const { counties = [], states = [] } = decodeTile(await getTile(engine, 'outlines', address.z, address.x, address.y));
  expect(states.map(({ properties }) => properties.state)).toEqual(expect.arrayContaining(['NH', 'VT']));
  const sullivan = counties.find(({ id }) => id === 33_019);
  expect(sullivan?.properties).toEqual({ fips: '33019', name: 'Sullivan', state: 'NH' });
  // Newport, its seat, lies in it: 43.365 N 72.173 W.
  const [x, y] = tileUnits(address, -72.173, 43.365);
  const isIn = polygonsOf(sullivan ?? { id: 0, type: 3, properties: {}, parts: [] }).some(([exterior = []]) => {
    let isInside = false;
    for (const [index, a] of exterior.entries()) {
      const b = exterior[(index + 1) % exterior.length] ?? a;
      if (a.y > y !== b.y > y && a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x) > x) isInside = !isInside;
    }
    return isInside;
  });
  expect(isIn).toBe(true);
  // Codes of the file without parcels, too: 0 to 8 only, the map enlarges the last.
  expect(mapSources(engine.home, engine.land).outlines.maxzoom).toBe(8);
});

test('every comp is a point in its tile, and at low zooms the newest of a pixel stands for those beneath it', async () => {
  const { engine, close } = openFixtureHome({ keepsIndexes: false });
  try {
    const put = (
      id: number,
      status: string,
      longitude: number,
      latitude: number,
      price: number,
      day: string,
      acres: number | null,
    ) =>
      engine.land.file.run(
        `INSERT INTO comps (comp_rowid, comp_id, source, source_id, fips, property_id, status, latitude, longitude, price, lot_size, sold_date)
         VALUES (?, ?, 'test', ?, '99001', ?, ?, ?, ?, ?, ?, ?)`,
        ...[id, `comp-${id}`, `${id}`, id === 1 ? 7 : null, status, latitude, longitude, price, acres, day],
      );
    put(1, 'SOLD', -72.2, 43.1, 100_000, '2025-03-01', 8);
    put(2, 'SOLD', -72.2, 43.1, 90_000, '2024-03-01', 0);
    put(3, 'ACTIVE', -72.2, 43.1, 120_000, '2025-01-01', null);
    put(4, 'SOLD', -72.1, 43.1, 50_000, '2025-01-01', 3);
    const compsAt = async (z: number) => {
      const found = [];
      for (const { x, y } of tilesOf({ minX: -72.2, maxX: -72.1, minY: 43.1, maxY: 43.1 }, z)) {
        found.push(...(decodeTile(await getTile(engine, 'comps', z, x, y)).comps ?? []));
      }
      return found.sort((a, b) => a.id - b.id);
    };
    const near = await compsAt(14);
    expect(near.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(near[0]?.properties).toEqual({
      comp_id: 'comp-1',
      property_id: 7,
      price: 100_000,
      acres: 8,
      // 100,000 ÷ 8
      price_per_acre: 12_500,
      status: 'sold',
      date: '2025-03-01',
    });
    expect(near[1]?.properties).not.toHaveProperty('price_per_acre');
    expect(near[2]?.properties).toMatchObject({ status: 'active' });
    const far = await compsAt(8);
    expect(far.map(({ id, properties }) => [id, properties.count])).toEqual([
      [1, 2],
      [3, undefined],
      [4, undefined],
    ]);
    const { comps } = mapSources(engine.home, engine.land);
    expect(comps.bounds?.map((degrees) => Math.round(degrees * 1e4) / 1e4)).toEqual([-72.2, 43.1, -72.1, 43.1]);
    put(5, 'SOLD', -72.1, 43.1, 1, '2025-01-01', 3);
    expect(mapSources(engine.home, engine.land).comps.generation).not.toBe(comps.generation);
  } finally {
    close();
  }
});

test('layers are drawn with their classes: areas with their holes, lines cut into the parts that enter a tile', async () => {
  const { engine, close } = openFixtureHome({ keepsIndexes: false });
  try {
    const { file } = engine.land;
    const layer = (kind: string, count: number): number =>
      Number(
        file.run(
          `INSERT INTO layers (fips, kind, source_name, source_date, feature_count, settings, coverage, report, loaded_at)
           VALUES ('99001', ?, ?, '2026-01-31', ?, '{}', '{}', '{}', '2026-02-01T00:00:00.000Z')`,
          ...[kind, `${kind}.geojson`, count],
        ).lastInsertRowid,
      );
    let next = 1;
    const put = (
      layerId: number,
      id: number,
      name: string | null,
      geom: Buffer,
      bounds: { minX: number; minY: number; maxX: number; maxY: number },
    ) => {
      file.run('INSERT INTO layer_features VALUES (?, ?, ?, ?, ?, ?, NULL)', next, layerId, id, name, '{}', geom);
      file.run(
        'INSERT INTO layer_features_index VALUES (?, ?, ?, ?, ?)',
        next++,
        bounds.minX,
        bounds.maxX,
        bounds.minY,
        bounds.maxY,
      );
    };
    const wetlands = layer('wetlands', 2);
    const pond = [
      [
        box(-72.2, 43.1, -72.16, 43.14),
        ring([-72.19, 43.11], [-72.19, 43.12], [-72.18, 43.12], [-72.18, 43.11], [-72.19, 43.11]),
      ],
    ];
    put(wetlands, 1, 'PUBH', encodeMultiPolygon(pond), boundsOfMultiPolygon(pond));
    put(wetlands, 2, null, Buffer.from('no geometry at all, but as long as one would be, and longer still'), {
      minX: -72.2,
      minY: 43.1,
      maxX: -72.1,
      maxY: 43.2,
    });
    const roads = layer('roads', 1);
    // Through the tile, out of it, and back again further north.
    const line = Float64Array.of(-72.6, 43.115, -71.6, 43.115, -71.6, 43.125, -72.6, 43.125);
    put(roads, 1, 'local_road', encodeMultiLine([line]), { minX: -72.6, maxX: -71.6, minY: 43.115, maxY: 43.125 });
    layer('slope', 0);

    const sources = mapSources(engine.home, engine.land);
    expect(sources.layers).toMatchObject([
      { source: `layer-${roads}`, kind: 'roads', geometry: 'lines', classes: [{ class: 'local_road', features: 1 }] },
      {
        source: `layer-${wetlands}`,
        kind: 'wetlands',
        geometry: 'polygons',
        title: 'wetlands.geojson',
        attribution: 'wetlands.geojson, 2026-01-31',
        classes: [
          { class: 'PUBH', features: 1 },
          { class: null, features: 1 },
        ],
      },
    ]);
    const [address] = tilesOf({ minX: -72.185, maxX: -72.185, minY: 43.12, maxY: 43.12 }, 12);
    if (!address) throw new Error('no tile');
    const at = async (id: number) =>
      decodeTile(await getTile(engine, `layer-${id}`, address.z, address.x, address.y)).features ?? [];
    const [area, ...others] = await at(wetlands);
    expect(others).toEqual([]);
    expect(area).toMatchObject({ id: 1, type: 3, properties: { class: 'PUBH' } });
    expect(polygonsOf(area ?? { id: 0, type: 3, properties: {}, parts: [] }).map((rings) => rings.length)).toEqual([2]);
    const [road] = await at(roads);
    expect(road).toMatchObject({ id: 1, type: 2, properties: { class: 'local_road' } });
    const [south, north] = [43.115, 43.125].map((latitude) => Math.round(tileUnits(address, 0, latitude)[1]));
    expect(road?.parts.map((part) => part.map(({ x, y }) => [x, y]))).toEqual([
      [
        [-64, south],
        [4160, south],
      ],
      [
        [4160, north],
        [-64, north],
      ],
    ]);
    expect(await getTile(engine, `layer-${roads}`, 7, address.x >> 5, address.y >> 5)).toBeNull();
    expect(await getTile(engine, `layer-${roads}`, 12, 0, 0)).toBeNull();
  } finally {
    close();
  }
});
