/**
 * A tile of heights: 256 × 256 pixels of the Web Mercator grid, in meters, NaN where unknown. Stored as 16-bit steps above
 * the lowest, as differences along each row, deflated: a mountainous tile takes 30 to 60 kB, at an error below 3 cm.
 */
import { deflateSync, inflateSync } from 'node:zlib';
import { EngineError } from '../spec/errors.ts';

export const tileSide = 256;
const cells = tileSide * tileSide;
/** The step that marks an unknown height. */
const unknownStep = 65_535;
/** Meters per step, where that is enough for the tile's range. */
const finestStep = 1 / 16;

/** A tile as stored. */
export interface PackedHeights {
  /** Meters. */
  readonly lowest: number;
  /** Meters per step. */
  readonly step: number;
  readonly steps: Uint8Array;
}

/** Each tile overwrites it. */
const differences = new Uint16Array(cells);

/** Null if no height of the tile is known. */
export function packHeights(heights: Float32Array): PackedHeights | null {
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < cells; at++) {
    const height = heights[at] as number;
    if (height < lowest) lowest = height;
    if (height > highest) highest = height;
  }
  if (lowest > highest) return null;
  const step = Math.max(finestStep, (highest - lowest) / (unknownStep - 1));
  for (let row = 0; row < cells; row += tileSide) {
    let before = 0;
    for (let at = row; at < row + tileSide; at++) {
      const height = heights[at] as number;
      const value = Number.isNaN(height) ? unknownStep : Math.round((height - lowest) / step);
      differences[at] = value - before;
      before = value;
    }
  }
  return { lowest, step, steps: deflateSync(bytesOf(differences), { level: 3 }) };
}

/**
 * @param heights written and returned; absent: new ones
 * @throws EngineError file_damaged
 */
export function unpackHeights(
  { lowest, step, steps }: PackedHeights,
  heights: Float32Array = new Float32Array(cells),
): Float32Array {
  if (!(lowest > -plausibleMeters && lowest < plausibleMeters && step > 0 && step < 1)) throw damaged();
  const read = inflated(steps);
  for (let row = 0; row < cells; row += tileSide) {
    let value = 0;
    for (let at = row; at < row + tileSide; at++) {
      value = (value + (read[at] as number)) & 0xffff;
      heights[at] = value === unknownStep ? Number.NaN : lowest + value * step;
    }
  }
  return heights;
}

/** In one piece, and a little more for what would be too long. */
const whole = { chunkSize: cells * 2 + 64, maxOutputLength: cells * 2 + 64 };

function inflated(steps: Uint8Array): Uint16Array {
  try {
    const bytes = inflateSync(steps, whole);
    if (bytes.length === cells * 2) return new Uint16Array(bytes.buffer, bytes.byteOffset, cells);
  } catch {
    // Said below.
  }
  throw damaged();
}

/** Beyond all land; a step of a meter would span 65 km. */
const plausibleMeters = 20_000;

const damaged = (): EngineError =>
  new EngineError(
    'file_damaged',
    'terrain.sqlite holds a tile of heights that cannot be read. Import the elevation file again, or delete terrain.sqlite.',
  );

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint16Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
