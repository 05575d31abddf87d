/**
 * Rows in the binary format of COPY (https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format"), and beside
 * each row the bytes that PostgreSQL's `record_send` makes of it: their hash is computed on both sides.
 */
import { hash } from 'node:crypto';
import type { ServerType } from './server-columns.ts';

/** Numbers of types in pg_type; a geometry travels as the bytes of its EWKB. */
const oids: Readonly<Record<ServerType, number>> = {
  boolean: 16,
  geometry: 17,
  bigint: 20,
  text: 25,
  double: 701,
  doubles: 1022,
  date: 1082,
};

export const copyHeader = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
export const copyTrailer = Buffer.from([0xff, 0xff]);

const startBytes = 64 * 1024;
/** Up to here a loop is faster than a call of the runtime's. */
const shortBytes = 64;
const absent = -1;
/** PostgreSQL counts days from 2000-01-01. */
const epochDays = Date.UTC(2000, 0, 1) / 86_400_000;

/** By type: whether a value fits, and what was expected if not. */
const fitting: Readonly<Record<ServerType, readonly [fits: (value: unknown) => boolean, problem: string]>> = {
  bigint: [Number.isSafeInteger, 'expected a whole number'],
  double: [Number.isFinite, 'expected a number'],
  boolean: [(value) => value === 0 || value === 1, 'expected 0 or 1'],
  geometry: [(value) => value instanceof Uint8Array, 'expected a geometry'],
  text: [(value) => typeof value === 'string', 'expected a text'],
  date: [(value) => typeof value === 'string' && daysOf(value) !== null, 'expected a date like 2026-07-01'],
  doubles: [(value) => typeof value === 'string' && numbersOf(value) !== null, 'expected a JSON list of numbers'],
};

/** Why a value cannot go into a column of a type; null: it can. */
export function misfit(type: ServerType, value: unknown): string | null {
  const [fits, problem] = fitting[type];
  if (!fits(value)) return problem;
  const isText = type === 'text' && (value as string).includes('\0');
  return isText ? 'the character U+0000, which PostgreSQL does not store' : null;
}

const knownDays = new Map<string, number | null>();
const mostKnownDays = 100_000;

function daysOf(text: string): number | null {
  const known = knownDays.get(text);
  if (known !== undefined) return known;
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) && !text.startsWith('0000');
  const days = isDay ? time / 86_400_000 - epochDays : null;
  if (knownDays.size < mostKnownDays) knownDays.set(text, days);
  return days;
}

function numbersOf(json: string): (number | null)[] | null {
  try {
    const list: unknown = JSON.parse(json);
    const isList = Array.isArray(list) && list.every((one) => one === null || typeof one === 'number');
    return isList ? (list as (number | null)[]) : null;
  } catch {
    return null;
  }
}

export class TupleWriter {
  #tuples: Buffer = Buffer.alloc(startBytes);
  #end = 0;
  #record: Buffer = Buffer.alloc(startBytes);
  #recordEnd = 0;
  #fields = 0;
  #fieldsAt = 0;

  /** Begins a row; its hash covers the fields up to `hashed`. */
  begin(fields: number): void {
    this.#expectRoom(2);
    this.#end = this.#tuples.writeInt16BE(fields, this.#end);
    this.#fields = 0;
    this.#recordEnd = 4;
    this.#fieldsAt = this.#end;
  }

  /** @param value one that is no `misfit` */
  add(type: ServerType, value: unknown): void {
    this.#fields++;
    const start = this.#end;
    if (value === null) {
      this.#expectRoom(4);
      this.#end = this.#tuples.writeInt32BE(absent, this.#end);
    } else this.#addValue(type, value);
    this.#mirror(oids[type], start);
  }

  /** Takes part in the hash alone. */
  addToHash(text: string | null): void {
    const start = this.#end;
    this.add('text', text);
    this.#end = start;
  }

  #addValue(type: ServerType, value: unknown): void {
    if (type === 'text') this.#addText(value as string);
    else if (type === 'geometry') this.#addBytes(value as Uint8Array);
    else if (type === 'doubles') this.#addDoubles(numbersOf(value as string) ?? []);
    else this.#addFixed(type, value as number & string);
  }

  #addFixed(type: 'bigint' | 'double' | 'date' | 'boolean', value: number & string): void {
    const length = type === 'date' ? 4 : type === 'boolean' ? 1 : 8;
    this.#expectRoom(4 + length);
    const tuples = this.#tuples;
    const at = tuples.writeInt32BE(length, this.#end);
    if (type === 'date') tuples.writeInt32BE(daysOf(value) ?? 0, at);
    else if (type === 'boolean') tuples[at] = value;
    // Adding 0 makes 0 of -0, which land.sqlite does not keep.
    else if (type === 'double') tuples.writeDoubleBE(value + 0, at);
    else {
      const high = Math.floor(value / 2 ** 32);
      tuples.writeInt32BE(high, at);
      tuples.writeUInt32BE(value - high * 2 ** 32, at + 4);
    }
    this.#end = at + length;
  }

  #addText(text: string): void {
    this.#expectRoom(4 + text.length * 3);
    const at = this.#end + 4;
    const isAscii = text.length <= shortBytes && writeAscii(this.#tuples, text, at);
    const length = isAscii ? text.length : this.#tuples.write(text, at, 'utf8');
    this.#tuples.writeInt32BE(length, this.#end);
    this.#end = at + length;
  }

  #addBytes(bytes: Uint8Array): void {
    this.#expectRoom(4 + bytes.length);
    const at = this.#tuples.writeInt32BE(bytes.length, this.#end);
    this.#tuples.set(bytes, at);
    this.#end = at + bytes.length;
  }

  #addDoubles(list: readonly (number | null)[]): void {
    const dimensions = list.length === 0 ? 0 : 1;
    const bytes = Buffer.alloc(
      12 + dimensions * 8 + list.reduce((sum: number, one) => sum + (one === null ? 4 : 12), 0),
    );
    let at = bytes.writeInt32BE(dimensions, 0);
    at = bytes.writeInt32BE(list.includes(null) ? 1 : 0, at);
    at = bytes.writeInt32BE(oids.double, at);
    if (dimensions > 0) at = bytes.writeInt32BE(1, bytes.writeInt32BE(list.length, at));
    for (const one of list) {
      at = bytes.writeInt32BE(one === null ? absent : 8, at);
      if (one !== null) at = bytes.writeDoubleBE(one + 0, at);
    }
    this.#addBytes(bytes);
  }

  #mirror(oid: number, start: number): void {
    const length = this.#end - start;
    if (this.#recordEnd + 4 + length > this.#record.length) this.#record = grown(this.#record, 4 + length);
    const [tuples, record] = [this.#tuples, this.#record];
    const at = record.writeInt32BE(oid, this.#recordEnd);
    if (length > shortBytes) tuples.copy(record, at, start, this.#end);
    else for (let i = 0; i < length; i++) record[at + i] = tuples[start + i] as number;
    this.#recordEnd = at + length;
  }

  /** The hash of the row's fields so far: 48 bits, a safe integer. */
  hash(): number {
    this.#record.writeInt32BE(this.#fields, 0);
    return hash('sha256', this.#record.subarray(0, this.#recordEnd), 'buffer').readUIntBE(0, 6);
  }

  /** Takes the row back. */
  drop(): void {
    this.#end = this.#fieldsAt - 2;
  }

  get size(): number {
    return this.#end;
  }

  /** The rows since the last call; valid until the next row. */
  take(): Buffer {
    const taken = this.#tuples.subarray(0, this.#end);
    this.#end = 0;
    return taken;
  }

  #expectRoom(more: number): void {
    if (this.#end + more > this.#tuples.length) this.#tuples = grown(this.#tuples, more);
  }
}

/** False where a character is beyond ASCII; what was written is then overwritten. */
function writeAscii(bytes: Buffer, text: string, at: number): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return false;
    bytes[at + i] = code;
  }
  return true;
}

function grown(bytes: Buffer, more: number): Buffer {
  const larger = Buffer.alloc(Math.max(bytes.length * 2, bytes.length + more));
  bytes.copy(larger);
  return larger;
}

/** SQL of `hash()` over the same values, as six bytes, which cost the server less than a number made of them. */
export const hashBytesSql = (values: readonly string[]): string =>
  `substr(sha256(record_send(ROW(${values.join(', ')}))), 1, 6)`;

/** As a number. */
export const hashSql = (values: readonly string[]): string =>
  `('x' || encode(${hashBytesSql(values)}, 'hex'))::bit(48)::bigint`;
