/** Layers that are only drawn: kept beside one another, named, guessed, replaced by their titles, removed. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { shareLand } from '../../engine/backup/share-land.ts';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { enrich } from '../../engine/enrichment/enrich.ts';
import { enrichAgain } from '../../engine/enrichment/enrich-again.ts';
import type { EnrichOptions } from '../../engine/enrichment/enrich-options.ts';
import { explainParcel } from '../../engine/enrichment/explain-parcel.ts';
import { listLayers } from '../../engine/enrichment/list-layers.ts';
import { unenrich } from '../../engine/enrichment/unenrich.ts';
import { listWaiting } from '../../engine/enrichment/waiting.ts';
import { landMigrations } from '../../engine/store/migrations/land.ts';
import { mapLayersSql } from '../../engine/store/migrations/layers.ts';
import { applicationId, openSqliteFile } from '../../engine/store/sqlite.ts';
import { mapSources } from '../../engine/tiles/map-sources.ts';
import { emptyHome } from '../support/homes.ts';
import { homeWith, importAgain, now, type TestParcel, testFips, writeLayer } from './enriched-home.ts';
import { lotOfFeet, pathOfFeet } from './laid-shapes.ts';

const lots: TestParcel[] = [{ apn: '1', shape: lotOfFeet(0, 0, 200, 200) }];
const run = (engine: Engine, file: string, more: Partial<EnrichOptions> = {}) =>
  enrich(engine.land, { kind: 'other', file, fips: testFips, now, date: '2025-06-30', ...more });
const layersIn = (engine: Engine) => mapSources(engine.home, engine.land).layers;
const stored = (engine: Engine) =>
  engine.land.file.all('SELECT class, name FROM layer_features ORDER BY layer_feature_id');

const ponds = () =>
  writeLayer(emptyHome(), 'ponds.geojson', [
    { polygons: lotOfFeet(10, 10, 50, 50), NAME: ' Mill Pond ' },
    { polygons: lotOfFeet(60, 10, 90, 50), NAME: '', kind: 'river' },
    { polygons: lotOfFeet(90_000, 0, 90_100, 100), NAME: 'Far Pond' },
  ]);
const streams = () =>
  writeLayer(emptyHome(), 'a.geojson', [
    { lines: [pathOfFeet([0, 0], [100, 100])], REACHCODE: '1', GNIS_NAME: 'Alder Brook', StreamOrde: 3 },
    { lines: [pathOfFeet([0, 0], [100, 50])], REACHCODE: '2', GNIS_NAME: null, StreamOrde: null },
  ]);

const placesFile = (): string => {
  const file = path.join(emptyHome(), 'places.geojson');
  const [x = 0, y = 0] = lotOfFeet(20, 20, 40, 40)[0]?.[0] ?? [];
  const feature = (geometry: object, properties: object) => ({ type: 'Feature', geometry, properties });
  const features = [
    feature({ type: 'Point', coordinates: [x, y] }, { name: 'Bald Hill', natural: 'peak', ele: 304.8 }),
    feature({ type: 'Point', coordinates: [x, y] }, { name: 'Wrenfield', place: 'town' }),
    feature(
      {
        type: 'LineString',
        coordinates: [
          [x, y],
          [x + 0.001, y],
        ],
      },
      { name: 'a path' },
    ),
  ];
  fs.writeFileSync(file, JSON.stringify({ type: 'FeatureCollection', features }));
  return file;
};

describe('a layer that is only drawn', () => {
  test('is kept with its look, color and names, and touches no parcel', async () => {
    const engine = await homeWith(lots);
    const before = engine.land.file.all('SELECT * FROM parcels');
    const report = await run(engine, ponds(), { look: 'water', nameField: 'name', color: '#336699', title: 'Ponds' });
    expect(report).toMatchObject({
      kind: 'other',
      title: 'Ponds',
      fips: testFips,
      parcels: 0,
      computed: 0,
      written: 0,
    });
    expect(report.notes).toEqual([
      'Drawn as water; names are read from NAME.',
      '1 of its 3 features lie elsewhere and were left out.',
    ]);
    expect(stored(engine)).toEqual([
      { class: null, name: 'Mill Pond' },
      { class: 'river', name: null },
    ]);
    expect(layersIn(engine)).toMatchObject([
      { kind: 'other', title: 'Ponds', look: 'water', color: '#336699', geometry: 'polygons' },
    ]);
    expect(engine.land.file.all('SELECT * FROM parcels')).toEqual(before);
    expect(explainParcel(engine.land, Number(before[0]?.property_id))).toEqual([]);
    // No parcel waits for it, also after an import of new ones.
    await importAgain(engine, [...lots, { apn: '2', shape: lotOfFeet(300, 0, 400, 100) }]);
    expect(listWaiting(engine.land)).toEqual([]);
    expect((await enrichAgain(engine.land, testFips, { now })).reports).toEqual([]);
    expect(layersIn(engine)).toHaveLength(1);
  });

  test('stands beside others of its kind; the same title replaces it, under a new number', async () => {
    const engine = await homeWith(lots);
    await run(engine, ponds(), { look: 'water' });
    await run(engine, streams());
    await run(engine, placesFile());
    expect(listLayers(engine.land).map(({ layer_id: id, title }) => [id, title])).toEqual([
      [2, 'a'],
      [3, 'places'],
      [1, 'ponds'],
    ]);
    const again = await run(engine, ponds(), { look: 'plain' });
    expect(again.notes).toContain('It replaces the layer "ponds" from ponds.geojson.');
    expect(listLayers(engine.land).map(({ layer_id: id, title }) => [id, title])).toEqual([
      [2, 'a'],
      [3, 'places'],
      [4, 'ponds'],
    ]);
  });

  test('is looked at for what it is: streams by their order, places by their kind', async () => {
    const engine = await homeWith(lots);
    await run(engine, streams());
    await run(engine, placesFile());
    expect(layersIn(engine).map(({ title, look, geometry }) => [title, look, geometry])).toEqual([
      ['a', 'stream', 'lines'],
      ['places', 'place', 'points'],
    ]);
    expect(stored(engine)).toEqual([
      { class: '3', name: 'Alder Brook' },
      { class: null, name: null },
      { class: 'summit', name: 'Bald Hill' },
      { class: 'town', name: 'Wrenfield' },
      { class: null, name: 'a path' },
    ]);
  });

  test('asks how it is drawn where nothing tells, and refuses what it cannot use', async () => {
    const engine = await homeWith(lots);
    const file = writeLayer(emptyHome(), 'shapes.geojson', [{ polygons: lotOfFeet(0, 0, 9, 9), NOTE: 'x' }]);
    await expect(run(engine, file)).rejects.toThrow(/--look water, stream, .*It has the columns NOTE/);
    const buildings = writeLayer(emptyHome(), 'footprints.geojson', [{ polygons: lotOfFeet(0, 0, 9, 9), NOTE: 'x' }]);
    await expect(run(engine, buildings)).rejects.toThrow(/It looks like buildings: "enrich buildings"/);
    await expect(run(engine, file, { look: 'plain', nameField: 'TITLE' })).rejects.toThrow(/expected a column TITLE/);
    await expect(run(engine, file, { look: 'plain', color: 'red' })).rejects.toThrow(/color/);
    await expect(run(engine, file, { look: 'lava' as 'plain' })).rejects.toThrow(/look/);
    const far = writeLayer(emptyHome(), 'far.geojson', [{ polygons: lotOfFeet(90_000, 0, 90_100, 9) }]);
    await expect(run(engine, far, { look: 'plain' })).rejects.toThrow(/none of its 1 features lies near/);
    expect(listLayers(engine.land)).toEqual([]);
  });

  test('is removed alone, and no number of a layer is given twice', async () => {
    const engine = await homeWith(lots);
    await run(engine, ponds(), { look: 'water' });
    const { layer_id: id } = await run(engine, streams());
    expect(unenrich(engine.land, id)).toEqual({ changed: 0 });
    expect(stored(engine)).toHaveLength(2);
    expect(engine.land.file.all('SELECT * FROM layer_features_index')).toHaveLength(2);
    expect((await run(engine, streams())).layer_id).toBe(3);
  });

  test('goes along when the land is shared', async () => {
    const engine = await homeWith(lots);
    await run(engine, ponds(), { look: 'water', title: 'Ponds' });
    const target = path.join(emptyHome(), 'land.sqlite');
    await shareLand(engine.home, target);
    const copy = openEngine({ home: path.dirname(target) });
    try {
      expect(layersIn(copy)).toMatchObject([{ title: 'Ponds', look: 'water' }]);
      expect(stored(copy)).toHaveLength(2);
    } finally {
      copy.close();
    }
  });
});

test('names of roads are kept', async () => {
  const engine = await homeWith(lots);
  const file = writeLayer(emptyHome(), 'roads.geojson', [
    { lines: [pathOfFeet([0, 0], [100, 0])], MTFCC: 'S1400', FULLNAME: 'Mill Ln' },
    { lines: [pathOfFeet([0, 0], [0, 100])], MTFCC: 'S1200', FULLNAME: '' },
  ]);
  await run(engine, file, { kind: 'roads' });
  expect(stored(engine)).toEqual([
    { class: 'local_road', name: 'Mill Ln' },
    { class: 'normal_road', name: null },
  ]);
});

test('a land file of before keeps its layers, their features and numbers, and roads get the names of their file', () => {
  const home = emptyHome();
  const before = landMigrations.findIndex((sql) => sql.endsWith(mapLayersSql));
  const old = openSqliteFile(path.join(home, 'land.sqlite'), {
    fileName: 'land.sqlite',
    applicationId: applicationId('PLBL'),
    migrations: landMigrations.slice(0, before),
    synchronous: 'NORMAL',
    functions: () => ({}),
    virtualModules: ['VirtualSpatialIndex'],
  });
  const layer = "'f', '2026-01-31', 1, '{}', '{}', '{}', '2026-02-01'";
  old.exec(`
    INSERT INTO layers VALUES (3, '20123', 'roads', ${layer}), (5, '20123', 'wetlands', ${layer}), (7, '20123', 'zips', ${layer});
    DELETE FROM layers WHERE layer_id = 7;
    INSERT INTO layer_features VALUES (1, 3, 1, 'local_road', '{"FULLNAME":" Mill Ln "}', x'00'),
      (2, 3, 2, 'local_road', 'no JSON', x'00'), (3, 3, 3, NULL, '{"fullname":null,"name":"Elm St"}', x'00'),
      (4, 5, 1, NULL, '{"NAME":"a marsh"}', x'00');
    INSERT INTO computed_values (layer_id, property_id, "values", computed_at) VALUES (3, 1, '{}', '');`);
  old.close();
  const engine = openEngine({ home, now });
  try {
    const { file } = engine.land;
    expect(file.all('SELECT layer_id, kind, title FROM layers ORDER BY layer_id')).toEqual([
      { layer_id: 3, kind: 'roads', title: '' },
      { layer_id: 5, kind: 'wetlands', title: '' },
    ]);
    expect(file.column('SELECT name FROM layer_features ORDER BY layer_feature_id')).toEqual([
      ...['Mill Ln', null, 'Elm St', null],
    ]);
    expect(file.all('PRAGMA foreign_key_check')).toEqual([]);
    expect(file.column('SELECT seq FROM sqlite_sequence WHERE name = ?', 'layers')).toEqual([7]);
    expect(file.column('SELECT count(*) FROM computed_values')).toEqual([1]);
  } finally {
    engine.close();
  }
});
