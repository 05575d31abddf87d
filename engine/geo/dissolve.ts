/**
 * Joins parcels of one owner into holdings by their topology: vertices are snapped, edges are split at vertices that lie on
 * them, edges that two parcels share cancel, the rest are walked into rings. No two segments are ever intersected, so that
 * the outline keeps the county's own vertices.
 */
import { type MultiPolygon, type PolygonRings, planarRingArea, type Ring } from './geometry.ts';
import { holdsPoint } from './holds-point.ts';
import { JoinedGroups } from './joined-groups.ts';
import { localMetric } from './local-metric.ts';

export interface Dissolved {
  /** Places in the given list, ascending. */
  readonly members: readonly number[];
  /** Exteriors counterclockwise, holes clockwise; the members' own polygons if the union could not be trusted. */
  readonly polygons: MultiPolygon;
  /** Edges between members: `[x0, y0, x1, y1, …]`, four numbers each. */
  readonly inner: Float64Array;
  readonly isDissolved: boolean;
}

/** Vertices closer than this are one. */
const snapMeters = 0.5;
/** Parcels that touch along less stay two holdings. */
const leastSharedMeters = 3;
/** Holes that are smaller or narrower are gaps between two drawings of one line. */
const [leastHoleSquareMeters, leastHoleWidth] = [30, 0.5];
/** A union whose area is off by more is not trusted. */
const [mostOffShare, mostOffSquareMeters] = [0.005, 50];

/** @param shapes in degrees. @returns each member in exactly one group, in the order of first members */
export function dissolve(shapes: readonly MultiPolygon[]): Dissolved[] {
  if (shapes.length === 1) return [alone(shapes[0] as MultiPolygon, 0)];
  const nodes = new Nodes(shapes);
  const whole = shapes.map((polygons) => nodes.edgesOf(polygons));
  // Once all vertices are known.
  const parcels = whole.map((edges) => nodes.split(edges));
  return groupsOf(parcels, nodes).map((members) =>
    members.length === 1
      ? alone(shapes[members[0] as number] as MultiPolygon, members[0] as number)
      : joined(members, shapes, parcels, nodes),
  );
}

/** One for all: even an empty array takes 200 bytes. */
export const noEdges = new Float64Array();

const alone = (polygons: MultiPolygon, member: number): Dissolved => ({
  members: [member],
  polygons,
  inner: noEdges,
  isDissolved: true,
});

/** Directed edges, `[from, to, from, to, …]`, with the inside on their left. */
type Edges = readonly number[];

const cellMeters = 40;

/** Vertices of all shapes, snapped, in meters from the first and in degrees. */
class Nodes {
  readonly x: number[] = [];
  readonly y: number[] = [];
  readonly longitudes: number[] = [];
  readonly latitudes: number[] = [];
  readonly #metric: { readonly x: number; readonly y: number };
  readonly #origin: readonly [number, number];
  readonly #snapped = new Map<string, number[]>();
  readonly #cells = new Map<string, number[]>();

  constructor(shapes: readonly MultiPolygon[]) {
    const first = shapes[0]?.[0]?.[0] ?? new Float64Array(2);
    this.#origin = [first[0] as number, first[1] as number];
    this.#metric = localMetric(this.#origin[1]);
  }

  edgesOf(polygons: MultiPolygon): Edges {
    const edges: number[] = [];
    for (const rings of polygons) {
      for (const [at, ring] of rings.entries()) {
        const places = this.#placesOf(ring);
        // A hole is walked the other way round.
        if (planarRingArea(ring) > 0 !== (at === 0)) places.reverse();
        for (let index = 0; index + 1 < places.length; index++) {
          const [from, to] = [places[index] as number, places[index + 1] as number];
          if (from !== to) edges.push(from, to);
        }
      }
    }
    return edges;
  }

  #placesOf(ring: Ring): number[] {
    const places: number[] = [];
    for (let at = 0; at + 1 < ring.length; at += 2)
      places.push(this.#place(ring[at] as number, ring[at + 1] as number));
    return places;
  }

  #place(longitude: number, latitude: number): number {
    const x = (longitude - this.#origin[0]) * this.#metric.x;
    const y = (latitude - this.#origin[1]) * this.#metric.y;
    const [column, row] = [Math.floor(x / snapMeters), Math.floor(y / snapMeters)];
    let [nearest, least] = [-1, snapMeters];
    for (let r = row - 1; r <= row + 1; r++) {
      for (let c = column - 1; c <= column + 1; c++) {
        for (const node of this.#snapped.get(`${c} ${r}`) ?? []) {
          const distance = Math.hypot((this.x[node] as number) - x, (this.y[node] as number) - y);
          if (distance < least) [nearest, least] = [node, distance];
        }
      }
    }
    if (nearest >= 0) return nearest;
    const node = this.x.push(x) - 1;
    this.y.push(y);
    this.longitudes.push(longitude);
    this.latitudes.push(latitude);
    add(this.#snapped, `${column} ${row}`, node);
    add(this.#cells, `${Math.floor(x / cellMeters)} ${Math.floor(y / cellMeters)}`, node);
    return node;
  }

  /** Edges split at the nodes that lie on them. */
  split(edges: Edges): Edges {
    const pieces: number[] = [];
    for (let at = 0; at < edges.length; at += 2) {
      const [from, to] = [edges[at] as number, edges[at + 1] as number];
      let last = from;
      for (const node of this.#onEdge(from, to)) {
        pieces.push(last, node);
        last = node;
      }
      pieces.push(last, to);
    }
    return pieces;
  }

  /** In their order along the edge. */
  #onEdge(from: number, to: number): number[] {
    const [ax, ay] = [this.x[from] as number, this.y[from] as number];
    const [dx, dy] = [(this.x[to] as number) - ax, (this.y[to] as number) - ay];
    const length = Math.hypot(dx, dy);
    const found: { readonly node: number; readonly along: number }[] = [];
    for (const cell of this.#cellsAlong(ax, ay, dx, dy)) {
      for (const node of this.#cells.get(cell) ?? []) {
        if (node === from || node === to) continue;
        const [x, y] = [(this.x[node] as number) - ax, (this.y[node] as number) - ay];
        const along = (x * dx + y * dy) / length;
        if (along <= 0 || along >= length || Math.abs(x * dy - y * dx) / length >= snapMeters) continue;
        found.push({ node, along });
      }
    }
    return found.sort((a, b) => a.along - b.along).map(({ node }) => node);
  }

  #cellsAlong(ax: number, ay: number, dx: number, dy: number): Set<string> {
    const cells = new Set<string>();
    const steps = Math.max(1, Math.ceil(Math.hypot(dx, dy) / (cellMeters / 2)));
    for (let step = 0; step <= steps; step++) {
      const [x, y] = [ax + (dx * step) / steps, ay + (dy * step) / steps];
      for (const around of [-snapMeters, snapMeters]) {
        for (const across of [-snapMeters, snapMeters]) {
          cells.add(`${Math.floor((x + around) / cellMeters)} ${Math.floor((y + across) / cellMeters)}`);
        }
      }
    }
    // A step may skip the corner of a cell.
    const [left, right] = [
      Math.floor(Math.min(ax, ax + dx) / cellMeters),
      Math.floor(Math.max(ax, ax + dx) / cellMeters),
    ];
    const [low, high] = [
      Math.floor(Math.min(ay, ay + dy) / cellMeters),
      Math.floor(Math.max(ay, ay + dy) / cellMeters),
    ];
    if ((right - left + 1) * (high - low + 1) <= 9) {
      for (let c = left; c <= right; c++) for (let r = low; r <= high; r++) cells.add(`${c} ${r}`);
    }
    return cells;
  }

  length(from: number, to: number): number {
    return Math.hypot(
      (this.x[to] as number) - (this.x[from] as number),
      (this.y[to] as number) - (this.y[from] as number),
    );
  }

  angle(from: number, to: number): number {
    return Math.atan2(
      (this.y[to] as number) - (this.y[from] as number),
      (this.x[to] as number) - (this.x[from] as number),
    );
  }

  /** A closed ring in degrees. */
  ring(places: readonly number[]): Ring {
    const ring = new Float64Array(2 * places.length + 2);
    for (const [at, place] of [...places, places[0] as number].entries()) {
      ring[2 * at] = this.longitudes[place] as number;
      ring[2 * at + 1] = this.latitudes[place] as number;
    }
    return ring;
  }

  /** Square meters, positive counterclockwise. */
  area(places: readonly number[]): number {
    let twice = 0;
    for (const [at, place] of places.entries()) {
      const next = places[(at + 1) % places.length] as number;
      twice +=
        (this.x[place] as number) * (this.y[next] as number) - (this.x[next] as number) * (this.y[place] as number);
    }
    return twice / 2;
  }

  perimeter(places: readonly number[]): number {
    return places.reduce((sum, place, at) => sum + this.length(place, places[(at + 1) % places.length] as number), 0);
  }
}

function add<Key>(map: Map<Key, number[]>, key: Key, value: number): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

const edgeKey = (from: number, to: number): string => `${from} ${to}`;

/** Meters of boundary or of ground that pairs of parcels share, by `first second`. */
function sharedLengths(parcels: readonly Edges[], nodes: Nodes): Map<string, number> {
  const owners = new Map<string, number[]>();
  const shared = new Map<string, number>();
  for (const [parcel, edges] of parcels.entries()) {
    eachEdge(edges, (from, to) => {
      // Either direction, by the lesser node first.
      const key = from < to ? edgeKey(from, to) : edgeKey(to, from);
      for (const other of owners.get(key) ?? []) {
        if (other === parcel) continue;
        const pair = `${other} ${parcel}`;
        shared.set(pair, (shared.get(pair) ?? 0) + nodes.length(from, to));
      }
      add(owners, key, parcel);
    });
  }
  return shared;
}

function eachEdge(edges: Edges, use: (from: number, to: number) => void): void {
  for (let at = 0; at < edges.length; at += 2) use(edges[at] as number, edges[at + 1] as number);
}

/** Parcels that share enough boundary, or lie on each other, belong together. */
function groupsOf(parcels: readonly Edges[], nodes: Nodes): number[][] {
  const groups = new JoinedGroups(parcels.length);
  for (const [pair, meters] of sharedLengths(parcels, nodes)) {
    if (meters < leastSharedMeters) continue;
    const [a = 0, b = 0] = pair.split(' ').map(Number);
    groups.join(a, b);
  }
  return groups.groups();
}

function joined(
  members: readonly number[],
  shapes: readonly MultiPolygon[],
  parcels: readonly Edges[],
  nodes: Nodes,
): Dissolved {
  // Parcels on the very same ground, like units of a condominium, count once.
  const grounds = new Map(members.map((member) => [groundKey(parcels[member] as Edges), member]));
  const distinct = [...grounds.values()].sort((a, b) => a - b);
  const { left, inner } = cancelled(distinct.map((member) => parcels[member] as Edges));
  const rings = walk(left, nodes);
  const polygons = rings && polygonsOf(rings, nodes);
  const expected = distinct.reduce((sum, member) => sum + signedArea(parcels[member] as Edges, nodes), 0);
  const found = rings?.reduce((sum, ring) => sum + nodes.area(ring), 0) ?? Number.NaN;
  const isTrusted = Math.abs(found - expected) <= mostOffShare * expected + mostOffSquareMeters;
  if (!polygons || polygons.length === 0 || !isTrusted) {
    const own = distinct.flatMap((member) => shapes[member] as MultiPolygon);
    return { members, polygons: own, inner: noEdges, isDissolved: false };
  }
  const lines = inner.flatMap((place) => [nodes.longitudes[place] as number, nodes.latitudes[place] as number]);
  return { members, polygons, inner: Float64Array.from(lines), isDissolved: true };
}

function groundKey(edges: Edges): string {
  const keys: string[] = [];
  eachEdge(edges, (from, to) => keys.push(edgeKey(from, to)));
  return keys.sort().join();
}

function signedArea(edges: Edges, nodes: Nodes): number {
  let twice = 0;
  eachEdge(edges, (from, to) => {
    twice += (nodes.x[from] as number) * (nodes.y[to] as number) - (nodes.x[to] as number) * (nodes.y[from] as number);
  });
  return twice / 2;
}

/** Edges without an opposite one, by their beginning; and those that had one, `[from, to, …]`. */
function cancelled(parcels: readonly Edges[]): { left: Map<number, number[]>; inner: number[] } {
  const counts = new Map<string, { readonly from: number; readonly to: number; count: number }>();
  const inner: number[] = [];
  for (const edges of parcels) {
    eachEdge(edges, (from, to) => {
      const opposite = counts.get(edgeKey(to, from));
      const own = counts.get(edgeKey(from, to));
      if (opposite && opposite.count > 0) {
        opposite.count -= 1;
        inner.push(from, to);
      } else if (own) own.count += 1;
      else counts.set(edgeKey(from, to), { from, to, count: 1 });
    });
  }
  const left = new Map<number, number[]>();
  for (const { from, to, count } of counts.values()) for (let n = 0; n < count; n++) add(left, from, to);
  return { left, inner };
}

/** Rings of the edges, keeping to the inside where several leave a node; null if an edge leads nowhere. */
function walk(left: Map<number, number[]>, nodes: Nodes): number[][] | null {
  const rings: number[][] = [];
  for (const start of left.keys()) {
    for (let to = left.get(start)?.pop(); to !== undefined; to = left.get(start)?.pop()) {
      const ring = [start];
      let from = start;
      while (to !== start) {
        ring.push(to);
        const next = turn(from, to, left, nodes);
        if (next === null) return null;
        [from, to] = [to, next];
      }
      if (ring.length >= 3) rings.push(ring);
    }
  }
  return rings;
}

/** Takes the edge that leaves a node first, clockwise from where one came. */
function turn(from: number, at: number, left: Map<number, number[]>, nodes: Nodes): number | null {
  const next = left.get(at);
  if (!next || next.length === 0) return null;
  if (next.length === 1) return next.pop() as number;
  const back = nodes.angle(at, from);
  const turns = next.map((to) => (back - nodes.angle(at, to) + 4 * Math.PI) % (2 * Math.PI));
  // Straight back comes last.
  const best = turns.reduce(
    (least, value, index) => ((value || 7) < ((turns[least] as number) || 7) ? index : least),
    0,
  );
  return next.splice(best, 1)[0] as number;
}

/** Holes go to the smallest exterior around them. */
function polygonsOf(rings: readonly number[][], nodes: Nodes): PolygonRings[] | null {
  const measured = rings.map((places) => ({ places, area: nodes.area(places), ring: nodes.ring(places) }));
  const exteriors = measured.filter(({ area }) => area > 0).sort((a, b) => a.area - b.area);
  const polygons = exteriors.map(({ ring }): Ring[] => [ring]);
  for (const { places, area, ring } of measured) {
    if (area >= 0) continue;
    const isGap = -area < leastHoleSquareMeters || (-2 * area) / nodes.perimeter(places) < leastHoleWidth;
    if (isGap) continue;
    const [x, y] = [((ring[0] as number) + (ring[2] as number)) / 2, ((ring[1] as number) + (ring[3] as number)) / 2];
    const home = exteriors.findIndex((exterior) => exterior.area > -area && holdsPoint([[exterior.ring]], x, y));
    if (home < 0) return null;
    polygons[home]?.push(ring);
  }
  return polygons;
}
