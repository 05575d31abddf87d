/** Ctrl+C and the like for commands that write one thing: gone with what they had begun. */
import { removeHeldFolders } from '../exporting/open-folders.ts';
import type { Output } from './output.ts';

/** 128 and the number of the signal, as shells have it. */
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

const signals = Object.keys(exitCodes) as (keyof typeof exitCodes)[];

/** Does the work; a signal meanwhile ends the process, and leaves what was there before. */
export async function interruptible<Result>(output: Output, work: () => Promise<Result>): Promise<Result> {
  const end = (signal: NodeJS.Signals): void => {
    removeHeldFolders();
    output.progress('');
    output.note('Interrupted; nothing of it was left behind.');
    process.exit(exitCodes[signal as keyof typeof exitCodes]);
  };
  for (const signal of signals) process.on(signal, end);
  try {
    return await work();
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}
