/**
 * Reads parcel files in a process of its own, so that their memory can be measured and none can hang the tests. Arguments: paths.
 * Prints a line of JSON for each, then the most memory that was resident, in megabytes.
 */
import { readFeatureGeometry } from '../../engine/geo/ring-geometry.ts';
import { readParcelFile } from '../../engine/importing/formats/parcel-reader.ts';
import { EngineError } from '../../engine/spec/errors.ts';
import { peakBytes } from './peak-memory.ts';

export interface ReadOutcome {
  readonly file: string;
  readonly rows: number;
  /** Rows whose shape cannot be used, which an import lists as refused. */
  readonly problems: number;
  readonly code: string | null;
  readonly message: string;
}

function readAll(file: string): ReadOutcome {
  let [rows, problems] = [0, 0];
  let [code, message]: [string | null, string] = [null, ''];
  try {
    for (const { geometry, problem } of readParcelFile(file)) {
      rows++;
      if (problem !== undefined || !readFeatureGeometry(geometry).ok) problems++;
    }
  } catch (error) {
    code = error instanceof EngineError ? error.code : 'NOT AN ENGINE ERROR';
    message = error instanceof EngineError ? error.message : String(error instanceof Error ? error.stack : error);
  }
  return { file, rows, problems, code, message };
}

for (const file of process.argv.slice(2)) process.stdout.write(`${JSON.stringify(readAll(file))}\n`);
process.stdout.write(`${Math.round(peakBytes() / 1024 / 1024)}\n`);
