/** The edges of very many shapes in one array, and which of them have equal ends. */
import { type MultiPolygon, planarRingArea, type Ring } from './geometry.ts';
import { localMetric } from './local-metric.ts';
import { boundaryEdges } from './near-length.ts';

/** Ends closer than about a centimeter are one. */
const gridPerDegree = 1e7;

/** Directed edges of all shapes, with the inside on their left. */
export class EdgeList {
  /** Four numbers each: ax ay bx by. */
  coordinates = new Float64Array(1 << 16);
  owners = new Int32Array(1 << 14);
  count = 0;

  constructor(shapes: Iterable<MultiPolygon>) {
    let shape = 0;
    for (const polygons of shapes) this.#add(polygons, shape++);
  }

  #add(polygons: MultiPolygon, shape: number): void {
    const edges = boundaryEdges(polygons.map((rings) => rings.map(directed)));
    const needed = this.count + edges.length / 4;
    if (needed > this.owners.length) {
      const [size, before, owners] = [Math.max(needed, 2 * this.owners.length), this.coordinates, this.owners];
      this.coordinates = new Float64Array(4 * size);
      this.coordinates.set(before);
      this.owners = new Int32Array(size);
      this.owners.set(owners);
    }
    this.coordinates.set(edges, 4 * this.count);
    this.owners.fill(shape, this.count, needed);
    this.count = needed;
  }

  /** Meters of an edge, and its middle in degrees. */
  measure(edge: number): readonly [meters: number, longitude: number, latitude: number] {
    const [ax, ay, bx, by] = this.coordinates.subarray(4 * edge, 4 * edge + 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
    const [longitude, latitude] = [(ax + bx) / 2, (ay + by) / 2];
    const metric = localMetric(latitude);
    return [Math.hypot((bx - ax) * metric.x, (by - ay) * metric.y), longitude, latitude];
  }
}

/** An exterior counterclockwise, a hole clockwise. */
function directed(ring: Ring, at: number): Ring {
  if (planarRingArea(ring) > 0 === (at === 0)) return ring;
  const turned = new Float64Array(ring.length);
  for (let from = 0; from < ring.length; from += 2) {
    turned[from] = ring[ring.length - 2 - from] as number;
    turned[from + 1] = ring[ring.length - 1 - from] as number;
  }
  return turned;
}

/**
 * Edges with equal ends, of whichever direction. @param onPair called for each two shapes that have an edge, with it of each
 * @returns for each edge, whether another shape has it
 */
export function pairEqual(
  { coordinates, owners, count }: EdgeList,
  onPair: (one: number, other: number, edge: number, met: number) => void,
): Uint8Array {
  const ends = new Int32Array(4 * count);
  let size = 16;
  while (size < 2 * count) size *= 2;
  const first = new Int32Array(size).fill(-1);
  const next = new Int32Array(count);
  const isPaired = new Uint8Array(count);
  for (let edge = 0; edge < count; edge++) {
    const at = 4 * edge;
    for (let part = 0; part < 4; part++)
      ends[at + part] = Math.round((coordinates[at + part] as number) * gridPerDegree);
    orderEnds(ends, at);
    const slot = hashOf(ends, at) & (size - 1);
    for (let met = first[slot] as number; met >= 0; met = next[met] as number) {
      if (!areEqual(ends, at, 4 * met)) continue;
      const [own, other] = [owners[edge] as number, owners[met] as number];
      if (own === other) continue;
      isPaired[edge] = 1;
      isPaired[met] = 1;
      onPair(own, other, edge, met);
    }
    next[edge] = first[slot] as number;
    first[slot] = edge;
  }
  return isPaired;
}

function orderEnds(ends: Int32Array, at: number): void {
  const [ax, ay, bx, by] = ends.subarray(at, at + 4) as unknown as [number, number, number, number];
  if (ax < bx || (ax === bx && ay <= by)) return;
  ends[at] = bx;
  ends[at + 1] = by;
  ends[at + 2] = ax;
  ends[at + 3] = ay;
}

function hashOf(ends: Int32Array, at: number): number {
  let hash = 0;
  for (let part = at; part < at + 4; part++)
    hash = Math.imul(hash ^ (ends[part] as number), 0x9e3779b1) ^ (hash >>> 15);
  return (hash ^ (hash >>> 13)) >>> 0;
}

const areEqual = (ends: Int32Array, a: number, b: number): boolean =>
  ends[a] === ends[b] && ends[a + 1] === ends[b + 1] && ends[a + 2] === ends[b + 2] && ends[a + 3] === ends[b + 3];
