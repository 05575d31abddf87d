/**
 * Reads TopoJSON (https://github.com/topojson/topojson-specification): shapes whose borders are arcs, stored once for
 * the two neighbors that share them. An arc's points are steps on a grid.
 */
import type { MultiPolygon, Ring } from './geometry.ts';

/** Numbers of arcs in a ring; ~n is arc n backwards. */
type ArcRing = readonly number[];

interface Geometry {
  readonly type: string;
  readonly id: string;
  readonly properties: { readonly name: string };
  readonly arcs: readonly ArcRing[] | readonly (readonly ArcRing[])[];
}

export interface Topology {
  readonly source: string;
  readonly bbox: readonly [number, number, number, number];
  readonly transform: { readonly scale: readonly [number, number]; readonly translate: readonly [number, number] };
  readonly objects: Readonly<Record<string, { readonly geometries: readonly Geometry[] }>>;
  readonly arcs: readonly (readonly (readonly [number, number])[])[];
}

interface NamedShape {
  readonly id: string;
  readonly name: string;
  /** Degrees. */
  readonly polygons: MultiPolygon;
}

export function readTopology({ transform, objects, arcs }: Topology): (object: string) => NamedShape[] {
  const lines = arcs.map((steps) => lineOf(steps, transform));
  return (object) =>
    (objects[object]?.geometries ?? []).map((geometry) => ({
      id: geometry.id,
      name: geometry.properties.name,
      polygons: polygonsOf(geometry).map((rings) => rings.map((ring) => ringOf(ring, lines))),
    }));
}

const polygonsOf = ({ type, arcs }: Geometry): readonly (readonly ArcRing[])[] =>
  type === 'Polygon' ? [arcs as readonly ArcRing[]] : (arcs as readonly (readonly ArcRing[])[]);

function lineOf(steps: Topology['arcs'][number], { scale, translate }: Topology['transform']): Float64Array {
  const line = new Float64Array(steps.length * 2);
  let x = 0;
  let y = 0;
  for (const [index, [dx, dy]] of steps.entries()) {
    x += dx;
    y += dy;
    line[index * 2] = x * scale[0] + translate[0];
    line[index * 2 + 1] = y * scale[1] + translate[1];
  }
  return line;
}

/** Each arc begins where the previous one ends: that corner counts once. */
function ringOf(arcs: ArcRing, lines: readonly Float64Array[]): Ring {
  const numbers: number[] = [];
  for (const arc of arcs) {
    const line = lines[arc < 0 ? ~arc : arc] ?? new Float64Array(0);
    const points = arc < 0 ? reversed(line) : line;
    for (let at = numbers.length === 0 ? 0 : 2; at < points.length; at++) numbers.push(points[at] as number);
  }
  return Float64Array.from(numbers);
}

function reversed(line: Float64Array): Float64Array {
  const turned = new Float64Array(line.length);
  for (let at = 0; at < line.length; at += 2) {
    turned[at] = line[line.length - 2 - at] as number;
    turned[at + 1] = line[line.length - 1 - at] as number;
  }
  return turned;
}
