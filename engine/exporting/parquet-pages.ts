/**
 * Writes columns of a row group as pages of Parquet (https://parquet.apache.org/docs/file-format/data-pages/), packed with
 * zstd: a dictionary page where one is worth it, and one data page.
 */
import zlib from 'node:zlib';
import type { ColumnChunk, Encoding, ParquetType, Statistics } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import { bitsOf, type Chunk, type Dictionary } from './parquet-columns.ts';

const zstdLevel = 3;

const pack = (bytes: Uint8Array): Uint8Array =>
  zlib.zstdCompressSync(bytes, { params: { [zlib.constants.ZSTD_c_compressionLevel]: zstdLevel } });

/** Runs of equal values, and packed bits. */
function hybrid(values: Uint8Array | Uint32Array, bits: number): Uint8Array {
  const writer = new ByteWriter(values.length);
  writeRleBitPackedHybrid(writer, values, bits);
  return writer.getBytes();
}

interface DataPage {
  readonly encoding: Encoding;
  readonly bytes: Uint8Array;
}

function dataOf({ plain, dictionary }: Chunk, type: ParquetType): DataPage {
  if (dictionary) {
    const bits = bitsOf(dictionary.count);
    return { encoding: 'RLE_DICTIONARY', bytes: Buffer.concat([Buffer.of(bits), hybrid(dictionary.places, bits)]) };
  }
  if (type !== 'BOOLEAN') return { encoding: 'PLAIN', bytes: plain as Uint8Array };
  const packed = hybrid(plain as Uint8Array, 1);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(packed.length);
  return { encoding: 'RLE', bytes: Buffer.concat([length, packed]) };
}

function statisticsOf({ least, most, levels, known }: Chunk, type: ParquetType): Statistics & { nan_count?: bigint } {
  const isFloat = type === 'FLOAT' || type === 'DOUBLE';
  return {
    ...(least !== undefined && { min_value: least }),
    ...(most !== undefined && { max_value: most }),
    null_count: BigInt(levels.length - known),
    ...(isFloat && { nan_count: 0n }),
  };
}

/** @returns bytes of the page, unpacked, with its header */
function writeDictionary(writer: ByteWriter, { bytes, count }: Dictionary): number {
  const packed = pack(bytes);
  const start = writer.offset;
  writePageHeader(writer, {
    type: 'DICTIONARY_PAGE',
    uncompressed_page_size: bytes.length,
    compressed_page_size: packed.length,
    dictionary_page_header: { num_values: count, encoding: 'PLAIN' },
  });
  const head = writer.offset - start;
  writer.appendBytes(packed);
  return head + bytes.length;
}

/** @returns bytes of the page, unpacked, with its header */
function writeData(writer: ByteWriter, { encoding, bytes }: DataPage, { levels, known }: Chunk): number {
  const definitions = hybrid(levels, 1);
  const packed = pack(bytes);
  const start = writer.offset;
  writePageHeader(writer, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: definitions.length + bytes.length,
    compressed_page_size: definitions.length + packed.length,
    data_page_header_v2: {
      num_values: levels.length,
      num_nulls: levels.length - known,
      num_rows: levels.length,
      encoding,
      definition_levels_byte_length: definitions.length,
      repetition_levels_byte_length: 0,
      is_compressed: true,
    },
  });
  const head = writer.offset - start;
  writer.appendBytes(definitions);
  writer.appendBytes(packed);
  return head + definitions.length + bytes.length;
}

/** @param path names from the top of the schema to the column */
export function writeChunk(writer: ByteWriter, path: readonly string[], type: ParquetType, chunk: Chunk): ColumnChunk {
  const start = writer.offset;
  const { dictionary } = chunk;
  const dictionaryBytes = dictionary ? writeDictionary(writer, dictionary) : 0;
  const dataStart = writer.offset;
  const page = dataOf(chunk, type);
  const bytes = dictionaryBytes + writeData(writer, page, chunk);
  const hasRange = chunk.known === 0 || chunk.least !== undefined;
  return {
    file_offset: BigInt(start),
    meta_data: {
      type,
      encodings: dictionary ? ['PLAIN', page.encoding] : [page.encoding],
      path_in_schema: [...path],
      codec: 'ZSTD',
      num_values: BigInt(chunk.levels.length),
      total_compressed_size: BigInt(writer.offset - start),
      total_uncompressed_size: BigInt(bytes),
      data_page_offset: BigInt(dataStart),
      ...(dictionary && { dictionary_page_offset: BigInt(start) }),
      ...(hasRange && { statistics: statisticsOf(chunk, type) }),
    },
  };
}
