/** Photos made small for a page or a file that is sent: new pixels, upright, without anything that a camera wrote beside them. */
import sharp from 'sharp';
import { mostPixels } from './photo-format.ts';

export interface SmallPhoto {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** 1 gray, 3 color. */
  readonly channels: number;
}

interface SmallSize {
  /** Pixels of the longer side at most. */
  readonly side: number;
  /** Of a JPEG, 1 to 100. */
  readonly quality: number;
}

/** A photo of 200 million pixels takes a tenth of it. */
const mostSeconds = 60;

/**
 * A JPEG of a JPEG or PNG; of transparency the white below it shows.
 * @param photo its bytes, or the path of its file
 * @returns null if it cannot be decoded
 */
export async function smallPhoto(photo: Uint8Array | string, { side, quality }: SmallSize): Promise<SmallPhoto | null> {
  try {
    const { data, info } = await sharp(photo, { limitInputPixels: mostPixels, sequentialRead: true })
      .autoOrient()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality })
      .timeout({ seconds: mostSeconds })
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    return { bytes: data, width, height, channels };
  } catch {
    return null;
  }
}
