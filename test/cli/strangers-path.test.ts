/**
 * The path of a newcomer with nothing but a county's file: look, map, import, first filter, only by the command line.
 * The file is a zipped Shapefile in state plane feet with names of its own; every name and number in it is invented.
 */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type SyntheticParcel, syntheticParcels } from '../importing/profiles/synthetic-county.ts';
import { emptyHome } from '../support/homes.ts';
import { makeShapefile } from '../support/make-shapefile.ts';
import { makeZip } from '../support/make-zip.ts';
import { platbook } from '../support/platbook.ts';

const newHampshireFeet =
  'PROJCS["NAD_1983_StatePlane_New_Hampshire_FIPS_2800_Feet",GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",984250.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-71.66666666666667],PARAMETER["Scale_Factor",0.9999666666666667],PARAMETER["Latitude_Of_Origin",42.5],UNIT["Foot_US",0.3048006096012192]]';

/** Column of the file → field of a synthetic parcel. */
const columns = {
  OBJECTID_1: 'rowNumber',
  PRCL_NUM: 'pin',
  OWNR_NM: 'owner',
  OWNR_NM2: 'ownerSecond',
  ML_ADDR: 'mailStreet',
  ML_CSZ: 'mailCityStateZip',
  LOCADDR: 'situs',
  TOT_AC: 'acresRecorded',
  APPRSD_LND: 'marketLand',
  APPRSD_BLD: 'marketBuilt',
  APPRSD_TOT: 'marketTotal',
  SLDATE: 'saleDateReversed',
  SLPRICE: 'salePrice',
  YRBLT: 'yearBuilt',
  NBHD: 'neighborhood',
  SHAPE_AREA: 'shapeArea',
} as const;

const side = (acres: number): number => Math.sqrt(acres * 43_560);

/** Squares in rows of twelve, 4,000 feet apart, in the middle of Grafton County. */
function ringOf({ acres }: SyntheticParcel, index: number): [number, number][][] {
  const [x, y] = [900_000 + (index % 12) * 4000, 480_000 + Math.floor(index / 12) * 4000];
  const length = side(acres);
  return [
    [
      [x, y],
      [x, y + length],
      [x + length, y + length],
      [x + length, y],
      [x, y],
    ],
  ];
}

function countyZip(parcels: readonly SyntheticParcel[], folder: string): string {
  const rows = parcels.map((parcel, index) => ({
    shape: ringOf(parcel, index),
    values: Object.values(columns).map((field) => String(parcel.fields[field] ?? '')),
  }));
  const files = makeShapefile(rows, {
    columns: Object.keys(columns).map((name) => ({ name, length: 40 })),
    prj: newHampshireFeet,
  });
  for (const [at, value] of [880_000, 300_000, 930_000, 352_000].entries()) files.shp.writeDoubleLE(value, 36 + at * 8);
  const file = path.join(folder, 'GraftonTaxParcels.zip');
  const entries = Object.entries(files).map(([ending, content]) => ({ name: `GraftonTaxParcels.${ending}`, content }));
  fs.writeFileSync(file, makeZip(entries));
  return file;
}

test('an unknown county, from its file to the first filter', async () => {
  const folder = emptyHome();
  const home = path.join(folder, 'home');
  const parcels = syntheticParcels(150, 42, { state: 'NH', zip: '03200' });
  const file = countyZip(parcels, folder);

  const sources = await platbook(home, 'sources', '33009');
  expect([sources.code, sources.err]).toEqual([0, '']);
  expect(sources.out).toContain('✗ Parcels: missing');
  expect(sources.out).toContain('platbook import parcels FILE --county 33009');
  expect(fs.existsSync(home)).toBe(false);

  const looked = await platbook(home, 'look', file);
  expect([looked.code, looked.err]).toEqual([0, '']);
  expect(looked.out).toContain('150 rows');
  expect(looked.out).toMatch(/State_?Plane_New_Hampshire/i);
  // What to type next, with the file's own name.
  expect(looked.out).toContain(`platbook map ${file} --county <FIPS>`);

  const mapped = await platbook(home, 'map', file, '--county', '33009', '--save', 'grafton');
  expect([mapped.code, mapped.err]).toEqual([0, '']);
  const lines = mapped.out.split('\n');
  const rowOf = (column: string) => lines.find((line) => line.startsWith(`${column} `))?.replace(/ {2,}/g, '  ');
  expect(rowOf('apn')).toMatch(/^apn {2}PRCL_NUM {2}\d\d %/);
  expect(rowOf('mailing_zip')).toContain('ML_CSZ (its zip)');
  expect(rowOf('market_total_value')).toContain('APPRSD_TOT');
  const kept = path.join(home, 'mappings', 'grafton.json');
  expect(mapped.out).toContain(`platbook import parcels ${file} --county 33009 --mapping grafton`);

  const imported = await platbook(home, 'import', 'parcels', file, '--county', '33009', '--mapping', kept);
  expect([imported.code, imported.err]).toEqual([0, '']);
  expect(imported.out).toContain('150 new');
  expect(imported.out).not.toContain('could not be read');

  const filter = { county: '33009', acres_min: 5, out_of_state_owner: true, market_total_value_min: 100_000 };
  const found = await platbook(home, 'call', 'filter_properties', JSON.stringify(filter));
  expect(found.code).toBe(0);
  // The same query over the invented parcels themselves.
  const expected = parcels.filter(
    ({ fields }) =>
      Number(fields.acresRecorded) >= 5 && fields.mailState !== 'NH' && Number(fields.marketTotal) >= 100_000,
  );
  expect(expected.length).toBeGreaterThan(5);
  expect((JSON.parse(found.out) as { count: number }).count).toBe(expected.length);

  const ready = await platbook(home, 'sources', '33009');
  expect(ready.out).toContain('✓ Parcels: ');
  expect(ready.out).toContain('150 parcels');
  // The squares lie north of 43° and west of 71°: the tiles of 3DEP are named by their north-west corners.
  expect(ready.out).toContain('USGS_13_n44w072.tif');
}, 300_000);

test('a mapping is not kept under the name of a profile, and a file that is none is refused in a sentence', async () => {
  const folder = emptyHome();
  const parcels = syntheticParcels(40, 1, { state: 'NH', zip: '03200' });
  const file = countyZip(parcels, folder);
  const taken = await platbook(folder, 'map', file, '--county', '33009', '--save', 'regrid');
  expect([taken.code, taken.err]).toEqual([
    2,
    'platbook: regrid is the name of a profile that comes with Platbook; take another.',
  ]);
  const text = path.join(folder, 'notes.bin');
  fs.writeFileSync(text, Buffer.from([1, 2, 3, 4]));
  const refused = await platbook(folder, 'map', text);
  expect(refused.code).toBe(1);
  expect(refused.err).toContain('notes.bin: expected Shapefile');
}, 180_000);
