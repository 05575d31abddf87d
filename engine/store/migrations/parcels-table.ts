/**
 * DDL of the parcels table, derived from the dictionary (spec/parcel-columns.ts). CREATE TABLE has the columns of the
 * first release; the migration named by a later column's `since` adds it, so new and old files end up with the same
 * table.
 */
import { columnTypes, type ParcelColumn, storedColumns } from '../../spec/parcel-columns.ts';

/** Version of land.sqlite in which `CREATE TABLE parcels` runs. */
const firstVersion = 1;

/**
 * Columns whose definition says more than a type. AUTOINCREMENT never reuses the number of a row that another program
 * deleted.
 */
const definitions: Readonly<Record<string, string>> = {
  property_id: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  status: "TEXT NOT NULL DEFAULT 'current'",
};

/**
 * Platbook's own columns: keys for lookups, the interior point, the geometry. The geometry is last: SQLite reads the
 * columns before it without touching the overflow pages of a polygon.
 */
export const internalColumns = [
  { name: 'dataset_id', sql: 'INTEGER' },
  { name: 'apn_key', sql: 'TEXT' },
  { name: 'mailing_key', sql: 'TEXT' },
  { name: 'tax_delinquent_years', sql: 'INTEGER' },
  { name: 'point_lon', sql: 'REAL' },
  { name: 'point_lat', sql: 'REAL' },
  { name: 'geom', sql: 'MULTIPOLYGON' },
] as const;

const versionOf = ({ since = firstVersion }: ParcelColumn): number => since;

function columnSql({ name, type }: ParcelColumn): string {
  const definition = definitions[name] ?? columnTypes[type].sql;
  if (definition === null) throw new Error(`${name}: a column of type ${type} cannot be stored in the parcels table`);
  return `${name} ${definition}`;
}

const firstColumns = storedColumns.filter((column) => versionOf(column) === firstVersion).map(columnSql);

export const parcelsSql = `
CREATE TABLE parcels (
  ${[...firstColumns, ...internalColumns.map(({ name, sql }) => `${name} ${sql}`)].join(',\n  ')}
);
`;

/**
 * Prepends the columns of later versions to the migrations of those versions; a version that only adds columns needs no
 * entry in `migrations`.
 */
export function withLaterColumns(
  migrations: readonly string[],
  columns: readonly ParcelColumn[] = storedColumns,
): string[] {
  const later = columns.filter((column) => versionOf(column) > firstVersion);
  const last = Math.max(migrations.length, ...later.map(versionOf));
  return Array.from({ length: last }, (_, index) => {
    const added = later.filter((column) => versionOf(column) === index + 1);
    const alters = added.map((column) => `ALTER TABLE parcels ADD COLUMN ${columnSql(column)};\n`);
    return `${alters.join('')}${migrations[index] ?? ''}`;
  });
}
