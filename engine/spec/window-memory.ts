/** What a window remembers in the home, so that another port or browser shows it too. Whether to use the location stays with the browser. */

export const windowMemories = [
  'settings',
  'explore',
  'map',
  'comps',
  'comps-tab',
  'comps-found',
  'markets',
  'steps',
  'import',
] as const;
export type WindowMemory = (typeof windowMemories)[number];

/** Longer ones stay in the browser alone: a request holds a megabyte. */
export const longestMemory = 500_000;
