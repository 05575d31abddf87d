/**
 * Computes road_frontage_ft and its classes: the length of the parcel's boundary that runs along a centreline of the class
 * within its reach; the total is that of any class. A side line that leads to the road is none, unless nothing else of the
 * parcel is in reach: a lot at the dead end of a road. Also tells which parcels are roads themselves, for `landlocked`.
 */

import { coveredArea } from '../geo/covered-area.ts';
import { boundsOfMultiPolygon, boundsOverlap, type MultiPolygon } from '../geo/geometry.ts';
import { lengthInside } from '../geo/length-inside.ts';
import { localMetric, metersPerFoot } from '../geo/local-metric.ts';
import { lengthNear } from '../geo/near-length.ts';
import { roadClasses } from '../spec/road-words.ts';
import { distinct, type LayerIndex } from './layer-index.ts';
import { type Finding, rounded } from './layer-kinds.ts';

const feetDecimals = 1;
/** A strip is at least this many times as long as wide. */
const minStripRatio = 4;

type Segment = [ax: number, ay: number, bx: number, by: number];

interface RoadFinding extends Finding {
  /** Whether the parcel is a road by its shape: a strip along centrelines, not wider than their reach on both sides. */
  readonly isRoad: boolean;
}

/** `landlocked`, the last value, is 0 with frontage, and null if the neighbors decide. */
export function roadsOf(parcel: MultiPolygon, layer: LayerIndex, reachFeet: number): RoadFinding {
  const reach = reachFeet * metersPerFoot;
  const near = lengthNear(parcel, reach, roadClasses.length, (box) => layer.segments(box));
  const { any, byClass } = near.along.any > 0 ? near.along : near;
  const feet = [any, ...byClass].map((meters) => rounded(meters / metersPerFoot, feetDecimals));
  const hasFrontage = near.any > 0;
  return {
    values: [...feet, hasFrontage ? 0 : null],
    used: distinct(near.features),
    reason: null,
    isRoad: hasFrontage && isStripAlongRoads(parcel, layer, reach),
  };
}

/**
 * A strip along centrelines of length L inside it has the width area ÷ L. It is a road if that is at most twice the reach
 * and L at least four widths (L² ≥ 4 × area). A parcel with its own drive in the layer is wider or shorter.
 */
function isStripAlongRoads(parcel: MultiPolygon, layer: LayerIndex, reach: number): boolean {
  const isStrip = (length: number) => area <= 2 * reach * length && length * length >= minStripRatio * area;
  const area = coveredArea(parcel, [], 0).parcel;
  const box = boundsOfMultiPolygon(parcel);
  const metric = localMetric((box.minY + box.maxY) / 2);
  const { coordinates } = layer.segments(box);
  const segments: Segment[] = [];
  let most = 0;
  for (let at = 0; at < coordinates.length; at += 4) {
    const [ax, ay, bx, by] = coordinates.slice(at, at + 4) as [number, number, number, number];
    const [minX, maxX] = ax < bx ? [ax, bx] : [bx, ax];
    const [minY, maxY] = ay < by ? [ay, by] : [by, ay];
    if (!boundsOverlap({ minX, minY, maxX, maxY }, box)) continue;
    segments.push([ax, ay, bx, by]);
    most += Math.hypot((bx - ax) * metric.x, (by - ay) * metric.y);
  }
  // most parcels are not strips even if all these lines ran inside
  if (area === 0 || !isStrip(most)) return false;
  return isStrip(segments.reduce((sum, segment) => sum + lengthInside(parcel, ...segment), 0));
}

/** Whether the parcel shares a boundary with a road parcel. @param roadParcels the boundaries of all road parcels, as lines */
export function touchesRoadParcel(
  parcel: MultiPolygon,
  roadParcels: LayerIndex,
  settings: { readonly sharedWithinFeet: number; readonly sharedLengthFeet: number },
): boolean {
  const within = settings.sharedWithinFeet * metersPerFoot;
  const { any } = lengthNear(parcel, within, 0, (box) => roadParcels.segments(box));
  return any >= settings.sharedLengthFeet * metersPerFoot;
}
