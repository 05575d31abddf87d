/**
 * Draws a photo into a tile of 512 pixels in Web Mercator: places are converted at the corners of 8 by 8 cells, between
 * them the way is straight (with two cells the error is 0.003 pixel).
 */
import { latitudeOf, longitudeOf } from '../geo/web-mercator.ts';
import type { DrawnLevel, DrawnPhoto } from './drawn-photo.ts';
import { region } from './masked-level.ts';
import type { Pixels } from './pixels.ts';

export const tileSide = 512;
const cells = 8;
const cellSide = tileSide / cells;

export interface TilePlace {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** What one tile may unpack of a photo; beyond it, it is drawn from a part of the blocks. */
const mostBytes = 40 * 1024 * 1024;

type Reader = (level: DrawnLevel) => (column: number, row: number) => Promise<Pixels | null>;

/** Draws under what `tile` has already; what needs too much unpacking is coarse. */
export async function drawPhoto(
  tile: Pixels,
  { z, x, y }: TilePlace,
  photo: DrawnPhoto,
  reader: Reader,
): Promise<void> {
  const side = 2 ** z;
  const degrees = new Float64Array((cells + 1) ** 2 * 2);
  for (let row = 0, at = 0; row <= cells; row++)
    for (let column = 0; column <= cells; column++, at += 2) {
      degrees[at] = longitudeOf((x + column / cells) / side);
      degrees[at + 1] = latitudeOf((y + row / cells) / side);
    }
  const places = photo.ground.toPixels(degrees);
  const level = levelFor(photo, places);
  if (level === null) return;
  const [across, down] = level.scale;
  for (let at = 0; at < places.length; at += 2) {
    places[at] = (places[at] as number) / across;
    places[at + 1] = (places[at + 1] as number) / down;
  }
  const box = boxOf(places, level);
  if (box === null) return;
  const step = stepFor(level, box);
  if (step === null) draw(tile, places, level, box, await region(level, box, reader(level)));
  else await drawSparsely(tile, places, level, reader(level), step);
}

/** Left, top, right, bottom of pairs; not finite if one of them is not. */
function extentOf(places: Float64Array): [number, number, number, number] {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < places.length; at++) {
    const [value, axis] = [places[at] as number, at & 1];
    box[axis] = Math.min(box[axis] as number, value);
    box[axis + 2] = Math.max(box[axis + 2] as number, value);
  }
  return box;
}

/** The coarsest level that is as fine as the tile; the finest if none is. Null if the tile lies beside the photo. */
function levelFor({ levels, row }: DrawnPhoto, places: Float64Array): DrawnLevel | null {
  const [left, top, right, bottom] = extentOf(places);
  if (!Number.isFinite(left + top + right + bottom)) return null;
  if (right <= 0 || bottom <= 0 || left >= row.width || top >= row.height) return null;
  const middle = (cells / 2) * (cells + 1) + cells / 2;
  const [ax, ay] = [places[middle * 2] as number, places[middle * 2 + 1] as number];
  const [bx, by] = [places[(middle + 1) * 2] as number, places[(middle + 1) * 2 + 1] as number];
  const ratio = Math.hypot(bx - ax, by - ay) / cellSide;
  return levels.findLast(({ scale: [across] }) => across <= ratio * 1.1) ?? levels[0] ?? null;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The pixels of a level that a tile needs. */
function boxOf(places: Float64Array, { width, height }: DrawnLevel): Box | null {
  let [left, top, right, bottom] = extentOf(places);
  [left, top] = [Math.max(0, Math.floor(left) - 1), Math.max(0, Math.floor(top) - 1)];
  [right, bottom] = [Math.min(width, Math.ceil(right) + 1), Math.min(height, Math.ceil(bottom) + 1)];
  return right > left && bottom > top ? { left, top, width: right - left, height: bottom - top } : null;
}

/** Every how many blocks one is read, each way; null: all, and whole. Of strips rows are left out. */
function stepFor({ blockWidth, blockHeight, isStriped }: DrawnLevel, box: Box): number | null {
  const across = Math.ceil(box.width / blockWidth) + 1;
  const down = Math.ceil(box.height / blockHeight) + 1;
  const unpacked = across * down * blockWidth * blockHeight * 4;
  if (unpacked <= mostBytes) return null;
  return isStriped ? 1 : Math.ceil(Math.sqrt(unpacked / mostBytes));
}

/** Bilinear, of what is photo; whether a pixel is, its nearest says. */
function draw(tile: Pixels, places: Float64Array, level: DrawnLevel, box: Box, source: Pixels): void {
  const out = tile.data;
  eachPixel(places, (at, px, py) => {
    if (out[at + 3] !== 255 && isWithin(level, px, py)) mix(out, at, source, px - box.left - 0.5, py - box.top - 0.5);
  });
}

const isWithin = ({ width, height }: DrawnLevel, px: number, py: number): boolean =>
  px >= 0 && py >= 0 && px < width && py < height;

function mix(out: Uint8Array, at: number, { data, width, height }: Pixels, px: number, py: number): void {
  const sx = Math.min(width - 1, Math.max(0, px));
  const sy = Math.min(height - 1, Math.max(0, py));
  const [x0, y0] = [Math.floor(sx), Math.floor(sy)];
  const [fx, fy] = [sx - x0, sy - y0];
  const a = (y0 * width + x0) * 4;
  const b = x0 + 1 < width ? a + 4 : a;
  const c = y0 + 1 < height ? a + width * 4 : a;
  const d = c + b - a;
  const nearest = fy < 0.5 ? (fx < 0.5 ? a : b) : fx < 0.5 ? c : d;
  if (data[nearest + 3] === 0) return;
  // The mask is 0 or 255.
  const wa = (1 - fx) * (1 - fy) * (data[a + 3] as number);
  const wb = fx * (1 - fy) * (data[b + 3] as number);
  const wc = (1 - fx) * fy * (data[c + 3] as number);
  const wd = fx * fy * (data[d + 3] as number);
  const all = wa + wb + wc + wd;
  for (let band = 0; band < 3; band++) {
    const upper = wa * (data[a + band] as number) + wb * (data[b + band] as number);
    const lower = wc * (data[c + band] as number) + wd * (data[d + band] as number);
    out[at + band] = (upper + lower) / all + 0.5;
  }
  out[at + 3] = 255;
}

/** Nearest pixels: of strips only those that are needed, of tiles the mean of every `step`th. */
async function drawSparsely(
  tile: Pixels,
  places: Float64Array,
  level: DrawnLevel,
  read: (column: number, row: number) => Promise<Pixels | null>,
  step: number,
): Promise<void> {
  const wanted = new Map<string, number[]>();
  eachPixel(places, (at, px, py) => {
    if (tile.data[at + 3] === 255 || !isWithin(level, px, py)) return;
    const column = Math.floor(Math.floor(px / level.blockWidth) / step) * step;
    const row = Math.floor(Math.floor(py / level.blockHeight) / step) * step;
    const key = `${column}/${row}`;
    const list = wanted.get(key) ?? [];
    if (list.length === 0) wanted.set(key, list);
    list.push(at, Math.floor(px) - column * level.blockWidth, Math.floor(py) - row * level.blockHeight);
  });
  for (const [key, list] of wanted) {
    const [column = 0, row = 0] = key.split('/').map(Number);
    const block = await read(column, row);
    if (block === null) continue;
    const mean = step > 1 ? meanOf(block) : null;
    for (let each = 0; each < list.length; each += 3) {
      const from = mean ? 0 : ((list[each + 2] as number) * block.width + (list[each + 1] as number)) * 4;
      tile.data.set((mean ?? block.data).subarray(from, from + 4), list[each] as number);
    }
  }
}

function meanOf({ data }: Pixels): Uint8Array {
  const sums = [0, 0, 0];
  let count = 0;
  for (let at = 0; at < data.length; at += 16) {
    if (data[at + 3] === 0) continue;
    count++;
    for (let band = 0; band < 3; band++) sums[band] = (sums[band] as number) + (data[at + band] as number);
  }
  return Uint8Array.from([...sums.map((sum) => (count === 0 ? 0 : sum / count)), count === 0 ? 0 : 255]);
}

/** Calls with the place in the tile's bytes and the place in the level of the middle of each pixel. */
function eachPixel(places: Float64Array, call: (at: number, px: number, py: number) => void): void {
  const line = (cells + 1) * 2;
  for (let y = 0; y < tileSide; y++) {
    const row = Math.floor(y / cellSide);
    const fy = (y + 0.5) / cellSide - row;
    for (let column = 0; column < cells; column++) {
      const corner = row * line + column * 2;
      const between = (at: number, below: number) => (places[at] as number) * (1 - fy) + (places[below] as number) * fy;
      const [x0, x1] = [between(corner, corner + line), between(corner + 2, corner + line + 2)];
      const [y0, y1] = [between(corner + 1, corner + line + 1), between(corner + 3, corner + line + 3)];
      const [dx, dy] = [(x1 - x0) / cellSide, (y1 - y0) / cellSide];
      let at = (y * tileSide + column * cellSide) * 4;
      for (let each = 0; each < cellSide; each++, at += 4) call(at, x0 + (each + 0.5) * dx, y0 + (each + 0.5) * dy);
    }
  }
}
