/** The map sheet, read back by other programs: its measure, its place on earth, whose names are on it. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import geodesic from 'geographiclib-geodesic';
import { expect, test, vi } from 'vitest';
import { findShelved } from '../../engine/exporting/export-shelf.ts';
import { LabelFont } from '../../engine/exporting/label-font.ts';
import { PdfPage } from '../../engine/exporting/pdf-page.ts';
import { decodeMultiPolygon } from '../../engine/geo/spatialite-blob.ts';
import { runRead } from '../../engine/reads/index.ts';
import type { MadeSheet } from '../../engine/reads/map-sheet.ts';
import { drawLegend } from '../../engine/sheet/sheet-foot.ts';
import { viewBounds } from '../../engine/sheet/view-sheet.ts';
import { nearestScale, pageSize, paperNames } from '../../engine/spec/sheet-paper.ts';
import { openSampleHeights } from '../../engine/terrain/sample-heights.ts';
import { keepHeights } from '../../engine/terrain/store-heights.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';
import { requireOrSkip } from '../support/require.ts';
import { keysOfGdal, type Point, placingKeys, readPage } from './pdf-reading.ts';

const hasPoppler = requireOrSkip(
  'poppler',
  spawnSync('pdftotext', ['-v']).status === 0,
  'it reads the sheet back (apt-get install poppler-utils)',
);
const hasGdal = requireOrSkip(
  'GDAL with PDF',
  /\bPDF\b/.test(spawnSync('gdalinfo', ['--formats'], { encoding: 'utf8' }).stdout ?? ''),
  'it reads the georeference back (apt-get install gdal-bin)',
);

const feetPerPoint = (scale: number): number => scale / 72 / 12;
const { WGS84 } = geodesic.Geodesic;
const metersBetween = ([lon, lat]: Point, [otherLon, otherLat]: Point): number =>
  WGS84.Inverse(lat, lon, otherLat, otherLon).s12 ?? Number.NaN;

/** A lot of some acres with its middle and its corners. */
function someLot(engine: ReturnType<typeof engineOn>) {
  const lot = engine.land.file.get<{ id: number; apn: string; geom: Uint8Array; longitude: number; latitude: number }>(
    `SELECT p.property_id AS id, p.apn, p.geom, (i.xmin + i.xmax) / 2 AS longitude, (i.ymin + i.ymax) / 2 AS latitude
     FROM parcels p JOIN idx_parcels_geom i ON i.pkid = p.property_id
     WHERE p.apn = '9-94' AND p.status = 'current'`,
  );
  if (!lot) throw new Error('the sample has no 9-94');
  const [[ring]] = decodeMultiPolygon(lot.geom) as unknown as [[Float64Array]];
  const corners = Array.from(
    { length: ring.length / 2 - 1 },
    (_, at): Point => [ring[2 * at] ?? 0, ring[2 * at + 1] ?? 0],
  );
  return { ...lot, corners };
}

/** With heights of the ground around the lot. */
async function groundedSheet(view: object = {}) {
  const { engine, lot } = home();
  const { longitude, latitude, id } = lot;
  const around = { minX: longitude - 0.01, maxX: longitude + 0.01, minY: latitude - 0.01, maxY: latitude + 0.01 };
  const county = { fips: '99001', box: around, content: 'sample', attribution: 'Survey of Alder', onTile: () => {} };
  await keepHeights(engine.home, openSampleHeights(), county);
  return engine.mapSheet({ longitude, latitude, selected: [id], ...view });
}

function home() {
  const engine = engineOn(sampleHome(), { now: () => new Date('2026-11-25T03:00:00Z') });
  return { engine, lot: someLot(engine) };
}

async function sheetOf(view: object = {}) {
  const { engine, lot } = home();
  const { id, longitude, latitude } = lot;
  return { engine, lot, sheet: await engine.mapSheet({ longitude, latitude, selected: [id], ...view }) };
}

function fileOf(pdf: Uint8Array): string {
  const file = path.join(emptyHome(), 'sheet.pdf');
  fs.writeFileSync(file, pdf);
  return file;
}

/** The widest of the paths that are drawn in the red of the selection. */
async function outlineOf(pdf: Uint8Array): Promise<{ points: Point[]; page: Awaited<ReturnType<typeof readPage>> }> {
  const page = await readPage(pdf);
  const red = page.paths.filter(({ stroke, width }) => /^0\.7\d* 0\.1\d* 0\.1\d*$/.test(stroke) && width === 2);
  return { points: red[0]?.points ?? [], page };
}

test.each([4800, 6000, 24_000])('at 1:%i a thousand feet measure a thousand, give or take two', async (scale) => {
  const { sheet, lot } = await sheetOf({ scale });
  const { points } = await outlineOf(sheet.pdf);
  expect(points).toHaveLength(lot.corners.length);
  for (const [at, corner] of lot.corners.entries()) {
    const next = (at + 1) % lot.corners.length;
    const [x, y] = points[at] as Point;
    const [nextX, nextY] = points[next] as Point;
    const feet = metersBetween(corner, lot.corners[next] as Point) / 0.3048;
    // Coordinates are written to a hundredth of a point.
    const rounding = 0.02 * feetPerPoint(scale);
    expect(Math.abs(Math.hypot(nextX - x, nextY - y) * feetPerPoint(scale) - feet)).toBeLessThan(
      feet * 0.002 + rounding,
    );
  }
});

test.skipIf(!hasPoppler).each([600, 6000, 63_360])('at 1:%i the bar is as long as it says', async (scale) => {
  const { sheet } = await sheetOf({ scale });
  const page = await readPage(sheet.pdf);
  // Four boxes of one height, side by side: the parts of the bar.
  const boxes = page.paths.filter(({ points, paint }) => paint === 'B*' && points.length === 4);
  const parts = boxes.filter(
    ({ points: [a, , c] }) => Math.abs(Math.abs((a as Point)[1] - (c as Point)[1]) - 3.2) < 0.02,
  );
  const xs = parts.flatMap(({ points }) => points.map(([x]) => x));
  const text = execFileSync('pdftotext', ['-layout', fileOf(sheet.pdf), '-'], { encoding: 'utf8' });
  const said = Number(/0\s+[\d,.]+\s+([\d,.]+) ft/.exec(text)?.[1]?.replaceAll(',', ''));
  expect(parts).toHaveLength(4);
  const thousand = ((Math.max(...xs) - Math.min(...xs)) * feetPerPoint(scale) * 1000) / said;
  expect(Math.abs(thousand - 1000)).toBeLessThan(2);
});

test('a corner on the page lies where its degrees say, to a metre', async () => {
  const { sheet, lot } = await sheetOf({ scale: 6000 });
  const { points, page } = await outlineOf(sheet.pdf);
  const [left = 0, bottom = 0, right = 0, top = 0] = page.measure?.frame ?? [];
  expect(page.measure?.unit).toEqual([0, 0, 0, 1, 1, 1, 1, 0]);
  const [south = 0, west = 0, north = 0, , , east = 0] = page.measure?.degrees ?? [];
  for (const [at, [x, y]] of points.entries()) {
    const there: Point = [
      west + ((x - left) / (right - left)) * (east - west),
      south + ((y - bottom) / (top - bottom)) * (north - south),
    ];
    expect(metersBetween(there, lot.corners[at] as Point)).toBeLessThan(1);
  }
});

test.skipIf(!hasGdal)('GDAL places the sheet where its frame is', async () => {
  const { sheet } = await sheetOf({ scale: 6000, paper: 'a4', landscape: true });
  const { measure } = await readPage(sheet.pdf);
  // Either way of saying it, by itself: a key with another letter is not known.
  for (const [key, other] of [
    ['/LGIDict <<', '/LGIDicx <<'],
    ['/VP [', '/VX ['],
  ] as const) {
    const pdf = Buffer.from(sheet.pdf).toString('latin1');
    expect(pdf.split(key)).toHaveLength(2);
    const file = fileOf(Buffer.from(pdf.replace(key, other), 'latin1'));
    const info = JSON.parse(execFileSync('gdalinfo', ['-json', file], { encoding: 'utf8' }));
    expect(info.coordinateSystem.wkt).toMatch(/^GEOG(CS|CRS)\["WGS 84"/);
    const neatline = [...String(info.metadata[''].NEATLINE).matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [
      Number(y),
      Number(x),
    ]);
    for (const [at, degrees] of (measure?.degrees ?? []).entries()) {
      expect(neatline[Math.floor(at / 2)]?.[at % 2]).toBeCloseTo(degrees, 7);
    }
  }
});

test.skipIf(!hasGdal)('it holds every key that GDAL writes to place its own PDF', async () => {
  const theirs = await keysOfGdal(emptyHome());
  expect(theirs).toEqual(expect.arrayContaining(['VP.Measure.GPTS', 'VP.Measure.GCS.WKT', 'LGIDict.Projection.WKT']));
  const { sheet } = await sheetOf({ scale: 6000 });
  expect(await placingKeys(sheet.pdf)).toEqual([expect.arrayContaining(theirs)]);
});

const ownersThere = (engine: ReturnType<typeof engineOn>, ids: readonly number[]): string[] =>
  engine.land.file.column<string>(
    `SELECT owner_name FROM parcels WHERE property_id IN (SELECT value FROM json_each(?)) AND owner_name IS NOT NULL`,
    JSON.stringify(ids),
  );

test.skipIf(!hasPoppler)('names of owners are on it only if asked for', async () => {
  const { engine, sheet, lot } = await sheetOf({ scale: 6000 });
  const [owner = ''] = ownersThere(engine, [lot.id]);
  const plain = execFileSync('pdftotext', [fileOf(sheet.pdf), '-'], { encoding: 'utf8' });
  expect(plain).toContain(lot.apn);
  // A word of a name may be that of a road: whole names.
  const everyone = ownersThere(
    engine,
    Array.from({ length: 6100 }, (_, id) => id),
  );
  expect(everyone.filter((name) => plain.replace(/\s+/g, ' ').includes(name))).toEqual([]);
  const named = await engine.mapSheet({ ...lotView(lot), labels: ['apn', 'owner'] });
  const text = execFileSync('pdftotext', [fileOf(named.pdf), '-'], { encoding: 'utf8' }).replace(/\s+/g, ' ');
  expect(owner).not.toBe('');
  expect(text).toContain(owner);
});

const lotView = ({ id, longitude, latitude }: ReturnType<typeof someLot>) => ({
  ...{ longitude, latitude, scale: 6000 },
  selected: [id],
});

test
  .skipIf(!hasPoppler)
  .each(paperNames.flatMap((paper) => [false, true].map((landscape) => [paper, landscape] as const)))(
  'on %s, landscape %s, nothing hangs over the margin and nothing is warned of',
  async (paper, landscape) => {
    const { sheet } = await sheetOf({
      paper,
      landscape,
      labels: ['apn', 'acres', 'owner'],
      title:
        'A title as long as any title of a sheet can be, Łódź included, with many words more than there is room for',
    });
    const file = fileOf(sheet.pdf);
    const { stdout, stderr } = spawnSync('pdftotext', ['-bbox', file, '-'], { encoding: 'utf8' });
    expect(stderr).toBe('');
    const [width, height] = pageSize(paper, landscape);
    const boxes = [...stdout.matchAll(/xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)"/g)].map(
      (match) => match.slice(1).map(Number),
    );
    expect(boxes.length).toBeGreaterThan(50);
    for (const [xMin = 0, yMin = 0, xMax = 0, yMax = 0] of boxes) {
      expect(Math.min(xMin, yMin, width - xMax, height - yMax)).toBeGreaterThan(18);
    }
    expect(spawnSync('pdftoppm', ['-r', '40', '-png', file, file], { encoding: 'utf8' }).stderr).toBe('');
    expect(execFileSync('pdfinfo', [file], { encoding: 'utf8' })).toMatch(/Pages:\s+1\n/);
  },
);

test.skipIf(!hasPoppler)('it says its scale, its contours, its source and date, and what it is not', async () => {
  const sheet = await groundedSheet({ scale: 6000 });
  const text = execFileSync('pdftotext', [fileOf(sheet.pdf), '-'], { encoding: 'utf8' }).replace(/\s+/g, ' ');
  for (const part of [
    '1:6,000 on letter',
    `Contours every ${sheet.drawn.contourFeet} ft`,
    'Synthetic sample',
    'Survey of Alder',
    '2026-11-02',
    'Boundaries are approximate, not a survey.',
    'parcel line',
    'true N',
    'UTM zone 19',
    'by WMM 2025',
    '71°53\'00" W',
  ])
    expect(text).toContain(part);
  expect(text).toMatch(/magnetic N: \d+\.\d° W/);
  expect(sheet.drawn.contourFeet).toBeGreaterThan(0);
});

test('the legend of the sample’s classes and layers stands whole in the width that A4 leaves it', () => {
  const page = new PdfPage(LabelFont.load(), pageSize('a4', false));
  const text = vi.spyOn(page, 'text');
  const titles = [
    ...['this parcel', 'Value, $/ac', 'under 3,500', '3,500 to 10,000', '10,000 to 55,000', '55,000 to 300,000'],
    ...['no value', 'contour, 50 ft', 'contour, 10 ft'],
    ...['parcel line', 'building', 'streams', 'woods', 'township, section', 'road', 'wetlands'],
  ];
  const entries = titles.map((title) => ({ title, form: 'line' as const, paints: [] }));
  expect(drawLegend(page, entries, { x: 0, y: 0, width: 163, height: 9.3 * 9 })).toBe(0);
  expect(text.mock.calls.map(([, , , title]) => title)).toEqual(titles);
  for (const [, , size, title, { room = 0 } = {}] of text.mock.calls)
    expect(page.width(title, size), title).toBeLessThanOrEqual(room);
});

test('layers can be switched in a viewer; those left out are not drawn', async () => {
  const whole = await readPage((await groundedSheet()).pdf);
  expect(whole.layers).toEqual(expect.arrayContaining(['Relief', 'Contours', 'Parcels', 'Names']));
  const bare = await groundedSheet({ layers: [] });
  expect((await readPage(bare.pdf)).layers).not.toContain('Contours');
  expect(bare.drawn).toMatchObject({ contourFeet: null, hasRelief: false });
});

test('the same view at the same time gives the same bytes', async () => {
  expect(Buffer.compare((await sheetOf()).sheet.pdf, (await sheetOf()).sheet.pdf)).toBe(0);
});

test('every lot on the page has its whole label, a part or none, and the notes say how many', async () => {
  const { sheet } = await sheetOf({ scale: 24_000 });
  const { whole, part, none } = sheet.drawn.labels;
  expect(whole + part + none).toBeLessThanOrEqual(sheet.drawn.lots);
  expect(none).toBeGreaterThan(0);
  expect(sheet.notes.join(' ')).toContain(`${none} none`);
});

test('the app’s door tints the matches of a filter and shelves the file', async () => {
  const { engine, lot } = home();
  const view = {
    longitude: lot.longitude,
    latitude: lot.latitude,
    zoom: 13,
    filter: { county: '99001', acres_min: 20 },
  };
  const made = (await runRead(engine, 'map_sheet', view)) as MadeSheet;
  expect(findShelved(engine.home, made.id)).toMatchObject({ bytes: made.bytes, mediaType: 'application/pdf' });
  expect(made.matches).toBeGreaterThan(0);
  expect(made.scale).toBe(24_000);
  expect(engine.account.file.all('SELECT * FROM ledger')).toEqual([]);
});

test('matches have the colors of the legend’s classes, lots without a value none', async () => {
  const { engine, lot } = home();
  const here = { longitude: lot.longitude, latitude: lot.latitude, scale: 24_000 };
  const everyone = Array.from({ length: 6100 }, (_, id) => id);
  const sheet = await engine.mapSheet({
    ...{ ...here, matched: everyone, layers: [], labels: [] },
    fill: {
      ...{ title: 'Acres', column: 'acres', without: 'unknown' },
      classes: [
        { words: 'under 5', step: 0 },
        { words: '5 to 40', step: 2, from: 5 },
        { words: '40 and more', step: 4, from: 40 },
      ],
    },
  });
  const page = await readPage(sheet.pdf);
  const { minX, maxX, minY, maxY } = viewBounds(here);
  const lots = engine.land.file.all<{ acres: number | null }>(
    `SELECT coalesce(p.acres, p.calculated_acres) AS acres FROM parcels p JOIN idx_parcels_geom i ON i.pkid = p.property_id
     WHERE p.status = 'current' AND i.xmin <= ? AND i.xmax >= ? AND i.ymin <= ? AND i.ymax >= ?`,
    ...[maxX, minX, maxY, minY],
  );
  // #F8E5B8, #D79849 and #653411 as shares of one.
  const colors = ['0.973 0.898 0.722', '0.843 0.596 0.286', '0.396 0.204 0.067'];
  const expected = [
    (acres: number) => acres < 5,
    (acres: number) => acres >= 5 && acres < 40,
    (acres: number) => acres >= 40,
  ];
  for (const [at, color] of colors.entries()) {
    const drawn = page.paths.filter(({ fill, paint, points }) => fill === color && paint === 'f*' && points.length > 2);
    const wanted = lots.filter(({ acres }) => acres !== null && expected[at]?.(acres)).length;
    // Boxes that only touch the frame have no shape in it; the legend has one sample; a lot may have several parts.
    expect(Math.abs(drawn.length - 1 - wanted)).toBeLessThan(wanted * 0.1 + 6);
    expect(wanted).toBeGreaterThan(20);
  }
  expect(sheet.drawn.legend.map(({ title }) => title)).toEqual(
    expect.arrayContaining(['Acres', 'under 5', '5 to 40', '40 and more']),
  );
});

test.each([
  [{ longitude: 3.4, latitude: 1.2 }, /Nothing to print/],
  [{ scale: 50 }, /scale/],
  [{ paper: 'foolscap' }, /letter/],
  [{ layers: ['contour'] }, /did you mean contours/],
  [{ labels: ['apns'] }, /labels/],
])('bad input is refused with its reason: %j', async (wrong, reason) => {
  await expect(sheetOf(wrong)).rejects.toMatchObject({
    code: 'validation_error',
    message: expect.stringMatching(reason),
  });
});

test('the offered scale is the nearest: zoom 15.11 at 44 degrees is 1:6,000', () => {
  // 40,075,017 m × cos 44° ÷ (512 × 2^15.11) = 1.589 m a pixel of 0.2646 mm: 1:6,006.
  expect(nearestScale(15.11, 44)).toBe(6000);
  // One zoom is a factor of two: 1:12,012 and 1:3,003.
  expect([nearestScale(14.11, 44), nearestScale(16.11, 44)]).toEqual([12_000, 3000]);
});
