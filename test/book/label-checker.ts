/** Checks the labels of a page by exact polygon clipping, apart from the code that placed them. */
import * as polyclip from 'polyclip-ts';
import type { PageLabel, SeenHolding } from '../../engine/book/place-labels.ts';

type Pairs = [number, number][];

function cornersOf({ x, y, width, height, angle }: PageLabel): Pairs {
  const turn = (angle * Math.PI) / 180;
  const along = [Math.cos(turn), -Math.sin(turn)] as const;
  const down = [Math.sin(turn), Math.cos(turn)] as const;
  const corner = (a: number, d: number): [number, number] => [
    x + (a * width * along[0] + d * height * down[0]) / 2,
    y + (a * width * along[1] + d * height * down[1]) / 2,
  ];
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), corner(-1, -1)];
}

function areaOf(geometry: polyclip.Geom): number {
  let sum = 0;
  for (const rings of geometry as Pairs[][]) {
    for (const [at, pairs] of rings.entries()) {
      let twice = 0;
      for (let i = 0; i + 1 < pairs.length; i++) {
        const [[ax, ay], [bx, by]] = [pairs[i] as [number, number], pairs[i + 1] as [number, number]];
        twice += ax * by - bx * ay;
      }
      sum += (at === 0 ? 1 : -1) * Math.abs(twice / 2);
    }
  }
  return sum;
}

const boundsOf = (pairs: Pairs) => ({
  minX: Math.min(...pairs.map(([x]) => x)),
  maxX: Math.max(...pairs.map(([x]) => x)),
  minY: Math.min(...pairs.map(([, y]) => y)),
  maxY: Math.max(...pairs.map(([, y]) => y)),
});

/** Square points that rounding may cost. */
const slack = 1e-3;

/** A sentence for each overlap and each label that leaves the part of its holding that is seen. */
export function faultsOf(seen: readonly SeenHolding[], labels: readonly PageLabel[]): string[] {
  const byPlace = new Map(seen.map((one) => [one.at, one]));
  const boxes = labels.map((label) => ({ label, corners: cornersOf(label), bounds: boundsOf(cornersOf(label)) }));
  const faults: string[] = [];
  for (const { label, corners } of boxes) {
    const parts = (byPlace.get(label.at) as SeenHolding).seen;
    const left = parts.reduce<polyclip.Geom>(
      (rest, rings) => polyclip.difference(rest, rings.map(pairsOf) as polyclip.Geom),
      [[corners]] as polyclip.Geom,
    );
    if (areaOf(left) > slack) faults.push(`${label.lines.join(' ')} leaves its holding`);
  }
  return [...faults, ...overlapsOf(boxes)];
}

interface LabelCorners {
  readonly label: PageLabel;
  readonly corners: Pairs;
  readonly bounds: ReturnType<typeof boundsOf>;
}

function overlapsOf(boxes: readonly LabelCorners[]): string[] {
  const faults: string[] = [];
  const sorted = boxes.toSorted((a, b) => a.bounds.minX - b.bounds.minX);
  for (const [at, one] of sorted.entries()) {
    for (const other of sorted.slice(at + 1)) {
      if (other.bounds.minX > one.bounds.maxX) break;
      if (other.bounds.minY > one.bounds.maxY || other.bounds.maxY < one.bounds.minY) continue;
      const both = polyclip.intersection([one.corners] as polyclip.Geom, [other.corners] as polyclip.Geom);
      if (areaOf(both) > slack) faults.push(`${one.label.lines.join(' ')} meets ${other.label.lines.join(' ')}`);
    }
  }
  return faults;
}

const pairsOf = (ring: Float64Array): Pairs =>
  Array.from({ length: ring.length / 2 }, (_, at) => [ring[2 * at] as number, ring[2 * at + 1] as number]);
