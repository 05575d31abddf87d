/**
 * The footer of a Parquet file (https://parquet.apache.org/docs/file-format/metadata/). It is walked once; of a row group
 * only its place, its rows and the statistics that were asked for are kept, and it is decoded when it is read.
 */
import type { FileMetaData, RowGroup } from 'hyparquet';
import { parquetMetadata } from 'hyparquet';
import { deserializeTCompactProtocol } from 'hyparquet/src/thrift.js';
import { guarded, refusal } from './parquet-damage.ts';
import type { RandomFile } from './parquet-file.ts';
import { ThriftWalk } from './thrift-walk.ts';

const magic = 'PAR1';
const tailBytes = 8;
const struct = 12;

/** The statistics of a column in a row group as they are written; absent where the writer left them out. */
export interface RawStatistics {
  readonly min?: Uint8Array;
  readonly max?: Uint8Array;
  /** The box of a native geometry: west, south, east, north. */
  readonly box?: readonly [number, number, number, number];
}

export interface GroupPlace {
  /** In the footer. */
  readonly start: number;
  readonly end: number;
  readonly rows: number;
  /** Number of its first row, from 0. */
  readonly firstRow: number;
  /** One for each leaf that was asked for. */
  readonly statistics: readonly RawStatistics[];
}

export class ParquetFooter {
  /** Schema, number of rows and texts of the file, without its row groups. */
  readonly meta: FileMetaData;
  readonly #filePath: string;
  readonly #bytes: Buffer;
  /** Bytes of the footer before the list of groups, with the field's own; and those after it. */
  readonly #before: Buffer;
  readonly #after: Buffer;
  readonly #groupsAt: number;

  constructor(file: RandomFile) {
    this.#filePath = file.path;
    this.#bytes = readFooter(file);
    const { groupsAt, groupsEnd } = guarded(file.path, 'its footer', () => findGroups(this.#bytes));
    this.#groupsAt = groupsAt;
    this.#before = this.#bytes.subarray(0, groupsAt);
    this.#after = this.#bytes.subarray(groupsEnd);
    this.meta = this.#decode(null);
  }

  /** @param leaves numbers of the leaf columns whose statistics are wanted */
  groups(leaves: readonly number[]): GroupPlace[] {
    const found = guarded(this.#filePath, 'its footer', () => walkGroups(this.#bytes, this.#groupsAt, leaves));
    const rows = found.reduce((sum, group) => sum + group.rows, 0);
    const named = Number(this.meta.num_rows);
    if (rows !== named)
      throw refusal(this.#filePath, `damaged Parquet: expected ${named} rows in its row groups, found ${rows}`);
    return found;
  }

  group({ start, end }: GroupPlace): RowGroup {
    const [group] = this.#decode(this.#bytes.subarray(start, end)).row_groups;
    if (group === undefined) throw refusal(this.#filePath, 'damaged Parquet: expected a row group, found none');
    return group;
  }

  /** A footer with one group or none, decoded by the library. */
  #decode(group: Buffer | null): FileMetaData {
    const list = Buffer.from([group === null ? struct : 0x10 | struct]);
    const body = Buffer.concat([this.#before, list, ...(group === null ? [] : [group]), this.#after]);
    const tail = Buffer.alloc(tailBytes);
    tail.writeUInt32LE(body.length, 0);
    tail.write(magic, 4, 'latin1');
    // geo-metadata.ts finds the geometry columns and names what is wrong with them.
    return guarded(this.#filePath, 'its footer', () =>
      parquetMetadata(Buffer.concat([body, tail]), { geoparquet: false, parsers: plainStatistics }),
    );
  }
}

/** Statistics are never read through the library: an invalid one must not throw. */
const nothing = () => '';
const plainStatistics = {
  stringFromBytes: nothing,
  dateFromDays: nothing,
  timestampFromMilliseconds: nothing,
  timestampFromMicroseconds: nothing,
  timestampFromNanoseconds: nothing,
  uuidFromBytes: nothing,
} as never;

function readFooter(file: RandomFile): Buffer {
  const tail = file.read(Math.max(0, file.size - tailBytes), tailBytes);
  const mark = tail.toString('latin1', 4);
  if (mark === 'PARE')
    throw refusal(file.path, 'expected GeoParquet, found an encrypted Parquet file: export it without encryption');
  if (tail.length < tailBytes || mark !== magic)
    throw refusal(file.path, `damaged Parquet: expected ${magic} at its end, found another: it may be cut off`);
  const length = tail.readUInt32LE(0);
  if (length + tailBytes + magic.length > file.size)
    throw refusal(file.path, `damaged Parquet: expected a footer within ${file.size} bytes, found one of ${length}`);
  return file.read(file.size - tailBytes - length, length);
}

/** The row groups are field 4. */
function findGroups(bytes: Buffer): { groupsAt: number; groupsEnd: number } {
  const walk = new ThriftWalk(bytes);
  let [groupsAt, groupsEnd] = [-1, -1];
  walk.fields((field, type) => {
    if (field !== 4) return false;
    groupsAt = walk.at;
    walk.skip(type);
    groupsEnd = walk.at;
    return true;
  });
  if (groupsAt < 0) throw new RangeError('expected a list of row groups, found none');
  return { groupsAt, groupsEnd };
}

function walkGroups(bytes: Buffer, at: number, leaves: readonly number[]): GroupPlace[] {
  const walk = new ThriftWalk(bytes, at);
  const { count } = walk.listOf();
  const groups: GroupPlace[] = [];
  let firstRow = 0;
  for (let index = 0; index < count; index++) {
    const start = walk.at;
    let rows = -1;
    let statistics: readonly RawStatistics[] = [];
    walk.fields((field) => {
      if (field === 1 && leaves.length > 0) statistics = walkChunks(bytes, walk, leaves);
      else if (field === 3) rows = walk.integer();
      else return false;
      return true;
    });
    if (rows < 0 || !Number.isSafeInteger(rows)) throw new RangeError(`expected a number of rows, found ${rows}`);
    groups.push({ start, end: walk.at, rows, firstRow, statistics });
    firstRow += rows;
  }
  return groups;
}

function walkChunks(bytes: Buffer, walk: ThriftWalk, leaves: readonly number[]): RawStatistics[] {
  const { count } = walk.listOf();
  const starts: number[] = [];
  for (let index = 0; index < count; index++) {
    if (leaves.includes(index)) starts[index] = walk.at;
    walk.skip(struct);
  }
  return leaves.map((leaf) => (starts[leaf] === undefined ? {} : statisticsAt(bytes, starts[leaf])));
}

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array;

function statisticsAt(bytes: Buffer, offset: number): RawStatistics {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const meta = deserializeTCompactProtocol({ view, offset }).field_3;
  const { field_12: found, field_17: geospatial } = meta ?? {};
  const { field_1: west, field_2: east, field_3: south, field_4: north } = geospatial?.field_1 ?? {};
  const box = [west, south, east, north];
  return {
    // Fields 1 and 2 are those of older writers.
    ...(isBytes(found?.field_6 ?? found?.field_2) && { min: found.field_6 ?? found.field_2 }),
    ...(isBytes(found?.field_5 ?? found?.field_1) && { max: found.field_5 ?? found.field_1 }),
    ...(box.every(Number.isFinite) && { box: box as unknown as NonNullable<RawStatistics['box']> }),
  };
}
