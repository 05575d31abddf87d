/** Layers as they really come: of another place, cut off by a server, mixed, empty; each was once a wrong value without a word. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { enrich } from '../../engine/enrichment/enrich.ts';
import type { EnrichOptions } from '../../engine/enrichment/enrich-options.ts';
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

test('features that cannot be used and classes that are not known are told', async () => {
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
    'No known classes of roads, and left out: LOCAL (1).',
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

test('a setting that is misspelt or no number is refused', async () => {
  const engine = await homeWith(lots);
  const file = path.join(emptyHome(), 'none.geojson');
  const settings = (given: object) => ({ settings: given as EnrichOptions['settings'] }) as Partial<EnrichOptions>;
  await expect(run(engine, 'roads', file, settings({ reachFet: 60 }))).rejects.toThrow(
    /found "reachFet"; perhaps reachFeet/,
  );
  await expect(run(engine, 'roads', file, settings({ reachFeet: 'sixty' }))).rejects.toThrow(
    /number of 0 or more as reachFeet/,
  );
});
