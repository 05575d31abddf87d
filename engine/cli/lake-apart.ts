/**
 * A lake, written in a process of its own with the options of an import's: half the memory, because the heap that a
 * command starts with cannot be made smaller later.
 */
import { fork } from 'node:child_process';
import type { LakeReport } from '../exporting/lake.ts';
import { workerMemory } from '../jobs/fork-worker.ts';
import { asEngineError, type JobError } from '../jobs/job.ts';
import { scriptPath } from '../package-root.ts';
import type { EndingSignal } from './exit-codes.ts';
import { onFirstSignal } from './interrupt.ts';

export interface LakeOrder {
  readonly home: string;
  readonly folder: string;
  readonly counties?: readonly string[];
  readonly now: Date;
}

export type LakeNews =
  | { readonly county: readonly [fips: string, done: number, of: number] }
  | { readonly report: LakeReport }
  | { readonly error: JobError }
  | { readonly fault: string };

/** TypeScript in development, JavaScript in a build. */

interface LakeEars {
  readonly onCounty: (fips: string, done: number, of: number) => void;
  /** Once the process has removed what it had begun. */
  readonly onInterrupt: (signal: EndingSignal) => void;
}

/** @throws EngineError as `writeLake` does */
export async function writeLakeApart(order: LakeOrder, { onCounty, onInterrupt }: LakeEars): Promise<LakeReport> {
  const { execArgv, env } = workerMemory;
  const child = fork(scriptPath('cli/lake-child'), [], {
    execArgv,
    env: { ...process.env, ...env },
    serialization: 'advanced',
  });
  const stop = onFirstSignal((signal) => {
    child.once('exit', () => onInterrupt(signal));
    child.kill();
  });
  try {
    return await new Promise<LakeReport>((resolve, reject) => {
      child.on('message', (news: LakeNews) => {
        if ('county' in news) return onCounty(...news.county);
        if ('report' in news) resolve(news.report);
        else reject('error' in news ? asEngineError(news.error) : new Error(news.fault));
        child.disconnect();
      });
      child.once('error', reject);
      child.once('close', (code, signal) =>
        reject(new Error(`the process that wrote the lake ended with ${signal ?? code}`)),
      );
      child.send(order);
    });
  } finally {
    stop();
  }
}
