/**
 * The bench of an import during queries, on a small scale: every line is there, and every importer has every parcel.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gdalWritesOrSkip } from '../support/gdal.ts';

const parcels = 2000;
const turns = 5;

interface Run {
  readonly format: { readonly name: string; readonly rows: number };
  readonly converted: { readonly rows: number };
  readonly imported: { readonly rows: number; readonly peakBytes: number };
  readonly beside: {
    readonly rows: number;
    readonly before: { readonly turns: number };
    readonly during: {
      readonly turns: number;
      readonly spreads: Readonly<Record<string, Readonly<Record<string, number>>>>;
    };
  };
}

const canRun =
  gdalWritesOrSkip('the bench of an import beside answers', 'SQLite') &&
  gdalWritesOrSkip('the bench of an import beside answers', 'ESRI Shapefile');

describe.runIf(canRun)('the import beside answers', () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-beside-test-'));
  const kept = path.join(root, 'kept');
  let report = '';
  let runs: readonly Run[] = [];

  beforeAll(() => {
    const script = path.join(import.meta.dirname, 'import-beside.ts');
    const sizes = ['--parcels', String(parcels), '--standing', '1000', '--turns', String(turns)];
    const json = path.join(root, 'run.json');
    report = execFileSync(process.execPath, [script, ...sizes, '--keep', kept, '--json', json], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    runs = (JSON.parse(fs.readFileSync(json, 'utf8')) as { runs: Run[] }).runs;
    // Eleven processes one after the other.
  }, 600_000);

  afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

  test('has a line for every importer and every kind of answer, of both formats', () => {
    for (const format of ['newline GeoJSON', 'Shapefile']) {
      const lines = report.split('\n').filter((line) => line.startsWith(format));
      for (const what of [
        ': ogr2ogr into SpatiaLite',
        ': our import',
        ', beside: the import',
        ', beside: answers a second',
        ...['filter', 'parcel’s detail', 'live count', 'tile', 'late after the pause', 'every answer'].map(
          (kind) => `, beside: ${kind}`,
        ),
      ]) {
        const found = lines.filter((line) => line.startsWith(`${format}${what}`));
        expect(
          found.map((line) => /\d/.test(line)),
          `${format}${what}`,
        ).toEqual([true]);
      }
    }
    expect(report).not.toMatch(/NaN|Infinity|undefined/);
  });

  test('gives every importer every parcel that its file can hold', () => {
    const lines = fs.readFileSync(path.join(kept, 'county.ndjson'), 'utf8').trimEnd().split('\n');
    const points = lines.filter((line) => line.includes('"geometry":{"type":"Point"')).length;
    expect([lines.length, points > 0]).toEqual([parcels, true]);
    // A Shapefile of polygons holds no points.
    const expected = [parcels, parcels - points];
    expect(runs.map(({ format }) => format.rows)).toEqual(expected);
    expect(runs.map(({ converted }) => converted.rows)).toEqual(expected);
    expect(runs.map(({ beside }) => beside.rows)).toEqual(expected);
    expect(runs.map(({ imported }) => imported.rows)).toEqual(expected);
  });

  test('answers before the import and during all of it', () => {
    for (const { beside } of runs) {
      expect(beside.before.turns).toBe(turns);
      expect(beside.during.turns).toBeGreaterThan(0);
      for (const { p50 = 0, p95 = 0, p99 = 0, max = 0 } of Object.values(beside.during.spreads)) {
        expect([p50, p95, p99, max]).toEqual([p50, p95, p99, max].sort((a, b) => a - b));
      }
    }
  });
});
