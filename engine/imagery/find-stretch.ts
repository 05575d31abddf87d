/** The part of its range that a photo of 16 bit uses: from its 2nd to its 98th percentile, for each band. */
import type { OpenPhoto } from './open-photo.ts';
import type { PhotoLevel, Stretch } from './photo.ts';

/** Blocks that are looked at. */
const mostBlocks = 64;
const [low, high] = [0.02, 0.98];
const bands = 3;

/** Null for eight bits, which are drawn as they are. */
export async function findStretch(photo: OpenPhoto): Promise<Stretch | null> {
  if (photo.finest.layout.bits <= 8) return null;
  // Twice: values are counted in 256 steps, first of the whole range, then of the used part.
  let stretch: Stretch = Array.from({ length: bands }, () => [0, 65_535] as const);
  for (let pass = 0; pass < 3; pass++) {
    photo.stretch(stretch);
    const counts = await countValues(photo.levels.at(-1) as PhotoLevel);
    if (counts === null) break;
    stretch = stretch.map(([least, greatest], band) => {
      const step = (greatest - least) / 255;
      const [first, last] = spanOf(counts[band] as Float64Array);
      // The steps beside are kept until the last pass: the value lies somewhere in its step.
      const margin = pass === 2 ? 0 : 1;
      return [
        Math.max(0, Math.round(least + (first - margin) * step)),
        Math.round(least + (last + margin) * step),
      ] as const;
    });
  }
  photo.stretch(stretch);
  return stretch;
}

async function countValues(level: PhotoLevel): Promise<Float64Array[] | null> {
  const across = Math.ceil(level.width / level.blockWidth);
  const down = Math.ceil(level.height / level.blockHeight);
  const each = Math.max(1, Math.floor((across * down) / mostBlocks));
  const counts = Array.from({ length: bands }, () => new Float64Array(256));
  let isAny = false;
  for (let block = Math.floor(each / 2); block < across * down; block += each) {
    const pixels = await level.read(block % across, Math.floor(block / across));
    for (let at = 0; pixels && at < pixels.data.length; at += 4) {
      // 0 in all bands is what collars have.
      if (
        pixels.data[at + 3] === 0 ||
        (pixels.data[at] === 0 && pixels.data[at + 1] === 0 && pixels.data[at + 2] === 0)
      )
        continue;
      isAny = true;
      for (let band = 0; band < bands; band++) {
        const ofBand = counts[band] as Float64Array;
        const value = pixels.data[at + band] as number;
        ofBand[value] = (ofBand[value] as number) + 1;
      }
    }
  }
  return isAny ? counts : null;
}

function spanOf(counts: Float64Array): [number, number] {
  const all = counts.reduce((sum, each) => sum + each, 0);
  let sum = 0;
  let first = -1;
  for (let value = 0; value < counts.length; value++) {
    sum += counts[value] as number;
    if (first < 0 && sum >= low * all) first = value;
    if (sum >= high * all) return [first, value];
  }
  return [0, 255];
}
