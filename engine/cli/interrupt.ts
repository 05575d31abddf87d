/** Ctrl+C and the like: what a command that is interrupted says, and ends with. */
import { removeHeldFolders } from '../exporting/open-folders.ts';
import { EngineError } from '../spec/errors.ts';
import { type EndingSignal, endingSignals, signalCodes } from './exit-codes.ts';
import type { Output } from './output.ts';

/** Says what was changed all the same, or that nothing was. */
export class Interrupted extends EngineError {
  readonly exitCode: number;

  constructor(signal: EndingSignal, error: EngineError) {
    super(error.code, error.message, { cause: error });
    this.exitCode = signalCodes[signal];
  }
}

/** @param act told the first signal; a second one ends the process as if nobody listened. @returns what ends the listening */
export function onFirstSignal(act: (signal: EndingSignal) => void): () => void {
  const hear = (signal: NodeJS.Signals): void => {
    stop();
    act(signal as EndingSignal);
  };
  const stop = (): void => {
    for (const signal of endingSignals) process.off(signal, hear);
  };
  for (const signal of endingSignals) process.on(signal, hear);
  return stop;
}

/** For commands that write one thing: a signal ends the process, with what was begun, and leaves what was there before. */
export async function interruptible<Result>(output: Output, work: () => Promise<Result>): Promise<Result> {
  const stop = onFirstSignal((signal) => {
    removeHeldFolders();
    output.progress('');
    output.note('Interrupted; nothing of it was left behind.');
    process.exit(signalCodes[signal]);
  });
  try {
    return await work();
  } finally {
    stop();
  }
}
