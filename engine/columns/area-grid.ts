/**
 * Decides which rows of a county meet an area, in its memory: a grid over the area's box holds the cells its boundary
 * enters and which of the others lie inside. A parcel whose box meets no boundary cell needs no look at its outline; a
 * summed-area table answers that in four look-ups (F. Crow, "Summed-area tables for texture mapping", 1984). Outlines
 * decide most of the others.
 */
import type { PreparedGeometry } from '../geo/intersects.ts';
import type { CountyColumns } from './county-columns.ts';

/** A box of zero width still needs cells of some width; 1e-9 degrees is 0.1 mm. */
const leastSide = 1e-9;

/** Cells per side: about four to a parcel's width and height; more cost more to fill than they save. */
const leastCells = 8;
const mostCells = 256;

/** Bytes for the segments near one row. */
const nearBytes = 1280;

/** The offset of each of some lengths, one after the other, and of their end; each a multiple of eight. */
function offsetsOf(at: number, lengths: readonly number[]): number[] {
  const offsets = [at];
  for (const length of lengths) offsets.push((offsets.at(-1) as number) + Math.ceil(length / 8) * 8);
  return offsets;
}

/**
 * Keeps the rows that surely meet the area.
 * @param bits rows whose box meets the area's
 * @param unsure receives those that only the exact test can decide
 */
export function decideArea(county: CountyColumns, area: PreparedGeometry, bits: number, unsure: number): void {
  const { memory, kernels, words } = county;
  const { bounds, segments, isPartStart, ringSegmentCount: rings } = area;
  const candidates = kernels.count(bits, words);
  if (candidates === 0) return;
  const { rowBoxes, wordBoxes } = county.boxes();
  const { starts: outlineStarts, at: outlines } = county.outlines();
  const side = Math.min(mostCells, Math.max(leastCells, 2 * Math.ceil(Math.sqrt(candidates))));
  const cells = side * side;
  // A drawn area has a few segments to a row; ten thousand that each cross the county are not worth their lists.
  const most = 16 * side + 4 * isPartStart.length;
  const lengths = [segments.byteLength, isPartStart.length, (side + 1) ** 2 * 4, cells, cells * 4];
  const more = [(side + 1) * 4, most * 4, nearBytes];
  const scratch = offsetsOf(0, [...lengths, ...more]).at(-1) as number;
  const [west, south] = [bounds.minX, bounds.minY];
  const scaleX = side / Math.max(bounds.maxX - west, leastSide);
  const scaleY = side / Math.max(bounds.maxY - south, leastSide);
  memory.withScratch(scratch, (room) => {
    const offsets = offsetsOf(room, [...lengths, ...more]) as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const [at, parts, sums, inside, turns, starts, lists, near] = offsets;
    memory.doubles(at, segments.length).set(segments);
    memory.bytes(parts, isPartStart.length).set(isPartStart);
    const count = isPartStart.length;
    const isListed = kernels.grid(
      ...([at, count, rings, west, south, scaleX, scaleY, side, sums, inside, turns, starts, lists, most] as const),
    );
    kernels.classify(
      ...([rowBoxes, wordBoxes, bits, unsure, words, west, south, scaleX, scaleY, side, side, sums, inside] as const),
    );
    if (isListed === 0) return;
    kernels.decide(
      ...([rowBoxes, bits, unsure, words, at, parts, rings, south, scaleY, side, starts, lists] as const),
      ...([outlineStarts, outlines, near] as const),
    );
  });
}
