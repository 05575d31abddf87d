/** The parcels of land.sqlite for the other engines: the same rows, the same values, as one CSV file that each reads itself. */
import fs from 'node:fs';
import Database from 'better-sqlite3';
import { type ColumnType, storedColumns } from '../../../engine/spec/parcel-columns.ts';

export interface PeerColumn {
  readonly name: string;
  readonly type: ColumnType | 'geometry';
  /** Its form in the parcels table. */
  readonly expression: string;
}

const stored = storedColumns.map(({ name, type }): PeerColumn => ({ name, type, expression: name }));

/**
 * The dictionary's columns, and three that their users would add: the acres that filters use, the point, and one
 * geometry, which is the boundary or, without one, the point.
 */
export const peerColumns: readonly PeerColumn[] = [
  ...stored,
  { name: 'effective_acres', type: 'number', expression: 'coalesce(acres, calculated_acres)' },
  { name: 'point_lon', type: 'number', expression: 'point_lon' },
  { name: 'point_lat', type: 'number', expression: 'point_lat' },
  { name: 'geom', type: 'geometry', expression: 'geom' },
];

const chunkCharacters = 1 << 20;

/** Unquoted and empty: null. Geometry: EWKB as hexadecimal digits. */
export function writePeerRows(landFile: string, csvFile: string): void {
  const land = new Database(landFile, { readonly: true });
  const descriptor = fs.openSync(csvFile, 'w', 0o644);
  const last = peerColumns.length - 1;
  const longitude = peerColumns.findIndex(({ name }) => name === 'point_lon');
  try {
    const rows = land
      .prepare(
        `SELECT ${peerColumns.map(({ expression }) => expression).join(', ')}
         FROM parcels WHERE status = 'current' ORDER BY property_id`,
      )
      .raw()
      .iterate() as IterableIterator<(string | number | Buffer | null)[]>;
    let text = '';
    for (const row of rows) {
      row[last] = ewkbOf(row[last] ?? null, row[longitude] ?? null, row[longitude + 1] ?? null);
      for (let i = 0; i <= last; i++) text += `${i === 0 ? '' : ','}${fieldOf(row[i] ?? null)}`;
      text += '\n';
      if (text.length < chunkCharacters) continue;
      fs.writeSync(descriptor, text);
      text = '';
    }
    fs.writeSync(descriptor, text);
  } finally {
    fs.closeSync(descriptor);
    land.close();
  }
}

function fieldOf(value: string | number | Buffer | null): string {
  if (value === null) return '';
  return typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : String(value);
}

const sridFlag = 0x2000_0000;
const wgs84 = 4326;

function ewkbOf(
  blob: string | number | Buffer | null,
  longitude: string | number | Buffer | null,
  latitude: string | number | Buffer | null,
): string | null {
  if (blob instanceof Buffer) return ewkbOfMultiPolygon(blob).toString('hex');
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return null;
  const point = Buffer.alloc(25);
  point[0] = 1;
  point.writeUInt32LE(1 + sridFlag, 1);
  point.writeUInt32LE(wgs84, 5);
  point.writeDoubleLE(longitude, 9);
  point.writeDoubleLE(latitude, 17);
  return point.toString('hex');
}

/**
 * SpatiaLite's blob and EWKB share the layout of numbers: one byte order, a count, and each polygon after a mark and
 * its class. They differ in the header, in the mark (0x69 against the byte order) and in the closing 0xFE.
 */
function ewkbOfMultiPolygon(blob: Buffer): Buffer {
  const dataAt = 43;
  const data = blob.subarray(dataAt, blob.length - 1);
  const out = Buffer.alloc(9 + data.length);
  out[0] = 1;
  out.writeUInt32LE(6 + sridFlag, 1);
  out.writeUInt32LE(wgs84, 5);
  data.copy(out, 9);
  let offset = 9 + 4;
  for (let polygons = data.readUInt32LE(0); polygons > 0; polygons--) {
    out[offset] = 1;
    let rings = out.readUInt32LE(offset + 5);
    offset += 9;
    for (; rings > 0; rings--) offset += 4 + 16 * out.readUInt32LE(offset);
  }
  return out;
}
