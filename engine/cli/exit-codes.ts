/** Exit codes of the command; `exitCodesText` explains them in `platbook --help`. */
export const exitCodes = { done: 0, failed: 1, usage: 2 } as const;

/** 128 plus the number of the signal, as in shells. */
export const signalCodes = { SIGINT: 130, SIGHUP: 129, SIGTERM: 143 } as const;

export type EndingSignal = keyof typeof signalCodes;

export const endingSignals = Object.keys(signalCodes) as readonly EndingSignal[];

const { done, failed, usage } = exitCodes;
const { SIGINT, SIGHUP, SIGTERM } = signalCodes;

export const exitCodesText = `\
Exit codes: ${done} done, ${failed} refused or failed (the reason is on standard error; with --json as JSON), ${usage} the command line is not understood;
  ${SIGINT} interrupted with Ctrl+C, ${SIGHUP} its terminal was closed, ${SIGTERM} told to end: what long work has changed by then, or that it has changed nothing, is on standard error.
  serve and start run until Ctrl+C, and end with ${done} then.`;
