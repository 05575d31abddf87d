/** Ctrl+C and similar signals: the message and exit code of an interrupted command. */
import { removeHeldFolders } from '../exporting/open-folders.ts';
import { EngineError } from '../spec/errors.ts';
import { type EndingSignal, endingSignals, signalCodes } from './exit-codes.ts';
import type { Output } from './output.ts';

/** Says what changed anyway, or that nothing did. */
export class Interrupted extends EngineError {
  readonly exitCode: number;

  constructor(signal: EndingSignal, error: EngineError) {
    super(error.code, error.message, { cause: error });
    this.exitCode = signalCodes[signal];
  }
}

/**
 * @param act called on the first signal; a second one ends the process by default
 * @returns a function that stops listening
 */
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

/** Ends the process of a command with a single output, whose part was removed. */
export function endInterrupted(output: Output, signal: EndingSignal): never {
  output.progress('');
  output.note('Interrupted; no partial file was left behind.');
  process.exit(signalCodes[signal]);
}

/**
 * For commands with a single output: a signal ends the process, removes the partial output, and leaves what was there
 * before.
 */
export async function interruptible<Result>(output: Output, work: () => Promise<Result>): Promise<Result> {
  const stop = onFirstSignal((signal) => {
    removeHeldFolders();
    endInterrupted(output, signal);
  });
  try {
    return await work();
  } finally {
    stop();
  }
}
