/** The preload's bundle alone, into `electron/preload.cjs` below the folder. */
export function buildPreload(folder: string): Promise<void>;
