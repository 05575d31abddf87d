/** Every point, name and time of files as apps write them; damaged and hostile files are refused in a sentence. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { readWalk } from '../../../engine/importing/walks/read-walk.ts';
import type { Walk } from '../../../engine/importing/walks/walk.ts';
import { EngineError } from '../../../engine/spec/errors.ts';
import { runs } from '../../support/runs.ts';
import { type Dialect, dialects, type Fact, type WalkFacts } from './dialects.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-walks-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

let written = 0;
function place(content: string | Buffer, ending: string): string {
  const file = path.join(folder, `walk-${++written}.${ending}`);
  fs.writeFileSync(file, content);
  return file;
}

function read(content: string | Buffer, ending: string): Walk {
  const file = place(content, ending);
  try {
    return readWalk(file, path.basename(file));
  } finally {
    fs.rmSync(file);
  }
}

const degrees = (most: number) => fc.integer({ min: -most * 1e7, max: most * 1e7 }).map((value) => value / 1e7);
/** Letters of Europe and beyond, marks of XML and CSV; what is trimmed or cut is not generated. */
const word = fc
  .string({ unit: fc.constantFrom(...'abcXYZ 0159-_/,;:"\'<>&ñÜŁ北🌲#|()+='), minLength: 1, maxLength: 30 })
  .map((text) => `N${text.trim()}.`);
const time = fc
  .integer({ min: Date.parse('2001-01-01T00:00:00Z') / 1000, max: Date.parse('2040-01-01T00:00:00Z') / 1000 })
  .map((second) => new Date(second * 1000).toISOString());
const fact: fc.Arbitrary<Fact> = fc.record({
  longitude: degrees(180),
  latitude: degrees(90),
  time,
  elevation_m: fc.integer({ min: -10_000, max: 900_000 }).map((value) => value / 100),
});
const facts: fc.Arbitrary<WalkFacts> = fc.record({
  waypoints: fc.array(
    fc.tuple(fact, fc.record({ name: word, note: fc.option(word) })).map(([at, texts]) => ({ ...at, ...texts })),
    { maxLength: 8 },
  ),
  tracks: fc.uniqueArray(
    fc.record({
      name: word,
      segments: fc.array(fc.array(fact, { minLength: 2, maxLength: 12 }), { minLength: 1, maxLength: 3 }),
    }),
    { selector: ({ name }) => name, minLength: 1, maxLength: 3 },
  ),
});

const without = (at: Fact, lacks: Dialect['lacks'], what: 'waypoint' | 'track'): Fact => ({
  longitude: at.longitude + 0,
  latitude: at.latitude + 0,
  time: lacks?.includes(`${what} time`) ? null : at.time,
  elevation_m: lacks?.includes(`${what} elevation`) ? null : at.elevation_m,
});

/** What a dialect can hold of it. */
const held = ({ waypoints, tracks }: WalkFacts, { lacks }: Dialect) => ({
  waypoints: waypoints.map(({ name, note, ...at }) => ({ name, note, ...without(at, lacks, 'waypoint') })),
  tracks: tracks.map(({ name, segments }) => ({
    name,
    segments: segments.map((points) => points.map((at) => without(at, lacks, 'track'))),
  })),
});

const told = ({ waypoints, tracks }: Walk) => ({
  waypoints: waypoints.map(({ name, note, longitude, latitude, time: at, elevation_m }) => ({
    name,
    note,
    longitude: longitude + 0,
    latitude: latitude + 0,
    time: at,
    elevation_m,
  })),
  tracks: tracks.map(({ name, segments }) => ({
    name,
    segments: segments.map((points) =>
      points.map(({ longitude, latitude, time: at, elevation_m }) => ({
        longitude: longitude + 0,
        latitude: latitude + 0,
        time: at,
        elevation_m,
      })),
    ),
  })),
});

describe.each(dialects)('$app', (dialect) => {
  test(`keeps every point, name and time of a ${dialect.ending}`, () => {
    fc.assert(
      fc.property(facts, (all) => {
        const walk = dialect.onlyTracks ? { ...all, waypoints: [] } : all;
        const found = read(dialect.write(walk), dialect.ending);
        expect(told(found)).toEqual(held(walk, dialect));
        expect(found.leftOut).toEqual([]);
      }),
      { numRuns: runs(8, 100), seed: 37 },
    );
  });

  test(`a mutated ${dialect.ending} is read or refused in a sentence`, () => {
    const [sample] = fc.sample(facts, { numRuns: 1, seed: 5 });
    const whole = Buffer.from(dialect.write(sample as WalkFacts));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        fc.option(fc.nat(whole.length)),
        (flips, end) => {
          const mutant = Buffer.from(whole.subarray(0, end ?? whole.length));
          for (const [at, byte] of flips) if (at < mutant.length) mutant[at] = byte;
          try {
            read(mutant, dialect.ending);
          } catch (error) {
            expect(error).toBeInstanceOf(EngineError);
            expect((error as EngineError).message).toMatch(/walk-\d+\.[\s\S]*[.)]$/);
          }
        },
      ),
      { numRuns: runs(dialect.ending === 'kmz' ? 10 : 60, dialect.ending === 'kmz' ? 100 : 900), seed: 37 },
    );
  });
});
