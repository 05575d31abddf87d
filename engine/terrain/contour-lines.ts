/** Contours of a lattice of heights: lines at every multiple of an interval in feet. */
import { metersPerFoot } from '../geo/local-metric.ts';
import { boldEach } from './interval.ts';
import { isolines } from './isolines.ts';

interface Contour {
  readonly feet: number;
  /** Every fifth. */
  readonly isBold: boolean;
  /** `[column, row, …]` of the lattice. */
  readonly points: Float64Array;
  readonly isRing: boolean;
}

/**
 * @param heights of `side` × `side` places in rows, meters
 * @param interval feet
 * @param spacing of the contours wanted, where that is a multiple of the interval: only bold ones
 */
export function contourLines(heights: Float32Array, side: number, interval: number, spacing = interval): Contour[] {
  return isolines(heights, side, levelsOf(heights, spacing)).map(({ level, points, isRing }) => {
    const feet = Math.round(level / metersPerFoot);
    return { feet, isBold: feet % (interval * boldEach) === 0, points, isRing };
  });
}

/** More lines would lie closer than the eye can part them. */
const mostLevels = 150;

/** Meters, for every multiple of `interval` feet within the heights. */
function levelsOf(heights: Float32Array, interval: number): number[] {
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < heights.length; at++) {
    const height = heights[at] as number;
    if (height < lowest) lowest = height;
    if (height > highest) highest = height;
  }
  const step = interval * metersPerFoot;
  const first = Math.ceil(lowest / step);
  const count = Math.max(0, Math.floor(highest / step) - first + 1);
  // Coarser on a cliff: every fifth line is one of the neighboring tile too.
  if (count > mostLevels) return levelsOf(heights, interval * boldEach);
  return Array.from({ length: count }, (_, index) => (first + index) * step);
}
