/** The outline of a lot as GeoJSON text: 4 to 24 corners, some in two parts, some with a hole, a few only a point or nothing. */
import type { Random } from '../../sample-maker/random.ts';
import { type Extent, type Lot, unitsPerDegree } from './fabric.ts';

const degrees = (units: number): string => String(Math.round(units) / unitsPerDegree);

/** Corners are exact, so that neighbours touch; the corners between them only ever give way inwards, so that none overlap. */
const inward = 0.02;

export function geometryText(lot: Lot, random: Random): string {
  const kind = random.next();
  if (kind < 0.001) return 'null';
  if (kind < 0.004) return `{"type":"Point","coordinates":${middleOf(lot)}}`;
  if (kind < 0.014) return twoParts(lot, random);
  const hole = kind < 0.02 ? `,${holeOf(lot, random)}` : '';
  return `{"type":"Polygon","coordinates":[${ringOf(lot, random)}${hole}]}`;
}

const middleOf = ({ west, south, east, north }: Extent): string =>
  `[${degrees((west + east) / 2)},${degrees((south + north) / 2)}]`;

/** A road runs between the parts. */
function twoParts(lot: Lot, random: Random): string {
  const width = lot.east - lot.west;
  const left = ringOf({ ...lot, east: Math.round(lot.west + width * 0.47) }, random);
  const right = ringOf({ ...lot, west: Math.round(lot.west + width * 0.53) }, random);
  return `{"type":"MultiPolygon","coordinates":[[${left}],[${right}]]}`;
}

function holeOf({ west, south, east, north }: Extent, random: Random): string {
  const at = (low: number, high: number, share: number) => low + (high - low) * share;
  const [x0, x1] = [at(west, east, random.between(0.3, 0.45)), at(west, east, random.between(0.5, 0.7))];
  const [y0, y1] = [at(south, north, random.between(0.3, 0.45)), at(south, north, random.between(0.5, 0.7))];
  const corner = (x: number, y: number) => `[${degrees(x)},${degrees(y)}]`;
  return `[${corner(x0, y0)},${corner(x0, y1)},${corner(x1, y1)},${corner(x1, y0)},${corner(x0, y0)}]`;
}

function ringOf({ west, south, east, north }: Extent, random: Random): string {
  // A quarter of the lots are plain rectangles; the others have up to five corners more on each side.
  const most = random.chance(0.25) ? 0 : Math.ceil(random.next() ** 2 * 5);
  const start = `[${degrees(west)},${degrees(south)}]`;
  let text = start;
  text += side(most, west, south, east - west, 0, 0, (north - south) * inward, random);
  text += `,[${degrees(east)},${degrees(south)}]`;
  text += side(most, east, south, 0, north - south, (west - east) * inward, 0, random);
  text += `,[${degrees(east)},${degrees(north)}]`;
  text += side(most, east, north, west - east, 0, 0, (south - north) * inward, random);
  text += `,[${degrees(west)},${degrees(north)}]`;
  text += side(most, west, north, 0, south - north, (east - west) * inward, 0, random);
  return `[${text},${start}]`;
}

/** Up to `most` corners along a side from (x, y) by (dx, dy), each pushed inwards by a part of (inX, inY). */
function side(
  most: number,
  x: number,
  y: number,
  dx: number,
  dy: number,
  inX: number,
  inY: number,
  random: Random,
): string {
  const count = most === 0 ? 0 : Math.floor(random.next() * (most + 1));
  let text = '';
  for (let i = 1; i <= count; i++) {
    const along = (i + (random.next() - 0.5) * 0.6) / (count + 1);
    const push = random.next();
    text += `,[${degrees(x + dx * along + inX * push)},${degrees(y + dy * along + inY * push)}]`;
  }
  return text;
}
