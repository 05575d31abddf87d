/**
 * Walks over Thrift's compact protocol (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md)
 * without taking it apart: a nation's footer has half a million column chunks, of which an import needs a few.
 */

const bytesOf: Readonly<Record<number, number>> = { 1: 0, 2: 0, 3: 1, 7: 8 };
const [integers, binary, lists, struct] = [new Set([4, 5, 6]), 8, new Set([9, 10]), 12];
const deepest = 32;

export class ThriftWalk {
  readonly #bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  #byte(): number {
    const byte = this.#bytes[this.at++];
    if (byte === undefined) throw new RangeError('expected more bytes, found the end');
    return byte;
  }

  /** Reads 64 bits; inexact beyond 2⁵³. */
  #varint(): number {
    let [value, scale] = [0, 1];
    for (let place = 0; place < 10; place++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    throw new RangeError('expected a number of at most ten bytes');
  }

  integer(): number {
    const zigzag = this.#varint();
    return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
  }

  /** The number of a list's members, at the first of which it stops. */
  listOf(): { count: number; type: number } {
    const head = this.#byte();
    const short = head >> 4;
    const count = short === 15 ? this.#varint() : short;
    // Every member takes a byte.
    if (count > this.#bytes.length - this.at) throw new RangeError(`expected a list that fits, found one of ${count}`);
    return { count, type: head & 0x0f };
  }

  /** Calls `visit` at the value of each field; a visit that returns false leaves the value to be skipped. */
  fields(visit: (field: number, type: number) => boolean, depth = 0): void {
    if (depth > deepest) throw new RangeError(`expected at most ${deepest} structs within each other`);
    for (let field = 0; ; ) {
      const head = this.#byte();
      const type = head & 0x0f;
      if (type === 0) return;
      field = head >> 4 === 0 ? this.integer() : field + (head >> 4);
      if (!visit(field, type)) this.skip(type, depth);
    }
  }

  skip(type: number, depth = 0): void {
    const fixed = bytesOf[type];
    if (fixed !== undefined) this.at += fixed;
    else if (integers.has(type)) this.#skipVarint();
    else if (type === binary) {
      const length = this.#varint();
      this.at += length;
    } else if (type === struct) this.#skipStruct(depth + 1);
    else if (lists.has(type)) this.#skipList(depth);
    else throw new RangeError(`expected a type of Thrift, found ${type}`);
    if (this.at > this.#bytes.length) throw new RangeError('expected more bytes, found the end');
  }

  #skipVarint(): void {
    while (this.#byte() >= 0x80);
  }

  #skipStruct(depth: number): void {
    if (depth > deepest) throw new RangeError(`expected at most ${deepest} structs within each other`);
    for (;;) {
      const head = this.#byte();
      const type = head & 0x0f;
      if (type === 0) return;
      if (head >> 4 === 0) this.#skipVarint();
      this.skip(type, depth);
    }
  }

  #skipList(depth: number): void {
    const { count, type } = this.listOf();
    for (let index = 0; index < count; index++) {
      // A boolean in a list is a byte.
      if (type === 1 || type === 2) this.at++;
      else this.skip(type, depth);
    }
  }
}
