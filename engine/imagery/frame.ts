/**
 * The frame of a photo: quarter quads lie turned in their raster, with a collar of nothing, of black, or, packed as JPEG,
 * of almost black. It is cut from the edges inward, so that a black roof stays.
 */
import type { Frame, PhotoLevel } from './photo.ts';
import type { Pixels } from './pixels.ts';

/** Rows and columns that are looked at. */
const looked = 128;
/** JPEG writes black as almost black. */
const mostBlack = 12;

const isCollar = ({ data }: Pixels, at: number): boolean =>
  data[at + 3] === 0 ||
  ((data[at] as number) <= mostBlack &&
    (data[at + 1] as number) <= mostBlack &&
    (data[at + 2] as number) <= mostBlack) ||
  ((data[at] as number) === 255 && data[at + 1] === 255 && data[at + 2] === 255);

/**
 * @param level the finest that may be read whole: its pixel is how exact the frame is
 * @returns null if its corners are photo: it has no collar
 */
export async function findFrame(
  level: PhotoLevel,
  pixelAt: (column: number, row: number) => Promise<boolean>,
): Promise<Frame | null> {
  const { width, height } = level;
  const corners = [
    await pixelAt(0, 0),
    await pixelAt(width - 1, 0),
    await pixelAt(0, height - 1),
    await pixelAt(width - 1, height - 1),
  ];
  if (corners.filter((each) => each).length < 2) return null;
  const rows: [number, number][] = [];
  for (let each = 0; each <= looked; each++) {
    const row = Math.min(height - 1, Math.floor((each / looked) * height));
    rows.push(await spanOf(width, (at) => pixelAt(at, row)));
  }
  const columns: [number, number][] = [];
  for (let each = 0; each <= looked; each++) {
    const column = Math.min(width - 1, Math.floor((each / looked) * width));
    columns.push(await spanOf(height, (at) => pixelAt(column, at)));
  }
  return { rows, columns };
}

/** The first and last place that is no collar, as shares, a pixel inward; an empty span if all is collar. */
async function spanOf(length: number, isCollarAt: (at: number) => Promise<boolean>): Promise<[number, number]> {
  let first = 0;
  while (first < length && (await isCollarAt(first))) first++;
  if (first === length) return [1, 0];
  let last = length - 1;
  while (last > first && (await isCollarAt(last))) last--;
  return [first === 0 ? 0 : (first + 1) / length, last === length - 1 ? 1 : last / length];
}

/** Reads pixels of a level, with the blocks that it has just read. */
export function collarReader(level: PhotoLevel): (column: number, row: number) => Promise<boolean> {
  const kept = new Map<string, Pixels | null>();
  return async (column, row) => {
    const place = [Math.floor(column / level.blockWidth), Math.floor(row / level.blockHeight)] as const;
    const key = place.join();
    let block = kept.get(key);
    if (block === undefined) {
      block = await level.read(...place);
      kept.set(key, block);
      if (kept.size > 64) kept.delete(kept.keys().next().value as string);
    }
    if (block === null) return true;
    return isCollar(block, ((row % level.blockHeight) * block.width + (column % level.blockWidth)) * 4);
  };
}

/** A level without its collar. */
export function framedLevel(level: PhotoLevel, frame: Frame | null): PhotoLevel {
  if (frame === null) return level;
  const { width, height, blockWidth, blockHeight } = level;
  return {
    ...{ width, height, blockWidth, blockHeight },
    read: async (column, row) => {
      const pixels = await level.read(column, row);
      if (pixels) cut(pixels, frame, { level, left: column * blockWidth, top: row * blockHeight });
      return pixels;
    },
  };
}

function cut(
  pixels: Pixels,
  frame: Frame,
  { level, left, top }: { level: PhotoLevel; left: number; top: number },
): void {
  const columns = Array.from({ length: pixels.width }, (_, x) => spanAt(frame.columns, (left + x + 0.5) / level.width));
  for (let y = 0; y < pixels.height; y++) {
    const share = (top + y + 0.5) / level.height;
    const [first, last] = spanAt(frame.rows, share);
    for (let x = 0; x < pixels.width; x++) {
      const across = (left + x + 0.5) / level.width;
      const [upper, lower] = columns[x] as [number, number];
      if (across < first || across > last || share < upper || share > lower)
        pixels.data[(y * pixels.width + x) * 4 + 3] = 0;
    }
  }
}

/** Between two rows that were looked at the edge is straight. */
function spanAt(spans: Frame['rows'], share: number): readonly [number, number] {
  const at = Math.min(spans.length - 1, Math.max(0, share * (spans.length - 1)));
  const [one, other] = [spans[Math.floor(at)], spans[Math.ceil(at)]] as [
    readonly [number, number],
    readonly [number, number],
  ];
  const part = at - Math.floor(at);
  // Beside a row that is all collar the other's edge holds.
  if (one[0] > one[1]) return other;
  if (other[0] > other[1]) return one;
  return [one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part];
}
