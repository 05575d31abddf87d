/** A walk with a receiver: what is said of every step, and what is kept of it when the program is killed. */
import { fork } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import * as turf from '@turf/turf';
import { expect, onTestFinished, test } from 'vitest';
import { nmeaParser } from '../../electron/gps/nmea.ts';
import type { Position } from '../../electron/gps/position.ts';
import type { Engine } from '../../engine/engine.ts';
import { blobToGeoJson } from '../../engine/geo/spatialite-blob.ts';
import type { ParcelPosition } from '../../engine/query/parcel-position.ts';
import { runRead } from '../../engine/reads/index.ts';
import { trackEverySeconds, trackWriteSeconds } from '../../engine/spec/field-limits.ts';
import { copyOfHome, engineOn, sampleHome } from '../support/homes.ts';
import { makeWalk, type Place } from './walk.ts';

const recorded = fs
  .readFileSync(path.join(import.meta.dirname, 'walk.nmea'), 'utf8')
  .trimEnd()
  .split('\n');

test('the recording is the walk', () => {
  expect(recorded).toEqual(makeWalk().flatMap(({ lines }) => lines));
});

/** Turf's answers about the lots of the home. */
function oracleOf(engine: Engine) {
  const lots = engine.land.file
    .all<{ id: number; geom: Uint8Array }>(
      `SELECT property_id AS id, geom FROM parcels WHERE status = 'current' AND geom IS NOT NULL`,
    )
    .map(({ id, geom }) => {
      const { coordinates } = blobToGeoJson(geom);
      return {
        id,
        shape: turf.multiPolygon(coordinates),
        rings: coordinates.flat().map((ring) => turf.lineString(ring)),
      };
    });
  const holds = (id: number, [longitude, latitude]: Place): boolean => {
    const lot = lots.find((one) => one.id === id);
    if (!lot) throw new Error(`parcel ${id} is not beside the walk`);
    return turf.booleanPointInPolygon([longitude, latitude], lot.shape);
  };
  const metersToLine = (id: number, longitude: number, latitude: number): number =>
    Math.min(
      ...(lots.find((one) => one.id === id)?.rings ?? []).map((ring) =>
        turf.pointToLineDistance([longitude, latitude], ring, { units: 'meters' }),
      ),
    );
  return { holds, metersToLine };
}

type Oracle = ReturnType<typeof oracleOf>;

/** What is said of one step, beside what is true: where the receiver says it is, and where the walker is. */
function judge({ holds, metersToLine }: Oracle, said: ParcelPosition, told: Position, truly: Place): void {
  const { property_id: id, side } = said;
  const { longitude, latitude, accuracyMeters } = told;
  const trueSide = (place: Place) => (holds(id, place) ? 'inside' : 'outside');
  // Turf measures on a sphere, within 0.3 % and 10 cm of the ellipsoid.
  const meters = metersToLine(id, longitude, latitude);
  const slack = 0.1 + 0.005 * meters;
  if (meters > accuracyMeters + slack) expect(side).toBe(trueSide([longitude, latitude]));
  if (meters < accuracyMeters - slack) expect(side).toBe('unsure');
  if (side !== 'unsure') expect(side, `${truly}`).toBe(trueSide(truly));
}

test('at every step of the walk the side is the true one, or it cannot be told; never a side within the accuracy', () => {
  const engine = engineOn(sampleHome());
  const oracle = oracleOf(engine);
  const seen = { inside: 0, outside: 0, unsure: 0 };
  const lotsWalked = new Set<number>();
  const say = (told: Position, more: object): ParcelPosition => {
    const { longitude, latitude, accuracyMeters } = told;
    const input = { longitude, latitude, accuracy_meters: accuracyMeters, ...more };
    const { position } = runRead(engine, 'position_in_parcel', input) as { position: ParcelPosition | null };
    if (!position) throw new Error('no parcel is near');
    return position;
  };
  const parse = nmeaParser();
  for (const { truly, lines } of makeWalk()) {
    const told = lines.map(parse).at(-1);
    if (!told) throw new Error('a line of the walk is not read');
    const here = say(told, {});
    lotsWalked.add(here.property_id);
    // Against the lot underfoot, and against the one walked before it, which may have been left.
    const [before = here.property_id] = [...lotsWalked].slice(-2);
    const left = oracle.metersToLine(before, ...truly) < 250 ? say(told, { id: before }) : here;
    for (const said of [here, left]) {
      seen[said.side] += 1;
      judge(oracle, said, told, truly);
    }
  }
  expect(lotsWalked.size).toBeGreaterThan(4);
  expect(Math.min(seen.inside, seen.outside, seen.unsure), JSON.stringify(seen)).toBeGreaterThan(40);
});

test('a program that is killed while it records loses at most ten seconds of the track', async () => {
  for (const after of [17, 60, 143]) {
    const home = copyOfHome(sampleHome());
    const child = fork(path.join(import.meta.dirname, 'track-child.ts'), [home], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let walked = '';
    let moments = 0;
    await new Promise<void>((resolve) => {
      child.on('message', (at) => {
        walked = String(at);
        moments += 1;
        if (moments === after) child.kill('SIGKILL');
      });
      child.on('exit', () => resolve());
    });
    const engine = engineOn(home);
    const kept = engine.account.file.column<string>('SELECT at FROM track_points ORDER BY at');
    const lost = (Date.parse(walked) - Date.parse(kept.at(-1) ?? '')) / 1000;
    // What was written last is at most a point's distance older than the writing.
    expect(lost, `${kept.length} points, walked until ${walked}`).toBeLessThanOrEqual(trackWriteSeconds);
    const gaps = kept.slice(1).map((at, i) => (Date.parse(at) - Date.parse(kept[i] ?? '')) / 1000);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(trackEverySeconds + 1);
    // The track stands, without an end, to be gone on with or ended.
    expect(runRead(engine, 'field_marks', {})).toMatchObject({ tracks: [{ ended_at: null, points: kept.length }] });
  }
}, 60_000);
