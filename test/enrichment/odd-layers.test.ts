/** Layers as they really come: of another place, cut off by a server, mixed, empty; each was once a wrong value without a word. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { enrich } from '../../engine/enrichment/enrich.ts';
import type { EnrichOptions } from '../../engine/enrichment/enrich-options.ts';
import type { LayerKind } from '../../engine/enrichment/layer-kinds.ts';
import { emptyHome } from '../support/homes.ts';
import { columnsByApn, homeWith, now, testFips, writeLayer } from './enriched-home.ts';
import { lotOfFeet, pathOfFeet } from './laid-shapes.ts';

const lots = [
  { apn: '1', shape: lotOfFeet(0, 30, 100, 230) },
  { apn: '2', shape: lotOfFeet(100, 30, 200, 230) },
];
const run = (engine: Engine, kind: EnrichOptions['kind'], file: string, more: Partial<EnrichOptions> = {}) =>
  enrich(engine.land, { kind, file, fips: testFips, now, ...more });
const half = { polygons: lotOfFeet(0, 0, 50, 1000), ATTRIBUTE: 'PFO1A' };
const far = { polygons: lotOfFeet(900_000, 0, 900_100, 100), ATTRIBUTE: 'PFO1A' };

test('a layer of another county takes nothing away', async () => {
  const engine = await homeWith(lots);
  const folder = emptyHome();
  await run(engine, 'wetlands', writeLayer(folder, 'own.geojson', [half]), { coverage: 'county' });
  const elsewhere = writeLayer(folder, 'far.geojson', [far]);
  await expect(run(engine, 'wetlands', elsewhere)).rejects.toThrow(
    /far\.geojson: none of its 1 features lies near the parcels of 20123.*--coverage county/,
  );
  expect(columnsByApn(engine, 'wetlands_percent')).toEqual({ 1: [50], 2: [0] });
  const declared = await run(engine, 'wetlands', elsewhere, { coverage: 'county' });
  expect(declared.notes).toEqual(['None of its 1 features lies near the parcels: all of them count as having none.']);
});

test('an empty layer that covers the county says that there is nothing', async () => {
  const engine = await homeWith(lots);
  const empty = writeLayer(emptyHome(), 'empty.geojson', []);
  await expect(run(engine, 'wetlands', empty)).rejects.toThrow(
    /found none\. If the county has none.*--coverage county/,
  );
  await run(engine, 'wetlands', empty, { coverage: 'county' });
  expect(columnsByApn(engine, 'wetlands_percent')).toEqual({ 1: [0], 2: [0] });
});

test('reports unusable features and unknown classes', async () => {
  const engine = await homeWith(lots);
  const folder = emptyHome();
  const mixed = writeLayer(folder, 'mixed.geojson', [half, { lines: [pathOfFeet([0, 0], [9, 9])] }]);
  const { notes } = await run(engine, 'wetlands', mixed, { coverage: 'county' });
  expect(notes).toEqual([expect.stringMatching(/^1 of its 2 features could not be used.*row 2: .*MultiLineString/)]);
  const street = { lines: [pathOfFeet([-500, 0], [500, 0])] };
  const roads = writeLayer(folder, 'roads.geojson', [
    { ...street, MTFCC: 'S1400' },
    { ...street, MTFCC: 'LOCAL' },
  ]);
  expect((await run(engine, 'roads', roads, { coverage: 'county' })).notes).toEqual([
    'No known classes of roads, taken for local roads: LOCAL (1).',
  ]);
});

test('a part of a layer is refused: what a server left out would be nothing', async () => {
  const engine = await homeWith(lots);
  const file = writeLayer(emptyHome(), 'part.geojson', [half]);
  const whole = JSON.parse(fs.readFileSync(file, 'utf8'));
  fs.writeFileSync(file, JSON.stringify({ ...whole, properties: { exceededTransferLimit: true } }));
  await expect(run(engine, 'wetlands', file, { coverage: 'county' })).rejects.toThrow(/exceededTransferLimit/);
  expect(columnsByApn(engine, 'wetlands_percent')).toEqual({ 1: [null], 2: [null] });
});

test('a district is named by the column that is filled', async () => {
  const engine = await homeWith(lots);
  const wide = lotOfFeet(-500, -500, 600, 600);
  const file = writeLayer(emptyHome(), 'districts.geojson', [{ polygons: wide, NAME: null, DIST_NAME: 'Beloit' }]);
  await run(engine, 'schools', file);
  expect(columnsByApn(engine, 'school_district')).toEqual({ 1: ['Beloit'], 2: ['Beloit'] });
});

const withSettings = (given: object) => ({ settings: given as EnrichOptions['settings'] }) as Partial<EnrichOptions>;

test.each([
  [{ reachFet: 60 }, /expected reachFeet, .*minDataShare, found "reachFet"; perhaps reachFeet is meant\.$/],
  [{ constructor: 1 }, /expected reachFeet, .*, found "constructor"/],
  [JSON.parse('{"__proto__":1}'), /expected reachFeet, .*, found "__proto__"/],
  [{ reachFeet: 'sixty' }, /reachFeet: expected a number of 0 or more, found "sixty"\.$/],
  [{ sharedLengthFeet: -1 }, /sharedLengthFeet: expected a number of 0 or more, found -1\.$/],
  [{ minStructureSquareFeet: Number.NaN }, /minStructureSquareFeet: expected a number of 0 or more, found NaN\.$/],
  [{ minDataShare: 95 }, /minDataShare: expected a number from 0 to 1, found 95\.$/],
  [{ elevationUnit: 'feet' }, /elevationUnit: expected one of m, ft, us-ft, or null, found "feet"/],
  [
    { valueColumn: 5 },
    /valueColumn: expected a text, the name of a column, or null, found 5; write it in quotes: "5"\.$/,
  ],
  [
    { rasterSystem: 26912 },
    /rasterSystem: expected a text like "EPSG:26912", or null, found 26912; write it in quotes: "26912"\.$/,
  ],
  [{ rasterSystem: '' }, /rasterSystem: expected a text like "EPSG:26912", or null, found ""\.$/],
  [{ roadParcelWords: 'row' }, /roadParcelWords: expected a list of texts, found "row"; did you mean \["row"\]\?/],
  [{ roadParcelWords: ['row', 5] }, /roadParcelWords: item 2: expected a text .*, found 5; write it in quotes: "5"\.$/],
  [{ roads: 'x' }, /roads: expected an object like \{"column": "CLASS", "classes": .*\}, or null, found "x"\.$/],
  [{ roads: [] }, /roads: expected an object like .*, or null, found \[\]\.$/],
  [{ roads: {} }, /roads\.column: required: expected a text/],
  [
    { roads: { colum: 'CLASS' } },
    /expected column, classes, other in roads, found "colum"; perhaps column is meant\.$/,
  ],
  [{ roads: { column: 'CLASS' } }, /roads\.classes: required: expected an object like/],
  [{ roads: { column: 5, classes: {} } }, /roads\.column: expected a text .*, found 5; write it in quotes: "5"\.$/],
  [
    { roads: { column: 'CLASS', classes: 'local_road' } },
    /roads\.classes: expected an object like .*, found "local_road"/,
  ],
  [
    { roads: { column: 'CLASS', classes: { Local: 'local' } } },
    /roads\.classes: "Local": expected one of major_highway, normal_road, local_road, or null, found "local"; did you mean "local_road"\?$/,
  ],
  [
    { roads: { column: 'CLASS', classes: {}, other: 'highway' } },
    /roads\.other: expected one of major_highway, normal_road, local_road, or null, found "highway"/,
  ],
])('the settings %j are refused', async (given, problem) => {
  const engine = await homeWith(lots);
  const file = path.join(emptyHome(), 'none.geojson');
  const refused = run(engine, 'roads', file, withSettings(given));
  await expect(refused).rejects.toThrow(problem);
  await expect(refused).rejects.toMatchObject({ code: 'import_refused' });
});

test.each([
  ['roads', { roads: { column: 'CLAS', classes: { Local: 'local_road' }, other: 'local_road' } }],
  ['wetlands', { valueColumn: 'CLAS' }],
] as const)('a column of %s that no feature has is refused with those that it has', async (kind, given) => {
  const engine = await homeWith(lots);
  const street = { lines: [pathOfFeet([-500, 0], [500, 0])], CLASS: 'Local' };
  const lake = { polygons: lotOfFeet(0, 0, 100, 100), CLASS: 'Lake' };
  const file = writeLayer(emptyHome(), 'layer.geojson', [kind === 'roads' ? street : lake]);
  await expect(run(engine, kind, file, withSettings(given))).rejects.toThrow(
    new RegExp(`layer\\.geojson: Expected a column CLAS for ${kind}; found CLASS\\.`),
  );
});

test('the classes of another column give frontage, and settings of null are those left out', async () => {
  const engine = await homeWith(lots);
  const street = { lines: [pathOfFeet([-500, 0], [500, 0])], CLASS: 'Local' };
  const file = writeLayer(emptyHome(), 'roads.geojson', [street, { ...street, CLASS: 'Trail' }]);
  const roads = { column: 'CLASS', classes: { Local: 'local_road', Trail: null }, other: null };
  const more = {
    ...withSettings({ roads, valueColumn: null, elevationUnit: null, rasterSystem: null, roadParcelWords: [] }),
  };
  await run(engine, 'roads', file, { ...more, coverage: 'county' });
  expect(columnsByApn(engine, 'road_frontage_ft', 'landlocked')).toEqual({
    1: [100, 0],
    2: [100, 0],
  });
});

describe('a file that looks like something else', () => {
  const zone = { polygons: lotOfFeet(-500, -500, 600, 600), FLD_ZONE: 'AE' };
  const street = { lines: [pathOfFeet([-500, 0], [500, 0])] };

  test.each<[string, LayerKind, string, Parameters<typeof writeLayer>[2], RegExp]>([
    [
      'flood zones as buildings',
      'buildings',
      'zones.geojson',
      [zone],
      /those of flood zones, not of buildings; it has the columns FLD_ZONE\. Nothing was written.*--anyway/,
    ],
    [
      'streams as roads',
      'roads',
      'streams.geojson',
      [{ ...street, NAME: 'Alder Brook' }],
      /those of streams, not of roads/,
    ],
    [
      'roads without a class',
      'roads',
      'ways.geojson',
      [{ ...street, KIND: 'V' }],
      /ways\.geojson: no column of road classes was found\. Each would count as a local road\..*KIND\./,
    ],
    [
      'zones that are none',
      'flood',
      'fld_haz.geojson',
      Array.from({ length: 6 }, (_, i) => ({ ...zone, FLD_ZONE: i === 0 ? 'AE' : 'VALLEY' })),
      /of its 6 features 1 are of a known class of flood zones; not known: VALLEY \(5\)/,
    ],
  ])('asks before it is written: %s', async (_what, kind, name, features, expected) => {
    const engine = await homeWith(lots);
    const file = writeLayer(emptyHome(), name, features);
    const before = columnsByApn(engine, 'road_frontage_ft', 'structure_count', 'flood_zone_type');
    await expect(run(engine, kind, file, { coverage: 'county' })).rejects.toThrow(expected);
    expect(columnsByApn(engine, 'road_frontage_ft', 'structure_count', 'flood_zone_type')).toEqual(before);
    expect(engine.land.file.all('SELECT * FROM layers')).toEqual([]);
    const { computed } = await run(engine, kind, file, { coverage: 'county', anyway: true });
    expect(computed).toBeGreaterThan(0);
  });

  test('is not asked about where its own columns or name say what it is', async () => {
    const engine = await homeWith(lots);
    const named = writeLayer(emptyHome(), 'school_flood.geojson', [{ polygons: zone.polygons, NAME: 'Beloit' }]);
    await run(engine, 'schools', named);
    expect(columnsByApn(engine, 'school_district')).toEqual({ 1: ['Beloit'], 2: ['Beloit'] });
  });
});

test('roads of no known class are roads; where most were left out, no parcel is called landlocked', async () => {
  const engine = await homeWith([...lots, { apn: '3', shape: lotOfFeet(2000, 2000, 2100, 2100) }]);
  const street = { lines: [pathOfFeet([-500, 0], [500, 0])] };
  const file = writeLayer(emptyHome(), 'roads.geojson', [
    { ...street, MTFCC: 'S1400' },
    { ...street, MTFCC: 'X' },
    { ...street, MTFCC: 'Y' },
  ]);
  const whole = await run(engine, 'roads', file, { coverage: 'county' });
  expect(whole.notes).toEqual(['No known classes of roads, taken for local roads: X (1), Y (1).']);
  expect(columnsByApn(engine, 'landlocked')).toEqual({ 1: [0], 2: [0], 3: [1] });
  const roads = { column: 'MTFCC', classes: { S1400: 'local_road' }, other: null } as const;
  const part = await run(engine, 'roads', file, { coverage: 'county', settings: { roads } });
  expect(part.notes).toEqual([expect.stringMatching(/^Most of its roads were left out/)]);
  expect(columnsByApn(engine, 'landlocked')).toEqual({ 1: [0], 2: [0], 3: [null] });
});
