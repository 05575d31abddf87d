/**
 * Computes water_frontage_ft: the length of the shores that a parcel has. Where its boundary follows a shore outside it,
 * within the reach, that is the length of that boundary; where the county draws its lots out into the water, the length of
 * shore inside them. The longer one counts: along a shore that winds across the boundary both measure the same.
 */
import { type Bounds, boundsOfMultiPolygon, type MultiPolygon } from '../geo/geometry.ts';
import { holdsPoint } from '../geo/holds-point.ts';
import { lengthInside } from '../geo/length-inside.ts';
import { metersPerFoot } from '../geo/local-metric.ts';
import { type LineSegments, lengthNear, TracedEdges } from '../geo/near-length.ts';
import { distinct, type LayerIndex } from './layer-index.ts';
import { type Finding, rounded } from './layer-kinds.ts';

const feetDecimals = 1;

/** @param layer the outlines of lakes, ponds and rivers, as lines */
export function waterOf(parcel: MultiPolygon, layer: LayerIndex, reachFeet: number): Finding {
  const isOutside = ([ax, ay, bx, by]: Edge) => !holdsPoint(parcel, (ax + bx) / 2, (ay + by) / 2);
  const near = lengthNear(parcel, reachFeet * metersPerFoot, 1, (box) => shoresIn(box, layer, isOutside));
  const inside = shoreInside(parcel, shoresIn(boundsOfMultiPolygon(parcel), layer));
  const meters = Math.max(near.along.any, inside.meters);
  return {
    values: [rounded(meters / metersPerFoot, feetDecimals)],
    used: distinct([...near.features, ...inside.features]),
    reason: null,
  };
}

/** Some files of lakes draw islands as features of their own, in holes of the lake. */
export const isIsland = (name: string | null): boolean => /^\W*islands?\W*$/i.test(name ?? '');

type Edge = [ax: number, ay: number, bx: number, by: number];

/** A line between two sheets of the same water is no shore, and a lake that a file has twice has one. */
function shoresIn(box: Bounds, layer: LayerIndex, isWanted: (edge: Edge) => boolean = () => true): LineSegments {
  const { coordinates, classes, features } = layer.segments(box);
  const traced = new TracedEdges();
  const first = classes.flatMap((_, index) => (traced.add(...edgeAt(coordinates, index)) ? [index] : []));
  const { balances } = traced;
  const shores = first.filter((index, edge) => balances[edge] !== 0 && isWanted(edgeAt(coordinates, index)));
  return {
    coordinates: shores.flatMap((index) => edgeAt(coordinates, index)),
    classes: shores.map((index) => classes[index] as number),
    features: shores.map((index) => features[index] as number),
  };
}

const edgeAt = (coordinates: readonly number[], index: number) => coordinates.slice(4 * index, 4 * index + 4) as Edge;

function shoreInside(parcel: MultiPolygon, { coordinates, features }: LineSegments) {
  const found = { meters: 0, features: new Set<number>() };
  for (const [index, feature] of features.entries()) {
    const meters = lengthInside(parcel, ...edgeAt(coordinates, index));
    if (meters === 0) continue;
    found.meters += meters;
    found.features.add(feature);
  }
  return found;
}
