/** Damaged and hostile files of every format: a named error, or every row. (R10 of docs/reliability.md, "What must hold".) */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { gdalOrSkip, gdalWritesOrSkip, ogr2ogr } from '../../support/gdal.ts';
import { makeShapefile, type Shapefile, writeShapefile } from '../../support/make-shapefile.ts';
import { makeZip, type ZipEntry } from '../../support/make-zip.ts';
import type { ReadOutcome } from '../../support/read-child.ts';
import { measured } from '../../support/runs.ts';
import { collection, lot, temporaryFolder, writeFile } from '../fixtures.ts';
import {
  cutBy,
  cutTo,
  flippedAt,
  grownBy,
  int32At,
  type Mutate,
  randomFrom,
  replaced,
  writeMutant,
  zeroed,
} from './mutants.ts';
import { leftovers, readParcels } from './reading.ts';

const rowCount = 20;
const lots = Array.from({ length: rowCount }, (_, index) => lot(`00${index}`, index, { owner_name: `PEÑA ${index}` }));
const child = path.resolve(import.meta.dirname, '..', '..', 'support', 'read-child.ts');

/** What became of each file, read in a process of its own; one that hangs is ended, and its line is missing. */
function readInChild(files: readonly string[]): ReadOutcome[] {
  const { stdout, pid } = spawnSync(process.execPath, [child, ...files], { encoding: 'utf8', timeout: 110_000 });
  const lines = stdout.trim().split('\n');
  expect(Number(lines.pop()), 'megabytes resident').toBeLessThan(512);
  expect(leftovers(pid)).toEqual([]);
  expect(lines).toHaveLength(files.length);
  measured(`${files.length} files`);
  return lines.map((line) => JSON.parse(line) as ReadOutcome);
}

/** An error that names the file, in a sentence; or the full count. */
function expectNamedOrWhole({ file, rows, code, message }: ReadOutcome): void {
  const name = path.basename(file);
  if (code === null) {
    expect(rows, `rows of ${name}`).toBe(rowCount);
    return;
  }
  expect(['import_refused', 'file_missing', 'file_damaged', 'file_not_sqlite'], `${name}: ${message}`).toContain(code);
  expect(message).toContain(name);
  expect(message).toMatch(/[.)]$/);
}

function expectAll(files: readonly string[]): ReadOutcome[] {
  const outcomes = readInChild(files);
  for (const outcome of outcomes) expectNamedOrWhole(outcome);
  return outcomes;
}

const common: Readonly<Record<string, Mutate>> = {
  'nothing of it': cutTo(0),
  'a few bytes': cutTo(0.01),
  'a third': cutTo(0.33),
  half: cutTo(0.5),
  'nine tenths': cutTo(0.9),
  'without its last byte': cutBy(1),
  'with bytes behind it': grownBy(37),
  'zeros in the middle': zeroed(0.45, 0.55),
  'zeros at the end': zeroed(0.9, 1),
  'a bit at the beginning': flippedAt(0.001),
  'a bit in the first tenth': flippedAt(0.1),
  'a bit in the middle': flippedAt(0.5),
};

/** The common ones and some random bits. */
function mutantsOf(folder: string, whole: string): string[] {
  const random = randomFrom(whole.length);
  const flips = Array.from({ length: 6 }, (_, n): [string, Mutate] => [
    `flip ${n}`,
    flippedAt(random(), 1 << Math.floor(random() * 8)),
  ]);
  return [...Object.entries(common), ...flips].map(([name, mutate]) => writeMutant(folder, whole, name, mutate));
}

const squareOf = (index: number) => lots[index]?.geometry as { coordinates: [number, number][][] };
const shapeRows = lots.map(({ properties }, index) => ({
  shape: squareOf(index).coordinates,
  values: [String(properties.apn), String(properties.owner_name)],
}));
const columns = [{ name: 'apn' }, { name: 'owner_name' }];

describe('a damaged Shapefile', () => {
  const whole = makeShapefile(shapeRows, { columns });
  const parts = ['shp', 'shx', 'dbf'] as const;

  test.each(parts)('in its .%s is a named error, or every row', (part) => {
    const random = randomFrom(part.charCodeAt(2));
    const flips = Array.from({ length: 12 }, (_, n): [string, Mutate] => [
      `flip ${n}`,
      flippedAt(random(), 1 << Math.floor(random() * 8)),
    ]);
    const files = [...Object.entries(common), ...flips].map(([name, mutate]) => {
      const folder = temporaryFolder();
      return writeShapefile(folder, name.replaceAll(' ', '_'), { ...whole, [part]: mutate(whole[part]) });
    });
    const outcomes = readInChild(files);
    // The message names the part that is wrong, which has the same stem.
    for (const outcome of outcomes)
      expectNamedOrWhole({ ...outcome, message: outcome.message.replace(/\.(shx|dbf)\b/g, '.shp') });
    expect(outcomes.filter(({ code }) => code !== null).length).toBeGreaterThan(8);
  });

  const recordAt = 100;
  const wrong: Readonly<Record<string, Partial<Shapefile>>> = {
    'without .shx': { shx: Buffer.alloc(0) },
    'without .dbf': { dbf: Buffer.alloc(0) },
    'with a row less in the .dbf': { dbf: makeShapefile(shapeRows.slice(1), { columns }).dbf },
    'with a shape less': { shp: makeShapefile(shapeRows.slice(1), { columns }).shp },
    'with an entry less in the .shx': { shx: makeShapefile(shapeRows.slice(1), { columns }).shx },
    'with entries and rows less, and all shapes': {
      shx: makeShapefile(shapeRows.slice(0, 10), { columns }).shx,
      dbf: makeShapefile(shapeRows.slice(0, 10), { columns }).dbf,
    },
    'with a type of shape that is unknown': { shp: int32At(32, 99)(whole.shp) },
    'with lines': { shp: int32At(32, 3)(whole.shp) },
    'with a million parts': { shp: int32At(recordAt + 8 + 36, 1_000_000)(whole.shp) },
    'with 2 billion points': { shp: int32At(recordAt + 8 + 40, 2_000_000_000)(whole.shp) },
    'with parts out of order': { shp: int32At(recordAt + 8 + 44, 3)(whole.shp) },
    'with a record longer than the file': { shx: int32At(104, 0x7ffffff, true)(whole.shx) },
    'with a record before the header': { shx: int32At(100, 2, true)(whole.shx) },
    'with a .prj of rubbish': { prj: Buffer.from('rubbish') },
    'with a .prj of NAD27': {
      prj: Buffer.from(
        'GEOGCS["NAD27",DATUM["D_North_American_1927",SPHEROID["Clarke_1866",6378206.4,294.9786982]],PRIMEM["Greenwich",0],UNIT["Degree",0.0174532925199433]]',
      ),
    },
  };

  test.each(Object.keys(wrong))('%s is refused by name', (how) => {
    const file = writeShapefile(temporaryFolder(), 'parcels', { ...whole, ...wrong[how] });
    const [outcome] = readInChild([file]);
    expect(outcome?.code).toBe('import_refused');
    expect(outcome?.message).toMatch(/parcels\.(shp|shx|dbf|prj)/);
  });

  test('whose shapes are of mixed types, without area, not finite or beyond the world keeps every row', () => {
    const odd = [
      { shape: [43, -72] as const, values: ['point', ''] },
      { shape: null, values: ['nothing', ''] },
      {
        shape: [
          [
            [-72, 43],
            [-72, 44],
          ] as const,
        ],
        values: ['a line', ''],
      },
      {
        shape: [
          [
            [-72, 43],
            [-71, 43],
            [-71, 44],
          ] as const,
        ],
        values: ['open', ''],
      },
      {
        shape: [
          [
            [Number.NaN, 43],
            [-71, 43],
            [-71, 44],
            [Number.NaN, 43],
          ] as const,
        ],
        values: ['not finite', ''],
      },
      {
        shape: [
          [
            [900_000, 43],
            [900_100, 43],
            [900_100, 44],
            [900_000, 43],
          ] as const,
        ],
        values: ['feet', ''],
      },
    ];
    const file = writeShapefile(
      temporaryFolder(),
      'odd',
      makeShapefile([...odd, ...shapeRows.slice(odd.length)], { columns }),
    );
    const [outcome] = readInChild([file]);
    // Latitude 43 and longitude -72 are swapped in the point, which is a place all the same.
    expect(outcome).toMatchObject({ code: null, rows: rowCount, problems: 2 });
  });

  test('without rows has none', () => {
    const file = writeShapefile(temporaryFolder(), 'empty', makeShapefile([], { columns }));
    expect(readInChild([file])[0]).toMatchObject({ code: null, rows: 0 });
  });
});

describe('a damaged or hostile zip', () => {
  const { shp, shx, dbf, prj } = makeShapefile(shapeRows, { columns, prj: 'EPSG:4326' });
  const entries: ZipEntry[] = Object.entries({ shp, shx, dbf, prj }).map(([ending, content]) => ({
    name: `county/parcels.${ending}`,
    content,
  }));

  test('of a Shapefile, cut off or with bits flipped, is a named error or every row', () => {
    const folder = temporaryFolder();
    const whole = writeFile('county.zip', makeZip(entries));
    const outcomes = expectAll([whole, ...mutantsOf(folder, whole)]);
    expect(outcomes[0]).toMatchObject({ code: null, rows: rowCount });
    // The checksum finds what inflates and is not the same.
    expect(outcomes.filter(({ code }) => code !== null).length).toBeGreaterThan(10);
  });

  const big = Buffer.alloc(100 * 1024 * 1024);
  const hostile: Readonly<Record<string, () => Buffer>> = {
    'that climbs out of its folder': () => makeZip([...entries, { name: '../../etc/passwd', content: 'x' }]),
    'with an absolute name': () => makeZip([...entries, { name: '/etc/passwd', content: 'x' }]),
    'with a drive letter': () => makeZip([...entries, { name: 'C:\\windows\\x.dll', content: 'x' }]),
    'with a symbolic link': () => makeZip([...entries, { name: 'link', content: '/etc/passwd', mode: 0o120777 }]),
    'with another zip in it': () => makeZip([...entries, { name: 'more.zip', content: makeZip(entries) }]),
    'that is encrypted': () => makeZip([{ name: 'parcels.geojson', content: collection(lots), isEncrypted: true }]),
    'packed by another method': () => makeZip([{ name: 'parcels.geojson', content: collection(lots), method: 9 }]),
    'that unpacks to 1,000 times its size': () => makeZip([{ name: 'parcels.geojson', content: big }]),
    'that unpacks to more than its directory says': () =>
      makeZip([{ name: 'parcels.geojson', content: Buffer.alloc(1024 * 1024), claimedSize: 1000 }]),
    'with a wrong checksum': () => makeZip([{ name: 'parcels.geojson', content: collection(lots), claimedCrc: 1 }]),
    'with one name twice': () => makeZip([entries[0] as ZipEntry, ...entries]),
    'of 5,001 files': () => makeZip(Array.from({ length: 5001 }, (_, n) => ({ name: `${n}.txt`, content: '' }))),
    'that counts more entries than it has': () => makeZip(entries, { claimedCount: 9 }),
    'of nothing': () => makeZip([]),
    'of notes': () => makeZip([{ name: 'readme.txt', content: 'Hello' }]),
    'that lacks the .dbf': () => makeZip(entries.filter(({ name }) => !name.endsWith('.dbf'))),
    'with two layers': () =>
      makeZip([...entries, ...entries.map((entry) => ({ ...entry, name: entry.name.replace('parcels', 'roads') }))]),
  };

  test.each(Object.keys(hostile))('%s is refused by name, and nothing stays behind', (how) => {
    const file = writeFile('county.zip', hostile[how]?.() ?? Buffer.alloc(0));
    const [outcome] = readInChild([file]);
    expect(outcome).toMatchObject({ code: 'import_refused', rows: 0 });
    expect(outcome?.message).toContain('county.zip');
    expect(outcome?.message).not.toContain('platbook-read');
    if (how === 'with two layers') expect(outcome?.message).toContain('"parcels", "roads"');
  });

  test('a long name and one of nothing but dots stay within the folder', () => {
    const odd = [{ name: `${'x'.repeat(600)}.txt`, content: 'x' }];
    expect(readInChild([writeFile('long.zip', makeZip([...entries, ...odd]))])[0]).toMatchObject({
      code: 'import_refused',
    });
  });
});

describe('damaged text', () => {
  const wkt = (index: number) =>
    `"POLYGON ((${squareOf(index)
      .coordinates[0]?.map((pair) => pair.join(' '))
      .join(', ')}))"`;
  const csv = `wkt,apn,owner_name\n${lots.map(({ properties }, index) => `${wkt(index)},${properties.apn},${properties.owner_name}`).join('\n')}\n`;

  test('of CSV with WKT, whole and cut off between rows, has the rows that are there; within a row it is refused', () => {
    const folder = temporaryFolder();
    const whole = writeFile('parcels.csv', csv);
    const files = [
      whole,
      writeMutant(folder, whole, 'cut within a row', cutBy(20)),
      writeMutant(folder, whole, 'a quote that never closes', replaced('"POLYGON ((', '"POLYGON (("')),
      writeMutant(folder, whole, 'binary', zeroed(0, 0.2)),
      writeMutant(folder, whole, 'Windows-1252', (bytes) => Buffer.from(bytes.toString(), 'latin1')),
    ];
    expect(readInChild(files).map(({ rows, code }) => [rows, code])).toEqual([
      [rowCount, null],
      [expect.any(Number), 'import_refused'],
      expect.arrayContaining(['import_refused']) as unknown,
      [0, 'import_refused'],
      [rowCount, null],
    ]);
  });

  test.each([
    ['POLYGON ((-72 43, -71 43', 'end of the text'],
    ['POLYGON ((-72 43, -71 x, -71 44, -72 43))', 'coordinate'],
    ['POLYGON ((-72, -71, -71))', 'coordinate'],
    ['LINESTRING (-72 43, -71 43)', 'found a line'],
    ['MULTILINESTRING ((-72 43, -71 43), (-72 43', 'end of the text'],
    ['CURVEPOLYGON (CIRCULARSTRING (0 0, 1 1, 2 0))', 'CURVEPOLYGON'],
    [`POLYGON ${'('.repeat(10_000)}`, 'coordinate'],
    ['SRID=;POLYGON ((1 1))', 'SRID'],
    ['POLYGON ((900000 200000, 900100 200000, 900100 200100, 900000 200000))', 'longitude'],
    ['POLYGON ((-72 43, -71 43, -71 44, -72 43)) POINT (1 1)', 'end of the text'],
  ])('of the shape %j is a row with a problem', (shape, words) => {
    const file = writeFile('parcels.csv', `wkt,apn\n${wkt(0)},1\n"${shape}",2\n`);
    const [first, second] = readParcels(file);
    expect(first?.polygons).toHaveLength(1);
    expect(second).toMatchObject({ polygons: null, problem: expect.stringContaining(words) as string });
  });

  test('of the hosted service is refused where it is cut off, or holds something else', () => {
    const page = JSON.stringify({
      count: 1,
      next: null,
      previous: null,
      results: [{ property_id: 1, apn: '1', fips: 33019 }],
    });
    const files = [
      page.slice(0, -1),
      page.slice(0, 60),
      page.replace('"count":1', '"count":0'),
      '[1]',
      '[{"a":1}]',
      '{"results":[{"id":"x"}]}',
    ].map((content) => writeFile('answers.json', content));
    for (const { code, message } of readInChild(files)) {
      expect(code).toBe('import_refused');
      expect(message).toMatch(/at byte \d+/);
    }
  });
});

const hasGdal = gdalOrSkip('damaged GeoPackage and FlatGeobuf');

describe.runIf(hasGdal)('damaged binary files', () => {
  const convert = (name: string, ...options: string[]): string => {
    const folder = temporaryFolder();
    const source = writeFile('source.geojson', collection(lots));
    ogr2ogr(...options, path.join(folder, name), source);
    return path.join(folder, name);
  };

  test('of a GeoPackage are a named error, or every row', () => {
    const whole = convert('parcels.gpkg', '-f', 'GPKG');
    const folder = temporaryFolder();
    const pages = Array.from({ length: 10 }, (_, n) =>
      writeMutant(folder, whole, `page ${n}`, zeroed(n / 10, n / 10 + 0.04)),
    );
    const outcomes = expectAll([whole, ...mutantsOf(folder, whole), ...pages]);
    expect(outcomes[0]).toMatchObject({ code: null, rows: rowCount, problems: 0 });
  });

  test.each([
    ['without an index', ['-lco', 'SPATIAL_INDEX=NO']],
    ['with its index', []],
  ])('of FlatGeobuf %s are a named error, or every row', (_, options) => {
    const whole = convert('parcels.fgb', '-f', 'FlatGeobuf', ...options);
    const folder = temporaryFolder();
    const random = randomFrom(7);
    const more = Array.from({ length: 20 }, (_, n) =>
      writeMutant(folder, whole, `flip more ${n}`, flippedAt(random(), 0x80)),
    );
    const outcomes = expectAll([whole, ...mutantsOf(folder, whole), ...more]);
    expect(outcomes[0]).toMatchObject({ code: null, rows: rowCount, problems: 0 });
  });

  const writesGdb = gdalWritesOrSkip('damaged File Geodatabases', 'OpenFileGDB');

  test.runIf(writesGdb)('of a File Geodatabase are a named error, or every row', () => {
    const whole = convert('parcels.gdb', '-f', 'OpenFileGDB');
    const table =
      fs
        .readdirSync(whole)
        .filter((name) => /\.gdbtable$/.test(name))
        .sort()
        .at(-1) ?? '';
    const damage: [string, string, Mutate][] = [
      ['cut', table, cutTo(0.5)],
      ['zeros', table, zeroed(0.3, 0.6)],
      ['flip', table, flippedAt(0.05)],
      ['no index', table.replace('gdbtable', 'gdbtablx'), cutTo(0)],
      ['no catalogue', 'a00000001.gdbtable', zeroed(0, 0.5)],
    ];
    const files = damage.map(([name, part, mutate]) => {
      const copy = path.join(temporaryFolder(), `${name.replaceAll(' ', '_')}.gdb`);
      fs.cpSync(whole, copy, { recursive: true });
      fs.writeFileSync(path.join(copy, part), mutate(fs.readFileSync(path.join(copy, part))));
      return copy;
    });
    const outcomes = readInChild([whole, ...files]);
    expect(outcomes[0]).toMatchObject({ code: null, rows: rowCount, problems: 0 });
    for (const outcome of outcomes) expectNamedOrWhole(outcome);
  });
});
