/** Turns the samples of a block into red, green, blue and mask. */
import type { Stretch } from './photo.ts';
import { emptyPixels, type Pixels } from './pixels.ts';

export interface SampleLayout {
  /** Of a pixel. */
  readonly samples: number;
  /** Of a sample: 1, 2, 4, 8, 16. */
  readonly bits: number;
  /** Bands that are drawn: 1 or 3. */
  readonly colors: number;
  /** 0 is white. */
  readonly isInverse: boolean;
  readonly isLittle: boolean;
  /** The band that says where the photo is; -1 without one. */
  readonly alpha: number;
  /** All reds, all greens, all blues, of 16 bits; empty without a palette. */
  readonly palette: readonly number[];
}

/**
 * A value that means "no photo" also occurs in it: 0 is a black roof. So only runs of it are holes; collars, which end in
 * thin tips, are cut by the frame (frame.ts).
 */
const leastRun = 64;

export class SamplePainter {
  readonly #layout: SampleLayout;
  readonly #hole: number | null;
  /** By band: what each value is drawn as. */
  readonly #looks: readonly Uint8Array[];

  /** @param hole value of a pixel without photo, in all bands */
  constructor(layout: SampleLayout, stretch: Stretch | null, hole: number | null) {
    this.#layout = layout;
    this.#hole = hole;
    this.#looks = [0, 1, 2].map((band) => lookOf(layout, band, stretch));
  }

  /** @param planes the block's samples together, or one array for each band; rows are `rowWidth` pixels wide */
  paint(planes: readonly Uint8Array[], rowWidth: number, width: number, height: number): Pixels {
    const { samples, bits, colors, alpha } = this.#layout;
    const isApart = planes.length > 1;
    const step = isApart ? 1 : samples;
    const values = planes.map((plane) => this.#values(plane, isApart ? rowWidth : rowWidth * samples));
    const pixels = emptyPixels(width, height);
    const rows = { pixels, step, rowWidth };
    const bands = [0, 1, 2].map((band): Band => {
      const from = colors === 3 ? band : 0;
      return { values: values[isApart ? from : 0] as Values, start: isApart ? 0 : from };
    });
    for (const [band, { values: ofBand, start }] of bands.entries()) this.#paintBand(rows, band, ofBand, start);
    const mask = alpha < 0 ? null : (values[isApart ? alpha : 0] as Values);
    paintMask(rows, mask, isApart ? 0 : alpha, 2 ** (bits - 1));
    if (this.#hole !== null) cutHoles(rows, bands, this.#hole);
    return pixels;
  }

  #paintBand(
    { pixels: { data, width, height }, step, rowWidth }: Rows,
    band: number,
    values: Values,
    start: number,
  ): void {
    const look = this.#looks[band] as Uint8Array;
    for (let y = 0; y < height; y++) {
      let from = y * rowWidth * step + start;
      for (let to = y * width * 4 + band, end = to + width * 4; to < end; to += 4, from += step)
        data[to] = look[values[from] as number] as number;
    }
  }

  /** Samples of eight or sixteen bits, in the order of this computer. */
  #values(plane: Uint8Array, perRow: number): Values {
    const { bits, isLittle } = this.#layout;
    if (bits === 8) return plane;
    if (bits === 16) {
      const own = plane.byteOffset % 2 === 0 ? plane : plane.slice();
      if (!isLittle) Buffer.from(own.buffer, own.byteOffset, own.length & ~1).swap16();
      return new Uint16Array(own.buffer, own.byteOffset, own.length >> 1);
    }
    const rowBytes = Math.ceil((perRow * bits) / 8);
    const rows = Math.floor(plane.length / rowBytes);
    const [perByte, most] = [8 / bits, 2 ** bits - 1];
    const out = new Uint8Array(rows * perRow);
    for (let y = 0; y < rows; y++)
      for (let x = 0; x < perRow; x++) {
        const byte = plane[y * rowBytes + Math.floor(x / perByte)] as number;
        out[y * perRow + x] = (byte >> (8 - bits * ((x % perByte) + 1))) & most;
      }
    return out;
  }
}

type Values = Uint8Array | Uint16Array;

interface Band {
  readonly values: Values;
  /** Of the first pixel's value. */
  readonly start: number;
}

interface Rows {
  readonly pixels: Pixels;
  /** Values from one pixel to the next. */
  readonly step: number;
  readonly rowWidth: number;
}

function paintMask(
  { pixels: { data, width, height }, step, rowWidth }: Rows,
  mask: Values | null,
  start: number,
  half: number,
): void {
  for (let y = 0; y < height; y++) {
    let from = y * rowWidth * step + start;
    for (let to = y * width * 4 + 3, end = to + width * 4; to < end; to += 4, from += step)
      data[to] = mask === null || (mask[from] as number) >= half ? 255 : 0;
  }
}

/** By the values of the file: stretched, others look the same. */
function cutHoles({ pixels, step, rowWidth }: Rows, bands: readonly Band[], hole: number): void {
  const { data, width, height } = pixels;
  const [red, green, blue] = bands as [Band, Band, Band];
  const isHole = (from: number): boolean =>
    red.values[from + red.start] === hole &&
    green.values[from + green.start] === hole &&
    blue.values[from + blue.start] === hole;
  for (let y = 0; y < height; y++)
    for (let x = 0, next = 0; x < width; x = next + 1) {
      next = x;
      while (next < width && isHole((y * rowWidth + next) * step)) next++;
      const run = next - x;
      if (run >= leastRun || run === width)
        for (let each = x; each < next; each++) data[(y * width + each) * 4 + 3] = 0;
    }
}

function lookOf({ bits, palette, isInverse }: SampleLayout, band: number, stretch: Stretch | null): Uint8Array {
  const count = 2 ** bits;
  const look = new Uint8Array(count);
  const [least, greatest] = stretch?.[Math.min(band, stretch.length - 1)] ?? [0, count - 1];
  for (let value = 0; value < count; value++) {
    const share = Math.min(1, Math.max(0, (value - least) / Math.max(1, greatest - least)));
    const gray = Math.round(255 * (isInverse ? 1 - share : share));
    look[value] = palette.length > 0 ? (palette[(band * palette.length) / 3 + value] ?? 0) >> 8 : gray;
  }
  return look;
}
