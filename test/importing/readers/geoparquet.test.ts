/** GeoParquet: values and shapes as they are written, one county out of many by little reading, damage named. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { readParcelFile } from '../../../engine/importing/formats/parcel-reader.ts';
import type { ReadOptions } from '../../../engine/importing/formats/parcel-source.ts';
import { bytesOfCounty } from '../../../engine/importing/formats/parquet/county-bytes.ts';
import { RandomFile } from '../../../engine/importing/formats/parquet/parquet-file.ts';
import { look } from '../../../engine/importing/look.ts';
import { importParcels } from '../../../engine/importing/merge/import-parcels.ts';
import { EngineError } from '../../../engine/spec/errors.ts';
import { checkLines } from '../../../engine/spec/import-checks.ts';
import { duckDbOrSkip } from '../../support/duckdb.ts';
import { type ParquetFeature, type ParquetStyle, usualGeo, writeParquet } from '../../support/make-parquet.ts';
import { clock, openLand, square, temporaryFolder } from '../fixtures.ts';
import { cutBy, flippedAt, type Mutate, randomFrom, writeMutant, zeroed } from './mutants.ts';
import { readParcels, refusalOf } from './reading.ts';

const lots = (count: number, of: (index: number) => Record<string, unknown>): ParquetFeature[] =>
  Array.from({ length: count }, (_, index) => ({
    geometry: square(index % 50),
    properties: { apn: `A-${index}`, ...of(index) },
  }));

const write = (
  features: readonly ParquetFeature[],
  style?: ParquetStyle,
  name = 'lots.parquet',
  folder = temporaryFolder(),
) => writeParquet(path.join(folder, name), features, style);

const refusal = (file: string, options: ReadOptions = {}): EngineError => refusalOf(() => readParcels(file, options));

/** Any error that is no refusal passes. */
function readOrRefused(file: string, options: ReadOptions): 'read' | 'refused' {
  try {
    readParcels(file, options);
    return 'read';
  } catch (error) {
    if (error instanceof EngineError && error.code === 'import_refused') return 'refused';
    throw new Error(file, { cause: error });
  }
}

function countyOf(file: string, county: string) {
  let layer: { otherRows?: () => unknown } | undefined;
  const apns = [
    ...readParcelFile(file, { county }, (opened) => {
      layer = opened;
    }),
  ].map(({ properties }) => properties.apn);
  return { apns, other: layer?.otherRows?.() ?? null };
}

describe('values', () => {
  const types: ParquetStyle['types'] = {
    long_apn: { type: 'INT64' },
    price: { type: 'INT32', converted_type: 'DECIMAL', scale: 2, precision: 9 },
    sold: { type: 'INT32', converted_type: 'DATE' },
    seen: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
    acres: { type: 'DOUBLE' },
    vacant: { type: 'BOOLEAN' },
  };
  const rows = [
    {
      ...{ apn: '000120', long_apn: 120001510000000001n, price: 1234.5, sold: new Date('1899-05-01') },
      ...{ seen: new Date('2024-02-29T10:11:12Z'), acres: 0.25, vacant: true },
    },
    { apn: 'MUÑOZ', long_apn: -7n, price: null, sold: null, seen: null, acres: Number.NaN, vacant: null },
  ];
  const features = rows.map((properties, index) => ({ geometry: square(index), properties }));

  test.each(['ZSTD', 'SNAPPY', 'GZIP', 'BROTLI', 'UNCOMPRESSED'] as const)('packed by %s are exact', (codec) => {
    const read = readParcels(write(features, { types, codec }));
    expect(read.map(({ properties }) => properties)).toEqual([
      {
        ...{ apn: '000120', long_apn: '120001510000000001', price: 1234.5, sold: '1899-05-01' },
        ...{ seen: '2024-02-29T10:11:12', acres: 0.25, vacant: true },
      },
      { apn: 'MUÑOZ', long_apn: -7, price: null, sold: null, seen: null, acres: null, vacant: null },
    ]);
    expect(read.map(({ polygons }) => polygons?.[0]?.[0]?.[0])).toEqual([-72, -71.99]);
  });

  test('of groups and pages of any size are in order', () => {
    const many = lots(1000, (index) => ({ n: BigInt(index) }));
    const style = {
      types: { n: { type: 'INT64' } as const },
      groupRows: 300,
      pageSize: 200,
      codec: 'UNCOMPRESSED' as const,
    };
    const read = readParcels(write(many, style));
    expect(read.map(({ properties }) => properties.n)).toEqual(many.map((_, index) => index));
    expect(read.map(({ properties }) => properties.apn)).toEqual(many.map(({ properties }) => properties.apn));
  });

  test('look tells columns, types, rows and the system, and reads the first rows only', () => {
    const file = write(features, { types });
    expect(look(file).layers).toMatchObject([
      {
        ...{ name: 'lots', format: 'geoparquet', rows: 2, encoding: 'UTF-8', shapes: 'polygons', problem: null },
        system: { name: 'WGS 84', code: 4326 },
        columns: [
          { name: 'apn', type: 'text' },
          { name: 'long_apn', type: 'integer', samples: ['120001510000000001', '-7'] },
          { name: 'price', type: 'number' },
          { name: 'sold', type: 'date' },
          { name: 'seen', type: 'date' },
          { name: 'acres', type: 'number' },
          { name: 'vacant', type: 'boolean' },
        ],
      },
    ]);
  });
});

describe('geometry', () => {
  const features = lots(2, () => ({}));
  const geoWith = (more: object) => ({ ...usualGeo, columns: { geometry: { encoding: 'WKB', ...more } } });

  test('of a native type, without metadata of GeoParquet', () => {
    const read = readParcels(write(features, { native: 'OGC:CRS84', geo: null }));
    expect(read.map(({ polygons }) => polygons?.[0]?.[0]?.[0])).toEqual([-72, -71.99]);
    expect(look(write(features, { native: 'srid:4269', geo: null })).layers[0]?.system?.code).toBe(4269);
  });

  test('in a system that its metadata names is turned into degrees', () => {
    const feet = [{ geometry: { type: 'Point', coordinates: [984_250, 0] }, properties: { apn: '1' } }];
    // The origin of New Hampshire's plane, EPSG:3437: 984,250 US feet east at 42°30' N, 71°40' W.
    const crs = { type: 'ProjectedCRS', name: 'NAD83 / New Hampshire (ftUS)', id: { authority: 'EPSG', code: 3437 } };
    const [point] = readParcels(write(feet, { geo: geoWith({ crs }) })).map((each) => each.point);
    expect(point?.[0]).toBeCloseTo(-71 - 40 / 60, 6);
    expect(point?.[1]).toBeCloseTo(42.5, 6);
  });

  test('of an unknown system, in another encoding, or absent is refused by name', () => {
    expect(refusal(write(features, { geo: geoWith({ crs: null }) })).message).toMatch(
      /expected a coordinate system, found none/,
    );
    expect(readParcels(write(features, { geo: geoWith({ crs: null }) }), { crs: 'EPSG:4326' })).toHaveLength(2);
    expect(refusal(write(features, { geo: geoWith({ encoding: 'multipolygon' }) })).message).toMatch(
      /expected geometries in WKB, found the encoding "multipolygon"/,
    );
    const geo = { ...usualGeo, primary_column: 'shape', columns: { shape: { encoding: 'WKB' } } };
    expect(refusal(write(features, { geo })).message).toMatch(/expected the geometry column shape/);
  });
});

describe('one county out of many', () => {
  /** Three counties in turn, ten lots each, as a sorted file has them. */
  const codes = ['01001', '33019', '56045'];
  const of = (index: number) => codes[Math.floor(index / 10)] as string;
  const wanted = Array.from({ length: 10 }, (_, index) => `A-${index + 10}`);

  test.each<[string, (code: string) => unknown, ParquetStyle]>([
    ['text', (code) => code, {}],
    ['text that lacks zeros', (code) => String(Number(code)), {}],
    ['whole numbers', (code) => BigInt(code), { types: { fips: { type: 'INT64' } } }],
    ['small whole numbers', Number, { types: { fips: { type: 'INT32' } } }],
    ['decimals', Number, { types: { fips: { type: 'DOUBLE' } } }],
    ['text without statistics', (code) => code, { withoutStatistics: true }],
  ])('by a column of codes: %s', (_name, write_, style) => {
    const file = write(
      lots(30, (index) => ({ fips: write_(of(index)) })),
      { ...style, groupRows: 6 },
    );
    expect(countyOf(file, '33019')).toEqual({ apns: wanted, other: { rows: 20, files: 0, by: 'the column fips' } });
    const first = countyOf(file, '01001');
    expect(first.apns).toHaveLength(10);
  });

  test('reads no more than the row groups that may hold it', () => {
    const file = write(
      lots(30_000, (index) => ({ fips: codes[Math.floor(index / 10_000)] })),
      { groupRows: 1000, codec: 'UNCOMPRESSED' },
    );
    const read = vi.spyOn(RandomFile.prototype, 'read');
    try {
      expect(countyOf(file, '33019').apns).toHaveLength(10_000);
      const bytes = read.mock.results.reduce((sum, { value }) => sum + (value as Buffer).length, 0);
      expect(bytes).toBeLessThan(0.5 * fs.statSync(file).size);
    } finally {
      read.mockRestore();
    }
  });

  test('by the boxes of row groups where no column names it', () => {
    // Sullivan County, NH (33019) lies around 72.2° W, 43.36° N; Autauga County, AL (01001) around 86.6° W, 32.5° N.
    const at = (west: number, south: number, index: number) => ({
      geometry: { type: 'Point', coordinates: [west + index / 1000, south] },
      properties: { apn: `${south} ${index}` },
    });
    const rows = [
      ...Array.from({ length: 10 }, (_, index) => at(-86.6, 32.5, index)),
      ...Array.from({ length: 10 }, (_, index) => at(-72.2, 43.36, index)),
    ];
    const file = write(rows, { groupRows: 8, native: 'OGC:CRS84', geo: null });
    const { apns, other } = countyOf(file, '33019');
    expect(apns).toEqual(rows.slice(10).map(({ properties }) => properties.apn));
    expect(other).toMatchObject({ rows: 10, by: expect.stringContaining('outline') });
    // All in one place: a county's own file is taken as it is.
    const own = write(rows.slice(10), { groupRows: 8, native: 'OGC:CRS84', geo: null });
    expect(countyOf(own, '33019')).toEqual({
      apns: rows.slice(10).map(({ properties }) => properties.apn),
      other: null,
    });
  });

  test('out of a folder of parts, whose other folders are passed over unread', () => {
    const folder = temporaryFolder();
    for (const [index, code] of codes.entries()) {
      const own = path.join(folder, `state=${code.slice(0, 2)}`, `county=${code}`);
      fs.mkdirSync(own, { recursive: true });
      write(
        lots(10, (lot) => ({ apn: `A-${index * 10 + lot}` })),
        {},
        'part-0.parquet',
        own,
      );
    }
    fs.writeFileSync(path.join(folder, 'open.sql'), 'SELECT 1');
    expect(look(folder).layers).toMatchObject([{ format: 'geoparquet', rows: 30, problem: null }]);
    expect(readParcels(folder).map(({ properties }) => properties.county)).toEqual(
      codes.flatMap((code) => Array(10).fill(code)),
    );
    expect(countyOf(folder, '33019')).toEqual({ apns: wanted, other: { rows: 0, files: 2, by: '' } });
  });

  test('needs the room of its own rows, not of the whole file', () => {
    const file = write(
      lots(300, (index) => ({ fips: codes[Math.floor(index / 100)] })),
      { groupRows: 50 },
    );
    const [all, own] = [fs.statSync(file).size, bytesOfCounty(file, '33019')];
    expect(own).toBeCloseTo(all / 3, -1);
    expect(bytesOfCounty(file, '48301')).toBe(0);
  });

  test('is imported alone, and the report counts what was left out', async () => {
    const file = write(
      lots(30, (index) => ({ fips: of(index) })),
      { groupRows: 6 },
    );
    const land = openLand();
    const options = {
      files: [file],
      fips: '33019',
      source: 'Test',
      date: '2026-07-01',
      homeKind: 'real',
      anywhere: true,
      now: clock,
    } as const;
    const report = await importParcels(land, options);
    expect(report).toMatchObject({ new: 10, features_read: 10, other_rows: { rows: 20, by: 'the column fips' } });
    expect(checkLines([report], 10).find(({ id }) => id === 'elsewhere')).toMatchObject({
      count: 20,
      words: 'left out, told by the column fips',
    });
    expect(await importParcels(land, options)).toMatchObject({ new: 0, unchanged: 10 });
  });
});

describe('damage', () => {
  const features = lots(400, (index) => ({ fips: '33019', owner: `OWNER ${index % 7}`, n: BigInt(index) }));
  const style = { groupRows: 100, types: { n: { type: 'INT64' } as const } };

  test('of the file’s end, LZ4 and encryption are named', () => {
    const file = write(features, style);
    const folder = temporaryFolder();
    expect(refusal(writeMutant(folder, file, 'cut', cutBy(10))).message).toMatch(/expected PAR1 at its end/);
    expect(refusal(write(features, { ...style, codec: 'LZ4_RAW' })).message).toMatch(/found LZ4_RAW in the column/);
    const sealed: Mutate = (bytes) => Buffer.concat([bytes.subarray(0, -4), Buffer.from('PARE')]);
    expect(refusal(writeMutant(folder, file, 'sealed', sealed)).message).toMatch(/encrypted/);
  });

  /** More by hand: PLATBOOK_RUNS=1000. */
  const count = Number(process.env.PLATBOOK_RUNS ?? 60);

  test(`anywhere: ${count} damaged files are refused or read, never anything else`, () => {
    const folder = temporaryFolder();
    const sources = [
      write(features, style),
      write(features, { ...style, codec: 'SNAPPY' }, 'snappy.parquet'),
      write(features, { ...style, codec: 'UNCOMPRESSED' }, 'plain.parquet'),
    ];
    const random = randomFrom(20_260_801);
    const seen = { refused: 0, read: 0 };
    for (let index = 0; index < count; index++) {
      const source = sources[index % sources.length] as string;
      // Half of them in the last quarter, where the footer is.
      const share = index % 2 === 0 ? random() : 0.75 + random() / 4;
      const mutate =
        index % 5 === 0
          ? zeroed(share, Math.min(1, share + random() / 50))
          : flippedAt(share, 1 << Math.floor(random() * 8));
      const file = writeMutant(folder, source, `mutant-${index}`, mutate);
      seen[readOrRefused(file, index % 3 === 0 ? { county: '33019' } : {})]++;
      fs.rmSync(file);
    }
    expect(seen.refused).toBeGreaterThan(count / 5);
  });
});

const duckDb = duckDbOrSkip('GeoParquet written by DuckDB');

describe.runIf(duckDb !== null)('DuckDB', () => {
  test('writes what is read', async () => {
    const file = path.join(temporaryFolder(), 'duck.parquet');
    await duckDb?.(
      `COPY (SELECT 'A-' || i AS apn, 33019 AS fips, i * 1000000000000000 AS long_id, DATE '2024-02-29' AS sold, i / 4.0 AS acres,
         CAST('POINT(' || -72.2 - i / 1000.0 || ' 43.36)' AS GEOMETRY) AS geom FROM range(5000) t(i)) TO '${file}' (FORMAT parquet)`,
    );
    const read = readParcels(file, { county: '33019' });
    expect(read).toHaveLength(5000);
    expect(read[4999]?.properties).toEqual({
      apn: 'A-4999',
      fips: 33_019,
      long_id: '4999000000000000000',
      sold: '2024-02-29',
      acres: 1249.75,
    });
    expect(read[100]?.point?.[0]).toBeCloseTo(-72.3, 9);
  });
});
