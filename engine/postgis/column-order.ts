/**
 * The order of the columns in the table of parcels. PostgreSQL unpacks a row up to the last column that a question names, and
 * every question names `status`: what filters read stands first, numbers before texts, a folded text beside its text.
 */
import { sql } from 'kysely';
import { coverageColumns } from '../query/live-values.ts';
import { columnSql, compiled } from './postgres-dialect.ts';
import { foldColumns, parcelServerColumns, type ServerType } from './server-columns.ts';

/** Which rows a question, a push and a page are about. */
const keys = ['property_id', 'row_hash', 'dataset_id', 'fips', 'status'];

const filterSql = coverageColumns.map((column) => compiled(sql`${columnSql(column)}`).sql).join(' ');
const isAsked = (column: string): boolean => new RegExp(`\\b${column}\\b`).test(filterSql);

const foldedFrom = new Map(foldColumns.map(({ name, of }) => [name, of]));

/** Before them all columns have one width. */
const places: Partial<Record<ServerType, number>> = { text: 1, doubles: 2, geometry: 3 };
const unasked = 4;

const rankOf = ({ name, type }: { readonly name: string; readonly type: ServerType }): number => {
  if (keys.includes(name)) return keys.indexOf(name) - keys.length;
  return (places[type] ?? 0) + (isAsked(foldedFrom.get(name) ?? name) ? 0 : unasked);
};

const dictionaryPlaces = new Map(parcelServerColumns.map(({ name }, place) => [name, place]));
const dictionaryPlace = (name: string): number => dictionaryPlaces.get(foldedFrom.get(name) ?? name) ?? 0;

export const orderedParcelColumns = [...parcelServerColumns].sort(
  (a, b) => rankOf(a) - rankOf(b) || dictionaryPlace(a.name) - dictionaryPlace(b.name),
);
