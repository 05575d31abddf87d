/** The rows of a Shapefile's .dbf as properties of features: every column, fast enough for a county. */
import { isAscii } from 'node:buffer';
import { blankProperties } from '../parcel-feature.ts';
import type { LayerColumn } from '../parcel-source.ts';
import {
  binaryValues,
  type Field,
  type Header,
  readDbfRows,
  readField,
  type TextForm,
  withoutPadding,
} from './dbf-table-reader.ts';

type Properties = Record<string, string | null>;

export function columnOfField({ name, type, decimals }: Field): LayerColumn {
  if (type === 'N' || type === 'F') return { name, type: decimals === 0 ? 'integer' : 'number' };
  const types: Record<string, LayerColumn['type']> = { D: 'date', T: 'date', L: 'boolean', I: 'integer', B: 'number' };
  return { name, type: types[type] ?? 'text' };
}

/**
 * Properties of every row, in file order; null for a deleted row. Numbers are text, whole ones without padding.
 */
export function* readDbfRecords(filePath: string, header: Header, form: TextForm): Generator<Properties | null> {
  const blank = blankProperties(header.fields.map(({ name }) => name)) as Properties;
  for (const row of readDbfRows(filePath, header)) {
    yield row ? readProperties(row, header.fields, form, blank) : null;
  }
}

function readProperties(row: Buffer, fields: readonly Field[], { decode }: TextForm, blank: Properties): Properties {
  const properties = { ...blank };
  const isPlain = isAscii(row) && !row.includes(0);
  const text = isPlain ? row.toString('latin1') : '';
  for (const field of fields) {
    properties[field.name] =
      isPlain && !binaryValues[field.type] ? readPlain(row, text, field) : readField(row, field, isPlain, decode);
  }
  return properties;
}

const blank = 0x20;

/** Trims blanks in the bytes: most of a row is blanks, and no text is made of them. */
function readPlain(row: Buffer, text: string, { type, offset, length }: Field): string | null {
  let start = offset;
  let end = offset + length;
  while (start < end && (row[start] as number) <= blank) start++;
  if (start === end) return null;
  while ((row[end - 1] as number) <= blank) end--;
  const value = text.slice(start, end);
  if (type === 'C') return value;
  // How types written as text mark a missing value.
  if (value[0] === '*' && (type === 'N' || type === 'F')) return null;
  return (type === 'L' && value === '?') || (type === 'D' && value === '00000000') ? null : withoutPadding(type, value);
}
