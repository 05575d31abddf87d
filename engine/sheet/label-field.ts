/**
 * The letters of a map: a new label must lie inside the frame and must not touch one that stands. Dark shapes, like
 * buildings, are kept free as long as there is room beside them.
 */
import type { Box } from '../exporting/pdf-page.ts';

/** A box around its middle, turned counterclockwise; y points down. */
export interface LabelBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Degrees. */
  readonly angle: number;
}

export const levelBox = ({ x, y, width, height }: Box): LabelBox => ({
  x: x + width / 2,
  y: y + height / 2,
  width,
  height,
  angle: 0,
});

type Corners = readonly (readonly [number, number])[];

/** Points between two labels. */
const gap = 1;
/** Side of the grid's cells that find neighbors. */
const cellSide = 48;

class BoxGrid {
  readonly #cells = new Map<string, Corners[]>();

  add(corners: Corners): void {
    for (const name of cellNames(corners)) {
      const cell = this.#cells.get(name);
      if (cell) cell.push(corners);
      else this.#cells.set(name, [corners]);
    }
  }

  isFree(corners: Corners): boolean {
    return cellNames(corners).every((name) => !this.#cells.get(name)?.some((other) => meets(corners, other)));
  }
}

export class LabelField {
  readonly #frame: Box;
  readonly #labels = new BoxGrid();
  readonly #dark = new BoxGrid();

  constructor(frame: Box) {
    this.#frame = frame;
  }

  /** Keeps a dark shape free of labels that have room beside it. */
  addDark(box: Box): void {
    this.#dark.add(cornersOf(levelBox(box), 0));
  }

  /** Takes a place that is drawn on already, whatever else is there. */
  block(box: Box): void {
    this.#labels.add(cornersOf(levelBox(box), gap / 2));
  }

  /** The part of a box within the frame. */
  part({ x, y, width, height }: Box): Box {
    const { x: left, y: top, width: wide, height: high } = this.#frame;
    const [from, down] = [Math.max(x, left), Math.max(y, top)];
    return {
      ...{ x: from, y: down },
      width: Math.min(x + width, left + wide) - from,
      height: Math.min(y + height, top + high) - down,
    };
  }

  /** Whether a place is free, dark shapes aside. */
  isFree(box: LabelBox): boolean {
    const corners = cornersOf(box, gap / 2);
    return this.#isInside(corners) && this.#labels.isFree(corners);
  }

  /** Takes the place if it is free. @param mayCross whether it may lie on dark shapes */
  takes(box: LabelBox, mayCross = false): boolean {
    const corners = cornersOf(box, gap / 2);
    if (!this.#isInside(corners) || !this.#labels.isFree(corners)) return false;
    if (!mayCross && !this.#dark.isFree(corners)) return false;
    this.#labels.add(corners);
    return true;
  }

  #isInside(corners: Corners): boolean {
    const { x, y, width, height } = this.#frame;
    return corners.every(
      ([cx, cy]) => cx >= x + gap && cx <= x + width - gap && cy >= y + gap && cy <= y + height - gap,
    );
  }
}

function cornersOf({ x, y, width, height, angle }: LabelBox, around: number): Corners {
  const [cosine, sine] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  const [halfWidth, halfHeight] = [width / 2 + around, height / 2 + around];
  return [
    [-halfWidth, -halfHeight],
    [halfWidth, -halfHeight],
    [halfWidth, halfHeight],
    [-halfWidth, halfHeight],
  ].map(([along = 0, across = 0]) => [x + along * cosine + across * sine, y - along * sine + across * cosine]);
}

function cellNames(corners: Corners): string[] {
  const cell = (value: number) => Math.floor(value / cellSide);
  const columns = corners.map(([x]) => cell(x));
  const rows = corners.map(([, y]) => cell(y));
  const names: string[] = [];
  for (let row = Math.min(...rows); row <= Math.max(...rows); row++) {
    for (let column = Math.min(...columns); column <= Math.max(...columns); column++) names.push(`${column} ${row}`);
  }
  return names;
}

/** Whether two turned boxes overlap: no side of either separates them (S. Gottschalk, 1996). */
const meets = (one: Corners, other: Corners): boolean => !isParted(one, other) && !isParted(other, one);

function isParted(one: Corners, other: Corners): boolean {
  for (const at of [0, 1]) {
    const [ax, ay] = one[at] as readonly [number, number];
    const [bx, by] = one[at + 1] as readonly [number, number];
    const along = (corners: Corners) => corners.map(([x, y]) => (x - ax) * (bx - ax) + (y - ay) * (by - ay));
    const [mine, theirs] = [along(one), along(other)];
    if (Math.max(...mine) <= Math.min(...theirs) || Math.max(...theirs) <= Math.min(...mine)) return true;
  }
  return false;
}
