/** One picture of a TIFF: its layout, checked against its file, and its blocks as pixels. */

import { unpackers } from '../importing/formats/tiff/tiff-blocks.ts';
import type { TiffDirectories, TiffTags } from '../importing/formats/tiff/tiff-directory.ts';
import { EngineError } from '../spec/errors.ts';
import { mostBlockBytes, mostSide, type PhotoLevel, type Stretch } from './photo.ts';
import { pictureBlock } from './picture-block.ts';
import type { Pixels } from './pixels.ts';
import { type SampleLayout, SamplePainter } from './sample-painter.ts';

const tag = {
  ...{ kind: 254, width: 256, height: 257, bits: 258, compression: 259, photometric: 262, stripOffsets: 273 },
  ...{ samples: 277, rowsPerStrip: 278, stripBytes: 279, planar: 284, predictor: 317, colors: 320 },
  ...{ tileWidth: 322, tileHeight: 323, tileOffsets: 324, tileBytes: 325, extra: 338, format: 339, tables: 347 },
  ...{ noData: 42113 },
};

const pictures: Readonly<Record<number, 'jpeg' | 'webp'>> = { 7: 'jpeg', 50001: 'webp' };
/** What other programs write and Platbook does not read. */
const unread: Readonly<Record<number, string>> = {
  ...{ 2: 'CCITT', 3: 'CCITT fax', 4: 'CCITT fax', 6: 'JPEG of an old kind', 34712: 'JPEG 2000', 34887: 'LERC' },
  ...{ 34925: 'LZMA', 50002: 'JPEG XL', 52546: 'JPEG XL' },
};

/** Where a program says that the picture is a smaller copy or a mask. */
const [smaller, maskKind] = [1, 4];

export class TiffImage implements PhotoLevel {
  readonly width: number;
  readonly height: number;
  readonly blockWidth: number;
  readonly blockHeight: number;
  readonly isMask: boolean;
  readonly isSmaller: boolean;
  readonly isStriped: boolean;
  readonly bands: number;
  readonly bits: number;
  readonly isJpeg: boolean;
  readonly noData: number | null;
  readonly #file: TiffDirectories;
  readonly #layout: SampleLayout;
  readonly #compression: number;
  readonly #offsets: readonly number[];
  readonly #bytes: readonly number[];
  readonly #tables: Buffer;
  readonly #predictor: number;
  readonly #planes: number;
  /** Rows of a block of the file; an unpacked strip is read row by row. */
  readonly #fileRows: number;
  /** JPEG in a TIFF: the TIFF says whether it is RGB; its own bytes often do not. */
  readonly #isPlainRgb: boolean;
  #painter: SamplePainter;

  /** @throws EngineError import_refused for what is not read, and for sizes that no photo has */
  constructor(file: TiffDirectories, tags: TiffTags) {
    this.#file = file;
    this.width = tags.number(tag.width, 0);
    this.height = tags.number(tag.height, 0);
    const kind = tags.number(tag.kind, 0);
    this.isMask = (kind & maskKind) !== 0 || tags.number(tag.photometric, 1) === 4;
    this.isSmaller = (kind & smaller) !== 0;
    this.isStriped = !tags.has(tag.tileWidth);
    this.#compression = tags.number(tag.compression, 1);
    this.isJpeg = this.#compression === 7;
    const samples = tags.number(tag.samples, 1);
    const [bits = 1] = tags.numbers(tag.bits);
    this.bits = bits;
    this.bands = samples;
    this.noData = numberIn(tags.text(tag.noData));
    this.#predictor = tags.number(tag.predictor, 1);
    this.#isPlainRgb = this.isJpeg && tags.number(tag.photometric, 1) === 2 && samples === 3;
    const isApart = tags.number(tag.planar, 1) === 2 && samples > 1;
    this.#planes = isApart ? samples : 1;
    this.#tables = tags.has(tag.tables) ? tags.raw(tag.tables) : Buffer.alloc(0);
    const photometric = tags.number(tag.photometric, 1);
    const alpha = tags.numbers(tag.extra).findIndex((each) => each === 1 || each === 2);
    const colors = photometric === 2 || photometric === 6 || (photometric === 1 && samples >= 3) ? 3 : 1;
    const extraStart = samples - tags.numbers(tag.extra).length;
    this.#layout = {
      ...{ samples, bits, colors, isInverse: photometric === 0, isLittle: file.isLittle },
      alpha: alpha >= 0 && extraStart + alpha >= colors ? extraStart + alpha : -1,
      palette: photometric === 3 ? tags.numbers(tag.colors) : [],
    };
    const rows = this.isStriped ? Math.min(this.height, tags.number(tag.rowsPerStrip, this.height)) : 0;
    this.#fileRows = rows;
    this.blockWidth = this.isStriped ? this.width : tags.number(tag.tileWidth, 0);
    const isPlain = this.isStriped && this.#compression === 1 && this.#planes === 1;
    this.blockHeight = this.isStriped
      ? isPlain
        ? plainRows(rows, this.#rowBytes())
        : rows
      : tags.number(tag.tileHeight, 0);
    this.#refuseOther(tags);
    this.#offsets = tags.numbers(this.isStriped ? tag.stripOffsets : tag.tileOffsets);
    this.#bytes = tags.numbers(this.isStriped ? tag.stripBytes : tag.tileBytes);
    this.#painter = new SamplePainter(this.#layout, null, this.#holes());
  }

  /** How values of more than eight bits are drawn. */
  stretch(stretch: Stretch): void {
    this.#painter = new SamplePainter(this.#layout, stretch, this.#holes());
  }

  get isPacked(): boolean {
    return this.#compression !== 1;
  }

  get needsStretch(): boolean {
    return this.bits > 8;
  }

  #holes = (): number | null => (this.isJpeg ? null : this.noData);

  #rowBytes = (): number =>
    Math.ceil(((this.isStriped ? this.width : this.blockWidth) * this.bits * (this.#planes > 1 ? 1 : this.bands)) / 8);

  #refuseOther(tags: TiffTags): void {
    const { width, height, blockWidth, blockHeight, bands, bits } = this;
    const refuse = (why: string, advice: string): EngineError =>
      new EngineError('import_refused', `${this.#file.path}: ${why}. ${advice}`);
    const rewrite = `Write it again: ${translateCommand(this.#file.path)}`;
    const sides = [width, height, blockWidth, blockHeight];
    if (!sides.every((side) => Number.isInteger(side) && side > 0 && side <= mostSide))
      throw refuse(`expected a photo of at most ${mostSide} pixels a side, found ${sides.join(' by ')}`, rewrite);
    const packing = this.#compression;
    if (!(packing in unpackers) && !(packing in pictures))
      throw refuse(`it is packed as ${unread[packing] ?? `number ${packing}`}, which Platbook does not read`, rewrite);
    const block = blockWidth * blockHeight * Math.max(4, (bands * bits) / 8);
    if (block > mostBlockBytes)
      throw refuse(
        `expected tiles or strips of at most ${mostBlockBytes} bytes, found ${blockWidth} by ${blockHeight} pixels`,
        rewrite,
      );
    const format = tags.number(tag.format, 1);
    if (!this.isMask && (![1, 2, 4, 8, 16].includes(bits) || (format !== 1 && format !== 4)))
      throw refuse(
        `expected a photo of 8 or 16 bits, found values of ${bits} bits${format === 1 ? '' : ', as heights have'}`,
        'Elevation goes to "platbook enrich slope".',
      );
    if (bits < 8 && bands > 1) throw refuse(`expected one band of ${bits} bits, found ${bands}`, rewrite);
    if (bands > 16) throw refuse(`expected at most 16 bands, found ${bands}`, rewrite);
    if (tags.number(tag.photometric, 1) === 5 || tags.number(tag.photometric, 1) === 8)
      throw refuse('its colors are for print (CMYK or Lab), expected red, green and blue', rewrite);
  }

  read = async (column: number, row: number): Promise<Pixels | null> => {
    const width = Math.min(this.blockWidth, this.width - column * this.blockWidth);
    const height = Math.min(this.blockHeight, this.height - row * this.blockHeight);
    const planes: Uint8Array[] = [];
    for (let plane = 0; plane < this.#planes; plane++) {
      const part = await this.#part(column, row, plane, height);
      if (part === null) return null;
      planes.push(part);
    }
    return this.#painter.paint(planes, this.blockWidth, width, height);
  };

  /** A block's samples in rows of `blockWidth`. */
  async #part(column: number, row: number, plane: number, height: number): Promise<Uint8Array | null> {
    const across = this.isStriped ? 1 : Math.ceil(this.width / this.blockWidth);
    const fileRow = this.isStriped ? Math.floor((row * this.blockHeight) / this.#fileRows) : row;
    const down = Math.ceil(this.height / (this.isStriped ? this.#fileRows : this.blockHeight));
    const index = plane * across * down + fileRow * across + column;
    const offset = this.#offsets[index] ?? 0;
    let bytes = this.#bytes[index] ?? 0;
    if (offset === 0 || bytes === 0) return null;
    const rowBytes = this.#rowBytes();
    let start = offset;
    if (this.isStriped && this.blockHeight < this.#fileRows) {
      // An unpacked strip, of which a part is read.
      start += (row * this.blockHeight - fileRow * this.#fileRows) * rowBytes;
      bytes = Math.min(bytes - (start - offset), rowBytes * height);
    }
    if (bytes > 2 * mostBlockBytes) throw new RangeError(`a block of ${bytes} packed bytes`);
    const view = this.#file.read(start, bytes);
    if (view.byteLength !== bytes) throw new RangeError(`bytes ${start} to ${start + bytes} lie beyond its end`);
    const packed = new Uint8Array(view.buffer, 0, bytes);
    const picture = pictures[this.#compression];
    const samples = this.#planes > 1 ? 1 : this.bands;
    if (picture) {
      return pictureBlock(packed, this.#tables, {
        ...{ kind: picture, samples, width: this.blockWidth, height: this.isStriped ? height : this.blockHeight },
        isPlainRgb: this.#isPlainRgb && this.#planes === 1,
      });
    }
    const rows = this.isStriped ? height : this.blockHeight;
    const plain = unpackers[this.#compression]?.(packed, rowBytes * (this.isStriped ? this.blockHeight : rows));
    const whole = new Uint8Array(rowBytes * rows);
    if (plain) whole.set(plain.subarray(0, whole.length));
    if (this.#predictor === 2) undoDifferences(whole, rowBytes, samples, this.bits, this.#file.isLittle);
    return whole;
  }
}

/** Some hundred kilobytes at once. */
const plainRows = (rows: number, rowBytes: number): number => {
  const wanted = Math.max(1, Math.floor((256 * 1024) / Math.max(1, rowBytes)));
  if (wanted >= rows) return rows;
  // A divisor of the strip, so that no part lies in two strips.
  for (let each = wanted; each > 1; each--) if (rows % each === 0) return each;
  return 1;
};

const numberIn = (text: string): number | null => {
  const value = Number.parseFloat(text);
  return Number.isFinite(value) ? value : null;
};

function undoDifferences(data: Uint8Array, rowBytes: number, samples: number, bits: number, isLittle: boolean): void {
  if (bits === 8) {
    for (let start = 0; start < data.length; start += rowBytes)
      for (let at = start + samples; at < start + rowBytes; at++)
        data[at] = (data[at] as number) + (data[at - samples] as number);
    return;
  }
  if (bits !== 16) return;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let start = 0; start < data.length; start += rowBytes)
    for (let at = start + 2 * samples; at + 1 < start + rowBytes; at += 2)
      view.setUint16(at, view.getUint16(at, isLittle) + view.getUint16(at - 2 * samples, isLittle), isLittle);
}

export const translateCommand = (filePath: string): string =>
  `gdal_translate -of COG -co COMPRESS=JPEG ${JSON.stringify(filePath)} ${JSON.stringify(filePath.replace(/\.[^./\\]*$/, '') + '-new.tif')}`;
