/**
 * The shapes the engine computes with: flat typed arrays of degrees (longitude, latitude, WGS84), no objects per vertex.
 * A parcel has a dozen vertices and a county a million of them: flat arrays are several times smaller and faster than pairs.
 *
 * `array[index] as number` in this folder: every index is bounded by the loop around it, and a check for `undefined`
 * per coordinate would double the cost of the hot loops.
 */

/** Vertices `[x0, y0, x1, y1, …]`, closed (first = last), at least four of them. The direction has no meaning. */
export type Ring = Float64Array;

/** The exterior ring, then the holes. */
export type PolygonRings = readonly Ring[];

/** A union of polygons. */
export type MultiPolygon = readonly PolygonRings[];

/** A closed box in degrees. */
export interface Bounds {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** The union of all parts of a geometry of any type: the area of a query. */
export interface QueryGeometry {
  /** `[x0, y0, x1, y1, …]` */
  readonly points: Float64Array;
  /** each `[x0, y0, x1, y1, …]`, at least two vertices */
  readonly lines: readonly Float64Array[];
  readonly polygons: MultiPolygon;
  readonly bounds: Bounds;
}

/** Largest longitude and latitude, either side of zero, in degrees. */
export const maxLongitude = 180;
export const maxLatitude = 90;

/** The only spatial reference of stored and queried geometry: WGS84 longitude and latitude. */
export const geographicSrid = 4326;

/** Box around all vertices of flat coordinate lists; without vertices `minX` is Infinity and `maxX` -Infinity. */
export function boundsOfCoordinates(lists: Iterable<ArrayLike<number>>): Bounds {
  let minX = Number.POSITIVE_INFINITY;
  let minY = Number.POSITIVE_INFINITY;
  let maxX = Number.NEGATIVE_INFINITY;
  let maxY = Number.NEGATIVE_INFINITY;
  for (const list of lists) {
    for (let index = 0; index < list.length; index += 2) {
      const x = list[index] as number;
      const y = list[index + 1] as number;
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      if (y > maxY) maxY = y;
    }
  }
  return { minX, minY, maxX, maxY };
}

/** Box of a multipolygon in degrees. */
export function boundsOfMultiPolygon(polygons: MultiPolygon): Bounds {
  // Most shapes are one polygon; an import needs a few boxes of each.
  const [first] = polygons;
  return boundsOfCoordinates(polygons.length === 1 && first ? first : polygons.flat());
}

/** The box around some boxes; null if there is none. */
export function unionOfBounds(all: readonly (Bounds | null)[]): Bounds | null {
  return all.reduce<Bounds | null>(
    (whole, one) =>
      whole && one
        ? {
            minX: Math.min(whole.minX, one.minX),
            maxX: Math.max(whole.maxX, one.maxX),
            minY: Math.min(whole.minY, one.minY),
            maxY: Math.max(whole.maxY, one.maxY),
          }
        : (whole ?? one),
    null,
  );
}

/** The part that two overlapping boxes share. */
export const commonBounds = (a: Bounds, b: Bounds): Bounds => ({
  ...{ minX: Math.max(a.minX, b.minX), minY: Math.max(a.minY, b.minY) },
  ...{ maxX: Math.min(a.maxX, b.maxX), maxY: Math.min(a.maxY, b.maxY) },
});

export const middleOfBounds = ({ minX, minY, maxX, maxY }: Bounds) => [(minX + maxX) / 2, (minY + maxY) / 2] as const;

/** Do two closed boxes share a point? */
export function boundsOverlap(a: Bounds, b: Bounds): boolean {
  return a.minX <= b.maxX && b.minX <= a.maxX && a.minY <= b.maxY && b.minY <= a.maxY;
}

/**
 * Area of a ring in square degrees, positive when counterclockwise (shoelace formula, relative to the ring's first
 * vertex: products of whole longitudes would cancel away the digits of a small lot). For comparing and orienting only;
 * areas of land come from `area.ts`.
 */
export function planarRingArea(ring: Ring): number {
  const originX = ring[0] as number;
  const originY = ring[1] as number;
  let twice = 0;
  for (let index = 2; index + 3 < ring.length; index += 2) {
    const ax = (ring[index] as number) - originX;
    const ay = (ring[index + 1] as number) - originY;
    const bx = (ring[index + 2] as number) - originX;
    const by = (ring[index + 3] as number) - originY;
    twice += ax * by - bx * ay;
  }
  return twice / 2;
}
