/** Reads walks in a process of its own: a line of JSON for each file, then the megabytes that it took at most. */
import path from 'node:path';
import { readWalk } from '../../../engine/importing/walks/read-walk.ts';
import { peakBytes } from '../../support/peak-memory.ts';

for (const file of process.argv.slice(2)) {
  const start = performance.now();
  let told: object;
  try {
    const { waypoints, tracks } = readWalk(file, path.basename(file));
    told = { waypoints: waypoints.length, points: tracks.flatMap(({ segments }) => segments.flat()).length };
  } catch (error) {
    told = { code: (error as { code?: string }).code, message: (error as Error).message };
  }
  console.log(JSON.stringify({ ...told, seconds: (performance.now() - start) / 1000 }));
}
console.log(Math.round(peakBytes() / 2 ** 20));
