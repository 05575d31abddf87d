/**
 * Walks `walk.nmea` and records a track as Field mode does: a point each 3 m or 5 s, written each 10 s of the walk. Says each
 * moment of the walk before it records it.
 */
import fs from 'node:fs';
import path from 'node:path';
import { nmeaParser } from '../../electron/gps/nmea.ts';
import type { Position } from '../../electron/gps/position.ts';
import { geodesicMeters } from '../../engine/comps/distance.ts';
import { openEngine } from '../../engine/engine.ts';
import { trackEveryMeters, trackEverySeconds, trackWriteSeconds } from '../../engine/spec/field-limits.ts';
import { runChange } from '../../engine/work/index.ts';

const [home = ''] = process.argv.slice(2);
const engine = openEngine({ home, keepsIndexes: false });
const { data } = await runChange(engine, 'start_track', {});
const { track_id } = data as { track_id: number };
const parse = nmeaParser();
const secondsOf = ({ at }: Position) => Date.parse(at ?? '') / 1000;
const isDue = (last: Position, next: Position): boolean =>
  secondsOf(next) - secondsOf(last) >= trackEverySeconds ||
  geodesicMeters(last.longitude, last.latitude, next.longitude, next.latitude) >= trackEveryMeters;

let last: Position | null = null;
let written = 0;
let waiting: Position[] = [];
for (const line of fs.readFileSync(path.join(import.meta.dirname, 'walk.nmea'), 'utf8').split('\n')) {
  const position = parse(line);
  // The first line of the walk has no date yet.
  if (position?.at == null || !line.includes('RMC')) continue;
  await new Promise<void>((resolve) => process.send?.(position.at, () => resolve()) ?? resolve());
  written ||= secondsOf(position);
  if (last === null || isDue(last, position)) {
    waiting.push(position);
    last = position;
  }
  if (secondsOf(position) - written < trackWriteSeconds) continue;
  const points = waiting.map(({ longitude, latitude, at }) => ({ longitude, latitude, at }));
  await runChange(engine, 'add_track_points', { track_id, points });
  waiting = [];
  written = secondsOf(position);
}
engine.close();
process.disconnect?.();
