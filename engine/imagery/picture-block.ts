/** Blocks of a TIFF that are pictures themselves (JPEG, WebP), decoded by libvips after their sizes are checked. */
import sharp, { type OutputInfo } from 'sharp';
import { isFrame } from '../photos/jpeg-parts.ts';
import { jpegSegments } from '../photos/photo-format.ts';
import { mostBlockBytes } from './photo.ts';

// One block at a time, and none twice: the engine's other work goes on beside.
sharp.concurrency(1);
sharp.cache(false);

interface PictureBlock {
  readonly kind: 'jpeg' | 'webp';
  /** Samples of a pixel. */
  readonly samples: number;
  readonly width: number;
  readonly height: number;
  /** Red, green and blue as they are, whatever the JPEG's own bytes say. */
  readonly isPlainRgb: boolean;
}

const end = 0xd9;
const plainRgbMark = Buffer.from([0xff, 0xee, 0, 14, ...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, 0]);

/** @param tables what all JPEG blocks of the file share; may be empty. @returns samples in rows of `width` */
export async function pictureBlock(packed: Uint8Array, tables: Buffer, block: PictureBlock): Promise<Uint8Array> {
  const { kind, samples, width, height, isPlainRgb } = block;
  const whole = kind === 'jpeg' ? wholeJpeg(packed, tables, isPlainRgb) : Buffer.from(packed);
  if (kind === 'jpeg') expectSize(whole, block);
  const opened = sharp(whole, { limitInputPixels: mostBlockBytes / 4, failOn: 'error', sequentialRead: true });
  // Four bands are taken for print colors, and turned as those are.
  const isFour = samples === 4 && kind === 'jpeg';
  const raw = isFour ? opened.pipelineColourspace('cmyk').toColourspace('cmyk') : opened;
  const { data, info } = await raw.raw().toBuffer({ resolveWithObject: true });
  if (isFour) for (let at = 0; at < data.length; at++) data[at] = 255 - (data[at] as number);
  return info.width === width && info.height === height && info.channels === samples ? data : fitted(data, info, block);
}

/** A strip's JPEG may be higher than the strip, and WebP leaves the mask out where nothing is hidden. */
function fitted(data: Uint8Array, info: OutputInfo, { width, height, samples }: PictureBlock): Uint8Array {
  const out = new Uint8Array(width * height * samples).fill(255);
  const shared = Math.min(samples, info.channels);
  for (let y = 0; y < Math.min(height, info.height); y++)
    for (let x = 0; x < Math.min(width, info.width); x++) {
      const from = (y * info.width + x) * info.channels;
      out.set(data.subarray(from, from + shared), (y * width + x) * samples);
    }
  return out;
}

/** One picture of a block and the tables, which lie apart in the TIFF. */
function wholeJpeg(packed: Uint8Array, tables: Buffer, isPlainRgb: boolean): Buffer {
  const hasTables = tables.length > 4;
  const tail = hasTables ? tables.subarray(2, tables[tables.length - 1] === end ? -2 : undefined) : Buffer.alloc(0);
  const mark = isPlainRgb ? plainRgbMark : Buffer.alloc(0);
  return Buffer.concat([packed.subarray(0, 2), mark, tail, packed.subarray(2)]);
}

/** Decoders reserve memory by the picture's own size. */
function expectSize(jpeg: Buffer, { width, height, samples }: PictureBlock): void {
  for (const { marker, content } of jpegSegments(jpeg)) {
    if (!isFrame(marker)) continue;
    const [bits, down, across, bands] = [content[0], content.readUInt16BE(1), content.readUInt16BE(3), content[5]];
    if (bits === 8 && bands === samples && across <= 2 * width && down <= 2 * height) return;
    throw new RangeError(`a block is a JPEG of ${across} by ${down} pixels, ${bands} bands and ${bits} bits`);
  }
  throw new RangeError('a block is no JPEG');
}
