/**
 * The values of one column in one row group, page by page: of a group with a million rows, one page of each column is in
 * memory. Pages without a wanted row are passed over unread.
 */
import type { ColumnMetaData, DataReader, DecodedArray, PageHeader, SchemaTree } from 'hyparquet';
import { parquetHeader, readPage } from 'hyparquet/src/column.js';
import { DEFAULT_PARSERS, convert as decode } from 'hyparquet/src/convert.js';
import { unpackPage } from './page-bytes.ts';
import { isKnownCodec } from './parquet-codecs.ts';
import { guarded, refusal } from './parquet-damage.ts';
import type { RandomFile } from './parquet-file.ts';
import { type ColumnKind, parsers } from './parquet-values.ts';

const windowBytes = 1024 * 1024;
/** A page header holds numbers, and statistics that may be long. */
const headerBytes = 64 * 1024;
const maxPackedPage = 256 * 1024 * 1024;
const allParsers = { ...DEFAULT_PARSERS, ...parsers } as unknown as typeof DEFAULT_PARSERS;

export interface ColumnPlace {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Its number among the leaf columns, as in each row group's list. */
  readonly leaf: number;
}

export class ColumnPages {
  readonly #file: RandomFile;
  readonly #name: string;
  readonly #kind: ColumnKind;
  readonly #meta: ColumnMetaData;
  readonly #rows: number;
  readonly #decoder: Parameters<typeof readPage>[2];
  #next: number;
  readonly #end: number;
  #window: Buffer = Buffer.alloc(0);
  #windowAt = 0;
  #dictionary: DecodedArray | undefined;
  #values: ArrayLike<unknown> = [];
  #from = 0;
  #to = 0;

  constructor(file: RandomFile, { name, kind }: ColumnPlace, meta: ColumnMetaData, rows: number) {
    this.#file = file;
    this.#name = name;
    this.#kind = kind;
    this.#meta = meta;
    this.#rows = rows;
    const { codec, data_page_offset: data, dictionary_page_offset: dictionary, total_compressed_size: bytes } = meta;
    if (!isKnownCodec(codec)) {
      throw refusal(
        file.path,
        `expected Parquet packed with zstd, Snappy, gzip or Brotli, found ${codec} in the column ${name}: write it again with zstd`,
      );
    }
    this.#next = Math.min(Number(data), Number(dictionary || data));
    this.#end = this.#next + Number(bytes);
    if (!(this.#next >= 4 && this.#end <= file.size && this.#end >= this.#next)) {
      throw refusal(file.path, `damaged Parquet: the column ${name} lies outside the file`);
    }
    const root: SchemaTree = { element: { name: 'root' }, children: [], count: 0, path: [] };
    const leaf: SchemaTree = { element: kind.element, children: [], count: 1, path: [name] };
    this.#decoder = {
      pathInSchema: [name],
      type: kind.element.type ?? 'BYTE_ARRAY',
      element: kind.element,
      schemaPath: [root, leaf],
      // Pages are unpacked before.
      codec: 'UNCOMPRESSED',
      parsers: allParsers,
      utf8: false,
    };
  }

  /** @param row in the group, from 0; never smaller than the last one */
  at(row: number): unknown {
    while (row >= this.#to) guarded(this.#file.path, `the column ${this.#name}`, () => this.#readPage(row));
    return this.#values[row - this.#from];
  }

  #readPage(row: number): void {
    if (this.#next >= this.#end) throw new RangeError(`expected ${this.#rows} values, found ${this.#to}`);
    const header = this.#readHeader();
    const { type, compressed_page_size: packed } = header;
    if (!(packed >= 0 && packed <= maxPackedPage && this.#next + packed <= this.#end))
      throw new RangeError(`expected a page within the column, found one of ${packed} bytes`);
    if (type === 'DICTIONARY_PAGE') this.#dictionary = this.#readDictionary(header);
    else if (type === 'DATA_PAGE' || type === 'DATA_PAGE_V2') this.#readValues(header, row);
    this.#next += packed;
  }

  #readHeader(): PageHeader {
    const reader: DataReader = { view: viewOf(this.#bytes(headerBytes, true)), offset: 0 };
    const header = parquetHeader(reader);
    this.#next += reader.offset;
    return header;
  }

  #readDictionary(header: PageHeader): DecodedArray {
    const { num_values: count = -1 } = header.dictionary_page_header ?? {};
    // A boolean takes an eighth of a byte, all others one at least.
    if (!(count >= 0 && count <= header.uncompressed_page_size * 8))
      throw new RangeError(`expected a dictionary that fits into its page, found one of ${count}`);
    const { data } = this.#decode(header);
    return this.#converted(decode(data ?? [], this.#decoder)) as DecodedArray;
  }

  #readValues(header: PageHeader, row: number): void {
    const { data_page_header: one, data_page_header_v2: two } = header;
    const count = one?.num_values ?? two?.num_values ?? -1;
    const nulls = two?.num_nulls ?? 0;
    const from = this.#to;
    if (!(count >= 0 && count <= this.#rows - from && nulls >= 0 && nulls <= count))
      throw new RangeError(`expected at most ${this.#rows - from} values in a page, found ${count}`);
    this.#from = from;
    this.#to = from + count;
    if (row >= this.#to) return;
    const isCoded = (one?.encoding ?? two?.encoding ?? '').endsWith('_DICTIONARY');
    if (isCoded && this.#dictionary === undefined) throw new RangeError('expected a dictionary, found none');
    const { data = [] } = this.#decode(header);
    // The dictionary's values are converted already.
    const values = isCoded ? data : this.#converted(data);
    if (values.length !== count) throw new RangeError(`expected ${count} values in a page, found ${values.length}`);
    this.#values = values;
  }

  #converted(values: DecodedArray): ArrayLike<unknown> {
    const { convert } = this.#kind;
    return Array.from(values as ArrayLike<unknown>, convert);
  }

  #decode(packed: PageHeader): ReturnType<typeof readPage> {
    const { codec } = this.#meta;
    const { repetition_type: repetition, type } = this.#kind.element;
    const raw = this.#bytes(packed.compressed_page_size, false);
    // Values may be views of the bytes of their page, which therefore are not used again.
    const own = codec === 'UNCOMPRESSED' ? Buffer.from(raw) : raw;
    const place = { codec, isNullable: repetition !== 'REQUIRED', isBoolean: type === 'BOOLEAN' };
    const { bytes, header } = unpackPage(own, packed, place);
    return readPage({ view: viewOf(bytes), offset: 0 }, header, this.#decoder, this.#dictionary, undefined, 0);
  }

  /** The next bytes of the column; fewer at its end if that is allowed. */
  #bytes(length: number, isShortFine: boolean): Buffer {
    const rest = this.#end - this.#next;
    const wanted = isShortFine ? Math.min(length, rest) : length;
    const at = this.#next - this.#windowAt;
    if (at < 0 || at + wanted > this.#window.length) {
      this.#window = this.#file.read(this.#next, Math.min(rest, Math.max(wanted, windowBytes)));
      this.#windowAt = this.#next;
      if (this.#window.length < wanted) throw new RangeError('expected more bytes, found the end of the file');
      return this.#window.subarray(0, wanted);
    }
    return this.#window.subarray(at, at + wanted);
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);
