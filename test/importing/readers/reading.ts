/** Reading whole files in tests, and the refusals of those that cannot be read. */
import fs from 'node:fs';
import os from 'node:os';
import { expect } from 'vitest';
import type { MultiPolygon } from '../../../engine/geo/geometry.ts';
import { readFeatureGeometry } from '../../../engine/geo/ring-geometry.ts';
import { readParcelFile } from '../../../engine/importing/formats/parcel-reader.ts';
import type { ReadOptions } from '../../../engine/importing/formats/parcel-source.ts';
import { EngineError } from '../../../engine/spec/errors.ts';

export interface ReadParcel {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly polygons: MultiPolygon | null;
  readonly point: readonly [number, number] | null;
  /** Why the shape cannot be read. */
  readonly problem: string | null;
}

export function readParcels(filePath: string, options: ReadOptions = {}): ReadParcel[] {
  return [...readParcelFile(filePath, options)].map(({ properties, geometry }) => {
    const result = readFeatureGeometry(geometry);
    if (!result.ok) return { properties, polygons: null, point: null, problem: result.problem };
    return { properties, polygons: result.polygons, point: result.point, problem: null };
  });
}

export function refusalOf(work: () => unknown): EngineError {
  try {
    work();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** Temporary folders that a process left behind. */
export const leftovers = (pid = process.pid): string[] =>
  fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith(`platbook-read-${pid}-`));

/** Meters between two places, accurate to centimeters. */
export const metersBetween = (a: readonly number[], b: readonly number[]): number =>
  Math.hypot(((a[0] ?? 0) - (b[0] ?? 0)) * Math.cos(((a[1] ?? 0) * Math.PI) / 180), (a[1] ?? 0) - (b[1] ?? 0)) *
  111_320;

export function expectNear(actual: readonly number[], expected: readonly number[], meters: number, what: string): void {
  const distance = metersBetween(actual, expected);
  expect(distance, `${what}: ${actual.join(' ')} against ${expected.join(' ')}`).toBeLessThan(meters);
}
