/** `open.sql` of a lake: how DuckDB, PostGIS and BigQuery open the folder. */
import type { ExportColumn, ValueKind } from './export-columns.ts';

const postgresTypes: Readonly<Record<ValueKind, string>> = {
  text: 'text COLLATE "C"',
  integer: 'bigint',
  number: 'double precision',
  date: 'date',
  boolean: 'boolean',
};

export const openSql = (
  columns: readonly ExportColumn[],
): string => `-- DuckDB, started in this folder: duckdb -init open.sql
-- The types of the folders' names are given, because 20033 alone would be taken for a number beside 01001.
CREATE OR REPLACE VIEW parcels AS
SELECT * FROM read_parquet('state=*/county=*/*.parquet',
  hive_partitioning = true, hive_types = {'state': VARCHAR, 'county': VARCHAR}, union_by_name = true);

${commented(columns)}`;

/** Each line a comment: addresses hold what would begin or end another. */
const commented = (columns: readonly ExportColumn[]): string =>
  `PostGIS: this table, then GDAL 3.9 or newer for each file:
   ogr2ogr -append -f PostgreSQL PG:"dbname=land" state=KS/county=20163/part-0.parquet -nln parcels -nlt GEOMETRY

CREATE TABLE parcels (
${columns.map(({ name, kind }) => `  "${name}" ${postgresTypes[kind]}`).join(',\n')},
  geometry geometry(Geometry, 4326)
);
CREATE INDEX ON parcels (fips);
CREATE INDEX ON parcels USING gist (geometry);

BigQuery, once the folder is copied to a bucket:

CREATE OR REPLACE EXTERNAL TABLE land.parcel_files
WITH PARTITION COLUMNS (state STRING, county STRING)
OPTIONS (format = 'PARQUET', uris = ['gs://BUCKET/lake/*.parquet'], hive_partition_uri_prefix = 'gs://BUCKET/lake');
CREATE OR REPLACE TABLE land.parcels CLUSTER BY fips, geometry AS
SELECT * EXCEPT (geometry, bbox), ST_GEOGFROMWKB(geometry, planar => TRUE, make_valid => TRUE) AS geometry
FROM land.parcel_files;
`.replaceAll(/^(?=.)/gm, '-- ');
