/** The sample's public land survey: townships and sections, invented like the county. */
import { latitudeOf, longitudeOf } from './fabric.ts';
import type { LayerFeature } from './map-layers.ts';
import type { Point } from './plane.ts';
import type { Random } from './random.ts';

const mile = 1609.344;
/** Sections along a side of a township. */
const side = 6;
/** Southwest corner of the grid, in meters of the plane. */
const corner = { x: -14_100, y: -13_000 };
/** From west to east, and from south to north. */
const ranges = [5, 4, 3, 2];
const townships = [2, 3, 4];
/** North of it the survey began again, farther east: range lines jog there. */
const correction = { row: side, meters: 80 };
/** How far a stone lies from its place at most, in meters. */
const off = 9;

interface Box {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** Townships whole, and the sections that reach into the box of the county. */
export function surveyOf(random: Random, county: Box): LayerFeature[] {
  const columns = ranges.length * side;
  const rows = townships.length * side;
  const errors = Array.from({ length: (columns + 1) * (rows + 1) }, () => ({
    x: (2 * random.next() - 1) * off,
    y: (2 * random.next() - 1) * off,
  }));
  /** @param isNorth whether the corner belongs to land north of it, which matters on the correction line */
  const stone = (column: number, row: number, isNorth: boolean): Point => {
    const error = errors[row * (columns + 1) + column] ?? { x: 0, y: 0 };
    const isBeyond = row > correction.row || (row === correction.row && isNorth);
    return {
      x: corner.x + column * mile + error.x + (isBeyond ? correction.meters : 0),
      // The correction line is straight, so that both sides meet on it.
      y: corner.y + row * mile + (row === correction.row ? 0 : error.y),
    };
  };
  const sections: LayerFeature[] = [];
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = 0; column < columns; column++) {
      const ring = [
        stone(column, row, true),
        stone(column + 1, row, true),
        stone(column + 1, row + 1, false),
        stone(column, row + 1, false),
      ];
      if (!reaches(ring, county)) continue;
      const number = numberOf(column % side, side - 1 - (row % side));
      sections.push(feature(`${townshipId(column, row)}SN${String(number).padStart(2, '0')}0`, 'FRSTDIVID', ring));
    }
  }
  return [...outlines(stone), ...sections];
}

/** Section 1 lies in the northeast; the rows go back and forth. */
function numberOf(fromWest: number, fromNorth: number): number {
  const along = fromNorth % 2 === 0 ? side - 1 - fromWest : fromWest;
  return fromNorth * side + along + 1;
}

/** No meridian has the number 00. */
const townshipId = (column: number, row: number): string => {
  const [range, township] = [ranges[Math.floor(column / side)], townships[Math.floor(row / side)]];
  return `ZZ00${String(township).padStart(3, '0')}0N${String(range).padStart(3, '0')}0W0`;
};

function outlines(stone: (column: number, row: number, isNorth: boolean) => Point): LayerFeature[] {
  return townships.flatMap((_, up) =>
    ranges.map((__, along) => {
      const [column, row] = [along * side, up * side];
      const steps = Array.from({ length: side }, (___, step) => step);
      const ring = [
        ...steps.map((step) => stone(column + step, row, true)),
        ...steps.map((step) => stone(column + side, row + step, step === 0)),
        ...steps.map((step) => stone(column + side - step, row + side, false)),
        ...steps.map((step) => stone(column, row + side - step, false)),
      ];
      return feature(townshipId(column, row), 'PLSSID', ring);
    }),
  );
}

const reaches = (ring: readonly Point[], box: Box): boolean =>
  ring.some(({ x }) => x > box.minX) &&
  ring.some(({ x }) => x < box.maxX) &&
  ring.some(({ y }) => y > box.minY) &&
  ring.some(({ y }) => y < box.maxY);

const feature = (id: string, name: 'PLSSID' | 'FRSTDIVID', ring: readonly Point[]): LayerFeature => ({
  properties: { [name]: id },
  geometry: {
    type: 'Polygon',
    coordinates: [
      [...ring, ...ring.slice(0, 1)].map(({ x, y }) => [
        Number(longitudeOf(x).toFixed(6)),
        Number(latitudeOf(y).toFixed(6)),
      ]),
    ],
  },
});
