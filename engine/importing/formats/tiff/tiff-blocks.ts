/**
 * Unpacks tiles and strips of a TIFF, none into more than its directory says that it has. The library's own decoders unpack
 * whatever comes: three megabytes of Deflate gave six gigabytes.
 */
import zlib from 'node:zlib';
import { addDecoder, BaseDecoder, type GeoTIFFImage, getDecoder } from 'geotiff';

const compressions = {
  lzw: 5,
  deflate: [8, 32_946],
  packBits: 32_773,
  lerc: 34_887,
  zstd: 50_000,
  pictures: [6, 7, 50_001],
};

/** Limit for all tiles or strips that one window reads; only a file made to do harm exceeds it. */
export const mostWindowBytes = 256 * 1024 * 1024;

type Parameters = BaseDecoder['parameters'];
type Unpack = (packed: Uint8Array, most: number) => Uint8Array;

function bytesOf({ tileWidth, tileHeight, bitsPerSample, planarConfiguration }: Parameters): number {
  const bits = typeof bitsPerSample === 'number' ? [bitsPerSample] : Array.from(bitsPerSample);
  const all = planarConfiguration === 2 ? Math.max(...bits) : bits.reduce((sum, each) => sum + each, 0);
  // A strip may be declared higher than its raster.
  return Math.min(mostWindowBytes, tileHeight * Math.ceil((tileWidth * all) / 8));
}

const decoderOf = (unpack: Unpack): (() => Promise<typeof BaseDecoder>) => {
  class Bounded extends BaseDecoder {
    override decodeBlock(packed: ArrayBufferLike): ArrayBufferLike {
      const { buffer, byteOffset, byteLength } = unpack(new Uint8Array(packed), bytesOf(this.parameters));
      return byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength);
    }
  }
  return () => Promise.resolve(Bounded);
};

const inflate: Unpack = (packed, maxOutputLength) => zlib.inflateSync(packed, { maxOutputLength });
const unzstd: Unpack = (packed, maxOutputLength) => zlib.zstdDecompressSync(packed, { maxOutputLength });

const tooMuch = (most: number): RangeError => new RangeError(`a tile holds more than its ${most} bytes`);

/** Runs of bytes (TIFF 6.0, section 9). */
const unpackBits: Unpack = (packed, most) => {
  const bytes = new Uint8Array(Math.min(most, packed.length * 64));
  let end = 0;
  for (let at = 0; at + 1 < packed.length; ) {
    const head = packed[at++] as number;
    if (head === 128) continue;
    const count = head > 128 ? 257 - head : head + 1;
    if (end + count > most) throw tooMuch(most);
    if (head > 128) bytes.fill(packed[at++] as number, end, end + count);
    else {
      bytes.set(packed.subarray(at, at + count), end);
      at += count;
    }
    end += count;
  }
  return bytes.subarray(0, end);
};

const [clear, last, mostCodes] = [256, 257, 4096];

/** The codes of 9 to 12 bits, as wide as the next free one needs; each stands for bytes that were written already. */
class LzwCodes {
  readonly #packed: Uint8Array;
  readonly #starts = new Uint32Array(mostCodes);
  readonly #lengths = new Uint16Array(mostCodes).fill(1, 0, clear);
  #at = 0;
  #held = 0;
  #bits = 0;
  #width = 9;
  #free = last + 1;
  #start = 0;
  #length = 0;

  constructor(packed: Uint8Array) {
    this.#packed = packed;
  }

  /** `last` at the end, also of a file that is cut off. */
  next(): number {
    let code = this.#read();
    for (; code === clear; code = this.#read()) [this.#width, this.#free, this.#length] = [9, last + 1, 0];
    if (this.#length > 0 && this.#free < mostCodes) this.#make();
    if (code >= this.#free) throw new RangeError(`a tile has the code ${code} before it is made`);
    return code;
  }

  lengthOf = (code: number): number => this.#lengths[code] as number;
  startOf = (code: number): number => this.#starts[code] as number;

  /** Where the text of the code that was read stands. */
  written(start: number, length: number): void {
    [this.#start, this.#length] = [start, length];
  }

  /** The text before, and the byte behind it: the first of the text that comes now. */
  #make(): void {
    [this.#starts[this.#free], this.#lengths[this.#free]] = [this.#start, this.#length + 1];
    this.#free++;
    if (this.#free + 1 >= 1 << this.#width && this.#width < 12) this.#width++;
  }

  #read(): number {
    for (; this.#bits < this.#width; this.#bits += 8) {
      if (this.#at === this.#packed.length) return last;
      this.#held = ((this.#held << 8) | (this.#packed[this.#at++] as number)) & 0xff_ffff;
    }
    this.#bits -= this.#width;
    return (this.#held >>> this.#bits) & ((1 << this.#width) - 1);
  }
}

/** TIFF 6.0, section 13. */
const unlzw: Unpack = (packed, most) => {
  const bytes = new Uint8Array(Math.min(most, packed.length * mostCodes));
  const codes = new LzwCodes(packed);
  let end = 0;
  for (let code = codes.next(); code !== last; code = codes.next()) {
    const [start, length] = [end, codes.lengthOf(code)];
    if (end + length > most) throw tooMuch(most);
    if (code < clear) bytes[end++] = code;
    // Byte by byte: a code that was just made ends in its own first byte.
    else for (let from = codes.startOf(code); end < start + length; ) bytes[end++] = bytes[from++] as number;
    codes.written(start, length);
  }
  return bytes.subarray(0, end);
};

/** The pictures in the block are no larger than the block, and no more than it has samples. */
function expectLerc(bytes: Buffer, most: number): void {
  let cells = 0;
  for (let at = bytes.indexOf('Lerc2 '); at >= 0; at = bytes.indexOf('Lerc2 ', at + 1)) {
    // From version 3 on a checksum stands before the sides, from version 4 on the number of values of a cell behind them.
    const version = bytes.readInt32LE(at + 6);
    const sides = at + (version >= 3 ? 14 : 10);
    cells +=
      bytes.readUInt32LE(sides) * bytes.readUInt32LE(sides + 4) * (version >= 4 ? bytes.readUInt32LE(sides + 8) : 1);
  }
  if (bytes.indexOf('CntZImage ') >= 0) throw new RangeError('LERC of version 1 is not read');
  if (cells > most) throw tooMuch(most);
}

/** How a block is unpacked, by the number of its compression. @throws Error if it is damaged or larger than `most` bytes */
export const unpackers: Readonly<Record<number, Unpack>> = {
  1: (packed, most) => packed.subarray(0, most),
  5: unlzw,
  8: inflate,
  32946: inflate,
  32773: unpackBits,
  50000: unzstd,
};

addDecoder(compressions.deflate, decoderOf(inflate));
addDecoder(compressions.zstd, decoderOf(unzstd));
addDecoder(compressions.packBits, decoderOf(unpackBits));
addDecoder(compressions.lzw, decoderOf(unlzw));
addDecoder(compressions.pictures, () =>
  Promise.reject(new RangeError('its heights are packed as a picture; write it again with Deflate')),
);

let isLercBound = false;

/** LERC's decoder is the library's, loaded by the first file that needs it; it gets only blocks that fit. */
export async function boundLerc(image: GeoTIFFImage): Promise<void> {
  if (isLercBound || image.getFileDirectory().getValue('Compression') !== compressions.lerc) return;
  isLercBound = true;
  const none = { tileWidth: 1, tileHeight: 1, predictor: 1, bitsPerSample: 8, planarConfiguration: 1 };
  const lerc = (await getDecoder(compressions.lerc, none)).constructor as typeof BaseDecoder;
  const { decodeBlock } = lerc.prototype;
  lerc.prototype.decodeBlock = function (packed) {
    const { LercParameters: within } = this.parameters as Parameters & { readonly LercParameters?: ArrayLike<number> };
    const [most, bytes] = [bytesOf(this.parameters), new Uint8Array(packed)];
    const unpack = { 1: inflate, 2: unzstd }[within?.[1] ?? 0];
    // Beside the heights a block has a head and a mask.
    expectLerc(Buffer.from(unpack ? unpack(bytes, 2 * most + 4096) : bytes), most);
    return decodeBlock.call(this, packed);
  };
}
