/** How a picture of a TIFF is laid out in its file, refused where Platbook does not read it. */
import { unpackers } from '../importing/formats/tiff/tiff-blocks.ts';
import type { TiffDirectories, TiffTags } from '../importing/formats/tiff/tiff-directory.ts';
import { EngineError } from '../spec/errors.ts';
import { mostBlockBytes, mostSide } from './photo.ts';
import type { SampleLayout } from './sample-painter.ts';

const tag = {
  ...{ kind: 254, width: 256, height: 257, bits: 258, compression: 259, photometric: 262, stripOffsets: 273 },
  ...{ samples: 277, rowsPerStrip: 278, stripBytes: 279, planar: 284, predictor: 317, colors: 320 },
  ...{ tileWidth: 322, tileHeight: 323, tileOffsets: 324, tileBytes: 325, extra: 338, format: 339, tables: 347 },
  ...{ noData: 42113 },
};

export const pictureKinds: Readonly<Record<number, 'jpeg' | 'webp'>> = { 7: 'jpeg', 50001: 'webp' };
/** What other programs write and Platbook does not read. */
const unread: Readonly<Record<number, string>> = {
  ...{ 2: 'CCITT', 3: 'CCITT fax', 4: 'CCITT fax', 6: 'JPEG of an old kind', 34712: 'JPEG 2000', 34887: 'LERC' },
  ...{ 34925: 'LZMA', 50002: 'JPEG XL', 52546: 'JPEG XL' },
};
const color = { inverse: 0, gray: 1, rgb: 2, palette: 3, mask: 4, print: 5, ycc: 6, lab: 8 };
/** Where a program says that the picture is a mask. */
const maskKind = 4;
const mostBands = 16;

export interface TiffLayout extends SampleLayout {
  readonly width: number;
  readonly height: number;
  readonly isMask: boolean;
  readonly isStriped: boolean;
  /** Of a tile or a strip as it lies in the file. */
  readonly fileWidth: number;
  readonly fileHeight: number;
  readonly compression: number;
  readonly predictor: number;
  /** Bands that lie apart; 1: together. */
  readonly planes: number;
  readonly noData: number | null;
  /** What all JPEG blocks share; may be empty. */
  readonly tables: Buffer;
  /** JPEG whose bytes may not say that it is RGB. */
  readonly isPlainRgb: boolean;
  readonly offsets: readonly number[];
  readonly bytes: readonly number[];
}

/** @throws EngineError import_refused for what is not read, and for sizes that no photo has */
export function layoutOf(file: TiffDirectories, tags: TiffTags): TiffLayout {
  const samples = tags.number(tag.samples, 1);
  const photometric = tags.number(tag.photometric, color.gray);
  const compression = tags.number(tag.compression, 1);
  const [width, height] = [tags.number(tag.width, 0), tags.number(tag.height, 0)];
  const isStriped = !tags.has(tag.tileWidth);
  const layout = {
    ...{ width, height, samples, compression, isStriped },
    ...{ isMask: (tags.number(tag.kind, 0) & maskKind) !== 0 || photometric === color.mask },
    ...{ bits: tags.number(tag.bits, 1), isLittle: file.isLittle, isInverse: photometric === color.inverse },
    ...bandsOf(tags, photometric, samples),
    palette: photometric === color.palette ? tags.numbers(tag.colors) : [],
    fileWidth: isStriped ? width : tags.number(tag.tileWidth, 0),
    fileHeight: isStriped ? Math.min(height, tags.number(tag.rowsPerStrip, height)) : tags.number(tag.tileHeight, 0),
    predictor: tags.number(tag.predictor, 1),
    planes: tags.number(tag.planar, 1) === 2 ? samples : 1,
    noData: numberIn(tags.text(tag.noData)),
    tables: tags.has(tag.tables) ? tags.raw(tag.tables) : Buffer.alloc(0),
    isPlainRgb: compression === 7 && photometric === color.rgb && samples === 3,
  };
  refuseUnread(file.path, layout, photometric, tags.number(tag.format, 1));
  return {
    ...layout,
    offsets: tags.numbers(isStriped ? tag.stripOffsets : tag.tileOffsets),
    bytes: tags.numbers(isStriped ? tag.stripBytes : tag.tileBytes),
  };
}

/** Which bands are drawn, and which says where the photo is. */
function bandsOf(tags: TiffTags, photometric: number, samples: number): { colors: number; alpha: number } {
  const isColor = photometric === color.rgb || photometric === color.ycc;
  const colors = samples >= 3 && (isColor || photometric === color.gray) ? 3 : 1;
  const extra = tags.numbers(tag.extra);
  const alpha = extra.findIndex((each) => each === 1 || each === 2);
  const band = samples - extra.length + alpha;
  return { colors, alpha: alpha >= 0 && band >= colors && band < samples ? band : -1 };
}

type Unlisted = Omit<TiffLayout, 'offsets' | 'bytes'>;

function refuseUnread(filePath: string, layout: Unlisted, photometric: number, format: number): void {
  const { width, height, fileWidth, fileHeight, samples, bits, compression, isMask } = layout;
  const sides = [width, height, fileWidth, fileHeight];
  const rewrite = `Write it again: ${translateCommand(filePath)}`;
  const isSize = sides.every((side) => Number.isInteger(side) && side > 0 && side <= mostSide);
  const isWhole = format === 1 || format === 4;
  const isRead = [1, 2, 4, 8, 16].includes(bits) && isWhole;
  const checks: readonly (readonly [isFine: boolean, why: string, advice: string])[] = [
    [isSize, `expected a photo of at most ${mostSide} pixels a side, found ${sides.join(' by ')}`, rewrite],
    [
      compression in unpackers || compression in pictureKinds,
      `it is packed as ${unread[compression] ?? `number ${compression}`}, which Platbook does not read`,
      rewrite,
    ],
    [samples > 0 && samples <= mostBands, `expected at most ${mostBands} bands, found ${samples}`, rewrite],
    [
      isMask || isRead,
      `expected a photo of 8 or 16 bits, found values of ${bits} bits${isWhole ? '' : ', as heights have'}`,
      'Elevation goes to "platbook enrich slope".',
    ],
    [bits >= 8 || samples === 1, `expected one band of ${bits} bits, found ${samples}`, rewrite],
    [
      photometric !== color.print && photometric !== color.lab,
      'its colors are for print (CMYK or Lab), expected red, green and blue',
      rewrite,
    ],
    [
      blockBytes(layout) <= mostBlockBytes,
      `expected tiles or strips of at most ${mostBlockBytes} bytes, found ${fileWidth} by ${fileHeight} pixels`,
      rewrite,
    ],
  ];
  const failed = checks.find(([isFine]) => !isFine);
  if (failed) throw new EngineError('import_refused', `${filePath}: ${failed[1]}. ${failed[2]}`);
}

/** Strips that are not packed are read in parts. */
const blockBytes = (layout: Unlisted): number =>
  layout.fileWidth * blockRows(layout) * Math.max(4, (layout.samples * layout.bits) / 8);

export const rowBytesOf = ({ fileWidth, bits, planes, samples }: Unlisted): number =>
  Math.ceil((fileWidth * bits * (planes > 1 ? 1 : samples)) / 8);

/** Some hundred kilobytes at once. */
const partBytes = 256 * 1024;

/** Rows that are read at once: a tile or strip, or a part of a strip that is not packed. */
export function blockRows(layout: Unlisted): number {
  const { fileHeight, isStriped, compression, planes } = layout;
  if (!isStriped || compression !== 1 || planes > 1) return fileHeight;
  const wanted = Math.max(1, Math.floor(partBytes / Math.max(1, rowBytesOf(layout))));
  if (wanted >= fileHeight) return fileHeight;
  // A divisor of the strip, so that no part lies in two strips.
  for (let each = wanted; each > 1; each--) if (fileHeight % each === 0) return each;
  return 1;
}

const numberIn = (text: string): number | null => {
  const value = Number.parseFloat(text);
  return Number.isFinite(value) ? value : null;
};

export const translateCommand = (filePath: string): string =>
  `gdal_translate -of COG -co COMPRESS=JPEG ${JSON.stringify(filePath)} ${JSON.stringify(`${filePath.replace(/\.[^./\\]*$/, '')}-new.tif`)}`;
