/**
 * The shapes of many rows in one buffer: a buffer for each costs more time than reading, projecting and drawing it.
 */
import type { SqliteFile } from '../store/sqlite.ts';

/** A million corners; a parcel has a dozen. What is longer is no parcel, and values of SQLite end at a gigabyte. */
const maxShapeBytes = 16 * 1024 * 1024;

/** SQL that holds for the rows whose shape is among the joined ones. */
export const isShape = (column: string): string =>
  `typeof(${column}) = 'blob' AND length(${column}) <= ${maxShapeBytes}`;

/**
 * The shapes, one behind the other in the order of the rows: that of any SELECT with the same FROM, in the same snapshot.
 * @param from what follows FROM; its rows meet `isShape`
 * @param order ORDER BY, where the rows are not taken as they come
 */
export function joinedShapes(file: SqliteFile, from: string, column: string, values: object, order = ''): Uint8Array {
  // group_concat keeps bytes as they are: the texts of the file are UTF-8, so nothing is converted.
  const [bytes] = file.column<Uint8Array | null>(
    `SELECT CAST(group_concat(${column}, '' ${order}) AS BLOB) FROM ${from}`,
    values,
  );
  return bytes ?? new Uint8Array(0);
}
