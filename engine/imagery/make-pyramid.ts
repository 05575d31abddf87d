/**
 * Makes the halved levels of a photo, a row of blocks at a time, each in one transaction with its count: a kill loses one row.
 * Two programs that make the same take turns. Memory is one row of blocks and what is read for it.
 */
import { noteImageryWrite } from '../store/imagery-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { type PackedBlock, packBlock, storedLevel } from './blocks.ts';
import type { PhotoLevel } from './photo.ts';
import { emptyPixels, type Pixels } from './pixels.ts';
import { blockSide, type Size, type Step, sizeOf, stepsOf } from './pyramid-steps.ts';

interface Making {
  readonly fileId: number;
  /** The coarsest level of the file itself, without its collar. */
  readonly base: PhotoLevel;
  readonly firstLevel: 0 | 1;
  /** Steps that are made already. */
  readonly done: number;
  /** Called after each step; may throw to cancel. */
  readonly onStep: (done: number) => void;
}

/** @throws EngineError disk_full and others; Error if the photo is damaged: what is made stays */
export async function makePyramid(file: SqliteFile, { fileId, base, firstLevel, done, onStep }: Making): Promise<void> {
  let [at, made] = [0, done];
  for (const step of stepsOf(base, firstLevel)) {
    if (++at <= made) continue;
    const blocks = await rowOf(file, fileId, base, step, firstLevel);
    const now = file.transaction(() => keep(file, fileId, step, at, blocks));
    if (now === undefined) return;
    made = now;
    onStep(made);
  }
}

/** @returns the steps that are made, more than `at` if another program is ahead; undefined if the photo was removed */
function keep(
  file: SqliteFile,
  fileId: number,
  { level, row }: Step,
  at: number,
  blocks: readonly (readonly [column: number, PackedBlock])[],
): number | undefined {
  const { changes } = file.run('UPDATE imagery_files SET done = ? WHERE file_id = ? AND done = ?', at, fileId, at - 1);
  if (changes === 0) return file.column<number>('SELECT done FROM imagery_files WHERE file_id = ?', fileId)[0];
  for (const [column, { jpeg, mask }] of blocks)
    file.run('INSERT OR REPLACE INTO imagery_blocks VALUES (?, ?, ?, ?, ?, ?)', fileId, level, row, column, jpeg, mask);
  noteImageryWrite(file);
  return at;
}

async function rowOf(
  file: SqliteFile,
  fileId: number,
  base: PhotoLevel,
  { level, row }: Step,
  first: 0 | 1,
): Promise<[number, PackedBlock][]> {
  const size = sizeOf(base, level);
  const source = level === first ? base : storedLevel(file, fileId, level - 1, sizeOf(base, level - 1));
  const height = Math.min(blockSide, size.height - row * blockSide);
  const band = new Band(size.width, height, level === first ? first : 1);
  await band.fill(source, row * blockSide);
  const packed: [number, PackedBlock][] = [];
  for (let column = 0; column * blockSide < size.width; column++) {
    const block = await packBlock(band.block(column * blockSide));
    if (block) packed.push([column, block]);
  }
  return packed;
}

/** A row of blocks: sums of the source's pixels, of which each covers `2^shift` a side. */
class Band {
  readonly #size: Size;
  readonly #shift: 0 | 1;
  readonly #sums: Uint16Array;
  readonly #counts: Uint8Array;

  constructor(width: number, height: number, shift: 0 | 1) {
    this.#size = { width, height };
    this.#shift = shift;
    this.#sums = new Uint16Array(width * height * 3);
    this.#counts = new Uint8Array(width * height);
  }

  /** @param top of the band, in its own rows */
  async fill(source: PhotoLevel, top: number): Promise<void> {
    const { blockWidth, blockHeight } = source;
    const [start, end] = [top << this.#shift, Math.min(source.height, (top + this.#size.height) << this.#shift)];
    for (let row = Math.floor(start / blockHeight); row * blockHeight < end; row++)
      for (let column = 0; column * blockWidth < source.width; column++) {
        const pixels = await source.read(column, row);
        if (pixels) this.#add(pixels, column * blockWidth, row * blockHeight - start, end - start);
      }
  }

  #add({ data, width, height }: Pixels, left: number, top: number, rows: number): void {
    const [sums, counts, shift, across] = [this.#sums, this.#counts, this.#shift, this.#size.width];
    for (let y = Math.max(0, -top); y < Math.min(height, rows - top); y++) {
      const line = ((y + top) >> shift) * across;
      let from = y * width * 4;
      for (let x = left; x < left + width; x++, from += 4) {
        if (data[from + 3] === 0) continue;
        const to = line + (x >> shift);
        counts[to] = (counts[to] as number) + 1;
        sums[to * 3] = (sums[to * 3] as number) + (data[from] as number);
        sums[to * 3 + 1] = (sums[to * 3 + 1] as number) + (data[from + 1] as number);
        sums[to * 3 + 2] = (sums[to * 3 + 2] as number) + (data[from + 2] as number);
      }
    }
  }

  block(left: number): Pixels {
    const { width: across, height } = this.#size;
    const width = Math.min(blockSide, across - left);
    const pixels = emptyPixels(width, height);
    for (let y = 0, to = 0; y < height; y++)
      for (let x = 0; x < width; x++, to += 4) {
        const from = y * across + left + x;
        const count = this.#counts[from] as number;
        if (count === 0) continue;
        const half = count >> 1;
        pixels.data[to] = ((this.#sums[from * 3] as number) + half) / count;
        pixels.data[to + 1] = ((this.#sums[from * 3 + 1] as number) + half) / count;
        pixels.data[to + 2] = ((this.#sums[from * 3 + 2] as number) + half) / count;
        pixels.data[to + 3] = 255;
      }
    return pixels;
  }
}
