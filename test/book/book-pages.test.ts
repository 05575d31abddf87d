/** Pages of a book that are given: one a township of the survey, or one for each area of a file. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { planAreas } from '../../engine/book/area-pages.ts';
import { bookOptions } from '../../engine/book/book-fields.ts';
import { frameBox } from '../../engine/book/book-paper.ts';
import { estimateBook } from '../../engine/book/estimate-book.ts';
import { makeBook } from '../../engine/book/make-book.ts';
import { planPages } from '../../engine/book/page-plan.ts';
import { planBook } from '../../engine/book/plan-book.ts';
import { exitCodes } from '../../engine/cli/exit-codes.ts';
import { townshipsOf } from '../../engine/query/townships.ts';
import { mapLayerFiles } from '../sample-maker/map-layer-files.ts';
import { copyOfHome, emptyHome, engineOn, sampleHome } from '../support/homes.ts';
import { workOutOwners } from '../support/known-owners.ts';
import { platbook } from '../support/platbook.ts';

const madeAt = new Date('2026-11-25T03:00:00Z');
const square = (west: number, south: number, side: number) => [
  [Float64Array.of(west, south, west + side, south, west + side, south + side, west, south + side, west, south)],
];
const placed = (west: number, south: number, side: number) => ({
  polygons: square(west, south, side),
  bounds: { minX: west, minY: south, maxX: west + side, maxY: south + side },
  stripAcres: null,
});
const box = frameBox([612, 792]);

test('areas have one scale at which the largest fits, and know what lies beside them', () => {
  const areas = [
    { name: 'West', polygons: square(-100, 40, 0.1) },
    { name: 'East', polygons: square(-99.9, 40, 0.1) },
    { name: 'Far', polygons: square(-90, 40, 0.1) },
  ];
  const lots = [placed(-99.99, 40.01, 0.01), placed(-99.85, 40.05, 0.01)];
  const plan = planAreas(areas, lots, box, null);
  // No lot lies in Far.
  expect(plan.pages.map(({ name }) => name)).toEqual(['West', 'East']);
  expect(plan.pages.map(({ neighbors }) => neighbors)).toEqual([
    [{ side: 'east', name: 'East' }],
    [{ side: 'west', name: 'West' }],
  ]);
  // 0.1 degree of latitude is 11.1 km: on 648 points (0.2286 m) 1:48,600 at least, so 1:63,360.
  expect(plan.scale).toBe(63_360);
  expect(plan.homeOf([-99.85, 40.05])?.name).toBe('East');
  expect(plan.homeOf([-99.5, 40.05])).toBeUndefined();
  expect(() => planAreas(areas, lots, box, 24_000)).toThrow(/does not fit on a page at 1:24,000; 1:63,360 fits\.$/);
  expect(() => planAreas(areas.slice(2), lots, box, null)).toThrow(/none of the 1 page holds any of the land\.$/);
});

test('pages of land far apart are counted without the empty rows and columns between', () => {
  const plan = planPages([placed(-111.5, 45.8, 0.01), placed(-72, 43.1, 0.01)], box, 24_000);
  expect(plan?.pages.map(({ name, neighbors }) => [name, neighbors])).toEqual([
    ['A1', []],
    ['B2', []],
  ]);
});

test('pages are planned without the shape of land over land that is known already', () => {
  const reads: string[] = [];
  const over = (name: string, side: number) => ({
    ...placed(-100, 40, side),
    get polygons() {
      reads.push(name);
      return square(-100, 40, side);
    },
  });
  // A lot each 0.003 degree lies in each part of a page, of 0.005 and more.
  const lots = Array.from({ length: 900 }, (_, at) =>
    placed(-100 + 0.003 * (at % 30), 40 + 0.003 * Math.floor(at / 30), 0.0001),
  );
  const alone = planPages([over('alone', 0.08)], box, 24_000);
  const covered = planPages([over('covered', 0.08), ...lots], box, 24_000);
  expect(reads).toEqual(['alone']);
  expect(covered?.pages.map(({ name }) => name)).toEqual(alone?.pages.map(({ name }) => name));
});

test('strips of chosen land end at the pages of the rest, unless they cross none', () => {
  // A page at 1:24,000 is about 0.05 degrees wide here.
  const strip = (west: number, south: number, long: number, wide: number, acres: number | null) => ({
    polygons: [
      [
        Float64Array.of(
          ...[west, south, west + long, south, west + long, south + wide, west, south + wide, west, south],
        ),
      ],
    ],
    bounds: { minX: west, minY: south, maxX: west + long, maxY: south + wide },
    stripAcres: acres,
  });
  const lots = Array.from({ length: 9 }, (_, at) =>
    placed(-100 + 0.01 * (at % 3), 40 + 0.01 * Math.floor(at / 3), 0.009),
  );
  const names = (...more: ReturnType<typeof strip>[]) => {
    const plan = planPages([...lots, ...more], box, 24_000);
    return [plan?.pages.map(({ name }) => name), plan?.cutStrips] as const;
  };
  expect(names()).toEqual([['A1'], 0]);
  // 0.5 degrees are 26 miles; 0.0003 are 110 feet.
  expect(names(strip(-100.2, 40.01, 0.5, 0.0003, 350))).toEqual([['A1'], 1]);
  // All land of whole counties gets pages.
  expect(names(strip(-100.2, 40.01, 0.5, 0.0003, null))[0]).toHaveLength(10);
  // A ranch is no strip.
  expect(names(strip(-100.2, 40.01, 0.5, 0.02, 23_000))[0]).toHaveLength(10);
  // Nor is a road that is no longer than a page.
  expect(names(strip(-100.02, 40.01, 0.04, 0.0003, 28))[1]).toBe(0);
  // One that crosses no other land has pages of its own, and another that crosses it none.
  const [apart, cut] = names(strip(-100.2, 41, 0.5, 0.0003, 350), strip(-99.9, 40.9, 0.0003, 0.5, 450));
  expect([apart?.length, cut]).toEqual([11, 1]);
});

test('one page a township holds every holding', { timeout: 240_000 }, async () => {
  const home = copyOfHome(sampleHome());
  const survey = path.join(home, 'plss.geojson');
  fs.writeFileSync(survey, mapLayerFiles()['plss.geojson'] ?? '');
  const enriched = await platbook(home, 'enrich', 'plss', survey, '--county', '99001');
  expect(enriched.code, enriched.err).toBe(exitCodes.done);
  const engine = engineOn(home);
  workOutOwners(engine);
  const options = bookOptions({ pages: 'townships', details: 0 }, madeAt);
  const { plan } = planBook(engine.land, options);
  const known = townshipsOf(engine.land, '99001').map(({ name }) => name);
  expect(plan.pages.length).toBeGreaterThan(5);
  expect(plan.pages.filter(({ name }) => !known.includes(name))).toEqual([]);
  expect(estimateBook(engine.land, options).frames.map(({ name }) => name)).toEqual(plan.pages.map(({ name }) => name));
  const homes = new Map<number, number>();
  const report = makeBook(engine.land, options, {
    put: () => {},
    progress: () => {},
    onPage: (_name, seen) => {
      for (const { at, isHome } of seen) if (isHome) homes.set(at, (homes.get(at) ?? 0) + 1);
    },
  });
  expect(report.map_pages).toBe(plan.pages.length);
  expect(homes.size).toBe(report.holdings - report.classes.no_shape);
  expect([...homes.values()].filter((count) => count !== 1)).toEqual([]);
});

test('without a survey townships are refused, and what to import is said', () => {
  const engine = engineOn(sampleHome());
  expect(() => planBook(engine.land, bookOptions({ pages: 'townships' }, madeAt))).toThrow(/platbook enrich plss FILE/);
});

test('pages of a file have its names, and what lies beyond them is counted', async () => {
  const home = copyOfHome(sampleHome());
  const engine = engineOn(home);
  workOutOwners(engine);
  const { plan } = planBook(engine.land, bookOptions({}, madeAt));
  const [first, second] = plan.pages.filter(({ name }) => name === 'B3' || name === 'B4');
  const feature = (page: typeof first, district: string) => {
    const { minX, minY, maxX, maxY } = (page as NonNullable<typeof first>).frame.bounds;
    const ring = [
      [minX, minY],
      [maxX, minY],
      [maxX, maxY],
      [minX, maxY],
      [minX, minY],
    ];
    return { type: 'Feature', properties: { district }, geometry: { type: 'Polygon', coordinates: [ring] } };
  };
  const folder = emptyHome();
  const file = path.join(folder, 'pages.geojson');
  const features = [feature(first, 'North district'), feature(second, 'Mill')];
  fs.writeFileSync(file, JSON.stringify({ type: 'FeatureCollection', features }));
  const pages = ['--pages', file, '--pages-name', 'DISTRICT', '--details', 'none', '--json'];
  const made = await platbook(home, 'book', path.join(folder, 'book.pdf'), ...pages);
  expect(made.code, made.err).toBe(exitCodes.done);
  const report = JSON.parse(made.out) as Awaited<ReturnType<typeof engine.book>>;
  expect(report.map_pages).toBe(2);
  const beyond = /^([\d,]+) holdings lie beyond the given pages/m.exec(report.notes.join('\n'))?.[1] ?? '';
  const whole = await engine.book({ to: path.join(folder, 'all.pdf'), details: 0 });
  expect(report.holdings + Number(beyond.replace(',', ''))).toBe(whole.holdings);
  expect(report.holdings).toBeLessThan(whole.holdings / 2);
  const misspelt = await platbook(home, 'book', path.join(folder, 'book.pdf'), '--pages', 'township');
  expect(misspelt).toMatchObject({ code: exitCodes.usage });
  expect(misspelt.err).toContain('did you mean townships?');
});
