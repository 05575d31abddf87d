/** What a file of shapes is taken for: by its columns, else by its name. */
import { expect, test } from 'vitest';
import { contentOf, contentWords, type LayerFacts, otherContent } from '../../engine/spec/layer-likeness.ts';

const facts = (name: string, columns: readonly string[], shapes: LayerFacts['shapes'] = 'polygons'): LayerFacts => ({
  names: [name],
  columns,
  shapes,
});

test.each<[LayerFacts, string | null]>([
  [facts('S_FLD_HAZ_AR.shp', ['FLD_ZONE', 'SFHA_TF']), 'flood zones'],
  [facts('export (3).geojson', ['WETLAND_TY']), 'wetlands'],
  [facts('export.geojson', ['release', 'capture_dates_range']), 'buildings'],
  [facts('buildings.geojson', ['name']), 'buildings'],
  [facts('structures.geojson', ['HEIGHT']), 'buildings'],
  [facts('NH_2026.gdb', ['BUILD_ID', 'OCC_CLS', 'HEIGHT']), 'buildings'],
  [facts('districts.geojson', ['LEAID', 'NAME']), 'school districts'],
  [facts('tl_2025_us_unsd.zip', ['UNSDLEA', 'NAME']), 'school districts'],
  [facts('tl_2025_us_zcta520.zip', ['ZCTA5CE20']), 'ZIP areas'],
  [facts('export.geojson', ['PLSSID', 'FRSTDIVNO']), 'townships'],
  [facts('PLSSTownship.shp', ['TWNSHPNO', 'RANGENO', 'PRINMER']), 'townships'],
  [facts('parcels.geojson', ['APN', 'TWNSHPNO']), null],
  [facts('rivers.geojson', ['name'], 'lines'), 'streams'],
  [facts('NHDFlowline.shp', ['GNIS_ID', 'REACHCODE'], 'lines'), 'streams'],
  [facts('tl_2025_33019_roads.zip', ['LINEARID', 'MTFCC'], 'lines'), 'roads'],
  [facts('lines.geojson', ['fraddl', 'speedlimit'], 'lines'), 'roads'],
  [facts('parcels.geojson', ['APN', 'FLOOD_ZONE']), null],
  [facts('stream_town.geojson', ['PARCEL_ID', 'ACRES']), null],
  [facts('public.geojson', ['name']), 'public land'],
  [facts('Parcels_Public_View.shp', ['GISLINK', 'NAME']), null],
  [facts('lots.geojson', ['NAME']), null],
  [facts('flood.geojson', ['FLD_ZONE'], 'lines'), null],
])('%j holds %s', (given, expected) => {
  const content = contentOf(given);
  expect(content === null ? null : contentWords(content)).toBe(expected);
});

test('a file with a clear sign of its kind is not taken for another', () => {
  const zones = { names: ['zones.geojson'], columns: ['FLD_ZONE'] };
  expect(otherContent('buildings', zones)).toBe('flood');
  expect(otherContent('flood', zones)).toBeNull();
  expect(otherContent('buildings', { ...zones, names: ['building_outlines.geojson'] })).toBeNull();
  expect(otherContent('slope', zones)).toBeNull();
  expect(otherContent('wetlands', { names: ['a.geojson'], columns: ['NAME'] })).toBeNull();
});
