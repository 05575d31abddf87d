/**
 * Damaged and odd files beside loaded parcels: each import reports the fault and changes nothing, or takes every row;
 * the rows of the loaded town keep the same bytes either way. (R10 of docs/reliability.md, "What must hold".)
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ImportReport, importParcels } from '../../../engine/importing/merge/import-parcels.ts';
import { EngineError } from '../../../engine/spec/errors.ts';
import { type LandStore, openLandStore } from '../../../engine/store/land-store.ts';
import { makeShapefile, writeShapefile } from '../../support/make-shapefile.ts';
import { makeZip } from '../../support/make-zip.ts';
import { clock, collection, importLots, type Lot, lot, temporaryFolder, wholeLand, writeFile } from '../fixtures.ts';
import { cutBy, cutTo, flippedAt, type Mutate, randomFrom, zeroed } from './mutants.ts';

const rowCount = 12;
const lots: Lot[] = Array.from({ length: rowCount }, (_, index) => lot(`9-${index}`, index + 40));

let land: LandStore;
beforeAll(async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-mutants-'));
  land = openLandStore(folder, () => performance.now());
  const standing = Array.from({ length: 8 }, (_, index) => lot(`1-${index}`, index));
  await importLots(land, standing, { jurisdiction: 'Standing' });
  return () => {
    land.close();
    fs.rmSync(folder, { recursive: true, force: true });
  };
});

/** Every byte of the standing town's rows. */
function bytesOfStanding(): string {
  const hash = createHash('sha256');
  for (const row of land.file.all<Record<string, unknown>>(
    `SELECT p.*, i.*, hex(p.geom) AS geom FROM parcels p LEFT JOIN idx_parcels_geom i ON i.pkid = p.property_id
     WHERE dataset_id = 1 ORDER BY p.property_id`,
  ))
    hash.update(JSON.stringify(row));
  return hash.digest('hex');
}

const tryImport = (file: string): Promise<ImportReport> =>
  importParcels(land, {
    files: [file],
    fips: '33019',
    jurisdiction: 'Tried',
    source: 'tried',
    date: '2026-07-02',
    homeKind: 'real',
    // Most of these lots lie beside the county of the code.
    anywhere: true,
    now: clock,
    replace: true,
  });

/** A sentence that names the file, and nothing changed; or the report of every row, and the standing rows as they were. */
async function outcomeOf(file: string): Promise<{ refusal: string | null; report: ImportReport | null }> {
  const [standing, whole] = [bytesOfStanding(), JSON.stringify(wholeLand(land))];
  try {
    const report = await tryImport(file);
    expect(bytesOfStanding()).toBe(standing);
    return { refusal: null, report };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    expect(JSON.stringify(wholeLand(land))).toBe(whole);
    return { refusal: error.message, report: null };
  }
}

/** The first lot with another geometry. */
const withShape = (geometry: unknown): string => collection([{ ...(lots[0] as Lot), geometry }, ...lots.slice(1)]);
const ringOf = (pairs: readonly (readonly number[])[]) => ({ type: 'Polygon', coordinates: [pairs] });
const squareAt = (x: number, y: number): number[][] => [
  [x, y],
  [x + 0.001, y],
  [x + 0.001, y + 0.001],
  [x, y + 0.001],
  [x, y],
];
const home = squareAt(-71.6, 43);

describe('is refused in a sentence that names the file, and nothing changes', () => {
  const swapped = lots.map((one) => ({
    ...one,
    geometry: ringOf(
      (one.geometry as { coordinates: number[][][] }).coordinates[0]?.map(([x, y]) => [y ?? 0, x ?? 0]) ?? [],
    ),
  }));
  const rows = lots.map(({ geometry, properties }) => ({
    shape: (geometry as { coordinates: [number, number][][] }).coordinates,
    values: [String(properties.apn)],
  }));
  const { shp, shx, dbf, prj } = makeShapefile(rows, { columns: [{ name: 'apn' }], prj: 'EPSG:4326' });
  const zipOf = (entries: Record<string, Buffer>) =>
    makeZip(Object.entries(entries).map(([ending, content]) => ({ name: `t/parcels.${ending}`, content })));
  const geojson = Buffer.from(collection(lots));
  const refused: Readonly<Record<string, () => string>> = {
    'a GeoJSON cut in half': () => writeFile('bad.geojson', cutTo(0.5)(geojson)),
    'an empty file': () => writeFile('bad.geojson', ''),
    'a layer without rows': () => writeFile('bad.geojson', collection([])),
    'longitude and latitude swapped in every row': () => writeFile('bad.geojson', collection(swapped)),
    'text of two bytes a letter': () => writeFile('bad.csv', Buffer.from('﻿wkt,apn\n', 'utf16le')),
    'a zip without its .shx': () => writeFile('bad.zip', zipOf({ shp, dbf, prj })),
    'a .dbf with a row less': () =>
      writeShapefile(temporaryFolder(), 'bad', {
        ...makeShapefile(rows, { columns: [{ name: 'apn' }], prj: 'EPSG:4326' }),
        dbf: makeShapefile(rows.slice(1), { columns: [{ name: 'apn' }] }).dbf,
      }),
    'a .shp cut off': () =>
      writeShapefile(temporaryFolder(), 'bad', {
        ...makeShapefile(rows, { columns: [{ name: 'apn' }] }),
        shp: cutBy(40)(shp),
      }),
    'a zip with zeros in the middle': () => writeFile('bad.zip', zeroed(0.3, 0.6)(zipOf({ shp, shx, dbf, prj }))),
    'a zip that climbs out of its folder': () => writeFile('bad.zip', makeZip([{ name: '../../t.shp', content: shp }])),
    'a zip that unpacks to 1,000 times its size': () =>
      writeFile('bad.zip', makeZip([{ name: 't.geojson', content: Buffer.alloc(70 * 1024 * 1024) }])),
    'a CSV row that is cut off': () => writeFile('bad.csv', 'wkt,apn\n"POLYGON ((-71.6 43, -71.599 43'),
    'shapes in feet without a system': () =>
      writeFile(
        'bad.geojson',
        collection(lots.map((one) => ({ ...one, geometry: ringOf(squareAt(900_000, 200_000)) }))),
      ),
  };

  test.each(Object.keys(refused))('%s', async (how) => {
    const { refusal } = await outcomeOf(refused[how]?.() ?? '');
    expect(refusal).toMatch(/bad\./);
    expect(refusal).toMatch(/[.)]$|: .+/);
  });

  test.each(['m.geojson', 'm.zip'])(
    'twenty ways of flipped bits and cuts of %s: a sentence, or every row',
    async (name) => {
      const random = randomFrom(name.length);
      const whole = name === 'm.zip' ? zipOf({ shp, shx, dbf, prj }) : geojson;
      const mutants = Array.from(
        { length: 20 },
        (_, n): Mutate => (n % 4 === 0 ? cutTo(random()) : flippedAt(random(), 1 << Math.floor(random() * 8))),
      );
      const outcomes = [];
      for (const mutate of mutants) outcomes.push(await outcomeOf(writeFile(name, mutate(whole))));
      const taken = outcomes.filter(({ refusal }) => refusal === null);
      expect(taken.map(({ report }) => report?.features_read)).toEqual(taken.map(() => rowCount));
      expect(taken.length).toBeLessThan(18);
      expect(outcomes.filter(({ refusal }) => refusal !== null && !/\S+ .+/.test(refusal))).toEqual([]);
    },
  );
});

describe('takes every row, and says what is odd about it', () => {
  const bowtie = ringOf([
    [-71.6, 43],
    [-71.599, 43.001],
    [-71.599, 43],
    [-71.6, 43.0005],
    [-71.6, 43],
  ]);
  const z = (ring: number[][], ...more: number[]) => ringOf(ring.map((pair) => [...pair, ...more]));
  const odd: Readonly<
    Record<string, readonly [content: string, expected: Partial<Record<keyof ImportReport, unknown>>]>
  > = {
    'a ring that crosses itself is repaired': [withShape(bowtie), { redrawn_geometries: { count: 1 } }],
    'a ring that is not closed is closed': [withShape(ringOf(home.slice(0, -1))), { repaired_geometries: 1 }],
    'heights of corners are left out': [withShape(z(home, 120)), { without_geometry: 0 }],
    'heights and measures are left out': [withShape(z(home, 120, 7)), { without_geometry: 0 }],
    'a row without a shape': [withShape(null), { without_geometry: 1 }],
    'a point among polygons': [withShape({ type: 'Point', coordinates: [-71.6, 43] }), { without_geometry: 1 }],
    'polygons of several parts among plain ones': [
      withShape({ type: 'MultiPolygon', coordinates: [[home], [squareAt(-71.59, 43)]] }),
      { without_geometry: 0 },
    ],
    'rows without a parcel number': [
      collection(
        lots.map((one, index) => (index < 3 ? { ...one, properties: { ...one.properties, apn: null } } : one)),
      ),
      { blank_apns: 3 },
    ],
    'one parcel number twice': [
      collection(
        lots.map((one, index) => (index === 1 ? { ...one, properties: { ...one.properties, apn: '9-0' } } : one)),
      ),
      { apn_doubles: 1 },
    ],
  };

  test.each(Object.keys(odd))('%s', async (how) => {
    const [content, expected] = odd[how] ?? ['', {}];
    const { refusal, report } = await outcomeOf(writeFile('odd.geojson', content));
    expect(refusal).toBeNull();
    expect(report).toMatchObject({ features_read: rowCount, refused: { count: 0 }, ...expected });
  });

  test('letters of Windows in a CSV', async () => {
    const { geometry } = lots[0] as Lot;
    const ring = (geometry as { coordinates: number[][][] }).coordinates[0]?.map((pair) => pair.join(' ')).join(', ');
    const text = `wkt,apn,owner_name\n"POLYGON ZM ((${ring?.replace(/(?=,|$)/g, ' 5 6')}))",9-0,PEÑA É\n`;
    const { refusal, report } = await outcomeOf(writeFile('odd.csv', Buffer.from(text, 'latin1')));
    expect([refusal, report?.features_read]).toEqual([null, 1]);
    expect(land.file.column("SELECT owner_name FROM parcels WHERE apn = '9-0' AND status = 'current'")).toEqual([
      'PEÑA É',
    ]);
  });
});
