/**
 * Writes zip archives (APPNOTE 6.3.10) entry by entry with the memory of one batch. Sizes and checksums are patched into
 * each local header afterwards, so that programs that read from the front find them.
 */
import { crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib';
import type { PatchableSink, Sink } from './file-sink.ts';

/** Sizes and offsets from this value on need the 64-bit fields. */
const largest32 = 0xffffffff;
/** "Made by" Unix: names are then UTF-8 and files readable for everyone. */
const madeBy = 0x0314;
const regularFile = (0o100644 << 16) >>> 0;
const executableFile = (0o100755 << 16) >>> 0;
const utf8Names = 0x800;
const deflated = 8;

interface Entry {
  readonly name: Buffer;
  readonly offset: number;
  readonly isLarge: boolean;
  readonly attributes: number;
  crc: number;
  packed: number;
  size: number;
}

export class ZipWriter {
  readonly #sink: PatchableSink;
  readonly #entries: Entry[] = [];
  readonly #modified: number;

  /** @param modified time stamp of every entry, in UTC */
  constructor(sink: PatchableSink, modified: Date) {
    this.#sink = sink;
    this.#modified = dosTime(modified);
  }

  /**
   * Writes one entry; `write` puts its bytes.
   * @param more `mayBeLarge`: the entry may exceed 4 GB; `isExecutable`: its mode when unpacked; `level`: compression, 0 to 9
   */
  async add(
    name: string,
    write: (sink: Sink) => Promise<void>,
    more: { readonly mayBeLarge?: boolean; readonly isExecutable?: boolean; readonly level?: number } = {},
  ): Promise<void> {
    const entry: Entry = {
      name: Buffer.from(name),
      offset: this.#sink.position,
      isLarge: more.mayBeLarge ?? false,
      attributes: more.isExecutable ? executableFile : regularFile,
      crc: 0,
      packed: 0,
      size: 0,
    };
    this.#sink.put(this.#head(entry));
    const start = this.#sink.position;
    const packer = new Packer(this.#sink, entry, more.level ?? 6);
    await write(packer);
    await packer.end();
    entry.packed = this.#sink.position - start;
    if (!entry.isLarge && (entry.size >= largest32 || entry.packed >= largest32)) {
      throw new Error(`${name} exceeds 4 GB although mayBeLarge is not set.`);
    }
    await this.#sink.patch(entry.offset, this.#head(entry));
    this.#entries.push(entry);
  }

  /** Writes the central directory; the archive is unreadable before. */
  async finish(): Promise<void> {
    const start = this.#sink.position;
    for (const entry of this.#entries) this.#sink.put(this.#directoryEntry(entry));
    const size = this.#sink.position - start;
    const count = this.#entries.length;
    if (start + size >= largest32) this.#sink.put(largeEnd(count, size, start));
    const end = Buffer.alloc(22);
    end.write('PK\x05\x06', 'latin1');
    end.writeUInt16LE(count, 8);
    end.writeUInt16LE(count, 10);
    end.writeUInt32LE(Math.min(size, largest32), 12);
    end.writeUInt32LE(Math.min(start, largest32), 16);
    this.#sink.put(end);
    await this.#sink.flush();
  }

  #head({ name, isLarge, crc, packed, size }: Entry): Buffer {
    const extra = isLarge ? largeSizes([size, packed]) : Buffer.alloc(0);
    const head = Buffer.alloc(30);
    head.write('PK\x03\x04', 'latin1');
    head.writeUInt16LE(isLarge ? 45 : 20, 4);
    head.writeUInt16LE(utf8Names, 6);
    head.writeUInt16LE(deflated, 8);
    head.writeUInt32LE(this.#modified, 10);
    head.writeUInt32LE(crc, 14);
    head.writeUInt32LE(isLarge ? largest32 : packed, 18);
    head.writeUInt32LE(isLarge ? largest32 : size, 22);
    head.writeUInt16LE(name.length, 26);
    head.writeUInt16LE(extra.length, 28);
    return Buffer.concat([head, name, extra]);
  }

  #directoryEntry({ name, offset, isLarge, attributes, crc, packed, size }: Entry): Buffer {
    const isFar = offset >= largest32;
    const extra =
      isLarge || isFar ? largeSizes([...(isLarge ? [size, packed] : []), ...(isFar ? [offset] : [])]) : null;
    const head = Buffer.alloc(46);
    head.write('PK\x01\x02', 'latin1');
    head.writeUInt16LE(madeBy, 4);
    head.writeUInt16LE(extra ? 45 : 20, 6);
    head.writeUInt16LE(utf8Names, 8);
    head.writeUInt16LE(deflated, 10);
    head.writeUInt32LE(this.#modified, 12);
    head.writeUInt32LE(crc, 16);
    head.writeUInt32LE(isLarge ? largest32 : packed, 20);
    head.writeUInt32LE(isLarge ? largest32 : size, 24);
    head.writeUInt16LE(name.length, 28);
    head.writeUInt16LE(extra?.length ?? 0, 30);
    head.writeUInt32LE(attributes, 38);
    head.writeUInt32LE(isFar ? largest32 : offset, 42);
    return Buffer.concat([head, name, ...(extra ? [extra] : [])]);
  }
}

/** Compresses the bytes of one entry. */
class Packer implements Sink {
  readonly #deflate: DeflateRaw;
  readonly #sink: PatchableSink;
  readonly #entry: Entry;
  readonly #waiting: Uint8Array[] = [];
  #failure: unknown = null;

  constructor(sink: PatchableSink, entry: Entry, level: number) {
    this.#sink = sink;
    this.#entry = entry;
    this.#deflate = createDeflateRaw({ level });
    this.#deflate.on('data', (chunk: Buffer) => sink.put(chunk));
    this.#deflate.on('error', (error) => {
      this.#failure = error;
    });
  }

  put(chunk: string | Uint8Array): void {
    this.#waiting.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  }

  async flush(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const bytes = Buffer.concat(this.#waiting.splice(0));
    this.#entry.crc = crc32(bytes, this.#entry.crc);
    this.#entry.size += bytes.length;
    await new Promise<void>((resolve, reject) => {
      this.#deflate.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
    await this.#sink.flush();
  }

  async end(): Promise<void> {
    await this.flush();
    await new Promise<void>((resolve, reject) => {
      this.#deflate.once('end', resolve);
      this.#deflate.once('error', reject);
      this.#deflate.end();
    });
    if (this.#failure) throw this.#failure;
    await this.#sink.flush();
  }
}

function largeSizes(numbers: readonly number[]): Buffer {
  const extra = Buffer.alloc(4 + 8 * numbers.length);
  extra.writeUInt16LE(0x0001, 0);
  extra.writeUInt16LE(8 * numbers.length, 2);
  for (const [i, number] of numbers.entries()) extra.writeBigUInt64LE(BigInt(number), 4 + 8 * i);
  return extra;
}

function largeEnd(count: number, size: number, start: number): Buffer {
  const record = Buffer.alloc(56 + 20);
  record.write('PK\x06\x06', 'latin1');
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(madeBy, 12);
  record.writeUInt16LE(45, 14);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(start), 48);
  record.write('PK\x06\x07', 56, 'latin1');
  record.writeBigUInt64LE(BigInt(start + size), 64);
  record.writeUInt32LE(1, 72);
  return record;
}

/** MS-DOS time: two-second steps in the low half, the date in the high half, from 1980 on. */
function dosTime(moment: Date): number {
  const year = Math.max(1980, moment.getUTCFullYear());
  const date = ((year - 1980) << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate();
  const time = (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1);
  return ((date << 16) | time) >>> 0;
}
