/**
 * The area of a parcel that other polygons cover. It builds no overlay geometry but integrates the area of parcel ∩
 * (union of polygons). A horizontal line sweeps over all edges; between two neighboring heights (ends of edges and
 * their crossings) the edges keep their order, so the inside is a row of trapezoids, found by counting windings.
 *
 * Nothing can fail: coinciding edges enclose nothing in any order, a crossing found a rounding too high costs the
 * square of that rounding, self-crossing rings and overlapping polygons need no special case. A ring encloses where its
 * winding number is not 0 (a bow-tie: both wings; traced twice: once), a polygon is its exterior without its holes, a
 * shape the union of its polygons.
 *
 * Edges are straight in degrees, as everywhere in the engine. A trapezoid's area is its width × height × the square
 * meters of a square degree at its middle.
 */
import { clipRing, cutRing } from './clip-ring.ts';
import { type Bounds, boundsOfMultiPolygon, type MultiPolygon, type PolygonRings, type Ring } from './geometry.ts';
import { squareMetersPerSquareDegree } from './local-metric.ts';
import { type Strip, Sweep, type SweepRing } from './sweep.ts';

/** A polygon that may cover the parcel. */
export interface CoveringPolygon {
  readonly polygon: PolygonRings;
  /** from 0; areas are counted per class, and for all classes together */
  readonly coverClass: number;
}

/** Square meters, none negative. */
interface CoveredArea {
  /** of the parcel */
  readonly parcel: number;
  /** of the parcel covered by any of the polygons */
  readonly covered: number;
  /** of the parcel covered by the polygons of each class; classes may overlap */
  readonly byClass: Float64Array;
}

/**
 * More edges than this are swept in two halves: a line that crosses all of a large parcel would have to sort them all.
 */
const maxSweptEdges = 600;
const maxDepth = 16;

/** @param classCount number of classes; every `coverClass` is below it */
export function coveredArea(
  parcel: MultiPolygon,
  covering: readonly CoveringPolygon[],
  classCount: number,
): CoveredArea {
  const box = boundsOfMultiPolygon(parcel);
  const rings: SweepRing[] = [];
  let polygonCount = 0;
  const addPolygon = (polygon: PolygonRings, group: number, clip: boolean): void => {
    const polygonNumber = polygonCount++;
    for (const [index, given] of polygon.entries()) {
      const ring = clip ? clipRing(given, box) : given;
      if (ring) rings.push({ ring, polygon: polygonNumber, isHole: index > 0, group });
      // a polygon without its exterior encloses nothing
      else if (index === 0) return;
    }
  };
  for (const polygon of parcel) addPolygon(polygon, 0, false);
  for (const { polygon, coverClass } of covering) addPolygon(polygon, coverClass + 1, true);
  const areas = new AreaSums((box.minX + box.maxX) / 2, (box.minY + box.maxY) / 2, classCount);
  if (rings.length > 0) sweepInHalves(rings, polygonCount, box, maxDepth, areas);
  return areas;
}

class AreaSums implements CoveredArea {
  parcel = 0;
  covered = 0;
  readonly byClass: Float64Array;
  readonly originX: number;
  readonly originY: number;

  constructor(originX: number, originY: number, classCount: number) {
    this.originX = originX;
    this.originY = originY;
    this.byClass = new Float64Array(classCount);
  }

  add({ bottom, top, widths, coveredWidth }: Strip): void {
    const density = squareMetersPerSquareDegree(this.originY + (bottom + top) / 2) * (top - bottom);
    this.parcel += (widths[0] as number) * density;
    this.covered += coveredWidth * density;
    for (let index = 0; index < this.byClass.length; index++) {
      this.byClass[index] = (this.byClass[index] as number) + (widths[index + 1] as number) * density;
    }
  }
}

function sweepInHalves(
  rings: readonly SweepRing[],
  polygonCount: number,
  box: Bounds,
  depth: number,
  areas: AreaSums,
): void {
  const edges = rings.reduce((sum, { ring }) => sum + ring.length / 2, 0);
  if (!rings.some(({ group }) => group === 0)) return;
  if (edges <= maxSweptEdges || depth === 0) {
    const sweep = new Sweep(rings, polygonCount, areas.byClass.length + 1, areas.originX, areas.originY);
    sweep.run((strip) => areas.add(strip));
    return;
  }
  const axis = box.maxX - box.minX >= box.maxY - box.minY ? 0 : 1;
  const at = axis === 0 ? (box.minX + box.maxX) / 2 : (box.minY + box.maxY) / 2;
  for (const keep of [-1, 1] as const) {
    const half = { ...box, [`${keep === 1 ? 'min' : 'max'}${axis === 0 ? 'X' : 'Y'}`]: at };
    sweepInHalves(cutAll(rings, axis, at, keep), polygonCount, half, depth - 1, areas);
  }
}

function cutAll(rings: readonly SweepRing[], axis: 0 | 1, at: number, keep: 1 | -1): SweepRing[] {
  const left: SweepRing[] = [];
  for (const given of rings) {
    const ring: Ring | null = cutRing(given.ring, axis, at, keep);
    if (ring) left.push({ ...given, ring });
  }
  return left;
}
