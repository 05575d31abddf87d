import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hilbertIndex } from '../../engine/geo/hilbert.ts';
import type { Position } from './shapes.ts';

const cellWidth = 360 / 65_536;
const cellHeight = 180 / 65_536;

/** d → xy by the textbook's loop (https://en.wikipedia.org/wiki/Hilbert_curve): the twin, run the other way. */
function cellAt(index: number): Position {
  let rest = index;
  let x = 0;
  let y = 0;
  for (let side = 1; side < 65_536; side *= 2) {
    const east = Math.floor(rest / 2) % 2;
    const north = (rest + east) % 2;
    if (north === 0) {
      if (east === 1) {
        x = side - 1 - x;
        y = side - 1 - y;
      }
      [x, y] = [y, x];
    }
    x += side * east;
    y += side * north;
    rest = Math.floor(rest / 4);
  }
  return [x, y];
}

function centreOf([x, y]: Position): Position {
  return [-180 + (x + 0.5) * cellWidth, -90 + (y + 0.5) * cellHeight];
}

const anyIndex = fc.integer({ min: 0, max: 2 ** 32 - 1 });

describe('the Hilbert index', () => {
  it('begins in the south-west and ends in the south-east', () => {
    expect(hilbertIndex(-180, -90)).toBe(0);
    expect(hilbertIndex(180, -90)).toBe(2 ** 32 - 1);
    // quarters: south-west, north-west, north-east, south-east
    expect(Math.floor(hilbertIndex(-90, -45) / 2 ** 30)).toBe(0);
    expect(Math.floor(hilbertIndex(-90, 45) / 2 ** 30)).toBe(1);
    expect(Math.floor(hilbertIndex(90, 45) / 2 ** 30)).toBe(2);
    expect(Math.floor(hilbertIndex(90, -45) / 2 ** 30)).toBe(3);
  });

  it('is undone by the textbook inverse', () => {
    fc.assert(
      fc.property(anyIndex, (index) => {
        expect(hilbertIndex(...centreOf(cellAt(index)))).toBe(index);
      }),
      { seed: 6, numRuns: 2000 },
    );
  });

  it('goes from cell to neighbouring cell', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 2 }), (index) => {
        const [x, y] = cellAt(index);
        const [nextX, nextY] = cellAt(index + 1);
        expect(Math.abs(x - nextX) + Math.abs(y - nextY)).toBe(1);
      }),
      { seed: 7, numRuns: 2000 },
    );
  });

  it('is that of the nearest cell outside the world', () => {
    expect(hilbertIndex(-500, -500)).toBe(hilbertIndex(-180, -90));
    expect(hilbertIndex(500, 500)).toBe(hilbertIndex(180, 90));
  });
});
