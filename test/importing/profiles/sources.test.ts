/** What a county has and lacks, and where its public files are. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { layerKinds } from '../../../engine/enrichment/layer-kinds.ts';
import { profileNames } from '../../../engine/importing/mapping/mapping.ts';
import { listSources } from '../../../engine/importing/sources.ts';
import { searchCounties } from '../../../engine/importing/sources-counties.ts';
import { elevationTiles, readSourceTable } from '../../../engine/importing/sources-files.ts';
import { countyFacts } from '../../../engine/query/county-facts.ts';
import { filters } from '../../../engine/spec/filters.ts';
import { importLots, lot, openLand, temporaryFolder } from '../fixtures.ts';

const of = (fips: string, home = temporaryFolder()) =>
  listSources({ land: openLand(home), home, fips, layers: layerKinds, factsOf: countyFacts });
const fileNames = (fips: string) =>
  Object.fromEntries(of(fips).sources.map(({ kind, files }) => [kind, files.map(({ name }) => name)]));

test('names of public files are exact, made from the code of the county', () => {
  expect(fileNames('33019')).toMatchObject({
    roads: ['tl_2025_33019_roads.zip'],
    wetlands: ['NH_geopackage_wetlands.zip'],
    buildings: ['NewHampshire.geojson.zip'],
    schools: ['tl_2025_33_unsd.zip'],
    zips: ['tl_2025_us_zcta520.zip'],
    flood: ['33019C_YYYYMMDD.zip'],
  });
  expect(fileNames('08031').buildings).toEqual(['Colorado.geojson.zip']);
});

test('nothing is left to be filled in, in any state', () => {
  const { states } = readSourceTable();
  for (const [state, { fips }] of Object.entries(states)) {
    const county = searchCounties(state).find((one) => one.fips.startsWith(fips));
    if (!county) throw new Error(`no county of ${state}`);
    const texts = listSources({
      land: null,
      home: '/home',
      fips: county.fips,
      layers: layerKinds,
      factsOf: countyFacts,
    }).sources.flatMap(({ files, command }) => [command, ...files.flatMap(({ name, url, docs }) => [name, url, docs])]);
    expect(texts.filter((text) => /[{}]/.test(text))).toEqual([]);
    expect(texts.filter((text) => text.startsWith('http')).every((url) => new URL(url).protocol === 'https:')).toBe(
      true,
    );
  }
});

test('the address of a map service names its layer, which is what can be read', () => {
  const urls = Object.values(readSourceTable().states).flatMap(({ parcels }) => parcels?.url ?? []);
  const services = urls.filter((url) => url.includes('/rest/services/'));
  expect(services.length).toBeGreaterThan(25);
  expect(services.filter((url) => !/\/(?:Feature|Map)Server\/\d+$/.test(url))).toEqual([]);
});

test('every state and the district is there, and a profile that is named exists', () => {
  const { states } = readSourceTable();
  expect(Object.keys(states)).toHaveLength(51);
  const named = Object.values(states).flatMap(({ parcels }) => parcels?.profile?.split(' or ') ?? []);
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((name) => !profileNames().includes(name))).toEqual([]);
});

test('each filter on a column is unlocked by parcels or by the layer that computes it, and no other', () => {
  const { sources } = of('33019');
  const unlocked = Object.fromEntries(sources.map(({ kind, unlocks }) => [kind, unlocks.map(({ name }) => name)]));
  expect(unlocked.wetlands).toEqual(['wetlands_percent']);
  expect(unlocked.buildings).toEqual(['structure_count', 'vacant_only']);
  expect(unlocked.slope).toEqual(['exclude_steep_slope', 'slope_area']);
  expect(unlocked.parcels).toContain('last_sale_price');
  expect(unlocked.parcels).not.toContain('vacant_only');
  const all = Object.values(unlocked).flat();
  expect(new Set(all).size).toBe(all.length);
  const onColumns = filters
    .filter((filter) => 'column' in filter || filter.kind === 'slope_area')
    .map(({ name }) => name);
  expect([...all].sort()).toEqual([...onColumns].sort());
});

test('what is loaded is ticked, with source, date and count; what the county publishes of a layer is said', async () => {
  const home = temporaryFolder();
  const land = openLand(home);
  await importLots(land, [lot('1', 0, { situs_zip: '03280' }), lot('2', 1)]);
  fs.mkdirSync(path.join(home, 'basemaps'));
  fs.writeFileSync(path.join(home, 'basemaps', 'nh.pmtiles'), '');
  const { sources, parcels } = listSources({ land, home, fips: '33019', layers: layerKinds, factsOf: countyFacts });
  const by = (kind: string) => sources.find((source) => source.kind === kind);
  expect(parcels).toBe(2);
  expect(by('parcels')).toMatchObject({ isLoaded: true, loaded: ['Test county, 1 Jul 2026: 2 parcels'] });
  expect(by('basemap')).toMatchObject({ isLoaded: true, loaded: ['nh.pmtiles'] });
  expect(by('roads')).toMatchObject({ isLoaded: false, loaded: [] });
  expect(by('zips')?.published).toEqual([{ column: 'situs_zip', parcels: 1 }]);
  // The lots start at 72° west, 43° north: they lie in the degree whose north-west corner is 44° north, 72° west.
  expect(by('slope')?.files.map(({ name }) => name)).toEqual(['USGS_13_n44w072.tif']);
});

test('tiles of elevation are named by their north-west corners', () => {
  // From 72.3° to 70.9° west and 42.7° to 43.2° north: columns w073, w072, w071; rows n43, n44.
  expect(elevationTiles([-72.3, 42.7, -70.9, 43.2])).toEqual([
    'n43w073',
    'n43w072',
    'n43w071',
    'n44w073',
    'n44w072',
    'n44w071',
  ]);
  expect(elevationTiles(null)).toEqual([]);
  expect(elevationTiles([-120, 30, -80, 45])).toEqual([]);
});

test('an unknown county code is refused; a county is found by words of its name', () => {
  expect(() => of('33999')).toThrow('No county has the FIPS code "33999"');
  expect(searchCounties('grafton nh')).toEqual([{ fips: '33009', state: 'NH', name: 'Grafton County' }]);
  expect(searchCounties('washington').length).toBeGreaterThan(20);
  expect(searchCounties('nowhere')).toEqual([]);
});
