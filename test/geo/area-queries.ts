/** Random areas as WKT for comparisons with GEOS. */
import { boundsOfMultiPolygon, type MultiPolygon } from '../../engine/geo/geometry.ts';
import { box, type Position, positionsOf, reversed, ring, seededRandom, star } from './shapes.ts';

const ringText = (path: Float64Array): string =>
  `(${positionsOf(path)
    .map(([x, y]) => `${x} ${y}`)
    .join(', ')})`;
const polygonText = (polygon: readonly Float64Array[]): string => `(${polygon.map(ringText).join(', ')})`;
const multiPolygonText = (polygons: MultiPolygon): string => `MULTIPOLYGON(${polygons.map(polygonText).join(', ')})`;
const pointsText = (points: readonly Position[]): string =>
  `MULTIPOINT(${points.map(([x, y]) => `${x} ${y}`).join(', ')})`;

/** Queries of every kind, most of them made of the parcels' own corners, so that touching is the rule. */
export function buildQueries(parcels: readonly MultiPolygon[], seed: number): string[] {
  const random = seededRandom(seed);
  const county = boundsOfMultiPolygon(parcels.flat());
  const width = county.maxX - county.minX;
  const height = county.maxY - county.minY;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const place = (): Position => [county.minX + random() * width, county.minY + random() * height];
  const exterior = (): Float64Array => pick(pick(parcels))[0] as Float64Array;
  const corner = (): Position => pick(positionsOf(exterior()));
  const edge = (): [Position, Position] => {
    const positions = positionsOf(exterior());
    const index = Math.floor(random() * (positions.length - 1));
    return [positions[index] as Position, positions[index + 1] as Position];
  };
  const someStar = (share: number, vertexCount: number): Float64Array =>
    star(random, ...place(), width * share, vertexCount);
  const triangleOn = ([a, b]: [Position, Position], [x, y]: Position): Float64Array => ring(a, b, [x, y], a);

  const kinds: (() => string)[] = [
    () => multiPolygonText([[someStar(0.05, 5)]]),
    () => multiPolygonText([[someStar(0.2, 40)]]),
    () => multiPolygonText([[reversed(someStar(0.4, 200))]]),
    () => {
      const [x, y] = place();
      const size = width * 10 ** (-1 - 5 * random());
      return multiPolygonText([[box(x, y, x + size, y + size)]]);
    },
    // tiny, on a corner
    () => {
      const [x, y] = corner();
      return multiPolygonText([[box(x, y, x + 1e-7, y + 1e-7)]]);
    },
    // a parcel itself: shares edges with every neighbour
    () => multiPolygonText(pick(parcels)),
    // its box: shares corners
    () => {
      const { minX, minY, maxX, maxY } = boundsOfMultiPolygon(pick(parcels));
      return multiPolygonText([[box(minX, minY, maxX, maxY)]]);
    },
    // a parcel as the hole of a larger box, so that the parcel only touches and what lies in it does not
    () => {
      const hole = exterior();
      const { minX, minY, maxX, maxY } = boundsOfMultiPolygon([[hole]]);
      const margin = (maxX - minX) * random();
      return multiPolygonText([
        [box(minX - margin - 1e-9, minY - margin - 1e-9, maxX + margin + 1e-9, maxY + margin + 1e-9), hole],
      ]);
    },
    () => multiPolygonText([[triangleOn(edge(), corner())]]),
    () => multiPolygonText([[triangleOn(edge(), place())]]),
    // a donut and an island in it
    () => {
      const [x, y] = place();
      const size = width * 0.1 * random() + 1e-5;
      const around = (part: number): Float64Array =>
        box(x - size * part, y - size * part, x + size * part, y + size * part);
      return multiPolygonText([[around(1), around(0.6)], [around(0.2)]]);
    },
    () => pointsText([corner(), place(), place()]),
    () => pointsText([corner()]),
    () => {
      const [[ax, ay], [bx, by]] = edge();
      return `POINT(${(ax + bx) / 2} ${(ay + by) / 2})`;
    },
    () => `LINESTRING${ringText(ring(corner(), corner(), place()))}`,
    () => `LINESTRING${ringText(ring(...edge()))}`,
    () => `MULTILINESTRING(${ringText(ring(...edge()))}, ${ringText(ring(place(), place(), corner()))})`,
  ];
  const whole = box(county.minX, county.minY, county.maxX, county.maxY);
  const queries = [multiPolygonText([[whole]]), multiPolygonText([[someStar(0.45, 3000)]])];
  for (let index = 0; index < 238; index++) queries.push((kinds[index % kinds.length] as () => string)());
  return queries;
}
