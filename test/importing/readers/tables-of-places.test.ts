/** CSV with locations in its rows, and exports of the hosted service. */
import { describe, expect, test } from 'vitest';
import { importComps } from '../../../engine/importing/lists/import-comps.ts';
import { importParcels } from '../../../engine/importing/merge/import-parcels.ts';
import { clock, openLand, writeFile } from '../fixtures.ts';
import { readParcels, refusalOf } from './reading.ts';

const read = (text: string, options = {}) => readParcels(writeFile('parcels.csv', text), options);

/** A polygon (type 3) of one ring of four points. */
function littleEndianWkb(): string {
  const head = Buffer.from([1, 3, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0]);
  const points = Buffer.from(Float64Array.of(-72, 43, -71, 43, -71, 44, -72, 43).buffer);
  return Buffer.concat([head, points]).toString('hex');
}

describe('CSV with shapes', () => {
  const closed = Float64Array.of(-72, 43, -71, 43, -71, 44, -72, 43);

  test.each([
    ['WKT', '"POLYGON ((-72 43, -71 43, -71 44, -72 43))"'],
    ['the_geom', '"MULTIPOLYGON (((-72 43, -71 43, -71 44, -72 43)))"'],
    ['geometry', '"POLYGON Z ((-72 43 5, -71 43 5, -71 44 5, -72 43 5))"'],
    ['SHAPE', '"polygonzm((-72 43 5 1,-71 43 5 1,-71 44 5 1,-72 43 5 1))"'],
    ['geom', '"SRID=4326;POLYGON ((-72 43, -71 43, -71 44))"'],
    ['geom', '"SRID=4269;POLYGON ((-72 43, -71 43, -71 44, -72 43))"'],
    ['wkb_geometry', littleEndianWkb()],
    ['shape', '"{""type"":""Polygon"",""coordinates"":[[[-72,43],[-71,43],[-71,44],[-72,43]]]}"'],
  ])('in the column %s are read', (name, shape) => {
    const [first] = read(`APN,${name},OWNER\n001,${shape},PEÑA\n`);
    expect(first?.properties).toEqual({ APN: '001', OWNER: 'PEÑA' });
    expect(first?.polygons?.[0]?.[0]).toEqual(closed);
  });

  test('of PostGIS are read in both byte orders, with an SRID and heights', () => {
    const big = Buffer.alloc(9 + 4 + 4 + 4 * 24 + 4);
    let at = big.writeUInt8(0, 0);
    at = big.writeUInt32BE((0x80000000 | 0x20000000 | 3) >>> 0, at);
    at = big.writeUInt32BE(4326, at);
    at = big.writeUInt32BE(1, at);
    at = big.writeUInt32BE(4, at);
    for (const [x, y] of [
      [-72, 43],
      [-71, 43],
      [-71, 44],
      [-72, 43],
    ] as const) {
      for (const value of [x, y, 5]) at = big.writeDoubleBE(value, at);
    }
    const [first] = read(`apn,geom\n1,${big.subarray(0, at).toString('hex')}\n`);
    expect(first?.polygons?.[0]?.[0]).toEqual(closed);
  });

  test('may be empty, and in another system', () => {
    const rows = read('apn,wkt\n1,\n2,POLYGON EMPTY\n3,"POINT (900000 200000)"\n', { crs: 'EPSG:3437' });
    expect(
      rows.map(({ polygons, point, problem }) => [polygons, point?.map((value) => value.toFixed(2)) ?? null, problem]),
    ).toEqual([
      [null, null, null],
      [null, null, null],
      [null, ['-71.98', '43.05'], null],
    ]);
  });

  test.each([
    ['lat,lon', '43.5,-72.25'],
    ['Latitude,Longitude', '43.5,-72.25'],
    ['Y,X', '43.5,-72.25'],
    ['point_y,point_x', '43.5,-72.25'],
  ])('or coordinates in %s are read as points', (names, values) => {
    expect(read(`apn,${names}\n01,${values}\n02,,\n03,0,0\n`).map(({ point }) => point)).toEqual([
      [-72.25, 43.5],
      null,
      null,
    ]);
  });

  test("have a leading ' before a formula taken away", () => {
    expect(
      read("apn,owner,lat,lon\n1,'=SUM LLC,43,-72\n2,'QUOTED',43,-72\n").map(({ properties }) => properties.owner),
    ).toEqual(['=SUM LLC', "'QUOTED'"]);
  });

  test('without any are refused, with what to do', () => {
    expect(refusalOf(() => read('apn,owner\n1,A\n')).message).toMatch(/column of shapes.*--join/);
  });
});

const summary = (id: number, more = {}) => ({
  property_id: id,
  url: `https://example.com/${id}`,
  apn: `00${id}`,
  fips: 33019,
  point: [-72.2 + id / 100, 43.2],
  acres: 2.5,
  calculated_acres: 2.51,
  owner_name: 'PEÑA ANA',
  situs_address: null,
  situs_city: 'WASHINGTON',
  situs_state: 'NH',
  situs_zip: '03280',
  ...more,
});
const page = (...results: unknown[]) => ({ count: 3, next: null, previous: null, results });
const importAnswers = async (name: string, text: string) => {
  const land = openLand();
  await importParcels(land, {
    files: [writeFile(name, text)],
    fips: '33019',
    date: '2026-07-01',
    homeKind: 'real',
    now: clock,
  });
  return land.file.all(
    'SELECT apn, external_id, owner_name, acres, situs_zip, round(point_lon, 2) AS lon FROM parcels ORDER BY apn',
  );
};

describe('saved answers of the hosted service', () => {
  const all = [1, 2, 3].map((id) => ({
    apn: `00${id}`,
    external_id: `${id}`,
    owner_name: 'PEÑA ANA',
    acres: 2.5,
    situs_zip: '03280',
    lon: -72.2 + id / 100,
  }));
  const [a, b, c] = [summary(1), summary(2), summary(3)];

  test.each([
    ['one page', JSON.stringify(page(a, b, c))],
    ['pages one after the other', `${JSON.stringify(page(a))}\n${JSON.stringify(page(b, c), null, 2)}`],
    ['an array of pages', JSON.stringify([page(a, b), page(c)])],
    ['an array of records', JSON.stringify([a, b, c])],
    ['a page whose results come first', JSON.stringify({ results: [a, b, c], count: 3 })],
  ])('as %s are parcels with its number as external_id', async (_, text) => {
    expect(await importAnswers('answers.json', text)).toEqual(all);
  });

  test('in detail have their shapes', () => {
    const shape = {
      type: 'Polygon',
      coordinates: [
        [
          [-72, 43],
          [-71, 43],
          [-71, 44],
          [-72, 43],
        ],
      ],
    };
    const [first] = readParcels(writeFile('detail.json', JSON.stringify(summary(1, { shape }))));
    expect([first?.polygons?.length, first?.point]).toEqual([1, null]);
  });

  test('exported as CSV are the same parcels', async () => {
    const names = Object.keys(a as object);
    const cell = (value: unknown) =>
      value === null ? '' : `"${typeof value === 'object' ? JSON.stringify(value) : String(value)}"`;
    const rows = [a, b, c].map((record) =>
      Object.values(record as object)
        .map(cell)
        .join(','),
    );
    expect(await importAnswers('export.csv', `${names.join(',')}\n${rows.join('\n')}\n`)).toEqual(all);
  });

  test('of comps are comps', () => {
    const land = openLand();
    const comp = {
      id: '0f8fad5b-d9cb-469f-a165-70867728950e',
      source: 'listing site',
      status: 'SOLD',
      address: '1 MAIN ST',
      city: 'WASHINGTON',
      state: 'NH',
      zip: '03280',
      county: 'Sullivan',
      apn: '',
      latitude: '43.2',
      longitude: '-72.1',
      lot_size: 4,
      price: 40_000,
      sold_date: '2025-03-14T00:00:00Z',
      days_on_market: 12,
      sale_type: 'Land',
      url: '',
    };
    const file = writeFile('comps.json', JSON.stringify({ count: 1, next: null, previous: null, results: [comp] }));
    importComps(land, { files: [file], homeKind: 'real', date: '2026-07-01', now: clock });
    expect(land.file.all('SELECT price, lot_size, status, zip FROM comps')).toEqual([
      { price: 40_000, lot_size: 4, status: 'SOLD', zip: '03280' },
    ]);
  });
});
