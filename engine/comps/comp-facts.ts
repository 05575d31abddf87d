/** Rows of the comps table as sales that may be told twice. */
import type { StoredComp } from './comp-columns.ts';
import { compareIds } from './comp-table.ts';
import { recordOf, splitTwins, type ToldSale } from './same-sale.ts';

const millisecondsPerDay = 86_400_000;

/** Days since 1970-01-01 of a moment. */
export const dayOfTime = (time: Date): number => Math.floor(time.getTime() / millisecondsPerDay);

/** Days since 1970-01-01 of an ISO day. */
export const dayOf = (iso: string | null): number | null =>
  iso === null ? null : Math.floor(Date.parse(`${iso.slice(0, 10)}T00:00:00Z`) / millisecondsPerDay);

/** The ISO day of days since 1970-01-01. */
export const isoOfDay = (day: number): string => new Date(day * millisecondsPerDay).toISOString().slice(0, 10);

/** The date of a comp: its sale, or the day the listing was last seen. On the comps table, aliased `c`. */
export const compDateSql = `CASE WHEN c.status = 'SOLD' THEN c.sold_date ELSE coalesce(c.as_of_date, c.list_date) END`;

/** Columns of `ToldRow`, on the comps table, aliased `c`. */
export const toldSql = `c.comp_id, c.property_id, c.longitude, c.latitude, c.lot_size, c.price, c.status, c.coordinate_grain,
  c.address, c.source_id, ${compDateSql} AS date`;

export interface ToldRow
  extends Pick<
    StoredComp,
    | 'comp_id'
    | 'property_id'
    | 'longitude'
    | 'latitude'
    | 'lot_size'
    | 'price'
    | 'status'
    | 'coordinate_grain'
    | 'address'
    | 'source_id'
  > {
  readonly date: string | null;
}

export type ToldComp<Row extends ToldRow = ToldRow> = ToldSale & { readonly row: Row };

export const toldComp = <Row extends ToldRow>(row: Row): ToldComp<Row> => ({
  row,
  propertyId: row.property_id,
  longitude: row.longitude,
  latitude: row.latitude,
  acres: row.lot_size,
  price: row.price,
  date: dayOf(row.date),
  isSold: row.status === 'SOLD',
  isZip: row.coordinate_grain === 'zip',
  record: recordOf(row.address, row.source_id),
});

/** Each sale of these rows once, and the rows that tell one again. */
export function splitToldRows<Row extends ToldRow>(rows: readonly Row[]): { kept: Row[]; twins: Row[] } {
  const { kept, twins } = splitTwins(rows.map(toldComp), (a, b) => compareIds(a.row.comp_id, b.row.comp_id));
  return { kept: kept.map(({ row }) => row), twins: twins.map(({ row }) => row) };
}
