/** Shapes in degrees as paths of a page, cut a little beyond its frame: a county's road must not fill the file. */

import type { Box, Path } from '../exporting/pdf-page.ts';
import { clipPolygons } from '../geo/clip-ring.ts';
import type { Bounds, MultiPolygon } from '../geo/geometry.ts';
import type { GroundFrame } from './ground-frame.ts';

/** Points beyond the frame, so that lines along it have their whole width and cut edges stay unseen. */
const beyond = 8;

const boundsOfBox = ({ x, y, width, height }: Box, around: number): Bounds => ({
  minX: x - around,
  maxX: x + width + around,
  minY: y - around,
  maxY: y + height + around,
});

function onPage(coordinates: ArrayLike<number>, frame: GroundFrame): Float64Array {
  const points = new Float64Array(coordinates.length);
  for (let at = 0; at + 1 < coordinates.length; at += 2) {
    points[at] = frame.x(coordinates[at] as number);
    points[at + 1] = frame.y(coordinates[at + 1] as number);
  }
  return points;
}

/** @param around points beyond the frame; 0 for what is seen */
export function polygonsOnPage(polygons: MultiPolygon, frame: GroundFrame, around = beyond): MultiPolygon {
  const box = boundsOfBox(frame.box, around);
  const onIt = polygons.map((rings) => rings.map((ring) => onPage(ring, frame)));
  return clipPolygons(onIt, box);
}

/** The stretches of a line that come near the frame, with their outer ends. */
export function linesOnPage(line: ArrayLike<number>, frame: GroundFrame): Path[] {
  const box = boundsOfBox(frame.box, beyond);
  const points = onPage(line, frame);
  const stretches: number[][] = [];
  let open: number[] | null = null;
  for (let at = 0; at + 3 < points.length; at += 2) {
    const [ax, ay, bx, by] = points.subarray(at, at + 4) as unknown as [number, number, number, number];
    const isAway =
      (ax < box.minX && bx < box.minX) ||
      (ax > box.maxX && bx > box.maxX) ||
      (ay < box.minY && by < box.minY) ||
      (ay > box.maxY && by > box.maxY);
    if (isAway) open = null;
    else if (open) open.push(bx, by);
    else {
      open = [ax, ay, bx, by];
      stretches.push(open);
    }
  }
  return stretches;
}
