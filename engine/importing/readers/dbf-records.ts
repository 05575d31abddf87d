/** The rows of the .dbf beside a .shp as properties of features: every column, at the speed that a county needs. */
import { isAscii } from 'node:buffer';
import fs from 'node:fs';
import { openForReading } from '../byte-window.ts';
import {
  binaryValues,
  currentFlag,
  dbfRefusal,
  deletedFlag,
  type Field,
  type Header,
  readField,
  rowsPerRead,
  type TextForm,
} from '../dbf-table-reader.ts';
import type { LayerColumn } from './parcel-source.ts';

export type Properties = Record<string, string | null>;

export function columnOfField({ name, type, decimals }: Field): LayerColumn {
  if (type === 'N' || type === 'F') return { name, type: decimals === 0 ? 'integer' : 'number' };
  const types: Record<string, LayerColumn['type']> = { D: 'date', T: 'date', L: 'boolean', I: 'integer', B: 'number' };
  return { name, type: types[type] ?? 'text' };
}

/**
 * Properties of every row, in the order of the file; null for a row that is marked as deleted. Numbers are given as their text.
 */
export function* readDbfRecords(filePath: string, header: Header, form: TextForm): Generator<Properties | null> {
  const { rowBytes, rowCount, headerBytes, fields } = header;
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
        yield flag === deletedFlag ? null : readProperties(buffer.subarray(at, at + rowBytes), fields, form);
      }
    }
  } finally {
    fs.closeSync(descriptor);
  }
}

function readProperties(row: Buffer, fields: readonly Field[], { decode }: TextForm): Properties {
  const properties: Properties = {};
  const isPlain = isAscii(row) && !row.includes(0);
  const text = isPlain ? row.toString('latin1') : '';
  for (const field of fields) {
    properties[field.name] =
      isPlain && !binaryValues[field.type] ? readPlain(row, text, field) : readField(row, field, isPlain, decode);
  }
  return properties;
}

const blank = 0x20;

/** Blanks are found in the bytes: most of a row is blanks, and no text is made of them. */
function readPlain(row: Buffer, text: string, { type, offset, length }: Field): string | null {
  let start = offset;
  let end = offset + length;
  while (start < end && (row[start] as number) <= blank) start++;
  if (start === end) return null;
  while ((row[end - 1] as number) <= blank) end--;
  const value = text.slice(start, end);
  if (type === 'C') return value;
  // How types that are written as text say that they hold nothing.
  if (value[0] === '*' && (type === 'N' || type === 'F')) return null;
  return (type === 'L' && value === '?') || (type === 'D' && value === '00000000') ? null : value;
}
