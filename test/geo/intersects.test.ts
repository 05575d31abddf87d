import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MultiPolygon, PolygonRings, QueryGeometry, Ring } from '../../engine/geo/geometry.ts';
import { prepareGeometry } from '../../engine/geo/intersects.ts';
import { encodeMultiPolygon } from '../../engine/geo/spatialite-blob.ts';
import { runs } from '../support/runs.ts';
import { box, type Position, positionsOf, queryOf, reversed, ring, seededRandom } from './shapes.ts';

/** Random pairs of geometries. */
const pairs = runs(400, 4000);

/**
 * The twin: no boxes, no index, no shared predicate. Coordinates are small integers, so that plain products are exact.
 */
function cross(a: Position, b: Position, c: Position): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

function isBetween(value: number, a: number, b: number): boolean {
  return Math.min(a, b) <= value && value <= Math.max(a, b);
}

function isOn([a, b]: readonly [Position, Position], p: Position): boolean {
  return cross(a, b, p) === 0 && isBetween(p[0], a[0], b[0]) && isBetween(p[1], a[1], b[1]);
}

function edgesOf(path: Float64Array): [Position, Position][] {
  const positions = positionsOf(path);
  return positions.slice(1).map((position, index) => [positions[index] ?? position, position]);
}

function segmentsMeet(first: readonly [Position, Position], second: readonly [Position, Position]): boolean {
  if (isOn(first, second[0]) || isOn(first, second[1]) || isOn(second, first[0]) || isOn(second, first[1])) return true;
  const separates = ([a, b]: readonly [Position, Position], [c, d]: readonly [Position, Position]): boolean =>
    cross(a, b, c) * cross(a, b, d) < 0;
  return separates(first, second) && separates(second, first);
}

/** Closed polygon: the boundary counts. */
function holds(polygon: PolygonRings, [x, y]: Position): boolean {
  let crossings = 0;
  for (const edge of polygon.flatMap(edgesOf)) {
    if (isOn(edge, [x, y])) return true;
    const [low, high] = edge[0][1] < edge[1][1] ? edge : [edge[1], edge[0]];
    if (low[1] <= y && y < high[1] && cross(low, high, [x, y]) > 0) crossings++;
  }
  return crossings % 2 === 1;
}

function naiveIntersects(query: QueryGeometry, parcel: MultiPolygon): boolean {
  const points = positionsOf(query.points);
  const paths: Float64Array[] = [...query.lines, ...query.polygons.flat()];
  // a vertex of the query is part of it, also one of a hole: the hole's edge belongs to the polygon
  return parcel.some(
    (polygon) =>
      [...points, ...paths.flatMap(positionsOf)].some((point) => holds(polygon, point)) ||
      paths.some((path) => edgesOf(path).some((a) => polygon.flatMap(edgesOf).some((b) => segmentsMeet(a, b)))) ||
      polygon.flatMap(positionsOf).some((point) => query.polygons.some((member) => holds(member, point))),
  );
}

const coordinate = fc.integer({ min: 0, max: 12 });
const position = fc.tuple(coordinate, coordinate);

/** Vertices by angle around a centre that they surround: simple, often with collinear runs. */
function surround(centre: Position, vertices: readonly Position[]): Ring | null {
  const angle = ([x, y]: Position): number => Math.atan2(y - centre[1], x - centre[0]);
  const byAngle = new Map(
    vertices.filter(([x, y]) => x !== centre[0] || y !== centre[1]).map((vertex) => [angle(vertex), vertex]),
  );
  const sorted = [...byAngle].sort(([a], [b]) => a - b).map(([, vertex]) => vertex);
  const isSurrounded = sorted.every((vertex, index) => {
    const next = sorted[(index + 1) % sorted.length] ?? vertex;
    return cross(centre, vertex, next) > 0;
  });
  const first = sorted[0];
  return first === undefined || sorted.length < 3 || !isSurrounded ? null : ring(...sorted, first);
}

const starRing = fc
  .tuple(position, fc.array(position, { minLength: 3, maxLength: 9 }))
  .map(([centre, vertices]) => surround(centre, vertices))
  .filter((candidate) => candidate !== null);

const rectangle = fc
  .tuple(coordinate, coordinate, fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 8 }))
  .map(([x, y, width, height]) => box(x, y, x + width, y + height));

const donut = fc
  .tuple(coordinate, coordinate, fc.integer({ min: 3, max: 9 }), fc.integer({ min: 3, max: 9 }))
  .map(
    ([x, y, width, height]): PolygonRings => [
      box(x, y, x + width, y + height),
      box(x + 1, y + 1, x + width - 1, y + height - 1),
    ],
  );

const polygon: fc.Arbitrary<PolygonRings> = fc
  .tuple(
    fc.oneof(
      starRing.map((exterior) => [exterior]),
      rectangle.map((exterior) => [exterior]),
      donut,
    ),
    fc.boolean(),
  )
  .map(([rings, isReversed]) => (isReversed ? rings.map(reversed) : rings));

const line = fc.array(position, { minLength: 2, maxLength: 5 }).map((positions) => ring(...positions));

const query = fc
  .record({
    points: fc.array(position, { maxLength: 2 }),
    lines: fc.array(line, { maxLength: 2 }),
    polygons: fc.array(polygon, { maxLength: 3 }),
  })
  .filter(({ points, lines, polygons }) => points.length + lines.length + polygons.length > 0)
  .map(queryOf);

describe('a prepared geometry', () => {
  it('answers as a naive test of all edges and vertices does, on grids full of touching and collinear parts', () => {
    let hits = 0;
    fc.assert(
      fc.property(query, fc.array(polygon, { minLength: 1, maxLength: 2 }), (asked, parcel) => {
        const prepared = prepareGeometry(asked);
        const expected = naiveIntersects(asked, parcel);
        if (expected) hits++;
        expect(prepared.intersectsMultiPolygon(parcel)).toBe(expected);
        expect(prepared.intersectsBlob(encodeMultiPolygon(parcel))).toBe(expected);
      }),
      { seed: 20_260_101, numRuns: pairs },
    );
    // both answers must have been tried often
    expect(hits).toBeGreaterThan(pairs / 4);
    expect(hits).toBeLessThan(pairs * 0.975);
  });

  it('answers as the naive test for points', () => {
    fc.assert(
      fc.property(query, position, (asked, point) => {
        const expected =
          positionsOf(asked.points).some(([x, y]) => x === point[0] && y === point[1]) ||
          asked.lines.some((path) => edgesOf(path).some((edge) => isOn(edge, point))) ||
          asked.polygons.some((member) => holds(member, point));
        expect(prepareGeometry(asked).intersectsPoint(...point)).toBe(expected);
      }),
      { seed: 20_260_102, numRuns: pairs },
    );
  });

  it('answers as the naive test when one preparation meets many small parcels and long rings', () => {
    const random = seededRandom(7);
    const whole = (limit: number): number => Math.floor(random() * limit);
    for (let round = 0; round < 12; round++) {
      const centre: Position = [5000, 5000];
      const vertices = Array.from({ length: 60 + round * 60 }, (): Position => [whole(10_000), whole(10_000)]);
      const exterior = surround(centre, vertices);
      if (exterior === null) throw new Error('the vertices do not surround the centre');
      const asked = queryOf({ polygons: [[exterior]], lines: [ring([0, 0], [whole(10_000), 10_000])] });
      const prepared = prepareGeometry(asked);
      for (let trial = 0; trial < 80; trial++) {
        const [x, y] = [whole(10_000), whole(10_000)];
        const size = 1 + whole(trial % 10 === 0 ? 6000 : 200);
        const parcel = [[box(x, y, x + size, y + size)]];
        expect(prepared.intersectsMultiPolygon(parcel)).toBe(naiveIntersects(asked, parcel));
        expect(prepared.intersectsPoint(x, y)).toBe(naiveIntersects(asked, [[ring([x, y], [x, y], [x, y], [x, y])]]));
      }
    }
  });

  const square = box(0, 0, 10, 10);
  const hole = box(2, 2, 8, 8);
  const cases: [string, QueryGeometry, MultiPolygon, boolean][] = [
    ['a shared corner', queryOf({ polygons: [[square]] }), [[box(10, 10, 12, 12)]], true],
    ['a shared edge', queryOf({ polygons: [[square]] }), [[box(10, 3, 12, 7)]], true],
    ['a corner on an edge', queryOf({ polygons: [[square]] }), [[ring([10, 5], [12, 4], [12, 6], [10, 5])]], true],
    [
      'boxes that overlap without the shapes',
      queryOf({ polygons: [[ring([0, 0], [10, 0], [0, 10], [0, 0])]] }),
      [[box(8, 8, 9, 9)]],
      false,
    ],
    ['a parcel inside the query', queryOf({ polygons: [[square]] }), [[box(4, 4, 5, 5)]], true],
    ['a query inside the parcel', queryOf({ polygons: [[box(4, 4, 5, 5)]] }), [[square]], true],
    ['a parcel in a hole of the query', queryOf({ polygons: [[square, hole]] }), [[box(4, 4, 5, 5)]], false],
    ['a query in a hole of the parcel', queryOf({ polygons: [[box(4, 4, 5, 5)]] }), [[square, hole]], false],
    ['a parcel that fills a hole of the query', queryOf({ polygons: [[square, hole]] }), [[hole]], true],
    ['a parcel touching a hole from within', queryOf({ polygons: [[square, hole]] }), [[box(2, 4, 5, 5)]], true],
    [
      'an island of the query in the hole of its own',
      queryOf({ polygons: [[square, hole], [box(4, 4, 6, 6)]] }),
      [[box(4.5, 4.5, 5, 5)]],
      true,
    ],
    ['a far part of the parcel', queryOf({ polygons: [[square]] }), [[box(20, 20, 21, 21)], [box(4, 4, 5, 5)]], true],
    [
      'overlapping parts of a query, both ways round',
      queryOf({ polygons: [[square], [reversed(box(3, 3, 12, 12))]] }),
      [[box(5, 5, 6, 6)]],
      true,
    ],
    ['a point inside', queryOf({ points: [[5, 5]] }), [[square]], true],
    ['a point in the hole', queryOf({ points: [[5, 5]] }), [[square, hole]], false],
    ['a point on the edge of the hole', queryOf({ points: [[2, 5]] }), [[square, hole]], true],
    ['a point on a corner', queryOf({ points: [[10, 10]] }), [[square]], true],
    ['a line across', queryOf({ lines: [ring([-5, 5], [15, 5])] }), [[square]], true],
    ['a line within', queryOf({ lines: [ring([4, 4], [5, 6])] }), [[square]], true],
    ['a line within the hole', queryOf({ lines: [ring([4, 4], [5, 6])] }), [[square, hole]], false],
    ['a line that ends on an edge', queryOf({ lines: [ring([15, 5], [10, 5])] }), [[square]], true],
    ['a line along an edge', queryOf({ lines: [ring([10, -5], [10, 15])] }), [[square]], true],
    ['a line beside', queryOf({ lines: [ring([10.001, -5], [10.001, 15])] }), [[square]], false],
    ['a line of no length on an edge', queryOf({ lines: [ring([10, 5], [10, 5])] }), [[square]], true],
  ];
  it.each(cases)('knows %s', (_name, asked, parcel, expected) => {
    const prepared = prepareGeometry(asked);
    expect(prepared.intersectsMultiPolygon(parcel)).toBe(expected);
    expect(prepared.intersectsBlob(encodeMultiPolygon(parcel))).toBe(expected);
  });

  it('decides by the exact sign where a product of doubles rounds to zero', () => {
    // The classic failure of naive orientation (Kettner et al., "Classroom examples of robustness problems", 2008): near
    // (0.5, 0.5) against the diagonal through (12, 12) and (24, 24), steps of one unit in the last place. The point lies
    // on the diagonal only when both steps are equal; the triangle's edge is the diagonal, its inside below.
    const triangle = [[ring([0, 0], [24, 0], [24, 24], [12, 12], [0, 0])]];
    const step = 2 ** -53;
    for (let i = 0; i < 40; i++) {
      for (let j = 0; j < 40; j++) {
        const prepared = prepareGeometry(queryOf({ points: [[0.5 + i * step, 0.5 + j * step]] }));
        // 0.5 + odd · 2⁻⁵³ is rounded to even: compare what was stored
        expect(prepared.intersectsMultiPolygon(triangle)).toBe(0.5 + i * step >= 0.5 + j * step);
      }
    }
  });

  it('meets nothing when the query is empty', () => {
    const prepared = prepareGeometry(queryOf({}));
    expect(prepared.intersectsMultiPolygon([[square]])).toBe(false);
    expect(prepared.intersectsPoint(0, 0)).toBe(false);
  });

  it('refuses bytes that are not a geometry', () => {
    const prepared = prepareGeometry(queryOf({ polygons: [[square]] }));
    expect(() => prepared.intersectsBlob(Buffer.from('not a geometry'))).toThrow(
      'expected a SpatiaLite geometry header',
    );
  });
});
