/**
 * The order in which the halved levels of a photo are made: row of blocks by row of blocks, a coarser row as soon as its two
 * finer ones are there. So what is made is told by one number, and goes on there after a kill.
 */
import type { OpenPhoto } from './open-photo.ts';

export const blockSide = 512;
/** The coarsest level is no larger: many photos in one tile cost little. */
const coarsest = 128;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of a level: 1 is half of the base. */
export const sizeOf = ({ width, height }: Size, level: number): Size => ({
  width: Math.ceil(width / 2 ** level),
  height: Math.ceil(height / 2 ** level),
});

/** Number of levels besides the base. */
export const levelCount = (base: Size): number =>
  Math.max(0, Math.ceil(Math.log2(Math.max(base.width, base.height) / coarsest)));

export interface Step {
  readonly level: number;
  /** Of blocks. */
  readonly row: number;
}

export function* stepsOf(base: Size, firstLevel: 0 | 1): Generator<Step> {
  const last = levelCount(base);
  if (last < firstLevel) return;
  const rows = rowsOf(base, firstLevel);
  for (let row = 0; row < rows; row++) {
    yield { level: firstLevel, row };
    let [level, at] = [firstLevel as number, row];
    while (level < last && (at % 2 === 1 || at === rowsOf(base, level) - 1)) {
      [level, at] = [level + 1, Math.floor(at / 2)];
      yield { level, row: at };
    }
  }
}

const rowsOf = (base: Size, level: number): number => Math.ceil(sizeOf(base, level).height / blockSide);

export const stepCount = (width: number, height: number, firstLevel: 0 | 1): number => {
  let count = 0;
  for (const _ of stepsOf({ width, height }, firstLevel)) count++;
  return count;
};

/** Strips so wide take half a second for a row of tiles. */
const wideStrip = 12_000;

/** 0: the finest level is stored too, since the file's own is slow to read. */
export const firstStored = ({ finest, levels }: OpenPhoto): 0 | 1 =>
  levels.length === 1 && finest.layout.isStriped && finest.isPacked && finest.width >= wideStrip ? 0 : 1;
