/** Reads the shapes of many rows into one buffer: a buffer for each would cost more than reading and drawing it. */
import type { SqliteFile } from '../store/sqlite.ts';

/** A million corners; a parcel has a dozen. A longer value is not a parcel, and a SQLite value ends at a gigabyte. */
const maxShapeBytes = 16 * 1024 * 1024;

/** SQL condition for rows whose shape is joined. */
export const isShape = (column: string): string =>
  `typeof(${column}) = 'blob' AND length(${column}) <= ${maxShapeBytes}`;

/**
 * The shapes one after another, in the row order of any SELECT with the same FROM in the same snapshot.
 * @param from the SQL after FROM; its rows must satisfy `isShape`
 * @param order an ORDER BY clause, if the order matters
 */
export function joinedShapes(file: SqliteFile, from: string, column: string, values: object, order = ''): Uint8Array {
  // group_concat keeps bytes unchanged: the database encoding is UTF-8, so nothing is converted.
  const [bytes] = file.column<Uint8Array | null>(
    `SELECT CAST(group_concat(${column}, '' ${order}) AS BLOB) FROM ${from}`,
    values,
  );
  return bytes ?? new Uint8Array(0);
}
