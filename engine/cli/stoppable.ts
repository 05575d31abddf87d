/** For commands whose work ends whole or not at all when the process ends. */
import { signalCodes } from './exit-codes.ts';
import { onFirstSignal } from './interrupt.ts';
import type { Output } from './output.ts';

/** @param sentence what a signal leaves */
export async function stoppable<Result>(
  output: Output,
  sentence: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const stop = onFirstSignal((signal) => {
    output.progress('');
    output.note(sentence);
    process.exit(signalCodes[signal]);
  });
  try {
    return await work();
  } finally {
    stop();
  }
}
