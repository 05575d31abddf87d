/** One picture of a TIFF: its blocks as pixels, each checked against its file. */
import { unpackers } from '../importing/formats/tiff/tiff-blocks.ts';
import type { TiffDirectories, TiffTags } from '../importing/formats/tiff/tiff-directory.ts';
import { mostBlockBytes, type PhotoLevel, type Stretch } from './photo.ts';
import { pictureBlock } from './picture-block.ts';
import type { Pixels } from './pixels.ts';
import { SamplePainter } from './sample-painter.ts';
import { blockRows, layoutOf, pictureKinds, rowBytesOf, type TiffLayout } from './tiff-layout.ts';

export class TiffImage implements PhotoLevel {
  readonly layout: TiffLayout;
  readonly width: number;
  readonly height: number;
  readonly blockWidth: number;
  readonly blockHeight: number;
  readonly #file: TiffDirectories;
  readonly #rowBytes: number;
  #painter: SamplePainter;

  /** @throws EngineError import_refused for what is not read, and for sizes that no photo has */
  constructor(file: TiffDirectories, tags: TiffTags) {
    const layout = layoutOf(file, tags);
    this.#file = file;
    this.layout = layout;
    [this.width, this.height] = [layout.width, layout.height];
    [this.blockWidth, this.blockHeight] = [layout.fileWidth, blockRows(layout)];
    this.#rowBytes = rowBytesOf(layout);
    this.#painter = this.#painterOf(null);
  }

  get isPacked(): boolean {
    return this.layout.compression !== 1;
  }

  /** How values of more than eight bits are drawn. */
  stretch(stretch: Stretch): void {
    this.#painter = this.#painterOf(stretch);
  }

  /** JPEG keeps no value exactly. */
  #painterOf = (stretch: Stretch | null): SamplePainter =>
    new SamplePainter(this.layout, stretch, this.layout.compression === 7 ? null : this.layout.noData);

  read = async (column: number, row: number): Promise<Pixels | null> => {
    const width = Math.min(this.blockWidth, this.width - column * this.blockWidth);
    const height = Math.min(this.blockHeight, this.height - row * this.blockHeight);
    const planes: Uint8Array[] = [];
    for (let plane = 0; plane < this.layout.planes; plane++) {
      const packed = this.#packed(column, row, plane, height);
      if (packed === null) return null;
      planes.push(await this.#samples(packed, height));
    }
    return this.#painter.paint(planes, this.blockWidth, width, height);
  };

  /** The bytes of a block; null if the file has none. */
  #packed(column: number, row: number, plane: number, height: number): Uint8Array | null {
    const { isStriped, fileHeight, offsets, bytes: counts } = this.layout;
    const across = isStriped ? 1 : Math.ceil(this.width / this.blockWidth);
    const down = Math.ceil(this.height / fileHeight);
    const fileRow = Math.floor((row * this.blockHeight) / fileHeight);
    const index = (plane * down + fileRow) * across + column;
    const [offset, count] = [offsets[index] ?? 0, counts[index] ?? 0];
    if (offset === 0 || count === 0) return null;
    const isPart = this.blockHeight < fileHeight;
    const skipped = isPart ? (row * this.blockHeight - fileRow * fileHeight) * this.#rowBytes : 0;
    const bytes = isPart ? Math.min(count - skipped, this.#rowBytes * height) : count;
    if (bytes < 0 || bytes > 2 * mostBlockBytes) throw new RangeError(`a block of ${bytes} packed bytes`);
    const view = this.#file.read(offset + skipped, bytes);
    if (view.byteLength !== bytes) throw new RangeError(`a block at byte ${offset + skipped} lies beyond its end`);
    return new Uint8Array(view.buffer, 0, bytes);
  }

  /** Samples in rows of `blockWidth`. */
  async #samples(packed: Uint8Array, height: number): Promise<Uint8Array> {
    const { compression, planes, tables, isPlainRgb, isStriped, predictor } = this.layout;
    const samples = planes > 1 ? 1 : this.layout.samples;
    const rows = isStriped ? height : this.blockHeight;
    const kind = pictureKinds[compression];
    if (kind) {
      const isPlain = isPlainRgb && planes === 1;
      return pictureBlock(packed, tables, { kind, samples, width: this.blockWidth, height: rows, isPlainRgb: isPlain });
    }
    const plain = unpackers[compression]?.(packed, this.#rowBytes * this.blockHeight);
    const whole = new Uint8Array(this.#rowBytes * rows);
    if (plain) whole.set(plain.subarray(0, whole.length));
    if (predictor === 2) addUp(whole, this.#rowBytes, samples, this.layout);
    return whole;
  }
}

/** Undoes the predictor: values are stored as differences to the pixel on the left. */
function addUp(data: Uint8Array, rowBytes: number, samples: number, { bits, isLittle }: TiffLayout): void {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let start = 0; start < data.length; start += rowBytes) {
    const end = start + rowBytes;
    if (bits === 8)
      for (let at = start + samples; at < end; at++) data[at] = (data[at] as number) + (data[at - samples] as number);
    if (bits === 16)
      for (let at = start + 2 * samples; at + 1 < end; at += 2)
        view.setUint16(at, view.getUint16(at, isLittle) + view.getUint16(at - 2 * samples, isLittle), isLittle);
  }
}
