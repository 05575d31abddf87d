/** An import in a separate process, to measure its memory and processor time separately from the bench's. */
import { fork } from 'node:child_process';
import path from 'node:path';
import { workerMemory } from '../../engine/jobs/fork-worker.ts';

export interface ApartImport {
  readonly home: string;
  /** `FIPS=FILE`, one after the other. */
  readonly files: readonly string[];
  /** New parcels that must come of it, without a fault. */
  readonly parcels: number;
  /** File of a mapping; without it, columns are named as in the dictionary. */
  readonly mapping?: string;
}

export interface ApartResult {
  readonly seconds: number;
  readonly rows: number;
  readonly cpuMicroseconds: number;
  readonly peakBytes: number;
}

/** @throws Error when the import ends without a report, or not with exactly these parcels */
export async function importApart({ home, files, parcels, mapping }: ApartImport): Promise<ApartResult> {
  const options = mapping === undefined ? [] : ['--mapping', mapping];
  const child = fork(path.join(import.meta.dirname, 'import-child.ts'), [...options, home, ...files], {
    // As the app and the command line start an import.
    execArgv: workerMemory.execArgv,
    env: { ...process.env, ...workerMemory.env },
  });
  const end = (): void => void child.kill();
  process.once('exit', end);
  const { refused, ...result } = await new Promise<ApartResult & { refused: number }>((resolve, reject) => {
    let told: (ApartResult & { refused: number }) | null = null;
    child.on('message', (message) => {
      told = message as ApartResult & { refused: number };
    });
    // Only when it has ended is its home free for the next.
    child.on('exit', (code) => {
      if (told) resolve(told);
      else reject(new Error(`the import ended with code ${code}`));
    });
  });
  process.off('exit', end);
  if (refused > 0 || result.rows !== parcels) {
    throw new Error(`Expected ${parcels} parcels without a fault, found ${result.rows} and ${refused} faults.`);
  }
  return result;
}
