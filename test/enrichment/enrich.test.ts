import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { enrich } from '../../engine/enrichment/enrich.ts';
import { enrichAgain } from '../../engine/enrichment/enrich-again.ts';
import type { EnrichOptions } from '../../engine/enrichment/enrich-options.ts';
import { explainParcel } from '../../engine/enrichment/explain-parcel.ts';
import { layersOf } from '../../engine/enrichment/layer-rows.ts';
import { unenrich } from '../../engine/enrichment/unenrich.ts';
import { EngineError } from '../../engine/spec/errors.ts';
import { emptyHome } from '../support/homes.ts';
import { columnsByApn, homeWith, importAgain, now, type TestParcel, testFips, writeLayer } from './enriched-home.ts';
import { boxOfFeet, lotOfFeet, pathOfFeet } from './laid-shapes.ts';

const lots: TestParcel[] = [
  { apn: '1', shape: lotOfFeet(0, 30, 100, 230), mailing_zip: '67420' },
  { apn: '2', shape: lotOfFeet(100, 30, 200, 230), mailing_zip: '10001', situs_zip: '67446' },
  // behind lot 1
  { apn: '3', shape: lotOfFeet(0, 230, 100, 430), structure_count: 7 },
  { apn: '4', shape: lotOfFeet(3000, 30, 3100, 230) },
];
const wide = lotOfFeet(-500, -500, 600, 600);
const run = (engine: Engine, kind: EnrichOptions['kind'], file: string, more: Partial<EnrichOptions> = {}) =>
  enrich(engine.land, { kind, file, fips: testFips, now, date: '2025-06-30', ...more });

const wetlandsFile = () =>
  writeLayer(emptyHome(), 'wetlands.geojson', [
    { polygons: lotOfFeet(0, 0, 50, 1000), ATTRIBUTE: 'PFO1A' },
    { polygons: lotOfFeet(-900, -900, -890, -890), ATTRIBUTE: 'PUBH' },
    { polygons: lotOfFeet(890, 890, 900, 900), ATTRIBUTE: 'PUBH' },
    { polygons: lotOfFeet(-900, 890, -890, 900), ATTRIBUTE: 'PUBH' },
    { polygons: lotOfFeet(890, -900, 900, -890), ATTRIBUTE: 'PUBH' },
  ]);
const buildingsFile = () =>
  writeLayer(emptyHome(), 'buildings.geojson', [
    // 900 square feet on lot 1; 100 square feet; 2,500 square feet on lot 3
    { polygons: lotOfFeet(10, 50, 40, 80) },
    { polygons: lotOfFeet(60, 50, 70, 60) },
    { polygons: lotOfFeet(10, 300, 60, 350) },
  ]);

describe('enriching a county', () => {
  test('writes each layer’s columns, with what is unknown and why', async () => {
    const engine = await homeWith(lots);
    const report = await run(engine, 'wetlands', wetlandsFile());
    expect(report).toMatchObject({
      kind: 'wetlands',
      source: 'wetlands.geojson',
      date: '2025-06-30',
      reading: { features_read: 5, features_kept: 5, refused: { count: 0 } },
      coverage: { kind: 'hull' },
      parcels: 4,
      computed: 3,
      unknown: { "outside the layer's coverage": 1 },
    });
    // lot 4 lies beyond the hull of ±900 feet: unknown, not dry
    expect(columnsByApn(engine, 'wetlands_percent')).toEqual({ 1: [50], 2: [0], 3: [50], 4: [null] });
    const whole = await run(engine, 'wetlands', wetlandsFile(), { coverage: 'county' });
    expect(whole.coverage).toEqual({ kind: 'county' });
    expect(columnsByApn(engine, 'wetlands_percent')).toEqual({ 1: [50], 2: [0], 3: [50], 4: [0] });
    expect(layersOf(engine.land.file, testFips).map(({ layer_id: id }) => id)).toEqual([2]);
  });

  test('finds frontage, and the lot behind another landlocked', async () => {
    const engine = await homeWith(lots);
    const file = writeLayer(emptyHome(), 'roads.geojson', [
      { lines: [pathOfFeet([-1000, 0], [1000, 0])], MTFCC: 'S1400' },
      { lines: [pathOfFeet([-1000, -5], [1000, -5])], MTFCC: 'S1710' },
    ]);
    const report = await run(engine, 'roads', file, { coverage: 'county' });
    expect(report.reading?.without_use).toBe(1);
    expect(columnsByApn(engine, 'road_frontage_ft', 'road_frontage_local_road_ft', 'landlocked')).toEqual({
      1: [100, 100, 0],
      2: [100, 100, 0],
      3: [0, 0, 1],
      4: [0, 0, 1],
    });
  });

  test('asks the land use for road parcels', async () => {
    // the right of way west of lot 3, whose centerline is missing
    const street = { apn: '5', shape: lotOfFeet(-60, 230, 0, 430), land_use_description: 'Public Right-of-Way' };
    const engine = await homeWith([...lots, street]);
    const file = writeLayer(emptyHome(), 'roads.geojson', [
      { lines: [pathOfFeet([-1000, 0], [1000, 0])], highway: 'tertiary' },
    ]);
    await run(engine, 'roads', file, { coverage: 'county' });
    expect(columnsByApn(engine, 'road_frontage_normal_road_ft', 'landlocked')).toMatchObject({
      3: [0, 0],
      4: [0, 1],
      5: [0, 0],
    });
  });

  test('leaves what a publisher gave, and keeps both', async () => {
    const engine = await homeWith(lots);
    const report = await run(engine, 'buildings', buildingsFile(), { coverage: 'county' });
    expect(report.published_kept).toEqual({ structure_count: 1 });
    expect(columnsByApn(engine, 'structure_count')).toEqual({ 1: [1], 2: [0], 3: [7], 4: [0] });
    const [explained] = explainParcel(engine.land, idOf(engine, '3'));
    expect(explained).toMatchObject({ computed: { structure_count: 1 }, published: ['structure_count'] });
    // settable: 2,000 square feet and more; the published 7 stays published
    const file = buildingsFile();
    await run(engine, 'buildings', file, { coverage: 'county', settings: { minStructureSquareFeet: 2000 } });
    expect(columnsByApn(engine, 'structure_count')).toEqual({ 1: [0], 2: [0], 3: [7], 4: [0] });
  });

  test('gives a ZIP only where there is none, and with it whether the owner is elsewhere', async () => {
    const engine = await homeWith(lots);
    const file = writeLayer(emptyHome(), 'zips.geojson', [{ polygons: wide, ZCTA5CE20: '67420' }]);
    await run(engine, 'zips', file);
    expect(columnsByApn(engine, 'situs_zip', 'owner_out_of_zip')).toEqual({
      1: ['67420', 0],
      2: ['67446', 1],
      3: ['67420', null],
      4: [null, null],
    });
  });

  test('names the flood zone and the school district', async () => {
    const engine = await homeWith(lots);
    const flood = writeLayer(emptyHome(), 'flood.geojson', [
      { polygons: lotOfFeet(-10, 0, 300, 80), FLD_ZONE: 'AE' },
      { polygons: lotOfFeet(-10, 80, 300, 330), FLD_ZONE: 'X' },
      { polygons: lotOfFeet(-10, 330, 300, 600), FLD_ZONE: 'D' },
    ]);
    const report = await run(engine, 'flood', flood);
    // lots 1 and 2: 50 of 200 feet; half of lot 3 was not studied; lot 4 is off the map
    expect(report.coverage).toEqual({ kind: 'features' });
    const found = columnsByApn(engine, 'flood_zone_percent', 'flood_zone_type');
    expect(found).toEqual({ 1: [25, 'AE'], 2: [25, 'AE'], 3: [null, null], 4: [null, null] });
    const schools = writeLayer(emptyHome(), 'schools.geojson', [{ polygons: wide, NAME: ' Unified 273 ' }]);
    await run(engine, 'schools', schools);
    expect(columnsByApn(engine, 'school_district')).toMatchObject({ 1: ['Unified 273'], 4: [null] });
  });

  test('names the zone of a floodway, and knows nothing where the text of the zone is not known', async () => {
    const engine = await homeWith(lots);
    const zones = [
      { polygons: lotOfFeet(-10, 0, 95, 600), FLD_ZONE: 'Zone AE Floodway' },
      { polygons: lotOfFeet(105, 0, 195, 600), FLD_ZONE: 'Red' },
      { polygons: lotOfFeet(205, 0, 295, 600), FLD_ZONE: 'X' },
    ];
    const found = () => columnsByApn(engine, 'flood_zone_percent', 'flood_zone_type');
    const report = await run(engine, 'flood', writeLayer(emptyHome(), 'flood.geojson', zones));
    expect(report.reading?.unmapped_values).toEqual({ Red: 1 });
    // the same for a map without studied zones: what it calls Red is not dry
    const unnamed = await run(engine, 'flood', writeLayer(emptyHome(), 'zones.geojson', zones.slice(0, 2)));
    expect(unnamed.reading?.unmapped_values).toEqual({ Red: 1 });
    const [first, second] = [found()['1'], found()['2']];
    expect(first?.[1]).toBe('AE');
    expect(second).toEqual([null, null]);
  });

  test('keeps the features near the county for the map, and counts the others', async () => {
    const engine = await homeWith(lots);
    const file = writeLayer(emptyHome(), 'wetlands.geojson', [
      { polygons: lotOfFeet(0, 0, 50, 1000), WETLAND_TYPE: 'Lake' },
      { polygons: lotOfFeet(900_000, 0, 900_050, 1000), WETLAND_TYPE: 'Lake' },
    ]);
    const { reading, layer_id: layerId } = await run(engine, 'wetlands', file);
    expect(reading).toMatchObject({ features_read: 2, features_kept: 1 });
    const rows = engine.land.file.all('SELECT layer_id, feature_id, class, properties FROM layer_features');
    expect(rows).toEqual([{ layer_id: layerId, feature_id: 1, class: 'Lake', properties: '{"WETLAND_TYPE":"Lake"}' }]);
    expect(engine.land.file.all('SELECT layer_feature_id FROM layer_features_index')).toHaveLength(1);
  });

  test('explains a parcel by the features that it used', async () => {
    const engine = await homeWith(lots);
    await run(engine, 'wetlands', wetlandsFile());
    await run(engine, 'buildings', buildingsFile(), { coverage: 'county' });
    const explained = explainParcel(engine.land, idOf(engine, '1'));
    expect(
      explained.map(({ kind, computed, used }) => ({ kind, computed, used: used.map((one) => one.feature_id) })),
    ).toEqual([
      { kind: 'buildings', computed: { structure_count: 1 }, used: [1] },
      { kind: 'wetlands', computed: { wetlands_percent: 50 }, used: [1] },
    ]);
    expect(explained[1]?.used[0]?.properties).toEqual({ ATTRIBUTE: 'PFO1A' });
    expect(explainParcel(engine.land, idOf(engine, '4'))[1]).toMatchObject({
      reason: "outside the layer's coverage",
      used: [],
    });
  });
});

const idOf = (engine: Engine, apn: string): number =>
  engine.land.file.get<{ id: number }>('SELECT property_id AS id FROM parcels WHERE apn = ?', apn)?.id ?? 0;

/** Everything that an enrichment may touch. */
function contentOf({ land: { file } }: Engine): unknown {
  return {
    parcels: file.all('SELECT * FROM parcels ORDER BY property_id'),
    layers: file.all('SELECT * FROM layers'),
    features: file.all('SELECT * FROM layer_features ORDER BY layer_feature_id'),
    values: file.all('SELECT * FROM computed_values'),
    schema: file.all('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name'),
  };
}

describe('an enrichment that does not go through', () => {
  test('changes nothing when it is cancelled, at whatever point', async () => {
    const engine = await homeWith(lots);
    await run(engine, 'wetlands', wetlandsFile());
    const before = contentOf(engine);
    const file = wetlandsFile();
    const phases = new Set<string>();
    for (const phase of ['computing', 'writing']) {
      const controller = new AbortController();
      const outcome = run(engine, 'wetlands', file, {
        coverage: 'county',
        signal: controller.signal,
        onProgress: (progress) => {
          phases.add(progress.phase);
          if (progress.phase === phase && progress.rows > 0) controller.abort();
        },
      });
      await expect(outcome).rejects.toThrow(/abort/i);
      expect(contentOf(engine)).toEqual(before);
    }
    expect(phases).toContain('writing');
    expect(engine.land.file.all("SELECT name FROM temp.sqlite_schema WHERE name = 'staged_features'")).toEqual([]);
    await run(engine, 'wetlands', file, { coverage: 'county' });
    expect(columnsByApn(engine, 'wetlands_percent')[4]).toEqual([0]);
  });

  test('says what the file lacks', async () => {
    const engine = await homeWith(lots);
    const before = contentOf(engine);
    const folder = emptyHome();
    const refusals: [EnrichOptions['kind'], string, RegExp][] = [
      [
        'roads',
        writeLayer(folder, 'a', [{ lines: [pathOfFeet([0, 0], [9, 9])], kind: 'X' }]),
        /MTFCC.*it has the columns kind\./,
      ],
      ['flood', writeLayer(folder, 'b', [{ polygons: wide, colour: 'blue' }]), /FLD_ZONE.*found colour/],
      ['roads', writeLayer(folder, 'c', [{ polygons: wide, MTFCC: 'S1400' }]), /none of the 1 features.*LineString/],
      ['wetlands', writeLayer(folder, 'd', []), /found none/],
      ['wetlands', `${folder}/none.geojson`, /none\.geojson/],
      ['slope', writeLayer(folder, 'e', []), /expected a GeoTIFF/],
    ];
    for (const [kind, file, message] of refusals) {
      const error = await run(engine, kind, file).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(EngineError);
      expect((error as EngineError).message).toMatch(message);
    }
    await expect(enrich(engine.land, { kind: 'roads', file: 'x', fips: '99999', now })).rejects.toThrow(/FIPS/);
    await expect(enrich(engine.land, { kind: 'zips', file: wetlandsFile(), fips: '33019', now })).rejects.toThrow(
      /33019/,
    );
    expect(contentOf(engine)).toEqual(before);
  });

  test('counts features that it cannot use, with their rows', async () => {
    const engine = await homeWith(lots);
    const file = wetlandsFile();
    const text = JSON.parse(fs.readFileSync(file, 'utf8')) as { features: unknown[] };
    text.features.push({ type: 'Feature', geometry: { type: 'Polygon', coordinates: [[[0, 'x']]] }, properties: {} });
    text.features.push({ type: 'Feature', geometry: null, properties: {} });
    fs.writeFileSync(file, JSON.stringify(text));
    const { reading } = await run(engine, 'wetlands', file);
    expect(reading).toMatchObject({ features_read: 7, features_kept: 5, without_geometry: 1 });
    expect(reading?.refused).toMatchObject({ count: 1, first: [{ row: 6 }] });
  });

  test('waits for the one before it', async () => {
    const engine = await homeWith(lots);
    const first = run(engine, 'wetlands', wetlandsFile());
    await expect(run(engine, 'wetlands', wetlandsFile())).rejects.toThrow(/Another layer/);
    await first;
  });

  test('does not write over parcels that changed meanwhile', async () => {
    const engine = await homeWith(lots);
    const outcome = run(engine, 'wetlands', wetlandsFile(), {
      onProgress: ({ phase }) => {
        if (phase !== 'computing') return;
        engine.land.file.run("UPDATE parcels SET status = 'retired' WHERE apn = '4'");
      },
    });
    await expect(outcome).rejects.toThrow(/changed meanwhile/);
  });
});

describe('removing a layer', () => {
  test('takes back what it computed, and nothing that a publisher gave', async () => {
    const engine = await homeWith(lots);
    const before = columnsByApn(engine, 'structure_count', 'wetlands_percent');
    const { layer_id: wetlands } = await run(engine, 'wetlands', wetlandsFile());
    const { layer_id: buildings } = await run(engine, 'buildings', buildingsFile(), { coverage: 'county' });
    // a publisher's value that came after
    engine.land.file.run("UPDATE parcels SET structure_count = 4 WHERE apn = '2'");
    expect(unenrich(engine.land, buildings)).toEqual({ changed: 2 });
    expect(unenrich(engine.land, wetlands)).toEqual({ changed: 3 });
    expect(columnsByApn(engine, 'structure_count', 'wetlands_percent')).toEqual({ ...before, 2: [4, null] });
    for (const table of ['layers', 'layer_features', 'layer_features_index', 'computed_values']) {
      expect(engine.land.file.get(`SELECT count(*) AS n FROM ${table}`)).toEqual({ n: 0 });
    }
    expect(() => unenrich(engine.land, wetlands)).toThrow(/no layer/);
  });
});

describe('after an import', () => {
  test('nothing stands that was computed from another shape', async () => {
    const engine = await homeWith(lots);
    await run(engine, 'wetlands', wetlandsFile());
    await run(engine, 'buildings', buildingsFile(), { coverage: 'county' });
    const [first, ...others] = lots as [TestParcel, ...TestParcel[]];
    await importAgain(engine, [{ ...first, shape: lotOfFeet(0, 30, 120, 230) }, ...others]);
    const { file } = engine.land;
    expect(columnsByApn(engine, 'wetlands_percent')).toEqual({ 1: [null], 2: [0], 3: [50], 4: [null] });
    expect(file.get('SELECT count(*) AS n FROM computed_values')).toEqual({ n: 6 });
  });

  test('new and changed parcels are completed from the layers that are kept', async () => {
    const engine = await homeWith(lots);
    await run(engine, 'wetlands', wetlandsFile());
    const roads = writeLayer(emptyHome(), 'roads.geojson', [
      { lines: [pathOfFeet([-1000, 0], [1000, 0])], MTFCC: 'S1400' },
    ]);
    await run(engine, 'roads', roads, { coverage: 'county' });
    const [, second, third] = lots as [TestParcel, TestParcel, TestParcel];
    // lot 1 grew to the east half dry, lot 5 is new, lot 4 is gone
    const grown = { apn: '1', shape: [[boxOfFeet(0, 30, 100, 230)], [boxOfFeet(400, 30, 500, 230)]] };
    await importAgain(engine, [grown, second, third, { apn: '5', shape: lotOfFeet(200, 30, 300, 230) }]);
    const again = await enrichAgain(engine.land, testFips, { now });
    expect(again).toMatchObject({ left_out: [], reports: [{ kind: 'roads' }, { kind: 'wetlands' }] });
    expect(columnsByApn(engine, 'wetlands_percent', 'road_frontage_ft', 'landlocked')).toEqual({
      1: [25, 200, 0],
      2: [0, 100, 0],
      3: [50, 0, 1],
      5: [0, 100, 0],
    });
    const stored = engine.land.file.all('SELECT kind, source_name, source_date FROM layers ORDER BY kind');
    expect(stored).toEqual([
      { kind: 'roads', source_name: 'roads.geojson', source_date: '2025-06-30' },
      { kind: 'wetlands', source_name: 'wetlands.geojson', source_date: '2025-06-30' },
    ]);
    // the removed parcel has lost its computed values
    const gone = engine.land.file.get("SELECT wetlands_percent, landlocked FROM parcels WHERE apn = '4'");
    expect(gone).toEqual({ wetlands_percent: null, landlocked: null });
  });
});
