/** Values of Parquet columns become properties of a feature: integers stay exact, dates are ISO, NaN and infinity are null. */
import type { SchemaElement } from 'hyparquet';
import type { LayerColumn } from '../parcel-source.ts';

export interface ColumnKind {
  readonly type: LayerColumn['type'];
  /** The element as the library decodes it. */
  readonly element: SchemaElement;
  /** After the library. */
  readonly convert: (value: unknown) => unknown;
}

const exact = (value: bigint): number | string =>
  value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER ? String(value) : Number(value);

const plain = (value: unknown): unknown => {
  if (typeof value === 'bigint') return exact(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return value ?? null;
};

/** Two's complement, the highest byte first. */
function unscaled(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = value * 256n + BigInt(byte);
  const bits = BigInt(bytes.length * 8);
  return bits > 0n && value >= 1n << (bits - 1n) ? value - (1n << bits) : value;
}

/** A decimal as a number, or as text if a number would lose digits. */
function decimal(value: unknown, scale: number): number | string | null {
  if (value === null || value === undefined) return null;
  const whole = value instanceof Uint8Array ? unscaled(value) : BigInt(value as number | bigint);
  if (scale <= 0) return exact(whole * 10n ** BigInt(-scale));
  const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, '0');
  const text = `${whole < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  const number = Number(text);
  return whole === BigInt(Math.trunc(Number(whole))) && digits.length <= 15 ? number : text;
}

const maxScale = 100;

/** The element without its meaning: the library then gives plain values. */
const bareOf = ({ name, type, type_length: length, repetition_type: repetition }: SchemaElement): SchemaElement => ({
  name,
  ...(type && { type }),
  ...(repetition && { repetition_type: repetition }),
  ...(length !== undefined && { type_length: length }),
});

/** Null for a type that no parcel's value has: lists, intervals, plain bytes of fixed length. */
export function kindOf(element: SchemaElement): ColumnKind | null {
  const { type, converted_type: converted = '', logical_type: logical, repetition_type: repetition } = element;
  if (type === undefined || repetition === 'REPEATED') return null;
  const meaning = logical?.type ?? '';
  if (converted === 'DECIMAL' || meaning === 'DECIMAL') return decimalKind(element);
  if (converted === 'DATE' || meaning === 'DATE')
    return { type: 'date', element: { ...bareOf(element), converted_type: 'DATE' }, convert: plain };
  if (converted.startsWith('TIMESTAMP') || meaning === 'TIMESTAMP' || type === 'INT96')
    return { type: 'date', element, convert: plain };
  if (type === 'BYTE_ARRAY') return textKind(element, converted || meaning);
  if (type === 'FIXED_LEN_BYTE_ARRAY') return fixedKinds[meaning]?.(element) ?? null;
  return { type: plainTypes[type] ?? 'integer', element, convert: plain };
}

const plainTypes: Readonly<Record<string, LayerColumn['type']>> = {
  BOOLEAN: 'boolean',
  FLOAT: 'number',
  DOUBLE: 'number',
};

const fixedKinds: Readonly<Record<string, (element: SchemaElement) => ColumnKind>> = {
  UUID: (element) => ({ type: 'text', element, convert: plain }),
  FLOAT16: (element) => ({ type: 'number', element, convert: plain }),
};

/** JSON and enumerations are texts; older writers mark no text at all. */
const textKind = (element: SchemaElement, meaning: string): ColumnKind | null =>
  meaning === 'BSON' || meaning.startsWith('GEO')
    ? null
    : { type: 'text', element: { ...bareOf(element), converted_type: 'UTF8' }, convert: plain };

function decimalKind(element: SchemaElement): ColumnKind | null {
  const { logical_type: logical } = element;
  const scale = element.scale ?? (logical?.type === 'DECIMAL' ? logical.scale : 0);
  if (Math.abs(scale) > maxScale) return null;
  const convert = (value: unknown) => decimal(value, scale);
  return { type: scale > 0 ? 'number' : 'integer', element: bareOf(element), convert };
}

/** The bytes of a geometry, undecoded. */
export const bytesKind = (element: SchemaElement): ColumnKind => ({
  type: null,
  element: { ...bareOf(element), logical_type: { type: 'GEOMETRY' } },
  convert: (value) => value ?? null,
});

const iso = (milliseconds: number, length: number): string | null => {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, length);
};
/** A time of midnight is a date: that is how many exports write a date. */
const isoTime = (milliseconds: number): string | null => iso(milliseconds, milliseconds % 86_400_000 === 0 ? 10 : 19);

/** Dates as texts; the library would make objects, which throw when they are invalid. */
export const parsers = {
  dateFromDays: (days: number | undefined) => (days === undefined ? null : iso(days * 86_400_000, 10)),
  timestampFromMilliseconds: (value: bigint | undefined) => (value === undefined ? null : isoTime(Number(value))),
  timestampFromMicroseconds: (value: bigint | undefined) =>
    value === undefined ? null : isoTime(Number(value / 1000n)),
  timestampFromNanoseconds: (value: bigint | undefined) =>
    value === undefined ? null : isoTime(Number(value / 1_000_000n)),
  geometryFromBytes: (bytes: Uint8Array | undefined) => bytes,
};
