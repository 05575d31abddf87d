import { describe, expect, test } from 'vitest';
import { LayerIndex, LayerPacker } from '../../engine/enrichment/layer-index.ts';
import type { MultiPolygon } from '../../engine/geo/geometry.ts';
import { lengthInside } from '../../engine/geo/length-inside.ts';
import { metersPerFoot } from '../../engine/geo/local-metric.ts';
import { boundaryEdges, lengthNear } from '../../engine/geo/near-length.ts';
import { boxOfFeet, lotOfFeet, type Position, pathOfFeet, ringOfFeet } from './laid-shapes.ts';

type Line = readonly Position[];

function indexOf(lines: readonly (readonly [lineClass: number, line: Line])[]): LayerIndex {
  const packer = new LayerPacker();
  for (const [lineClass, line] of lines) packer.addLines([pathOfFeet(...line)], lineClass);
  return new LayerIndex(packer.finish());
}

/** Feet of the boundary within 50 feet of the lines: of any, and of each of three classes. */
function frontage(parcel: MultiPolygon, lines: readonly (readonly [lineClass: number, line: Line])[]): number[] {
  const index = indexOf(lines);
  const near = lengthNear(parcel, 50 * metersPerFoot, 3, (box) => index.segments(box));
  return [near.any, ...near.byClass].map((meters) => meters / metersPerFoot);
}

const closeTo = (...feet: number[]) => feet.map((value) => expect.closeTo(value, 2));

describe('the length of a boundary near lines', () => {
  // 100 feet wide, 200 deep, its south side 30 feet north of a road that runs on past it
  const lot = lotOfFeet(0, 30, 100, 230);
  const road: Line = [
    [-1000, 0],
    [1000, 0],
  ];

  test('is the side along the road, and of the sides what is within reach', () => {
    // all of the south side, and 50 − 30 = 20 feet of each side
    expect(frontage(lot, [[2, road]])).toEqual(closeTo(140, 0, 0, 140));
  });

  test('counts parallel roads once', () => {
    const second: Line = [
      [-1000, -10],
      [1000, -10],
    ];
    // the second reaches 10 feet up the sides, which the first has; each class has its own
    expect(
      frontage(lot, [
        [2, road],
        [2, second],
      ]),
    ).toEqual(closeTo(140, 0, 0, 140));
    expect(
      frontage(lot, [
        [2, road],
        [0, second],
      ]),
    ).toEqual(closeTo(140, 120, 0, 140));
  });

  test('ends in a half circle around the end of a road', () => {
    // the road ends 40 feet below the south-west corner: √(50² − 40²) = 30 feet of the south side, 10 of the west side
    const lane: Line = [
      [0, -500],
      [0, -10],
    ];
    expect(frontage(lot, [[2, lane]])).toEqual(closeTo(40, 0, 0, 40));
  });

  test('follows the bends of a road without doubling at its vertices', () => {
    const bent: Line = [
      [-1000, 0],
      [50, 0],
      [50, 0],
      [60, 0],
      [1000, 0],
    ];
    expect(frontage(lot, [[2, bent]])).toEqual(closeTo(140, 0, 0, 140));
  });

  test('is nothing at a road out of reach, and all inside a road', () => {
    const far: Line = [
      [-1000, -21],
      [1000, -21],
    ];
    expect(frontage(lot, [[2, far]])).toEqual(closeTo(0, 0, 0, 0));
    const rightOfWay = lotOfFeet(0, -30, 400, 30);
    // 2 × 400 + 2 × 60
    expect(frontage(rightOfWay, [[2, road]])).toEqual(closeTo(920, 0, 0, 920));
  });

  test('counts the edges of holes, but no spike and no seam between parts', () => {
    const withHole: MultiPolygon = [[boxOfFeet(-200, -200, 200, 200), boxOfFeet(-20, 10, 20, 30)]];
    // the hole's 120 feet, and 100 feet of each of the two sides that the road crosses
    expect(frontage(withHole, [[2, road]])).toEqual(closeTo(320, 0, 0, 320));
    const spiked: MultiPolygon = [[ringOfFeet([0, 30], [100, 30], [300, 30], [100, 30], [100, 230], [0, 230])]];
    expect(frontage(spiked, [[2, road]])).toEqual(closeTo(140, 0, 0, 140));
    const halves: MultiPolygon = [[boxOfFeet(0, 30, 50, 230)], [boxOfFeet(50, 30, 100, 230)]];
    expect(frontage(halves, [[2, road]])).toEqual(closeTo(140, 0, 0, 140));
  });

  test('counts a ring traced twice once', () => {
    const twice = ringOfFeet([0, 30], [100, 30], [100, 230], [0, 230], [0, 30], [100, 30], [100, 230], [0, 230]);
    expect(boundaryEdges([[twice]]).length / 4).toBe(4);
    expect(frontage([[twice]], [[2, road]])).toEqual(closeTo(140, 0, 0, 140));
  });
});

describe('the length of a line inside a parcel', () => {
  const lot = lotOfFeet(0, 0, 100, 200);
  const inside = (parcel: MultiPolygon, from: Position, to: Position): number => {
    const [ax = 0, ay = 0, bx = 0, by = 0] = pathOfFeet(from, to);
    return lengthInside(parcel, ax, ay, bx, by) / metersPerFoot;
  };

  test('ends where the line leaves it', () => {
    expect(inside(lot, [-50, 100], [150, 100])).toBeCloseTo(100, 2);
    expect(inside(lot, [50, 100], [150, 100])).toBeCloseTo(50, 2);
    expect(inside(lot, [20, 20], [20, 80])).toBeCloseTo(60, 2);
    expect(inside(lot, [-50, 300], [150, 300])).toBe(0);
  });

  test('leaves out holes', () => {
    const parcel: MultiPolygon = [[boxOfFeet(0, 0, 100, 200), boxOfFeet(40, 50, 60, 150)]];
    expect(inside(parcel, [-50, 100], [150, 100])).toBeCloseTo(80, 2);
  });
});
