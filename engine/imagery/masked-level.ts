/** A level of a photo with the mask that lies apart from it in the file. */
import type { PhotoLevel } from './photo.ts';
import { emptyPixels, type Pixels, paste } from './pixels.ts';
import type { TiffImage } from './tiff-image.ts';

export function maskedLevel(image: TiffImage, mask: TiffImage | undefined): PhotoLevel {
  if (mask === undefined) return image;
  const { width, height, blockWidth, blockHeight } = image;
  return {
    ...{ width, height, blockWidth, blockHeight },
    read: async (column, row) => {
      const pixels = await image.read(column, row);
      if (pixels === null) return null;
      const left = column * blockWidth;
      const top = row * blockHeight;
      const shown = await region(mask, { left, top, width: pixels.width, height: pixels.height });
      for (let at = 0; at < pixels.data.length; at += 4) if ((shown.data[at] as number) < 128) pixels.data[at + 3] = 0;
      return pixels;
    },
  };
}

interface Window {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A part of a level; what the level does not have is empty. @param read how a block is got */
export async function region(
  level: PhotoLevel,
  { left, top, width, height }: Window,
  read: (column: number, row: number) => Promise<Pixels | null> = level.read,
): Promise<Pixels> {
  const out = emptyPixels(width, height);
  const { blockWidth, blockHeight } = level;
  const last = (start: number, size: number, all: number, block: number) =>
    Math.floor((Math.min(start + size, all) - 1) / block);
  for (let row = Math.max(0, Math.floor(top / blockHeight)); row <= last(top, height, level.height, blockHeight); row++)
    for (
      let column = Math.max(0, Math.floor(left / blockWidth));
      column <= last(left, width, level.width, blockWidth);
      column++
    ) {
      const block = await read(column, row);
      if (block) paste(out, block, column * blockWidth - left, row * blockHeight - top);
    }
  return out;
}
