/**
 * Lines over photos: white between dark edges keeps 3 : 1 on invented photos of every season, by the formula of WCAG 2.2.
 * A line is drawn across a row of pixels as a graphics card does it: each pixel by the share that is covered.
 */
import { describe, expect, test } from 'vitest';
import { photoInk } from '../../renderer/map/photo-ink.ts';
import { airPhoto, seasons } from '../support/air-photo.ts';

type Color = readonly number[];

const linear = (value: number): number => {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};
const luminance = ([red = 0, green = 0, blue = 0]: Color): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
const contrast = (a: number, b: number): number => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
const rgb = (hex: string): Color => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
const mixed = (over: Color, below: Color, share: number): Color =>
  over.map((value, band) => value * share + (below[band] ?? 0) * (1 - share));

/** Share of a pixel that a line covers; both by their middles. */
const covered = (pixel: number, middle: number, width: number): number =>
  Math.max(0, Math.min(pixel + 0.5, middle + width / 2) - Math.max(pixel - 0.5, middle - width / 2));

interface Line {
  readonly color: string;
  readonly width: number;
  readonly edge: number;
  readonly opacity: number;
  readonly brightness: number;
}

/** Nine pixels across the line, on one side of its middle and the other. */
function across(photo: Uint8Array, at: number, offset: number, line: Line): number[] {
  return [-4, -3, -2, -1, 0, 1, 2, 3, 4].map((pixel) => {
    const from = (at + pixel) * 3;
    const ground = [0, 1, 2].map((band) => (photo[from + band] ?? 0) * line.brightness);
    const edge = covered(pixel, offset, line.width + line.edge) * line.opacity;
    return luminance(
      mixed(rgb(line.color), mixed(rgb(photoInk.casing), ground, edge), covered(pixel, offset, line.width)),
    );
  });
}

/** The line's strongest pixel against the strongest that its edge covers, on the weaker side. */
function told(row: readonly number[], { width }: Line, isLight: boolean): number {
  const [strongest, weakest] = isLight ? [Math.max, Math.min] : [Math.min, Math.max];
  const peak = strongest(...row.slice(3, 6));
  const at = row.indexOf(peak, 3);
  const reach = Math.ceil(width / 2) + 1;
  const beside = (step: 1 | -1) =>
    contrast(peak, weakest(...Array.from({ length: reach }, (_, far) => row[at + step * (far + 1)] ?? peak)));
  return Math.min(beside(-1), beside(1));
}

const side = 96;
const photos = seasons.flatMap((season) =>
  Array.from({ length: 10 }, (_, at) => airPhoto(season, 100 + at, side, side)),
);

/** The share of pixels along lines on all photos with 3 : 1. */
function share(line: Line, isLight: boolean): number {
  let [all, good] = [0, 0];
  for (const photo of photos) {
    for (let at = 3; at < side * side - 3; at += 13) {
      all += 1;
      if (told(across(photo, at, ((at * 7) % 10) / 10 - 0.5, line), line, isLight) >= 3) good += 1;
    }
  }
  return good / all;
}

describe('lines over 50 photos of five seasons', () => {
  const edged = { edge: photoInk.casingWidth, opacity: photoInk.casingOpacity, brightness: photoInk.brightness };

  // Where lots have names; farther out they are too many for lines of their own.
  const widths = photoInk.lotWidths.filter(([zoom]) => zoom >= 14).flatMap(([, found, other]) => [found, other]);

  test.for(widths)('white and %d pixels wide between edges: 3 : 1 on 99 % of the pixels', (width) => {
    expect(share({ color: photoInk.line, width, ...edged }, true)).toBeGreaterThanOrEqual(0.99);
  });

  test('without an edge, white or black, less than that', () => {
    const bare = { width: 1.5, edge: 0, opacity: 0, brightness: 1 };
    expect(share({ color: '#ffffff', ...bare }, true)).toBeLessThan(0.9);
    expect(share({ color: '#000000', ...bare }, false)).toBeLessThan(0.9);
  });
});
