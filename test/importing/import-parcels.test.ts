import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hilbertIndex } from '../../engine/geo/hilbert.ts';
import { decodeMultiPolygon } from '../../engine/geo/spatialite-blob.ts';
import { parseMapping } from '../../engine/importing/mapping/mapping.ts';
import { type ImportReport, importParcels } from '../../engine/importing/merge/import-parcels.ts';
import { listDatasets } from '../../engine/query/datasets.ts';
import { openLandStore } from '../../engine/store/land-store.ts';
import {
  clock,
  collection,
  countOf,
  idsOf,
  importLots,
  lot,
  openLand,
  square,
  temporaryFolder,
  wholeLand,
  writeFile,
} from './fixtures.ts';

const five = [lot('1-1', 0), lot('1-2', 1), lot('1-3', 2), lot('1-4', 3), lot('1-5', 4)];
const states = ({ new: added, changed, retired, returned, unchanged }: ImportReport) => ({
  new: added,
  changed,
  retired,
  returned,
  unchanged,
});

describe('the identity of a parcel', () => {
  test('importing the same again changes nothing: no row, no data version, no time', async () => {
    const land = openLand();
    expect(states(await importLots(land, five))).toEqual({ new: 5, changed: 0, retired: 0, returned: 0, unchanged: 0 });
    const reader = openLandStore(land.file.path.replace(/\/land\.sqlite$/, ''), () => 0);
    const [before, version] = [wholeLand(land), reader.file.pragma('data_version')];
    const again = await importLots(land, five, { now: () => new Date('2027-01-01') });
    expect(states(again)).toEqual({ new: 0, changed: 0, retired: 0, returned: 0, unchanged: 5 });
    expect(wholeLand(land)).toEqual(before);
    expect(reader.file.pragma('data_version')).toBe(version);
    reader.close();
  });

  test('the order of the file gives no id: parcels, doubles and blank APNs alike', async () => {
    const lots = [
      ...five,
      lot('D', 10, { owner_name: 'A' }),
      lot('D', 11, { owner_name: 'B' }),
      lot('D', 11, { owner_name: 'C' }),
      lot(null, 12, { owner_name: 'D' }),
      lot('', 13, { owner_name: 'E' }),
      { geometry: null, properties: { apn: null, owner_name: 'F' } },
      { geometry: null, properties: { apn: null, owner_name: 'G' } },
    ];
    const land = openLand();
    const report = await importLots(land, lots);
    expect(report).toMatchObject({ new: 12, blank_apns: 4, apn_doubles: 1, without_geometry: 2 });
    const ids = idsOf(land);
    for (let turn = 1; turn < lots.length; turn++) {
      const shuffled = [...lots.slice(turn), ...lots.slice(0, turn)].reverse();
      const other = openLand();
      await importLots(other, shuffled);
      expect(idsOf(other)).toEqual(ids);
      expect(states(await importLots(land, shuffled))).toMatchObject({ changed: 0, unchanged: 12 });
    }
    expect(idsOf(land)).toEqual(ids);
  });

  test('new ids follow the Hilbert curve, from 1', async () => {
    const land = openLand();
    await importLots(land, [...five].reverse());
    expect(Object.values(idsOf(land)).sort()).toEqual([1, 2, 3, 4, 5]);
    const places = land.file.all<{ point_lon: number; point_lat: number }>(
      'SELECT * FROM parcels ORDER BY property_id',
    );
    const positions = places.map(({ point_lon, point_lat }) => hilbertIndex(point_lon, point_lat));
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  });

  test('APNs that differ in their separators only are two parcels; case and blanks do not count', async () => {
    const land = openLand();
    await importLots(land, [lot('12-201', 0), lot('12-2-01', 1), lot('a  7', 2)]);
    expect(countOf(land, 'parcels')).toBe(3);
    const ids = idsOf(land);
    const report = await importLots(land, [lot('12-201', 0), lot('12-2-01', 1), lot(' A 7 ', 2)]);
    expect(states(report)).toEqual({ new: 0, changed: 1, retired: 0, returned: 0, unchanged: 2 });
    expect(Object.values(idsOf(land)).sort()).toEqual(Object.values(ids).sort());
  });

  test('a ring that begins elsewhere or runs the other way is the same shape', async () => {
    const land = openLand();
    await importLots(land, [lot('1', 0)]);
    const { coordinates } = square(0);
    const [ring = []] = coordinates;
    const turned = [...ring.slice(2), ...ring.slice(1, 3)].reverse();
    const report = await importLots(land, [
      { ...lot('1', 0), geometry: { type: 'MultiPolygon', coordinates: [[turned]] } },
    ]);
    expect(states(report)).toMatchObject({ changed: 0, unchanged: 1 });
  });

  test('a redrawn parcel keeps its id, and the R-tree follows', async () => {
    const land = openLand();
    await importLots(land, [lot('1', 0), lot('2', 1)]);
    const ids = idsOf(land);
    const report = await importLots(land, [{ ...lot('1', 0), geometry: square(50) }, lot('2', 1)]);
    expect(states(report)).toMatchObject({ changed: 1, unchanged: 1 });
    expect(idsOf(land)).toEqual(ids);
    const box = land.file.get<{ xmin: number }>('SELECT xmin FROM idx_parcels_geom WHERE pkid = ?', ids['1/OWNER 0']);
    expect(box?.xmin).toBeCloseTo(-71.5, 3);
    // From now on its new shape identifies it.
    expect(states(await importLots(land, [{ ...lot('1', 0), geometry: square(50) }, lot('2', 1)]))).toMatchObject({
      unchanged: 2,
    });
  });

  test('of doubles, each keeps its id by its shape, and on one shape by its content', async () => {
    const land = openLand();
    const condo = (owner: string) => lot('C', 0, { owner_name: owner });
    await importLots(land, [condo('A'), condo('B'), condo('C'), lot('D', 1), lot('D', 2)]);
    const ids = idsOf(land);
    // A sells to Z: B and C stay who they are.
    await importLots(land, [condo('B'), condo('C'), condo('Z'), lot('D', 2), lot('D', 1)]);
    const after = idsOf(land);
    expect(after).toEqual({
      'C/B': ids['C/B'],
      'C/C': ids['C/C'],
      'C/Z': ids['C/A'],
      'D/OWNER 1': ids['D/OWNER 1'],
      'D/OWNER 2': ids['D/OWNER 2'],
    });
    // One of the two D goes: the other is not taken for it.
    await importLots(land, [condo('B'), condo('C'), condo('Z'), lot('D', 2)]);
    expect(idsOf(land)['D/OWNER 2']).toBe(ids['D/OWNER 2']);
  });

  test('a parcel that vanished is retired and comes back as itself', async () => {
    const land = openLand();
    await importLots(land, five);
    const ids = idsOf(land);
    expect(states(await importLots(land, five.slice(1)))).toEqual({
      new: 0,
      changed: 0,
      retired: 1,
      returned: 0,
      unchanged: 4,
    });
    expect(land.file.get('SELECT status FROM parcels WHERE apn = ?', '1-1')).toEqual({ status: 'retired' });
    expect(listDatasets(land)).toMatchObject([{ parcels: 4, retired: 1 }]);
    // Still gone: nothing to do.
    expect(states(await importLots(land, five.slice(1)))).toMatchObject({ retired: 0, unchanged: 4 });
    expect(states(await importLots(land, [...five, lot('9', 9)]))).toEqual({
      new: 1,
      changed: 0,
      retired: 0,
      returned: 1,
      unchanged: 4,
    });
    expect(idsOf(land)).toEqual({ ...ids, '9/OWNER 9': 6 });
  });

  test('an id is never given again, not even when its parcel was deleted from the table', async () => {
    const land = openLand();
    await importLots(land, five);
    const ids = idsOf(land);
    land.file.run('DELETE FROM parcels WHERE apn = ?', '1-5');
    await importLots(land, [...five.slice(0, 4), lot('2-1', 5)]);
    expect(idsOf(land)['2-1/OWNER 5']).toBe(6);
    await importLots(land, [...five, lot('2-1', 5)]);
    expect(idsOf(land)).toEqual({ ...ids, '2-1/OWNER 5': 6 });
  });

  test('rows that another program appended keep their numbers', async () => {
    const land = openLand();
    land.file.run("INSERT INTO parcels (property_id, apn) VALUES (70, 'by QGIS')");
    await importLots(land, five);
    expect(
      Object.values(idsOf(land))
        .filter((id) => id !== 70)
        .sort(),
    ).toEqual([71, 72, 73, 74, 75]);
    expect(land.file.get('SELECT status FROM parcels WHERE property_id = 70')).toEqual({ status: 'current' });
  });
});

describe('a dataset', () => {
  test('of another jurisdiction in the county retires nothing and shares no identity', async () => {
    const land = openLand();
    await importLots(land, five, { jurisdiction: 'Westtown' });
    const report = await importLots(land, [lot('1-1', 20), lot('7', 21)], {
      jurisdiction: 'Easttown',
      source: 'Another',
    });
    expect(states(report)).toEqual({ new: 2, changed: 0, retired: 0, returned: 0, unchanged: 0 });
    expect(listDatasets(land)).toMatchObject([
      { dataset_id: 2, jurisdiction: 'Easttown', parcels: 2, retired: 0 },
      { dataset_id: 1, jurisdiction: 'Westtown', parcels: 5, retired: 0, county_name: 'Sullivan County', state: 'NH' },
    ]);
    expect(states(await importLots(land, five, { jurisdiction: 'Westtown' }))).toMatchObject({
      unchanged: 5,
      retired: 0,
    });
  });

  test('from another source is refused until told to replace; ids stay then', async () => {
    const land = openLand();
    await importLots(land, five);
    const before = wholeLand(land);
    await expect(importLots(land, five, { source: 'Another' })).rejects.toMatchObject({
      code: 'import_refused',
      message: expect.stringMatching(/Test county.*Another.*--replace.*--jurisdiction/) as string,
    });
    expect(wholeLand(land)).toEqual(before);
    const report = await importLots(land, five, { source: 'Another', replace: true });
    expect(states(report)).toMatchObject({ new: 0, unchanged: 5, retired: 0 });
    expect(listDatasets(land)).toMatchObject([{ source_name: 'Another', parcels: 5 }]);
  });

  test('is the same however its town is written, and keeps the first spelling', async () => {
    const land = openLand();
    await importLots(land, five, { jurisdiction: 'Westtown Falls' });
    const report = await importLots(land, five.slice(1), { jurisdiction: ' WESTTOWN  falls ' });
    expect(states(report)).toEqual({ new: 0, changed: 0, retired: 1, returned: 0, unchanged: 4 });
    expect(report.jurisdiction).toBe('Westtown Falls');
    expect(listDatasets(land)).toMatchObject([{ jurisdiction: 'Westtown Falls', parcels: 4 }]);
  });

  test('of a later date is kept with that date though no parcel changed', async () => {
    const land = openLand();
    await importLots(land, five);
    expect(states(await importLots(land, five, { date: '2026-08-01' }))).toMatchObject({ unchanged: 5 });
    expect(listDatasets(land)).toMatchObject([{ source_date: '2026-08-01' }]);
  });

  test('keeps its report', async () => {
    const land = openLand();
    const report = await importLots(land, [...five, lot('x', 7, { acres: 'many' })]);
    expect(report.value_problems).toEqual({
      count: 1,
      by_column: { acres: 1 },
      first: [{ file: '', row: 6, column: 'acres', value: '"many"', reason: 'no number' }],
    });
    const row = land.file.get<{ report: string; mapping: string }>('SELECT report, mapping FROM datasets');
    expect(JSON.parse(row?.report ?? '')).toEqual(report);
    expect(JSON.parse(row?.mapping ?? '')).toMatchObject({ columns: { apn: 'apn' } });
  });

  test('without a date takes it from the name of its file, else from when it was written', async () => {
    const folder = temporaryFolder();
    const options = { fips: '33011', homeKind: 'real' as const, now: clock };
    const named = await importParcels(openLand(), {
      ...options,
      files: [writeFile('lots_2025-03.geojson', collection(five), folder)],
    });
    expect(named).toMatchObject({ date: '2025-03-01', source: 'lots_2025-03.geojson' });
    const file = writeFile('lots.geojson', collection(five), folder);
    fs.utimesSync(file, 0, Date.parse('2024-05-06T10:00:00Z') / 1000);
    expect((await importParcels(openLand(), { ...options, files: [file] })).date).toBe('2024-05-06');
  });
});

describe('what is refused', () => {
  test.each<[string, Parameters<typeof importLots>[2], string, RegExp]>([
    ['an unknown county', { fips: '33999' }, 'import_refused', /33999/],
    ['a date that is none', { date: '2026-02-30' }, 'import_refused', /2026-02-30/],
    ['a table that nothing joins', { joinFiles: [import.meta.filename] }, 'import_refused', /join/],
    ['files and features', { files: ['x.geojson'] }, 'import_refused', /none or both/],
    ['a town with control characters', { jurisdiction: 'a\nb' }, 'import_refused', /jurisdiction without control/],
    ['an empty source', { source: '  ' }, 'import_refused', /name of a source/],
  ])('%s', async (_, more, code, message) => {
    const land = openLand();
    const before = wholeLand(land);
    await expect(importLots(land, five, more)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
    });
    expect(wholeLand(land)).toEqual(before);
  });

  test('real data in a home of the sample, and the other way round', async () => {
    const land = openLand();
    await importLots(land, five, { homeKind: 'sample' });
    expect(land.kind).toBe('sample');
    await expect(importLots(land, five)).rejects.toMatchObject({ code: 'sample_and_real' });
  });

  test('files that are missing, named twice, folders and pipes', async () => {
    const land = openLand();
    const folder = temporaryFolder();
    const file = writeFile('a.geojson', collection(five), folder);
    fs.symlinkSync(file, `${folder}/b.geojson`);
    const run = (...files: string[]) => importParcels(land, { files, fips: '33011', homeKind: 'real', now: clock });
    await expect(run(`${folder}/none.geojson`)).rejects.toMatchObject({
      code: 'file_missing',
      message: `${folder}/none.geojson cannot be read (ENOENT).`,
    });
    await expect(run(temporaryFolder())).rejects.toMatchObject({ code: 'file_missing' });
    await expect(run('/dev/null')).rejects.toMatchObject({ code: 'file_missing' });
    await expect(run(file, `${folder}/b.geojson`)).rejects.toThrow(/b\.geojson is named twice/);
  });

  test('parcels outside the United States, with what may be the cause', async () => {
    const land = openLand();
    const place = (longitude: number, latitude: number, apn = '1') => ({
      ...lot(apn, 0),
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
    });
    const before = wholeLand(land);
    await expect(importLots(land, [place(43, -72)])).rejects.toThrow(
      /longitude 43\.0000, latitude -72\.0000.*seem to be swapped/,
    );
    await expect(importLots(land, [place(2.35, 48.85)])).rejects.toThrow(/outside the United States.*projected/);
    expect(wholeLand(land)).toEqual(before);
    // Most are in place: those at 0, 0 are mistakes of their own.
    expect(await importLots(land, [place(-72, 43, '1'), place(-72, 43.1, '2'), place(0, 0, '3')])).toMatchObject({
      new: 3,
    });
    for (const [longitude, latitude, fips] of [
      [-176.6, 51.9, '02016'],
      [173, 52.9, '02016'],
      [-155, 19, '15001'],
      [-66, 18, '72109'],
      [144.8, 13.5, '66010'],
      [-170.7, -14.3, '60050'],
    ] as const) {
      expect(await importLots(openLand(), [place(longitude, latitude)], { fips })).toMatchObject({ new: 1 });
    }
  });

  test('a file without a parcel, and one of which none can be used', async () => {
    const land = openLand();
    await importLots(land, five);
    const before = wholeLand(land);
    await expect(importLots(land, [])).rejects.toMatchObject({ code: 'import_refused' });
    const feet = { type: 'Point', coordinates: [1_200_000, 300_000] };
    await expect(importLots(land, [{ ...lot('1', 0), geometry: feet }])).rejects.toMatchObject({
      code: 'import_refused',
      message: expect.stringContaining('EPSG:4326') as string,
    });
    expect(wholeLand(land)).toEqual(before);
  });

  test('a mapping that reads a column no feature has', async () => {
    const mapping = parseMapping({ name: 'm', columns: { apn: 'apn', acres: 'acers' } }, 'm');
    await expect(importLots(openLand(), five, { mapping })).rejects.toMatchObject({
      code: 'mapping_invalid',
      message: expect.stringMatching(/acers.*Did you mean acres/) as string,
    });
  });
});

describe('features and values', () => {
  test('a feature with a faulty geometry is left out, listed, and does not retire its parcel', async () => {
    const land = openLand();
    await importLots(land, five);
    const faulty = { ...lot('1-1', 0), geometry: { type: 'LineString', coordinates: [] } };
    const report = await importLots(land, [faulty, ...five.slice(1, 4)]);
    expect(states(report)).toEqual({ new: 0, changed: 0, retired: 1, returned: 0, unchanged: 3 });
    expect(report.refused).toMatchObject({
      count: 1,
      first: [{ row: 1, reason: expect.stringContaining('LineString') as string }],
    });
    expect(land.file.get('SELECT status FROM parcels WHERE apn = ?', '1-1')).toEqual({ status: 'current' });
    expect(land.file.get('SELECT status FROM parcels WHERE apn = ?', '1-5')).toEqual({ status: 'retired' });
  });

  test('points and parcels without geometry are kept; rings are mended and counted', async () => {
    const land = openLand();
    const open = square(3).coordinates.map((ring) => ring.slice(0, -1));
    const report = await importLots(land, [
      { ...lot('point', 0), geometry: { type: 'Point', coordinates: [-72.5, 43.5] } },
      { ...lot('none', 1), geometry: null },
      { ...lot('open', 3), geometry: { type: 'Polygon', coordinates: open } },
    ]);
    expect(report).toMatchObject({ without_geometry: 2, repaired_geometries: 1, new: 3 });
    expect(land.file.all('SELECT apn, point_lon, geom IS NULL AS bare FROM parcels ORDER BY apn')).toEqual([
      { apn: 'none', point_lon: null, bare: 1 },
      { apn: 'open', point_lon: expect.closeTo(-71.9695, 4) as number, bare: 0 },
      { apn: 'point', point_lon: -72.5, bare: 1 },
    ]);
  });

  test('rings that cross themselves are repaired, counted and listed, and match on the next import', async () => {
    const land = openLand();
    const bowTie = {
      type: 'Polygon',
      coordinates: [
        [
          [-72, 43],
          [-71.99, 43.01],
          [-71.99, 43],
          [-72, 43.02],
          [-72, 43],
        ],
      ],
    };
    const lots = [...five, { ...lot('bow', 9), geometry: bowTie }];
    const report = await importLots(land, lots);
    expect(report).toMatchObject({
      new: 6,
      redrawn_geometries: {
        count: 1,
        first: [{ row: 6, apn: 'bow', reason: expect.stringContaining('crosses') as string }],
      },
      invalid_geometries: { count: 0 },
    });
    // In hundredths of a degree the triangles have bases of 2 and 1 and heights of 2/3 and 1/3: 5/6 of 815.4 m by 1,110.9 m.
    const row = land.file.get<{ acres: number; geom: Buffer }>(
      "SELECT calculated_acres AS acres, geom FROM parcels WHERE apn = 'bow'",
    );
    expect(row?.acres).toBeCloseTo(186.5, 0);
    expect(decodeMultiPolygon(row?.geom ?? Buffer.alloc(0))).toHaveLength(2);
    expect(await importLots(land, lots)).toMatchObject({ import_id: null, unchanged: 6 });
    const moved = { ...bowTie, coordinates: bowTie.coordinates.map((ring) => [...ring.slice(1), ring[1]]) };
    expect(await importLots(land, [...five, { ...lot('bow', 9), geometry: moved }])).toMatchObject({ unchanged: 6 });
  });

  test('an even bow tie, whose halves cancel, is repaired too; a line there and back encloses nothing', async () => {
    const land = openLand();
    const shape = (...corners: number[][]) => ({ type: 'Polygon', coordinates: [corners] });
    // Two triangles of 0.01 by 0.005 degrees, wound against each other.
    const even = shape([-72, 43], [-71.99, 43.01], [-71.99, 43], [-72, 43.01], [-72, 43]);
    const line = shape([-72, 43], [-71.99, 43.01], [-71.98, 43.02], [-71.99, 43.01], [-72, 43]);
    const report = await importLots(land, [
      { ...lot('even', 1), geometry: even },
      { ...lot('line', 2), geometry: line },
    ]);
    expect(report).toMatchObject({ new: 2, redrawn_geometries: { count: 1 }, without_geometry: 1 });
    const [row] = land.file.all<{ acres: number; geom: Buffer }>(
      "SELECT calculated_acres AS acres, geom FROM parcels WHERE apn = 'even'",
    );
    // Half of a box of 815.3 m by 1,111.0 m at 43.005 degrees north: 452,900 square metres.
    expect(row?.acres).toBeCloseTo(111.9, 0);
    expect(decodeMultiPolygon(row?.geom ?? Buffer.alloc(0))).toHaveLength(2);
  });

  test('an APN that the file writes as a long number keeps its digits', async () => {
    const land = openLand();
    const numbers = ['120001510000000001', '120001510000000002', '120001510000000003'];
    const text = collection(numbers.map((apn, index) => lot(apn, index))).replaceAll(/"(\d{18})"/g, '$1');
    const file = writeFile('numbers.geojson', text);
    const report = await importParcels(land, { files: [file], fips: '33011', homeKind: 'real', now: clock });
    expect(report).toMatchObject({ apn_doubles: 0, value_problems: { count: 0 } });
    expect(land.file.column('SELECT apn FROM parcels ORDER BY apn')).toEqual(numbers);
  });

  test('a joined table says what its bytes were read as', async () => {
    const mapping = parseMapping(
      { name: 'm', join: { parcel: 'apn', table: 'table.PIN' }, columns: { apn: 'apn', owner_name: 'table.OWNER' } },
      'm',
    );
    const joinFile = writeFile('roll.csv', Buffer.from('PIN,OWNER\n1-1,PE\xd1A\n', 'latin1'));
    expect(await importLots(openLand(), five, { mapping, joinFiles: [joinFile] })).toMatchObject({
      table_encoding: 'Windows-1252',
    });
  });

  test('out of county is known when the states differ or the ZIP is one of the county', async () => {
    const land = openLand();
    const owner = (apn: string, index: number, state: string | null, zip: string | null, situs: string | null) =>
      lot(apn, index, { mailing_state: state, mailing_zip: zip, situs_zip: situs });
    await importLots(land, [lot('other', 9, { situs_zip: '03773' })], { jurisdiction: 'Other town' });
    await importLots(land, [
      owner('same', 0, 'NH', '03280-1234', '03280'),
      owner('far', 1, 'MA', '02118', '03280'),
      owner('neighbour town', 2, 'NH', '03773', null),
      owner('unknown', 3, 'NH', '03301', null),
      owner('nothing', 4, null, null, null),
    ]);
    const answers = land.file.all<{ apn: string; out: number | null }>(
      "SELECT apn, owner_out_of_county AS out FROM parcels WHERE apn <> 'other' ORDER BY apn",
    );
    expect(Object.fromEntries(answers.map(({ apn, out }) => [apn, out]))).toEqual({
      far: 1,
      'neighbour town': 0,
      nothing: null,
      same: 0,
      unknown: null,
    });
  });

  test('columns that no mapping gives are left to enrichment; those that one gave before are not', async () => {
    const land = openLand();
    await importLots(land, five);
    land.file.run('UPDATE parcels SET wetlands_percent = 12.5');
    const mapping = parseMapping({ name: 'm', columns: { apn: 'apn', owner_name: 'owner_name' } }, 'm');
    expect(states(await importLots(land, five, { mapping }))).toMatchObject({ changed: 5 });
    expect(land.file.get('SELECT wetlands_percent, acres, owner_name FROM parcels WHERE apn = ?', '1-1')).toEqual({
      wetlands_percent: 12.5,
      acres: null,
      owner_name: 'OWNER 0',
    });
  });

  test('a table is joined by key; what finds no partner is counted on both sides', async () => {
    const land = openLand();
    const table = writeFile('roll.csv', 'PIN,OWNER,VALUE\n001,A,100\n002,B,200\n002,B2,1\n009,Z,1\n,none,1\n');
    const mapping = parseMapping(
      {
        name: 'm',
        join: { parcel: 'pin', table: { from: 'table.PIN', apnGroups: { size: 3, separator: '' } }, rows: 'first' },
        columns: { apn: 'pin', owner_name: { from: ['table.OWNER', 'owner'] }, assessed_total_value: 'table.value' },
      },
      'm',
    );
    const feature = (pin: string, index: number) => ({ geometry: square(index), properties: { pin, owner: 'file' } });
    const report = await importLots(land, [feature('1', 0), feature('2', 1), feature('3', 2)], {
      mapping,
      joinFiles: [table],
    });
    expect(report).toMatchObject({
      joined: 2,
      table_rows: 5,
      table_rows_unmatched: { count: 2, first: ['(row 5, without a key)', '9'] },
      table_keys_repeated: 1,
    });
    expect(land.file.all('SELECT apn, owner_name, assessed_total_value AS v FROM parcels ORDER BY apn')).toEqual([
      { apn: '1', owner_name: 'A', v: 100 },
      { apn: '2', owner_name: 'B', v: 200 },
      { apn: '3', owner_name: 'file', v: null },
    ]);
    const empty = writeFile('empty.csv', 'PIN,OWNER,VALUE\n777,A,1\n');
    await expect(importLots(land, [feature('1', 0)], { mapping, joinFiles: [empty] })).rejects.toThrow(
      /None of the 1 features of the input joins/,
    );
    await expect(importLots(land, [feature('1', 0)], { mapping })).rejects.toThrow(/--join/);
    const other = writeFile('other.csv', 'PIN,NAME,VALUE\n1,A,1\n');
    await expect(importLots(land, [feature('1', 0)], { mapping, joinFiles: [other] })).rejects.toMatchObject({
      code: 'mapping_invalid',
    });
  });

  test('several files are one dataset', async () => {
    const folder = temporaryFolder();
    const land = openLand();
    const report = await importParcels(land, {
      files: [
        writeFile('a.geojson', collection(five.slice(0, 2)), folder),
        writeFile(
          'b.jsonl',
          five
            .slice(2)
            .map((each) => JSON.stringify({ type: 'Feature', ...each }))
            .join('\n'),
          folder,
        ),
      ],
      fips: '33011',
      homeKind: 'real',
      now: clock,
    });
    expect(report).toMatchObject({ features_read: 5, new: 5, source: 'a.geojson, b.jsonl' });
  });
});
