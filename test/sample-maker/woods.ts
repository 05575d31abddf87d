/** Woods by land use and noise: a woodlot is woods to its lines, a pasture keeps a corner of trees. */
import { noise } from './noise.ts';
import type { ParcelRecord } from './parcels.ts';
import { type Field, type Frame, type Patch, patchesOf } from './patches.ts';
import { at, bounds, contains } from './plane.ts';
import { type LandUse, uses } from './uses.ts';

/** How much of a lot is woods, by its use: 1 all, -1 none. */
function shareOf(use: LandUse, acres: number): number {
  if (use === uses.woodland || use === uses.timber || use === uses.forest) return 0.85;
  if (use === uses.cropland || use === uses.water || use === uses.gravel) return -0.8;
  if (use === uses.pasture || use === uses.farm) return -0.35;
  if (use === uses.vacantBack || use === uses.camp) return 0.45;
  if (use === uses.cemetery || use.class === 'C' || use.class === 'I') return -0.7;
  return Math.min(0.4, -0.9 + 0.42 * Math.log1p(acres));
}

/** Corners of the frame within the shapes, with the number of the shape; -1 outside all. */
function cornersInside(frame: Frame, records: readonly ParcelRecord[]): Int32Array {
  const found = new Int32Array(frame.columns * frame.rows).fill(-1);
  records.forEach((record, number) => {
    if (record.shape.parts.length === 0) return;
    const box = bounds(record.shape.points);
    const { columns, west, south, step } = frame;
    for (let row = Math.ceil((box.minY - south) / step); row * step + south <= box.maxY; row++) {
      for (let column = Math.ceil((box.minX - west) / step); column * step + west <= box.maxX; column++) {
        const corner = row * columns + column;
        const q = { x: west + column * step, y: south + row * step };
        // A lot in the hole of another comes later and takes its place.
        if (contains(record.shape.points, q)) found[corner] = number;
      }
    }
  });
  return found;
}

/** @param isOpen whether water or a settlement leaves no room for trees at a corner */
export function woodsOf(frame: Frame, records: readonly ParcelRecord[], isOpen: (corner: number) => boolean): Patch[] {
  const lots = cornersInside(frame, records);
  const shares = Float64Array.from(lots, (lot, corner) => {
    if (lot < 0) return -2;
    const { use, shape } = at(records, lot);
    if (isOpen(corner)) return -1.6;
    // Roads have trees beside them where the land around has.
    return shape.kind === 'road' ? Number.NaN : shape.inGrid ? -1 : shareOf(use, shape.acres);
  });
  const smooth = softened({ ...frame, values: shares });
  const values = smooth.map((share, corner) => {
    if ((lots[corner] ?? -1) < 0) return -2;
    const x = frame.west + (corner % frame.columns) * frame.step;
    const y = frame.south + Math.floor(corner / frame.columns) * frame.step;
    return share + 0.95 * noise(x, y, 620, 21) + 0.5 * noise(x, y, 190, 22) + 0.2 * noise(x, y, 75, 23) + 0.16;
  });
  return patchesOf({ ...frame, values }, 7, 6000);
}

/** Means over the neighbors that have a value, twice: edges between lots are rounded, lots without a value take theirs. */
function softened(field: Field): Float64Array {
  let { values } = field;
  for (let round = 0; round < 2; round++) values = meansOf({ ...field, values });
  return values.map((value) => (Number.isNaN(value) ? -1 : value));
}

function meansOf({ columns, values }: Field): Float64Array {
  return values.map((own, corner) => {
    let [sum, count] = [0, 0];
    for (const other of [corner, corner - 1, corner + 1, corner - columns, corner + columns]) {
      const value = values[other];
      if (value === undefined || Number.isNaN(value)) continue;
      sum += value;
      count++;
    }
    return count === 0 ? own : sum / count;
  });
}
