/** A row of the parcels table as SQLite holds it, typed by the dictionary. */
import type { ComputedColumn, ParcelDetail } from '../spec/wire-types.ts';
import type { internalColumns } from './migrations/parcels-table.ts';

/** SQLite has no booleans and no lists: a boolean is 0 or 1, a list is JSON. */
type Stored<Value> = Value extends boolean ? 0 | 1 : Value extends readonly number[] ? string : Value;

type Internal = (typeof internalColumns)[number];

interface InternalTypes {
  readonly INTEGER: number;
  readonly REAL: number;
  readonly TEXT: string;
  /** SpatiaLite's format (geo/spatialite-blob.ts). */
  readonly MULTIPOLYGON: Uint8Array;
}

export type ParcelRow = {
  readonly [Name in keyof Omit<ParcelDetail, ComputedColumn>]: Stored<ParcelDetail[Name]>;
} & { readonly [Column in Internal as Column['name']]: InternalTypes[Column['sql']] | null };
