/** Compression of Parquet pages. A damaged page claims any size, so that no more than a page's is ever unpacked. */
import zlib from 'node:zlib';
import type { CompressionCodec, Compressors } from 'hyparquet';
import { snappyUncompress } from 'hyparquet';

/** Writers aim at one megabyte; a page of long geometries has some tens. */
const maxPageBytes = 256 * 1024 * 1024;

type Unpack = (packed: Uint8Array, bytes: number) => Uint8Array;

const bounded =
  (unpack: Unpack): Unpack =>
  (packed, bytes) => {
    if (!(bytes >= 0 && bytes <= maxPageBytes)) {
      throw new RangeError(`expected a page of at most ${maxPageBytes} bytes, found one of ${bytes}`);
    }
    return bytes === 0 ? new Uint8Array(0) : unpack(packed, bytes);
  };

const byZlib = (unpack: (packed: Uint8Array, options: { maxOutputLength: number }) => Uint8Array): Unpack =>
  bounded((packed, maxOutputLength) => unpack(packed, { maxOutputLength }));

export const compressors: Compressors = {
  SNAPPY: bounded((packed, bytes) => {
    // A byte of Snappy gives at most 64 / 3.
    if (bytes > packed.length * 24 + 64) throw new RangeError(`expected a page of Snappy that gives ${bytes} bytes`);
    const page = new Uint8Array(bytes);
    snappyUncompress(packed, page);
    return page;
  }),
  GZIP: byZlib((packed, options) => zlib.unzipSync(packed, options)),
  ZSTD: byZlib((packed, options) => zlib.zstdDecompressSync(packed, options)),
  BROTLI: byZlib((packed, options) => zlib.brotliDecompressSync(packed, options)),
};

export const isKnownCodec = (codec: CompressionCodec): boolean => codec === 'UNCOMPRESSED' || codec in compressors;
