/** Photos made small for a page or a file that is sent: new pixels, upright, without anything that a camera wrote beside them. */
import { EngineError } from '../spec/errors.ts';
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
 * @throws EngineError import_refused on a system without decoders
 */
export async function smallPhoto(photo: Uint8Array | string, { side, quality }: SmallSize): Promise<SmallPhoto | null> {
  const sharp = await decoders();
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

/** Loaded when a photo is drawn: a system that they are not built for has all the rest. */
async function decoders(): Promise<typeof import('sharp').default> {
  try {
    return (await import('sharp')).default;
  } catch (error) {
    const system = `${process.platform}-${process.arch}`;
    throw new EngineError('import_refused', `This installation has no decoders of photos for ${system}.`, {
      cause: error,
    });
  }
}
