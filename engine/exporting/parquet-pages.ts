/**
 * Writes columns of a row group as pages of Parquet (https://parquet.apache.org/docs/file-format/data-pages/), packed with
 * zstd: a dictionary page where one is worth it, and one data page.
 */
import zlib from 'node:zlib';
import type { ColumnChunk, Encoding, ParquetType, Statistics } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { bitsOf, type Chunk, type Dictionary } from './parquet-columns.ts';

const zstdLevel = 3;

const pack = (bytes: Uint8Array): Uint8Array =>
  zlib.zstdCompressSync(bytes, { params: { [zlib.constants.ZSTD_c_compressionLevel]: zstdLevel } });

/** Fields of a struct in Thrift's compact protocol, by rising number: whole numbers, or structs of such. */
type Fields = readonly (readonly [field: number, value: number | Fields])[];
const [i32, struct] = [5, 12];

function writeFields(writer: ByteWriter, fields: Fields): void {
  let last = 0;
  for (const [field, value] of fields) {
    writer.appendUint8(((field - last) << 4) | (typeof value === 'number' ? i32 : struct));
    if (typeof value === 'number') writer.appendZigZag(value);
    else writeFields(writer, value);
    last = field;
  }
  writer.appendUint8(0);
}

const shortestRun = 8;

/** Runs of equal values, and groups of eight packed ones between them. */
function hybrid(values: Uint8Array | Uint32Array, bits: number): Uint8Array {
  const writer = new ByteWriter(values.length);
  let packedFrom = 0;
  let at = 0;
  const endPacked = () => {
    if (packedFrom < at) writePacked(writer, values.subarray(packedFrom, at), bits);
  };
  while (at < values.length) {
    const run = runAt(values, at);
    if (run < shortestRun) {
      at += 8;
      continue;
    }
    endPacked();
    writer.appendVarInt(run << 1);
    for (let shift = 0; shift < bits; shift += 8) writer.appendUint8(((values[at] as number) >> shift) & 0xff);
    at += run;
    packedFrom = at;
  }
  endPacked();
  return writer.getBytes();
}

function runAt(values: Uint8Array | Uint32Array, at: number): number {
  let end = at + 1;
  while (end < values.length && values[end] === values[at]) end++;
  return end - at;
}

/** Lowest bits first; the last group is filled up with zeros. A page has at most 10,000 values, so that a place fits 14 bits. */
function writePacked(writer: ByteWriter, values: Uint8Array | Uint32Array, bits: number): void {
  const groups = Math.ceil(values.length / 8);
  writer.appendVarInt((groups << 1) | 1);
  let [pending, used] = [0, 0];
  for (let at = 0; at < groups * 8; at++) {
    pending |= (values[at] ?? 0) << used;
    for (used += bits; used >= 8; used -= 8) {
      writer.appendUint8(pending & 0xff);
      pending >>>= 8;
    }
  }
}

const numbered = (...values: readonly number[]): Fields => values.map((value, at) => [at + 1, value] as const);

/** Numbers of the format (parquet.thrift). */
const [dictionaryPage, dataPage] = [2, 3];
const encodings = { PLAIN: 0, RLE: 3, RLE_DICTIONARY: 8 } as const satisfies Partial<Record<Encoding, number>>;

interface DataPage {
  readonly encoding: keyof typeof encodings;
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
  const sizes = numbered(dictionaryPage, bytes.length, packed.length);
  writeFields(writer, [...sizes, [7, numbered(count, encodings.PLAIN)]]);
  const head = writer.offset - start;
  writer.appendBytes(packed);
  return head + bytes.length;
}

/** @returns bytes of the page, unpacked, with its header */
function writeData(writer: ByteWriter, { encoding, bytes }: DataPage, { levels, known }: Chunk): number {
  const definitions = hybrid(levels, 1);
  const packed = pack(bytes);
  const start = writer.offset;
  const rows = levels.length;
  const counts = numbered(rows, rows - known, rows, encodings[encoding], definitions.length, 0);
  const sizes = numbered(dataPage, definitions.length + bytes.length, definitions.length + packed.length);
  writeFields(writer, [...sizes, [8, counts]]);
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
