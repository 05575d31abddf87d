/** What the command ends with. */
export const exitCodes = { done: 0, failed: 1, usage: 2 } as const;

/** 128 and the number of the signal, as shells have it. */
export const signalCodes = { SIGINT: 130, SIGHUP: 129, SIGTERM: 143 } as const;

export type EndingSignal = keyof typeof signalCodes;

export const endingSignals = Object.keys(signalCodes) as readonly EndingSignal[];
