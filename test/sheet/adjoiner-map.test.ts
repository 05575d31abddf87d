/** The adjoiner map and its proof page, read back by another program, and where the numbers stand. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { LabelFont } from '../../engine/exporting/label-font.ts';
import { boundsOfMultiPolygon, middleOfBounds } from '../../engine/geo/geometry.ts';
import { decodeMultiPolygon } from '../../engine/geo/spatialite-blob.ts';
import { findNeighbours } from '../../engine/query/neighbours.ts';
import { adjoinerMap } from '../../engine/sheet/adjoiner-map.ts';
import { groundFrame } from '../../engine/sheet/ground-frame.ts';
import { type PlacedNumbers, placeNumbers } from '../../engine/sheet/numbered-lots.ts';
import { createRandom } from '../sample-maker/random.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';
import { platbook } from '../support/platbook.ts';
import { requireOrSkip } from '../support/require.ts';
import { runs } from '../support/runs.ts';
import { readPage } from './pdf-reading.ts';

const hasReader = requireOrSkip(
  'pdftotext',
  spawnSync('pdftotext', ['-v']).status === 0,
  'it reads the map back (apt-get install poppler-utils)',
);

function textOf(pdf: Uint8Array, ...options: string[]): string {
  const file = path.join(process.env.PLATBOOK_SHEETS ?? emptyHome(), 'adjoiners.pdf');
  fs.writeFileSync(file, pdf);
  return execFileSync('pdftotext', ['-layout', ...options, file, '-'], { encoding: 'utf8' });
}

const home = () => engineOn(sampleHome(), { now: () => new Date('2026-11-28T03:00:00Z') });

const idOf = ({ land }: Engine, apn: string): number =>
  land.file.get<{ id: number }>("SELECT property_id AS id FROM parcels WHERE apn = ? AND status = 'current'", apn)
    ?.id as number;

test.skipIf(!hasReader)(
  'each neighbour has a row with its number, and each account stands on the proof page',
  async () => {
    const engine = home();
    const id = idOf(engine, '9-94');
    const { pdf, name, pages, lots, accounts, notes } = adjoinerMap(engine, id, 250);
    const found = findNeighbours(engine.land, id, 250)?.neighbours ?? [];
    expect([name, lots, accounts, notes]).toEqual(['adjoiners-9-94.pdf', found.length, found.length, []]);
    const [map = '', ...proof] = textOf(pdf).split('\f').slice(0, pages);
    expect(map).toContain('Adjoiners of 9-94');
    for (const [
      at,
      { apn, owner_name: owner, relation, shared_feet: shared, distance_feet: away },
    ] of found.entries()) {
      const feet = Math.round(relation === 'within' ? away : shared).toLocaleString('en-US');
      const row = map.split('\n').find((line) => new RegExp(`^\\s*${at + 1}\\s+${apn || 'no APN'}\\s`).test(line));
      expect(row, `${at + 1} ${apn}`).toContain(owner || 'not published');
      expect(row?.trim().split(/\s+/).at(-2)).toBe(feet);
      expect(proof.join()).toMatch(new RegExp(`${at + 1}\\s+${apn || 'no APN'}\\s`));
    }
    expect(proof.join()).toContain(`${found.length} parcels, ${found.length} accounts`);
    expect(proof.join()).toContain('within 250 ft of the boundary');
    expect(map).toContain('Boundaries are approximate, not a survey.');
    expect((await readPage(pdf)).measure?.degrees.length).toBe(8);
    expect(engine.account.file.all('SELECT * FROM ledger')).toEqual([]);
  },
);

test.skipIf(!hasReader)('accounts on a neighbour’s ground are told in its row and listed on the proof page', () => {
  const engine = home();
  const { file } = engine.land;
  const id = idOf(engine, '9-94');
  const lot = findNeighbours(engine.land, id, null)?.neighbours.find(({ apn }) => apn)?.property_id as number;
  const units = file.column<number>('SELECT property_id FROM parcels WHERE geom IS NOT NULL ORDER BY 1 DESC LIMIT 3');
  for (const unit of units)
    file.run(
      `UPDATE parcels SET (point_lon, point_lat, dataset_id, stacked_on) =
         (SELECT point_lon, point_lat, dataset_id, apn FROM parcels WHERE property_id = ?), geom = NULL,
         mailing_address = NULL WHERE property_id = ?`,
      ...[lot, unit],
    );
  const { pdf, lots, accounts } = adjoinerMap(engine, id);
  expect(accounts).toBe(lots + 3);
  const text = textOf(pdf);
  expect(text).toContain('and 3 more accounts');
  expect(text).toMatch(/accounts have none known/);
  const apns = file.column<string>(
    `SELECT coalesce(nullif(apn, ''), 'no APN') FROM parcels WHERE property_id IN (${units.join()})`,
  );
  for (const apn of apns) expect(text).toContain(apn);
});

/** The numbers of a lot's neighbours at a scale. */
function placedAround({ land }: Engine, id: number, feet: number, scale: number): PlacedNumbers & { count: number } {
  const shapes = new Map(
    land.file
      .all<{ id: number; geom: Uint8Array }>('SELECT property_id AS id, geom FROM parcels WHERE geom IS NOT NULL')
      .map((row) => [row.id, row.geom]),
  );
  const shapeOf = (one: number) => decodeMultiPolygon(shapes.get(one) as Uint8Array);
  const lots = (findNeighbours(land, id, feet)?.neighbours ?? [])
    .filter((one) => one.stacked_on === null && shapes.has(one.property_id))
    .map((lot, at) => ({ number: at + 1, lot: { ...lot, polygons: shapeOf(lot.property_id) } }));
  const shape = shapeOf(id);
  const frame = groundFrame(
    { x: 36, y: 70, width: 540, height: 352 },
    middleOfBounds(boundsOfMultiPolygon(shape)),
    scale,
  );
  return { ...placeNumbers(LabelFont.load(), frame, lots, { shape, lines: ['9-94', '38.00 ac'] }), count: lots.length };
}

test('a hundred numbers find room; none touches another, leaves the map or is written below 5 points', () => {
  const engine = home();
  const id = idOf(engine, '5-83');
  const { lots, scale, notes } = adjoinerMap(engine, id, 700);
  expect([lots > 100, notes]).toEqual([true, []]);
  const placed = placedAround(engine, id, 700, scale);
  expect(placed.placed.length).toBe(placed.count);
  requireApart(placed);
});

test('nor do those of random lots, at whatever distance', () => {
  const engine = home();
  const random = createRandom(33);
  const ids = engine.land.file.column<number>(
    "SELECT property_id FROM parcels WHERE geom IS NOT NULL AND apn <> '' AND status = 'current' ORDER BY property_id",
  );
  let numbers = 0;
  for (const id of random.shuffle(ids).slice(0, runs(12, 60))) {
    const placed = placedAround(engine, id, 300, [1200, 2400, 6000][id % 3] as number);
    numbers += placed.placed.length;
    requireApart(placed);
  }
  expect(numbers).toBeGreaterThan(60);
});

function requireApart({ placed, own }: PlacedNumbers): void {
  const boxes = [...placed.map(({ box }) => box), ...(own ? [own.box] : [])];
  for (const [at, a] of boxes.entries()) {
    expect(a.x >= 36 && a.y >= 70 && a.x + a.width <= 576 && a.y + a.height <= 422).toBe(true);
    for (const b of boxes.slice(at + 1)) {
      const meet = a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
      expect(meet).toBe(false);
    }
  }
  for (const { size, lines } of placed) if (lines.length > 0) expect(size).toBeGreaterThanOrEqual(5);
}

test('a parcel that is not there, one without a shape, and too many feet are refused in words', async () => {
  const engine = home();
  expect(() => adjoinerMap(engine, 999_999_999)).toThrow(expect.objectContaining({ code: 'not_found' }));
  engine.land.file.run('UPDATE parcels SET geom = NULL WHERE property_id = 100');
  expect(() => adjoinerMap(engine, 100)).toThrow(/need shapes/);
  expect(() => adjoinerMap(engine, idOf(engine, '5-83'), 20_000)).toThrow(/Ask for fewer feet/);
  const refused = await platbook(engine.home, 'adjoiners', 'x.pdf', '--parcel', '9-94', '--within-feet', '-1');
  expect(refused.code).not.toBe(0);
  expect(refused.err).toContain('expected a number from 0 to 26400 (5 miles), found "-1"');
});

test('the command writes the file and says what is in it', async () => {
  const engine = home();
  const file = path.join(emptyHome(), 'notice.pdf');
  const { out, code } = await platbook(engine.home, 'adjoiners', file, '--parcel', '9-94');
  expect(code).toBe(0);
  expect(out).toMatch(/notice\.pdf: 2 pages, 1:[\d,]+, \d+ lots, \d+ accounts/);
  expect(fs.readFileSync(file).subarray(0, 5).toString()).toBe('%PDF-');
});
