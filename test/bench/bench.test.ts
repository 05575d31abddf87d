/** The bench on a small scale: its generated data is sound, and every available engine answers like Platbook's SQL. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { importParcels } from '../../engine/importing/merge/import-parcels.ts';
import type { ImportReport } from '../../engine/importing/stage/import-report.ts';
import { requireOrSkip } from '../support/require.ts';
import { findDifference, findDisagreements } from './agreement.ts';
import type { Answer, BenchEngine } from './engines/engine.ts';
import { engines } from './engines/index.ts';
import { answerOf, platbook } from './engines/platbook.ts';
import { findBySql } from './engines/platbook-sql.ts';
import { type GeneratedCounty, writeGeneratedCounties, writeGeneratedCounty } from './generated-county.ts';
import { parseOptions } from './options.ts';
import { buildQuestions, questionKinds } from './questions.ts';

const parcels = 2000;
const variants = 30;
const seed = 4;

interface Part {
  readonly folder: string;
  readonly home: string;
  readonly counties: readonly GeneratedCounty[];
  readonly engine: Engine;
  readonly reports: readonly ImportReport[];
}

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-bench-test-'));
const parts = new Map<boolean, Part>();

async function buildPart(isMany: boolean): Promise<Part> {
  const folder = path.join(root, isMany ? 'many' : 'one');
  fs.mkdirSync(folder, { recursive: true });
  const counties = isMany
    ? writeGeneratedCounties(folder, parcels, seed)
    : [writeGeneratedCounty(path.join(folder, 'county.ndjson'), parcels, seed)];
  const home = path.join(folder, 'home');
  const engine = openEngine({ home, create: true });
  const reports: ImportReport[] = [];
  for (const { file, fips } of counties) {
    const options = { homeKind: 'real' as const, anywhere: true, source: 'bench', date: '2026-11-20', now: engine.now };
    reports.push(await importParcels(engine.land, { files: [file], fips, ...options }));
  }
  return { folder, home, counties, engine, reports };
}

const partOf = (isMany: boolean): Part => {
  const part = parts.get(isMany);
  if (!part) throw new Error('not built yet');
  return part;
};

beforeAll(async () => {
  // The server of PostGIS runs as a user of its own and has to reach its folder.
  fs.chmodSync(root, 0o711);
  for (const isMany of [false, true]) parts.set(isMany, await buildPart(isMany));
});

afterAll(() => {
  for (const { engine } of parts.values()) engine.close();
  fs.rmSync(root, { recursive: true, force: true });
});

describe('the generated counties', () => {
  const hashOf = (file: string) => createHash('sha256').update(fs.readFileSync(file)).digest('hex');

  test('are the same bytes for the same seed, and others for another', () => {
    const [again, other] = [path.join(root, 'again.ndjson'), path.join(root, 'other.ndjson')];
    writeGeneratedCounty(again, parcels, seed);
    writeGeneratedCounty(other, parcels, seed + 1);
    const [county] = partOf(false).counties;
    expect(hashOf(again)).toBe(hashOf(county?.file ?? ''));
    expect(hashOf(other)).not.toBe(hashOf(again));
  });

  test('are imported whole, without a refusal, a value at fault or a crossed outline', () => {
    const reports = [...partOf(false).reports, ...partOf(true).reports];
    expect(reports.length).toBe(1 + 18);
    expect(reports.reduce((sum, report) => sum + report.new, 0)).toBe(2 * parcels);
    for (const {
      refused,
      value_problems: values,
      invalid_geometries: crossed,
      redrawn_geometries: redrawn,
      repaired_geometries: repaired,
    } of reports) {
      expect([refused.count, values.count, crossed.count, redrawn.count, repaired]).toEqual([0, 0, 0, 0, 0]);
    }
  });

  test('hold lots of a tenth of an acre beside large tracts, outlines of 4 to 24 corners, parts, holes and points', () => {
    const { file } = partOf(false).engine.land;
    const acres = file.column<number>('SELECT calculated_acres FROM parcels WHERE geom IS NOT NULL');
    expect(acres.filter((size) => size < 0.25).length).toBeGreaterThan(parcels / 10);
    expect(Math.max(...acres)).toBeGreaterThan(50);
    const [county] = partOf(false).counties;
    const geometries = fs
      .readFileSync(county?.file ?? '', 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { geometry: { type: string; coordinates: unknown[][][] } | null }).geometry);
    const simple = geometries
      .filter((geometry) => geometry?.type === 'Polygon')
      .map((geometry) => geometry?.coordinates);
    const corners = simple.map((rings) => (rings?.[0]?.length ?? 0) - 1);
    expect([Math.min(...corners), Math.max(...corners)].every((count) => count >= 4 && count <= 24)).toBe(true);
    expect(Math.max(...corners)).toBeGreaterThan(14);
    expect(simple.some((rings) => rings?.length === 2)).toBe(true);
    expect(geometries.some((geometry) => geometry?.type === 'MultiPolygon')).toBe(true);
    expect(geometries.some((geometry) => geometry?.type === 'Point')).toBe(true);
  });
});

describe('the comparison of answers', () => {
  const answer: Answer = {
    count: 2,
    rows: [
      [1, 'A'],
      [2, null],
    ],
  };

  test('finds another count, a missing row and another cell', () => {
    expect(findDifference(answer, answer)).toBeNull();
    expect(findDifference(answer, { ...answer, count: 3 })).toBe('count 3, ours 2');
    expect(findDifference(answer, { ...answer, rows: [[1, 'A']] })).toBe('1 rows, ours 2');
    expect(
      findDifference(answer, {
        ...answer,
        rows: [
          [1, 'A'],
          [2, ''],
        ],
      }),
    ).toBe('row 2, apn: "", ours null');
  });
});

describe('the command line', () => {
  test('asks everything of a million parcels, unless told otherwise', () => {
    const { parcels: size, manyParcels, variants: times, parts: asked } = parseOptions([]);
    expect([size, manyParcels, times]).toEqual([1_000_000, 2_500_000, 50]);
    expect([...asked]).toEqual(
      expect.arrayContaining([...questionKinds.map(({ id }) => id), 'import', 'cold', 'figures', 'window']),
    );
    const quick = parseOptions(['--quick']);
    expect([quick.parcels, quick.manyParcels, quick.variants]).toEqual([100_000, 25_000, 20]);
    expect(quick.parts.has('window')).toBe(false);
  });

  test('takes Q4 as both of its sizes, and refuses what it does not know', () => {
    expect([...parseOptions(['--only', 'q4, Q8']).parts]).toEqual(['Q4a', 'Q4b', 'Q8']);
    expect(() => parseOptions(['--only', 'Q12'])).toThrow('found "q12"');
    expect(() => parseOptions(['--variants', '49'])).toThrow('at least 50');
  });
});

describe('the questions', () => {
  test.each(questionKinds)('$id finds something in most variants, and never asks the same twice', (kind) => {
    const { engine, counties } = partOf(kind.isOfManyCounties === true);
    const questions = buildQuestions(kind, counties, variants, seed);
    expect(new Set(questions.map(({ body }) => JSON.stringify(body))).size).toBe(variants);
    const found = questions.filter((question) => findBySql(engine, question).count > 0).length;
    // Eight predicates, or two names, leave few of 2,000 parcels.
    expect(found).toBeGreaterThanOrEqual(['Q2', 'Q5', 'Q4a'].includes(kind.id) ? variants / 10 : variants - 1);
  });
});

describe.each(engines.map((engine) => ({ name: engine.name, engine })))('$name', ({ name, engine }) => {
  const why = engine.missing();
  const canRun = requireOrSkip(`the bench against ${name}`, why === null, `missing ${why}`);

  async function answersOf(part: Part, isMany: boolean): Promise<string[]> {
    const server = await engine.start?.(part.folder, true);
    try {
      if (engine !== platbook) await engine.load(path.join(part.home, 'land.sqlite'), part.folder);
      return await differences(engine, part, isMany);
    } finally {
      server?.stop();
    }
  }

  test.runIf(canRun).each([
    { isMany: false, of: 'one county' },
    { isMany: true, of: 'eighteen counties' },
  ])('counts and lists as the SQL of Platbook does, in $of', async ({ isMany }) => {
    expect(await answersOf(partOf(isMany), isMany)).toEqual([]);
  });
});

async function differences(engine: BenchEngine, part: Part, isMany: boolean): Promise<string[]> {
  const found: string[] = [];
  const open = await engine.open(engine === platbook ? part.home : part.folder);
  const kinds = questionKinds.filter(({ isOfManyCounties }) => (isOfManyCounties === true) === isMany);
  for (const kind of kinds.filter(({ id }) => engine.cannot[id] === undefined)) {
    const questions = buildQuestions(kind, part.counties, variants, seed);
    const ours = questions.map((question) => answerOf(findBySql(part.engine, question)));
    const theirs: Answer[] = [];
    for (const question of questions) theirs.push((await open.ask(question))());
    found.push(
      ...findDisagreements(kind.id, engine.name, questions, ours, theirs).map(
        ({ question, body, difference }) => `${question}: ${difference}; ${JSON.stringify(body)}`,
      ),
    );
  }
  await open.close();
  return found;
}
