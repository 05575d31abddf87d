/** The distance in height between contours at a zoom: wide enough that lines stay apart on steep ground. */
import { pixelMeters } from '../geo/web-mercator.ts';

/** Feet. */
const intervals = [1, 2, 5, 10, 20, 40, 50, 100, 200, 500] as const;
/** Pixels between two contours on ground as steep as `slope`. */
const leastPixels = 7;
/** MapLibre's tiles are this many pixels wide on the screen. */
const screenSide = 512;
const metersPerFoot = 0.3048;

/** Every fifth contour is bold. */
export const boldEach = 5;

/**
 * Feet.
 * @param slope rise over run; the county's 75th percentile
 */
export function intervalFeet(slope: number, latitude: number, zoom: number): number {
  const rise = (slope * leastPixels * pixelMeters(latitude, zoom, screenSide)) / metersPerFoot;
  return intervals.find((feet) => feet >= rise) ?? (intervals.at(-1) as number);
}
