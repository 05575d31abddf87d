/**
 * The directories of a TIFF or BigTIFF, each checked before anything of it is used: a tag that counts more values than the
 * file has bytes would have gigabytes allocated (64 bytes of file, 1.1 GB), and directories in a circle have no end.
 */
import fs from 'node:fs';
import { EngineError } from '../../../spec/errors.ts';
import { openForReading } from '../bytes/byte-window.ts';

/** Bytes of a value, by field type. */
const valueBytes: Readonly<Record<number, number>> = {
  ...{ 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8, 17: 8, 18: 8 },
};

/** Files of many overviews and masks have some dozens. */
const mostDirectories = 1000;

/** Where numbers stand: classic, and BigTIFF. */
const forms = {
  42: { headerAt: 4, countBytes: 2, entryBytes: 12, valuesAt: 4, offsetBytes: 4 },
  43: { headerAt: 8, countBytes: 8, entryBytes: 20, valuesAt: 4, offsetBytes: 8 },
} as const;

interface Entry {
  readonly type: number;
  readonly count: number;
  /** Of its values in the file. */
  readonly at: number;
}

/** The tags of one directory; values are read when they are asked for. */
export class TiffTags {
  readonly #file: TiffDirectories;
  readonly #entries = new Map<number, Entry>();

  constructor(file: TiffDirectories) {
    this.#file = file;
  }

  add(tag: number, entry: Entry): void {
    this.#entries.set(tag, entry);
  }

  has = (tag: number): boolean => this.#entries.has(tag);

  /** All values as numbers; none if the tag is absent or a text. */
  numbers(tag: number): number[] {
    const { type = 0, count = 0, at = 0 } = this.#entries.get(tag) ?? {};
    const bytes = valueBytes[type] ?? 0;
    const view = this.#file.read(at, count * bytes);
    return Array.from({ length: bytes === 0 ? 0 : Math.floor(view.byteLength / bytes) }, (_, index) =>
      numberAt(view, index * bytes, type, this.#file.isLittle),
    );
  }

  number = (tag: number, absent: number): number => this.numbers(tag)[0] ?? absent;

  /** Without the zero at its end. */
  text(tag: number): string {
    const { type, count = 0, at = 0 } = this.#entries.get(tag) ?? {};
    return type === 2 ? this.bytes(at, count).toString('latin1').replace(/\0+$/, '') : '';
  }

  /** The bytes of a tag without a type, as JPEG's tables. */
  raw(tag: number): Buffer {
    const { count = 0, at = 0 } = this.#entries.get(tag) ?? {};
    return this.bytes(at, count);
  }

  bytes(at: number, count: number): Buffer {
    const { buffer, byteOffset, byteLength } = this.#file.read(at, count);
    return Buffer.from(buffer, byteOffset, byteLength);
  }
}

function numberAt(view: DataView, at: number, type: number, isLittle: boolean): number {
  if (type === 3) return view.getUint16(at, isLittle);
  if (type === 4 || type === 13) return view.getUint32(at, isLittle);
  if (type === 12) return view.getFloat64(at, isLittle);
  if (type === 11) return view.getFloat32(at, isLittle);
  if (type === 16 || type === 18) return Number(view.getBigUint64(at, isLittle));
  if (type === 17) return Number(view.getBigInt64(at, isLittle));
  if (type === 8) return view.getInt16(at, isLittle);
  if (type === 9) return view.getInt32(at, isLittle);
  if (type === 5) return view.getUint32(at, isLittle) / view.getUint32(at + 4, isLittle);
  return type === 6 ? view.getInt8(at) : view.getUint8(at);
}

/** An open TIFF. */
export class TiffDirectories {
  readonly path: string;
  readonly size: number;
  readonly isLittle: boolean;
  /** None: no TIFF. */
  readonly all: readonly TiffTags[];
  readonly #descriptor: number;

  /** @throws EngineError import_refused for a tag that cannot lie in the file, and directories in a circle; file_missing */
  constructor(filePath: string) {
    this.path = filePath;
    this.#descriptor = openForReading(filePath);
    try {
      this.size = fs.fstatSync(this.#descriptor).size;
      const head = this.read(0, 16);
      this.isLittle = head.byteLength === 16 && head.getUint16(0) === 0x4949;
      this.all = head.byteLength === 16 ? this.#walk(head) : [];
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** As many of the bytes as the file has. */
  read(at: number, length: number): DataView<ArrayBuffer> {
    const bytes = new Uint8Array(at >= 0 ? Math.max(0, Math.min(length, this.size - at)) : 0);
    const found = bytes.length === 0 ? 0 : fs.readSync(this.#descriptor, bytes, 0, bytes.length, at);
    return new DataView(bytes.buffer, 0, found);
  }

  close(): void {
    fs.closeSync(this.#descriptor);
  }

  damaged = (why: string): EngineError =>
    new EngineError('import_refused', `${this.path}: the TIFF is damaged: ${why}. Download it again.`);

  #walk(head: DataView): TiffTags[] {
    const form = forms[head.getUint16(2, this.isLittle) as keyof typeof forms];
    if (form === undefined) return [];
    const found: TiffTags[] = [];
    const seen = new Set<number>();
    let at = this.#number(head, form.headerAt, form.offsetBytes);
    while (at > 0 && at < this.size && seen.size < mostDirectories) {
      if (seen.has(at)) throw this.damaged(`its directory at byte ${at.toLocaleString('en-US')} comes after itself`);
      seen.add(at);
      const count = this.#number(this.read(at, form.countBytes), 0, form.countBytes);
      const start = at + form.countBytes;
      const tags = new TiffTags(this);
      const entries = this.read(start, count * form.entryBytes);
      for (let entry = 0; entry + form.entryBytes <= entries.byteLength; entry += form.entryBytes) {
        tags.add(this.#number(entries, entry, 2), this.#entry(entries, entry, start, form));
      }
      found.push(tags);
      at = this.#number(this.read(start + count * form.entryBytes, form.offsetBytes), 0, form.offsetBytes);
    }
    return found;
  }

  #entry(entries: DataView, entry: number, start: number, form: (typeof forms)[42 | 43]): Entry {
    const type = this.#number(entries, entry + 2, 2);
    const count = this.#number(entries, entry + form.valuesAt, form.offsetBytes);
    const bytes = count * (valueBytes[type] ?? 0);
    const values = entry + form.valuesAt + form.offsetBytes;
    if (bytes > this.size) {
      throw this.damaged(
        `its tag ${this.#number(entries, entry, 2)} counts ${count.toLocaleString('en-US')} values, more than its ${this.size.toLocaleString('en-US')} bytes can hold`,
      );
    }
    const isInside = bytes <= form.offsetBytes;
    return { type, count, at: isInside ? start + values : this.#number(entries, values, form.offsetBytes) };
  }

  #number(view: DataView, at: number, bytes: 2 | 4 | 8): number {
    if (at + bytes > view.byteLength) return 0;
    if (bytes === 8) return Number(view.getBigUint64(at, this.isLittle));
    return bytes === 4 ? view.getUint32(at, this.isLittle) : view.getUint16(at, this.isLittle);
  }
}

/** @throws EngineError as the constructor of TiffDirectories */
export const refuseDamagedDirectories = (filePath: string): void => new TiffDirectories(filePath).close();
