/**
 * A page unpacked, with its runs checked: the library trusts the lengths of runs, and a damaged one of a billion values
 * fills the memory.
 */
import type { CompressionCodec, PageHeader } from 'hyparquet';
import { compressors } from './parquet-codecs.ts';

interface PagePlace {
  readonly codec: CompressionCodec;
  /** Whether a value can be null: levels then stand before the values. */
  readonly isNullable: boolean;
  readonly isBoolean: boolean;
}

/** Writers fill the last run of packed values up to a multiple of eight, some to whole blocks. */
const padding = 4096;

/** The page's bytes, unpacked, and its header as that of an unpacked page. */
export function unpackPage(
  packed: Uint8Array,
  header: PageHeader,
  place: PagePlace,
): { bytes: Uint8Array; header: PageHeader } {
  const { data_page_header_v2: two, uncompressed_page_size: size } = header;
  const levels = two ? two.repetition_levels_byte_length + two.definition_levels_byte_length : 0;
  if (!(levels >= 0 && levels <= packed.length && (!two || two.definition_levels_byte_length >= 0)))
    throw new RangeError(`expected levels within a page, found ${levels} bytes`);
  const rest = packed.subarray(levels);
  const unpack = two?.is_compressed === false ? undefined : compressors[place.codec];
  const values = unpack ? unpack(rest, size - levels) : rest;
  const bytes = levels === 0 ? values : Buffer.concat([packed.subarray(0, levels), values]);
  if (bytes.length !== size) throw new RangeError(`expected a page of ${size} bytes, found ${bytes.length}`);
  checkPage(bytes, header, place);
  return {
    bytes,
    header: {
      ...header,
      compressed_page_size: bytes.length,
      ...(two && { data_page_header_v2: { ...two, is_compressed: false } }),
    },
  };
}

function checkPage(
  bytes: Uint8Array,
  { data_page_header: one, data_page_header_v2: two }: PageHeader,
  { isNullable, isBoolean }: PagePlace,
): void {
  const { num_values: count, encoding } = one ?? two ?? { num_values: 0, encoding: '' };
  // Version 2 says how long the levels are, version 1 writes it before them.
  const levelsAt = two?.repetition_levels_byte_length ?? 4;
  if (count > 0 && isNullable) checkRuns(bytes, levelsAt, 1, count);
  if (isBoolean || !encoding.endsWith('_DICTIONARY')) return;
  const at = two ? levelsAt + two.definition_levels_byte_length : isNullable ? 4 + lengthAtStart(bytes) : 0;
  if (at + 1 >= bytes.length) return;
  const width = bytes[at] as number;
  if (width > 32) throw new RangeError(`expected indexes of at most 32 bits, found ${width}`);
  checkRuns(bytes, at + 1, width, count);
}

const lengthAtStart = ({ buffer, byteOffset, byteLength }: Uint8Array): number =>
  new DataView(buffer, byteOffset, byteLength).getUint32(0, true);

function checkRuns(bytes: Uint8Array, start: number, width: number, count: number): void {
  let at = start;
  for (let seen = 0; seen < count && at < bytes.length; ) {
    let [head, scale, byte] = [0, 1, 0x80];
    for (; byte >= 0x80 && scale < 2 ** 35; scale *= 128) {
      byte = bytes[at++] ?? 0;
      head += (byte & 0x7f) * scale;
    }
    const length = head % 2 === 1 ? ((head - 1) / 2) * 8 : head / 2;
    at += head % 2 === 1 ? (length / 8) * width : Math.ceil(width / 8);
    if (length > count - seen + (head % 2 === 1 ? padding : 0))
      throw new RangeError(`expected runs of ${count} values, found one of ${length}`);
    seen += length;
  }
}
