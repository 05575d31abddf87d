/**
 * dBASE tables (also those of Shapefiles), streamed. Numbers are text: leading zeros and digits survive, the padding of
 * whole numbers does not.
 */
import { isAscii } from 'node:buffer';
import fs from 'node:fs';
import path from 'node:path';
import { EngineError } from '../../../spec/errors.ts';
import { isoFromParts } from '../../values/parse-date.ts';
import { openForReading, readHead } from '../bytes/byte-window.ts';
import { type Decoder, decoderFor, decodeUtf8Or1252 } from '../bytes/text-encoding.ts';
import type { TableFile, TableRow } from '../table-file.ts';

export interface Field {
  readonly name: string;
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly decimals: number;
}

export interface Header {
  readonly rowCount: number;
  readonly headerBytes: number;
  readonly rowBytes: number;
  readonly date: string | null;
  readonly languageDriver: number;
  readonly fields: readonly Field[];
}

const versions = new Set([0x02, 0x03, 0x04, 0x05, 0x30, 0x31, 0x32, 0x43, 0x63, 0x83, 0x8b, 0xcb, 0xf5, 0xfb]);
const fixedHeaderBytes = 32;
const fieldBytes = 32;
const fieldsEnd = 0x0d;
const endOfFile = 0x1a;
const deletedFlag = 0x2a;
const currentFlag = 0x20;
const rowsPerRead = 512;

/** Code pages by language driver byte, as dBASE, FoxPro and ArcGIS write it. */
const languageDrivers: Readonly<Record<number, string>> = {
  1: '437',
  2: '850',
  3: '1252',
  87: '1252',
  88: '1252',
  89: '1252',
  108: '437',
  200: '1250',
  201: '1251',
};

export const dbfRefusal = (filePath: string, problem: string, offset: number) =>
  new EngineError('import_refused', `${filePath}: ${problem}, at byte ${offset}.`);

/** Whether a file begins like a dBASE table: a known version, a calendar date, possible sizes. */
export function isDbf(head: Buffer): boolean {
  if (head.length < fixedHeaderBytes || !versions.has(head[0] as number)) return false;
  const [month, day] = [head[2] as number, head[3] as number];
  return month <= 12 && day <= 31 && head.readUInt16LE(8) > fixedHeaderBytes && head.readUInt16LE(10) > 0;
}

export function openDbfTable(filePath: string): TableFile {
  const header = readDbfHeader(filePath);
  return {
    path: filePath,
    format: 'dbf',
    columns: header.fields.map((field) => field.name),
    date: header.date,
    rows: (wanted, onDeleted) => readRows(filePath, header, wanted, onDeleted),
  };
}

/** The header, if the file is as long as it says. */
export function readDbfHeader(filePath: string): Header {
  const descriptor = openForReading(filePath);
  try {
    const header = readHeader(filePath, descriptor);
    expectLength(filePath, descriptor, header);
    return header;
  } finally {
    fs.closeSync(descriptor);
  }
}

function readHeader(filePath: string, descriptor: number): Header {
  const fixed = Buffer.alloc(fixedHeaderBytes);
  const got = fs.readSync(descriptor, fixed, 0, fixedHeaderBytes, 0);
  if (got < fixedHeaderBytes) throw dbfRefusal(filePath, 'expected the header of a DBF table, found the end', got);
  const headerBytes = fixed.readUInt16LE(8);
  const rowBytes = fixed.readUInt16LE(10);
  const rest = Buffer.alloc(Math.max(headerBytes - fixedHeaderBytes, 0));
  const found = fs.readSync(descriptor, rest, 0, rest.length, fixedHeaderBytes);
  if (found < rest.length) {
    throw dbfRefusal(filePath, `expected a header of ${headerBytes} bytes, found the end of the file`, got + found);
  }
  const [year, month, day] = [1900 + (fixed[1] as number), fixed[2] as number, fixed[3] as number];
  return {
    rowCount: fixed.readUInt32LE(4),
    headerBytes,
    rowBytes,
    // dBASE dates from 1979: earlier years are two digits with another meaning.
    date: year >= 1980 ? isoFromParts(year, month, day) : null,
    languageDriver: fixed[29] as number,
    fields: readFields(filePath, rest, rowBytes),
  };
}

function readFields(filePath: string, bytes: Buffer, rowBytes: number): Field[] {
  const fields: Field[] = [];
  // Each row begins with its deletion flag.
  let offset = 1;
  let at = 0;
  while (bytes[at] !== fieldsEnd) {
    if (at + fieldBytes > bytes.length) {
      throw dbfRefusal(
        filePath,
        'expected the mark 0x0D after the fields, found none',
        fixedHeaderBytes + bytes.length,
      );
    }
    const type = String.fromCharCode(bytes[at + 11] as number);
    // Clipper stores the length of long texts in two bytes.
    const length = type === 'C' ? bytes.readUInt16LE(at + 16) : (bytes[at + 16] as number);
    const rawName = bytes.subarray(at, at + 11);
    const nameEnd = rawName.indexOf(0);
    const name = decodeUtf8Or1252(nameEnd === -1 ? rawName : rawName.subarray(0, nameEnd)).trim();
    const decimals = type === 'C' ? 0 : (bytes[at + 17] as number);
    fields.push({ name, type, offset, length, decimals });
    offset += length;
    at += fieldBytes;
  }
  if (offset !== rowBytes || fields.length === 0) {
    throw dbfRefusal(
      filePath,
      `expected fields that fill a row of ${rowBytes} bytes, found ${fields.length} fields of ${offset} bytes`,
      fixedHeaderBytes,
    );
  }
  return fields;
}

/** A table that was cut off, or that a program is still writing, must not pass for a shorter one. */
function expectLength(filePath: string, descriptor: number, header: Header): void {
  const size = fs.fstatSync(descriptor).size;
  const expected = header.headerBytes + header.rowCount * header.rowBytes;
  if (size < expected) {
    const rows = Math.max(Math.floor((size - header.headerBytes) / header.rowBytes), 0);
    throw dbfRefusal(
      filePath,
      `expected ${header.rowCount} rows (${expected} bytes) as the header says, found ${rows} whole rows; the file ends`,
      size,
    );
  }
  const tail = Buffer.alloc(Math.min(size - expected, 4096));
  fs.readSync(descriptor, tail, 0, tail.length, expected);
  const strange = tail.findIndex((byte) => byte !== endOfFile && byte !== 0 && byte !== 0x20);
  if (strange === -1) return;
  throw dbfRefusal(
    filePath,
    `expected the end of the file after the ${header.rowCount} rows that the header says, found more data`,
    expected + strange,
  );
}

export interface TextForm {
  readonly decode: Decoder;
  /** For reports. */
  readonly words: string;
}

/** From the .cpg file beside the table, else the language driver byte, else the bytes themselves. */
function findDecoder(filePath: string, languageDriver: number): Decoder {
  const stem = filePath.slice(0, filePath.length - path.extname(filePath).length);
  const beside = ['.cpg', '.CPG', '.Cpg'].map((ending) => stem + ending);
  return findTextForm(beside, languageDriver).decode;
}

/** The same with its name. @param cpgFiles existing ones that name a known character set; the first wins */
export function findTextForm(cpgFiles: readonly string[], languageDriver: number): TextForm {
  for (const cpgFile of cpgFiles) {
    if (!fs.statSync(cpgFile, { throwIfNoEntry: false })?.isFile()) continue;
    const name = readHead(cpgFile, 64).toString('latin1');
    const decode = decoderFor(name);
    if (decode) return { decode, words: `${name.trim()} (.cpg)` };
  }
  const codePage = languageDrivers[languageDriver];
  const decode = codePage ? decoderFor(codePage) : null;
  if (decode) return { decode, words: `code page ${codePage} (header of the .dbf)` };
  return { decode: decodeUtf8Or1252, words: 'UTF-8, else Windows-1252' };
}

function* readRows(
  filePath: string,
  header: Header,
  wanted: readonly number[],
  onDeleted: (() => void) | undefined,
): Generator<TableRow> {
  const decode = findDecoder(filePath, header.languageDriver);
  const fields = wanted.map((column) => header.fields[column]).filter((field) => field !== undefined);
  let number = 0;
  for (const row of readDbfRows(filePath, header)) {
    number++;
    if (row === null) {
      onDeleted?.();
      continue;
    }
    const isPlain = isAscii(row);
    yield { row: number, values: fields.map((field) => readField(row, field, isPlain, decode)) };
  }
}

/** The bytes of every row in file order, valid until the next; null for a deleted row. */
export function* readDbfRows(filePath: string, header: Header): Generator<Buffer | null> {
  const { rowBytes, rowCount, headerBytes } = header;
  const descriptor = openForReading(filePath);
  try {
    const buffer = Buffer.alloc(rowBytes * rowsPerRead);
    for (let first = 0; first < rowCount; first += rowsPerRead) {
      const length = Math.min(rowsPerRead, rowCount - first) * rowBytes;
      const start = headerBytes + first * rowBytes;
      const got = fs.readSync(descriptor, buffer, 0, length, start);
      if (got < length) throw dbfRefusal(filePath, `expected ${rowCount} rows, found the end of the file`, start + got);
      for (let at = 0; at < length; at += rowBytes) {
        const flag = buffer[at];
        if (flag !== currentFlag && flag !== deletedFlag) {
          throw dbfRefusal(filePath, `expected the mark of a row (a blank or *), found ${flag}`, start + at);
        }
        yield flag === deletedFlag ? null : buffer.subarray(at, at + rowBytes);
      }
    }
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Values other than text, by type letter. Memos (M, G, P) are in a file of their own. */
export const binaryValues: Readonly<Record<string, (row: Buffer, field: Field) => string | null>> = {
  I: (row, { offset, length }) => (length === 4 ? String(row.readInt32LE(offset)) : null),
  B: (row, { offset, length }) => (length === 8 ? String(row.readDoubleLE(offset)) : null),
  T: (row, { offset, length }) => (length === 8 ? dateOfJulianDay(row.readInt32LE(offset)) : null),
  Y: (row, { offset, length }) => (length === 8 ? String(Number(row.readBigInt64LE(offset)) / 10_000) : null),
  M: () => null,
  G: () => null,
  P: () => null,
};

/** How types written as text mark a missing value. Asterisks: the number was too long for its field. */
const isNothing: Readonly<Record<string, (text: string) => boolean>> = {
  N: (text) => text.startsWith('*'),
  F: (text) => text.startsWith('*'),
  L: (text) => text === '?',
  D: (text) => text === '00000000',
};

/** Types whose values are numbers written as text. */
const numberTypes: ReadonlySet<string> = new Set(['N', 'F']);
const wholeWithZeros = /^([+-]?\d*)\.0*$/;
const withExponent = /^[+-]?\d+(?:\.\d*)?e[+-]?\d{1,3}$/i;

/**
 * A whole number as other formats give it: doubles are padded to `1234567.000000000000000` (ogr2ogr, QGIS, geopandas)
 * or written as `1.23456789000e+09` (ArcGIS), and a parcel number has neither form. True fractions stay as they are.
 */
export function withoutPadding(type: string, text: string): string {
  if (!numberTypes.has(type)) return text;
  if (text.includes('.')) {
    const whole = wholeWithZeros.exec(text)?.[1];
    // `.000` and `-0.000`: only a sign and zeros.
    if (whole !== undefined) return whole === '' || /^[+-]0*$/.test(whole) ? '0' : whole;
  }
  if (!/e/i.test(text) || !withExponent.test(text)) return text;
  const number = Number(text);
  return Number.isSafeInteger(number) ? String(number) : text;
}

/** @param isPlain the row is pure ASCII */
export function readField(row: Buffer, field: Field, isPlain: boolean, decode: Decoder): string | null {
  const { type, offset, length } = field;
  const binary = binaryValues[type];
  if (binary) return binary(row, field);
  const end = offset + length;
  let text = isPlain ? row.toString('latin1', offset, end) : decode(row.subarray(offset, end));
  if (text.includes('\0')) text = text.replaceAll('\0', ' ');
  text = text.trim();
  return text === '' || isNothing[type]?.(text) ? null : withoutPadding(type, text);
}

/** YYYYMMDD of FoxPro's date-time, whose first half counts days since 4713 BC (day 2440588 is 1970-01-01). */
function dateOfJulianDay(day: number): string | null {
  if (day <= 0) return null;
  const date = new Date((day - 2_440_588) * 86_400_000);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 10).replaceAll('-', '');
}
