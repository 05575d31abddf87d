/**
 * The frame of a photo: quarter quads lie turned in their raster, with a collar of nothing, of black, or, packed as JPEG,
 * of almost black. It is cut from the edges inward, so that a black roof stays.
 */
import type { Frame, PhotoLevel } from './photo.ts';
import type { Pixels } from './pixels.ts';

/** Rows and columns that are kept. */
const kept = 128;
/** Rows that are looked at for each. */
const finer = 4;
/** JPEG writes black as almost black. */
const mostBlack = 24;

function isCollar({ data }: Pixels, at: number): boolean {
  const [r, g, b] = [data[at] as number, data[at + 1] as number, data[at + 2] as number];
  return data[at + 3] === 0 || Math.max(r, g, b) <= mostBlack || Math.min(r, g, b) === 255;
}

/**
 * @param margin pixels that are cut besides: JPEG smears the edge over a block
 * @returns null unless two of its corners are collar
 */
export async function findFrame(level: PhotoLevel, margin: number): Promise<Frame | null> {
  const { width, height } = level;
  const isEmptyAt = async (column: number, row: number) => (await lineOf(level, row, column, 1))[0] === 1;
  const empty = [await isEmptyAt(0, 0), await isEmptyAt(width - 1, 0)];
  empty.push(await isEmptyAt(0, height - 1), await isEmptyAt(width - 1, height - 1));
  if (empty.filter((each) => each).length < 2) return null;
  const rows: (readonly [number, number])[] = [];
  const columns = Array.from({ length: kept + 1 }, (): [number, number] => [1, 0]);
  const looked = kept * finer;
  for (let each = 0; each <= looked; each++) {
    const row = Math.min(height - 1, Math.floor((each / looked) * height));
    const line = await lineOf(level, row, 0, width);
    if (each % finer === 0) rows.push(spanOf(line, margin));
    stretchSpans(columns, line, row === 0 ? 0 : row === height - 1 ? 1 : row / height);
  }
  const inner = margin / height;
  return {
    rows,
    columns: columns.map(([from, to]) => [from === 0 ? 0 : from + inner, to === 1 ? 1 : to - inner] as const),
  };
}

/** The edge of a column lies somewhere between two rows that are looked at: the inner one is taken. */
function stretchSpans(columns: readonly [number, number][], line: Uint8Array, share: number): void {
  for (const [at, span] of columns.entries()) {
    if (line[Math.min(line.length - 1, Math.floor((at / kept) * line.length))] === 1) continue;
    if (span[0] > span[1]) span[0] = share;
    span[1] = share;
  }
}

/** The first and last place that is no collar, as shares, a margin inward; an empty span if all is collar. */
function spanOf(line: Uint8Array, margin: number): readonly [number, number] {
  const [first, last] = [line.indexOf(0), line.lastIndexOf(0)];
  if (first < 0) return [1, 0];
  return [
    first === 0 ? 0 : (first + margin) / line.length,
    last === line.length - 1 ? 1 : (last + 1 - margin) / line.length,
  ];
}

const latest = new WeakMap<PhotoLevel, { row: number; blocks: Map<number, Pixels | null> }>();

/** A part of a row: 1 where there is collar. The latest row of blocks is kept. */
async function lineOf(level: PhotoLevel, row: number, left: number, width: number): Promise<Uint8Array> {
  const { blockWidth, blockHeight } = level;
  const line = new Uint8Array(width).fill(1);
  const ofRow = Math.floor(row / blockHeight);
  const before = latest.get(level);
  const blocks = before?.row === ofRow ? before.blocks : new Map<number, Pixels | null>();
  latest.set(level, { row: ofRow, blocks });
  for (let column = Math.floor(left / blockWidth); column * blockWidth < left + width; column++) {
    const block = blocks.get(column) ?? (await level.read(column, ofRow));
    blocks.set(column, block);
    const start = column * blockWidth;
    for (let x = Math.max(left, start); block && x < Math.min(left + width, start + block.width); x++)
      line[x - left] = isCollar(block, ((row - ofRow * blockHeight) * block.width + x - start) * 4) ? 1 : 0;
  }
  return line;
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
