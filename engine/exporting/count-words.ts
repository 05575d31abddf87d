/** A count with its noun and verb: `1 text is`, `3 texts are`. */
export const counted = (count: number, noun: string): string =>
  count === 1 ? `1 ${noun} is` : `${count.toLocaleString('en-US')} ${noun}s are`;
