/** Small things that a page draws below its letters, buildings as dots and lines: letters keep off them where they can. */
import { boxPath, type Path } from '../exporting/pdf-page.ts';
import { BoundsIndex } from '../geo/bounds-index.ts';
import { boundsOfCoordinates, type Ring } from '../geo/geometry.ts';
import { thinned } from '../geo/thinned.ts';
import type { LabelBox } from '../sheet/label-field.ts';
import type { LabelShape } from './fit-label.ts';

/** Half a side, in points. */
const half = 0.75;

export const dotPath = ([x, y]: readonly [number, number]): Path =>
  boxPath({ x: x - half, y: y - half, width: 2 * half, height: 2 * half });

/** Points by which lines may be off: they have a vertex at each bend of the land. */
const lineSlack = 0.4;

export class DrawnThings {
  /** Closed; a piece of a line is a ring there and back. */
  readonly #rings: readonly Ring[];
  readonly #index: BoundsIndex;

  constructor(dots: readonly (readonly [number, number])[], lines: readonly Path[]) {
    this.#rings = [...dots.map((dot) => closed(dotPath(dot))), ...lines.flatMap(pieces)];
    this.#index = new BoundsIndex(this.#rings.map((ring) => boundsOfCoordinates([ring])));
  }

  isUnder(box: LabelBox): boolean {
    const { x, y, width, height } = box;
    const reach = Math.hypot(width, height) / 2;
    return this.#near({ minX: x - reach, minY: y - reach, maxX: x + reach, maxY: y + reach }).some((ring) =>
      crosses(ring, box),
    );
  }

  /** Those in the box of a shape. */
  within({ rings }: LabelShape): Ring[] {
    return this.#near(boundsOfCoordinates(rings.slice(0, 1)));
  }

  #near(bounds: Parameters<BoundsIndex['near']>[0]): Ring[] {
    return this.#index.near(bounds).map((at) => this.#rings[at] as Ring);
  }
}

const closed = (path: Path): Ring => Float64Array.of(...Array.from(path), path[0] as number, path[1] as number);

function pieces(line: Path): Ring[] {
  const points = thinned(Float64Array.from(line), lineSlack);
  return Array.from({ length: points.length / 2 - 1 }, (_, at) => {
    const [ax = 0, ay = 0, bx = 0, by = 0] = points.subarray(2 * at, 2 * at + 4);
    return Float64Array.of(ax, ay, bx, by, ax, ay);
  });
}

/** Whether an edge of the ring meets the box. */
function crosses(ring: Ring, { x, y, width, height, angle }: LabelBox): boolean {
  const [cosine, sine] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  const along = (at: number) => ((ring[at] as number) - x) * cosine - ((ring[at + 1] as number) - y) * sine;
  const across = (at: number) => ((ring[at] as number) - x) * sine + ((ring[at + 1] as number) - y) * cosine;
  for (let at = 0; at + 3 < ring.length; at += 2) {
    const sides = [
      [along(at), along(at + 2), width / 2],
      [across(at), across(at + 2), height / 2],
    ] as const;
    let [from, to] = [0, 1];
    for (const [a, b, reach] of sides) {
      const shares = [(-reach - a) / (b - a), (reach - a) / (b - a)];
      if (a === b) {
        if (Math.abs(a) > reach) to = -1;
        continue;
      }
      from = Math.max(from, Math.min(...shares));
      to = Math.min(to, Math.max(...shares));
    }
    if (from <= to) return true;
  }
  return false;
}
