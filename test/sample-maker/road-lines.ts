/** Centerlines of the roads as laid: only where a right of way exists. */
import { latitudeOf, longitudeOf } from './fabric.ts';
import type { Network } from './network.ts';
import { at, contains, distance, type Point, ringCrossings } from './plane.ts';
import type { SampleRoad } from './types.ts';

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** A crossing road or a bridge between two stretches does not break the line. */
const bridged = 420;

export function buildRoads(network: Network): SampleRoad[] {
  const outline = network.points({ ring: network.outline, kind: 'land', road: -1 });
  const faces = Map.groupBy(
    network.faces.filter((face) => face.kind === 'road'),
    (face) => face.road,
  );
  return network.roads.flatMap((road, index) => {
    const rings = (faces.get(index) ?? []).map((face) => network.points(face));
    const stretches = rings.flatMap((ring) => stretchesIn(ring, road.center)).sort((a, b) => a.from - b.from);
    return joinStretches(stretches, road.center).map((stretch) => ({
      name: road.name,
      class: road.class,
      line: reachIn(slice(road.center, stretch), outline).map((p): [number, number] => [
        longitudeOf(p.x),
        latitudeOf(p.y),
      ]),
    }));
  });
}

function stretchesIn(ring: readonly Point[], line: readonly Point[]): Stretch[] {
  const crossings = ringCrossings(ring, line);
  const stretches: Stretch[] = [];
  for (let i = 0; i + 1 < crossings.length; i++) {
    const [from, to] = [at(crossings, i).position, at(crossings, i + 1).position];
    if (contains(ring, pointAlong(line, (from + to) / 2))) stretches.push({ from, to });
  }
  return stretches;
}

function pointAlong(line: readonly Point[], position: number): Point {
  const index = Math.min(line.length - 2, Math.floor(position));
  const [a, b, t] = [at(line, index), at(line, index + 1), position - index];
  return { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t };
}

function joinStretches(stretches: readonly Stretch[], line: readonly Point[]): Stretch[] {
  const joined: Stretch[] = [];
  for (const stretch of stretches) {
    const last = joined.at(-1);
    if (last && distance(pointAlong(line, last.to), pointAlong(line, stretch.from)) < gapLimit(line)) {
      joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, stretch.to) };
    } else joined.push(stretch);
  }
  return joined;
}

/** Streets have short blocks, which a bridge's length would skip. */
const gapLimit = (line: readonly Point[]): number => (distance(at(line, 0), at(line, -1)) < 2600 ? 45 : bridged);

function slice(line: readonly Point[], { from, to }: Stretch): Point[] {
  return [pointAlong(line, from), ...line.slice(Math.floor(from) + 1, Math.ceil(to)), pointAlong(line, to)];
}

/** Extends both ends to the middle of the road they join, unless that leaves the county. */
function reachIn(line: readonly Point[], outline: readonly Point[]): Point[] {
  const extended = (end: Point, before: Point): Point[] => {
    const length = distance(before, end) || 1;
    const next = { x: end.x + ((end.x - before.x) / length) * 10, y: end.y + ((end.y - before.y) / length) * 10 };
    return contains(outline, next) ? [next] : [];
  };
  return [...extended(at(line, 0), at(line, 1)), ...line, ...extended(at(line, -1), at(line, -2))];
}
