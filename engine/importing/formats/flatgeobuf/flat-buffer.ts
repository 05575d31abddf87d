/**
 * The part of FlatBuffers (https://flatbuffers.dev/internals) needed to read tables of scalars, strings and vectors.
 * The file may be damaged, so every offset is checked against the available bytes, which the official library does not
 * do.
 */

/** The problem, without the file's name; `offset` counts from the start of the buffer. */
export class FlatDamage extends Error {
  readonly offset: number;

  constructor(problem: string, offset: number) {
    super(problem);
    this.offset = offset;
  }
}

export class FlatTable {
  readonly #bytes: Buffer;
  readonly #at: number;
  readonly #fields: number;
  readonly #fieldCount: number;

  private constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.#at = at;
    expectBytes(bytes, at, 4);
    this.#fields = at - bytes.readInt32LE(at);
    expectBytes(bytes, this.#fields, 4);
    const size = bytes.readUInt16LE(this.#fields);
    expectBytes(bytes, this.#fields, size);
    this.#fieldCount = (size - 4) >> 1;
  }

  /** The root table of a buffer (without its size prefix). */
  static root(bytes: Buffer): FlatTable {
    expectBytes(bytes, 0, 4);
    return new FlatTable(bytes, bytes.readUInt32LE(0));
  }

  /** Offset of the field; 0 if it is absent. */
  #field(index: number, size: number): number {
    if (index >= this.#fieldCount) return 0;
    const offset = this.#bytes.readUInt16LE(this.#fields + 4 + 2 * index);
    if (offset === 0) return 0;
    expectBytes(this.#bytes, this.#at + offset, size);
    return this.#at + offset;
  }

  byte(index: number, otherwise: number): number {
    const at = this.#field(index, 1);
    return at === 0 ? otherwise : (this.#bytes[at] as number);
  }

  short(index: number, otherwise: number): number {
    const at = this.#field(index, 2);
    return at === 0 ? otherwise : this.#bytes.readUInt16LE(at);
  }

  int(index: number, otherwise: number): number {
    const at = this.#field(index, 4);
    return at === 0 ? otherwise : this.#bytes.readInt32LE(at);
  }

  long(index: number): number {
    const at = this.#field(index, 8);
    return at === 0 ? 0 : Number(this.#bytes.readBigUInt64LE(at));
  }

  /** Start and number of the elements, checked to lie within the buffer. */
  #vector(index: number, elementBytes: number): { at: number; count: number } | null {
    const field = this.#field(index, 4);
    if (field === 0) return null;
    const start = field + this.#bytes.readUInt32LE(field);
    expectBytes(this.#bytes, start, 4);
    const count = this.#bytes.readUInt32LE(start);
    expectBytes(this.#bytes, start + 4, count * elementBytes);
    return { at: start + 4, count };
  }

  text(index: number): string | null {
    const found = this.#vector(index, 1);
    return found && this.#bytes.toString('utf8', found.at, found.at + found.count);
  }

  bytes(index: number): Buffer | null {
    const found = this.#vector(index, 1);
    return found && this.#bytes.subarray(found.at, found.at + found.count);
  }

  uints(index: number): number[] {
    const found = this.#vector(index, 4);
    if (!found) return [];
    return Array.from({ length: found.count }, (_, item) => this.#bytes.readUInt32LE(found.at + 4 * item));
  }

  /** A copy, aligned; the file and every machine that the database driver supports are little endian. */
  doubles(index: number): Float64Array | null {
    const found = this.#vector(index, 8);
    if (!found) return null;
    const values = new Float64Array(found.count);
    this.#bytes.copy(new Uint8Array(values.buffer), 0, found.at, found.at + found.count * 8);
    return values;
  }

  table(index: number): FlatTable | null {
    const at = this.#field(index, 4);
    return at === 0 ? null : new FlatTable(this.#bytes, at + this.#bytes.readUInt32LE(at));
  }

  tables(index: number): FlatTable[] {
    const found = this.#vector(index, 4);
    if (!found) return [];
    return Array.from({ length: found.count }, (_, item) => {
      const at = found.at + 4 * item;
      return new FlatTable(this.#bytes, at + this.#bytes.readUInt32LE(at));
    });
  }
}

function expectBytes(bytes: Buffer, at: number, length: number): void {
  if (at >= 0 && at + length <= bytes.length) return;
  throw new FlatDamage(`expected ${length} bytes within ${bytes.length}, found an offset outside`, Math.max(at, 0));
}
