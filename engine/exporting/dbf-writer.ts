/** Writes dBASE III tables in UTF-8 for Shapefiles. Fields have fixed widths, which a first pass over all rows finds. */
import type { ExportColumn, ExportValue } from './export-columns.ts';
import type { ExportSource } from './export-source.ts';
import type { FileSink } from './file-sink.ts';

const maxTextBytes = 254;
const maxNumberWidth = 24;
const maxName = 10;

export interface DbfField {
  readonly column: ExportColumn;
  /** At most ten characters, unique in the table. */
  readonly name: string;
  readonly type: 'C' | 'N' | 'D' | 'L';
  readonly width: number;
  readonly decimals: number;
}

/** Names cut to ten letters; a taken name gets a number in place of its last letters. */
function shortNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const plain = name.replace(/[^A-Za-z0-9_]/g, '_');
    let short = plain.slice(0, maxName);
    for (let number = 2; taken.has(short.toUpperCase()); number++) {
      short = `${plain.slice(0, maxName - String(number).length)}${number}`;
    }
    taken.add(short.toUpperCase());
    return short;
  });
}

/** At most fifteen decimals and no exponent, which dBASE does not have. */
function numberText(value: number): string {
  if (Number.isInteger(value)) return value.toFixed(0);
  return value.toFixed(15).replace(/0+$/, '');
}

const byteLength = (text: string): number => Buffer.byteLength(text);

/** Largest width found in a column: bytes of a text, digits before and after the decimal point of a number. */
interface Widest {
  width: number;
  whole: number;
  decimals: number;
}

function widen(widest: Widest, value: ExportValue): void {
  if (typeof value === 'string') widest.width = Math.max(widest.width, byteLength(value));
  if (typeof value !== 'number') return;
  const [whole = '', fraction = ''] = numberText(value).split('.');
  widest.whole = Math.max(widest.whole, whole.length);
  widest.decimals = Math.max(widest.decimals, fraction.length);
}

/** Widths and decimals from the rows themselves. */
export async function planFields(source: ExportSource): Promise<DbfField[]> {
  const planned = shortNames(source.columns.map(({ name }) => name)).map((name, i) => ({
    name,
    column: source.columns[i] as ExportColumn,
    widest: { width: 1, whole: 1, decimals: 0 },
  }));
  for await (const rows of source.batches()) {
    for (const { values } of rows) for (const [i, { widest }] of planned.entries()) widen(widest, values[i] ?? null);
  }
  return planned.map(({ column, name, widest }) => fieldOf(column, name, widest));
}

function fieldOf(column: ExportColumn, name: string, { width, whole, decimals }: Widest): DbfField {
  const shared = { column, name };
  if (column.kind === 'boolean') return { ...shared, type: 'L', width: 1, decimals: 0 };
  if (column.kind === 'date') return { ...shared, type: 'D', width: 8, decimals: 0 };
  if (column.kind === 'text') return { ...shared, type: 'C', width: Math.min(maxTextBytes, width), decimals: 0 };
  // Without decimals, a number of ten or more digits would be read as a 64-bit integer, which some programs lack.
  const kept = column.kind === 'integer' ? 0 : Math.max(1, Math.min(15, decimals, maxNumberWidth - whole - 1));
  return { ...shared, type: 'N', width: Math.min(maxNumberWidth, whole + (kept > 0 ? kept + 1 : 0)), decimals: kept };
}

/** Cuts between characters: half a character would make the whole text unreadable. */
function cutText(text: string, width: number): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length <= width) return bytes;
  let end = width;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end);
}

/** @returns the bytes of the field, and whether its text was cut */
function fieldBytes(
  { type, width, decimals }: DbfField,
  value: ExportValue | undefined,
): { bytes: Buffer; cut: boolean } {
  if (value === null || value === undefined) return { bytes: Buffer.alloc(0), cut: false };
  if (type === 'L') return { bytes: Buffer.from(value === true ? 'T' : 'F'), cut: false };
  if (type === 'D') return { bytes: Buffer.from(String(value).replaceAll('-', '').slice(0, 8)), cut: false };
  if (type === 'N') return { bytes: Buffer.from(Number(value).toFixed(decimals)), cut: false };
  const bytes = cutText(String(value), width);
  return { bytes, cut: bytes.length < byteLength(String(value)) };
}

export const recordBytes = (fields: readonly DbfField[]): number => fields.reduce((sum, { width }) => sum + width, 1);

export function dbfHeader(fields: readonly DbfField[], count: number, madeAt: Date): Buffer {
  const header = Buffer.alloc(32 + 32 * fields.length + 1);
  header.writeUInt8(3, 0);
  header.writeUInt8(madeAt.getUTCFullYear() - 1900, 1);
  header.writeUInt8(madeAt.getUTCMonth() + 1, 2);
  header.writeUInt8(madeAt.getUTCDate(), 3);
  header.writeUInt32LE(count, 4);
  header.writeUInt16LE(header.length, 8);
  header.writeUInt16LE(recordBytes(fields), 10);
  for (const [i, { name, type, width, decimals }] of fields.entries()) {
    const at = 32 + 32 * i;
    header.write(name, at, 'latin1');
    header.write(type, at + 11, 'latin1');
    header.writeUInt8(width, at + 16);
    header.writeUInt8(decimals, at + 17);
  }
  header.writeUInt8(0x0d, header.length - 1);
  return header;
}

/** Writes a record. @returns how many of its texts were cut */
export function putRecord(sink: FileSink, fields: readonly DbfField[], values: readonly ExportValue[]): number {
  const record = Buffer.alloc(recordBytes(fields), 0x20);
  let at = 1;
  let cuts = 0;
  for (const [i, field] of fields.entries()) {
    const { bytes, cut } = fieldBytes(field, values[i]);
    // Numbers are right-aligned, everything else left-aligned.
    bytes.copy(record, field.type === 'N' ? at + Math.max(0, field.width - bytes.length) : at);
    at += field.width;
    if (cut) cuts++;
  }
  sink.put(record);
  return cuts;
}
