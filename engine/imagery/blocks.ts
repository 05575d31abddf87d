/** Blocks of halved levels in imagery.sqlite: a JPEG, and where there are holes a packed mask. */
import zlib from 'node:zlib';
import sharp from 'sharp';
import type { SqliteFile } from '../store/sqlite.ts';
import type { PhotoLevel } from './photo.ts';
import { coverOf, fillHoles, type Pixels } from './pixels.ts';
import { blockSide, type Size } from './pyramid-steps.ts';

export interface PackedBlock {
  readonly jpeg: Buffer;
  readonly mask: Buffer | null;
}

const quality = 85;

/** Without its mask. @param pixels its holes are filled */
export const asJpeg = (pixels: Pixels): Promise<Buffer> =>
  sharp(pixels.data, { raw: { width: pixels.width, height: pixels.height, channels: 4 } })
    .removeAlpha()
    .jpeg({ quality })
    .toBuffer();

/** Null if nothing of it is photo. */
export async function packBlock(pixels: Pixels): Promise<PackedBlock | null> {
  const cover = coverOf(pixels);
  if (cover === 0) return null;
  if (cover === 2) return { jpeg: await asJpeg(pixels), mask: null };
  const mask = Buffer.alloc(pixels.width * pixels.height);
  for (let at = 0; at < mask.length; at++) mask[at] = pixels.data[at * 4 + 3] as number;
  fillHoles(pixels);
  return { jpeg: await asJpeg(pixels), mask: zlib.deflateSync(mask, { level: 1 }) };
}

export async function unpackBlock({ jpeg, mask }: PackedBlock, { width, height }: Size): Promise<Pixels> {
  const data = await sharp(jpeg).ensureAlpha().raw().toBuffer();
  if (data.length !== width * height * 4) throw new RangeError(`a kept block has ${data.length} bytes`);
  if (mask) {
    const shown = zlib.inflateSync(mask, { maxOutputLength: width * height });
    for (let at = 0; at < shown.length; at++) data[at * 4 + 3] = shown[at] as number;
  }
  return { width, height, data };
}

/** A stored level of a photo. */
export const storedLevel = (file: SqliteFile, fileId: number, level: number, { width, height }: Size): PhotoLevel => ({
  ...{ width, height, blockWidth: blockSide, blockHeight: blockSide },
  read: async (column, row) => {
    const block = file.get<PackedBlock>(
      'SELECT jpeg, mask FROM imagery_blocks WHERE file_id = ? AND level = ? AND row = ? AND column = ?',
      ...[fileId, level, row, column],
    );
    const size = {
      width: Math.min(blockSide, width - column * blockSide),
      height: Math.min(blockSide, height - row * blockSide),
    };
    return block ? unpackBlock(block, size) : null;
  },
});
