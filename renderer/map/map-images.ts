/** Small images for the map's style, drawn without a canvas in the theme's colors. */
import type { MapTokens } from './map-tokens.ts';

export interface MapImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

export const mapImages: Readonly<Record<string, (tokens: MapTokens, pixelRatio: number) => MapImage>> = {
  hatch: hatchImage,
  half: halfImage,
};

/** 6 px across the lines are 6 · √2 along an edge; a tile with a whole number of pixels repeats without a seam. */
const period = 8;
const lineShare = 2 / 6;

/** The hatch of "no value": the mock's pattern, 2 px lines at 45° every 6 px. */
export function hatchImage({ lot, line }: Pick<MapTokens, 'lot' | 'line'>, pixelRatio: number): MapImage {
  const size = period * pixelRatio;
  const [ground, ink] = [parseColor(lot), parseColor(line)];
  return paint(size, (x, y) => {
    const at = ((x + y) % size) / size;
    // The share of the pixel that the line covers, for smooth edges.
    const share = clamp((lineShare / 2 - Math.min(at, 1 - at)) * size + 0.5);
    return [...ground.map((one, i) => one * (1 - share) + (ink[i] ?? 0) * share), 255];
  });
}

/** The left half of a dot of 4 px: fills the ring of a pending comp. */
function halfImage({ comp }: Pick<MapTokens, 'comp'>, pixelRatio: number): MapImage {
  const size = 12 * pixelRatio;
  const ink = parseColor(comp);
  return paint(size, (x, y) => {
    const distance = Math.hypot(x + 0.5 - size / 2, y + 0.5 - size / 2);
    return [...ink, x + 0.5 < size / 2 ? 255 * clamp(4 * pixelRatio - distance + 0.5) : 0];
  });
}

const clamp = (share: number): number => Math.min(1, Math.max(0, share));

function paint(size: number, colorAt: (x: number, y: number) => readonly number[]): MapImage {
  const data = new Uint8ClampedArray(size * size * 4);
  for (let y = 0; y < size; y++) for (let x = 0; x < size; x++) data.set(colorAt(x, y), (y * size + x) * 4);
  return { width: size, height: size, data };
}

/** `#f0eee6` → [240, 238, 230]. */
export function parseColor(color: string): readonly [number, number, number] {
  const digits = /^#([0-9a-f]{6})$/i.exec(color)?.[1] ?? '808080';
  const value = Number.parseInt(digits, 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}
