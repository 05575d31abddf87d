/** Writes only the preload's bundle, to `electron/preload.cjs` below the folder. */
export function buildPreload(folder: string): Promise<void>;
