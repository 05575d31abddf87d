/**
 * The tables in PostgreSQL, in the schema `platbook`. Every table of a county's rows begins its key with the county, so that
 * one can be distributed by it (docs/past-one-machine.md, "Several PostgreSQL machines").
 */
import { orderedParcelColumns } from './column-order.ts';
import {
  columnDefinition,
  compServerColumns,
  foldedSql,
  foldedTextNames,
  rawColumns,
  registryColumns,
  type ServerColumn,
  serverTypes,
} from './server-columns.ts';

export const schemaName = 'platbook';

/** Set to `on` in the transactions of a push. */
export const pushSetting = 'platbook.push';

/** Readers may read everything; writers may push counties; the owner of the tables migrates them. */
export const roles = { reader: 'platbook_reader', writer: 'platbook_writer' } as const;

const table = (name: string, columns: readonly ServerColumn[], ...constraints: readonly string[]): string =>
  `CREATE TABLE ${name} (\n  ${[...columns.map(columnDefinition), ...constraints].join(',\n  ')}\n)`;

/**
 * What the indexes are for: an id or a county; a county with an acreage range; an APN; ZIPs; portfolios; areas; names. One
 * declaration on `parcels` makes one in each partition.
 */
const indexes = [
  'CREATE INDEX parcels_fips_acres ON parcels (fips, (coalesce(acres, calculated_acres)))',
  'CREATE INDEX parcels_apn_key ON parcels (apn_key, fips)',
  'CREATE INDEX parcels_situs_zip ON parcels (situs_zip)',
  'CREATE INDEX parcels_mailing_key ON parcels (mailing_key) WHERE mailing_key IS NOT NULL',
  'CREATE INDEX parcels_dataset ON parcels (fips, dataset_id)',
  'CREATE INDEX parcels_geom ON parcels USING gist (geom)',
  `CREATE INDEX parcels_owner ON parcels USING gin ((${foldedSql('owner_name')}) gin_trgm_ops)`,
  'CREATE INDEX comps_place ON comps USING gist (point(longitude, latitude))',
  'CREATE INDEX comps_county ON comps (fips, sold_date DESC, comp_id)',
  'CREATE INDEX comps_property ON comps (fips, property_id) WHERE property_id IS NOT NULL',
];

/**
 * `schema_version` has one row a migration. `land_kind` says whether the land is the sample or real. `id_blocks` gives each
 * county ranges of ids, so that an id names its county. `pushed_counties.generation` rises with every push that changed the
 * county: what was computed from it is valid while it stands.
 */
const firstSql = (states: readonly string[]): readonly string[] => [
  `CREATE TABLE schema_version (
  version integer PRIMARY KEY,
  land_version integer NOT NULL,
  platbook text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
)`,
  `CREATE TABLE land_kind (
  id integer PRIMARY KEY CHECK (id = 1),
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('sample', 'real'))
)`,
  `CREATE TABLE counties (
  fips text COLLATE "C" PRIMARY KEY,
  state text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  superseded_by text COLLATE "C"
)`,
  `CREATE TABLE pushed_counties (
  fips text COLLATE "C" PRIMARY KEY,
  generation bigint NOT NULL,
  pushed_at timestamptz NOT NULL,
  parcels bigint NOT NULL,
  comps bigint NOT NULL
)`,
  `CREATE TABLE id_blocks (
  first_id bigint PRIMARY KEY,
  last_id bigint NOT NULL,
  fips text COLLATE "C" NOT NULL,
  CHECK (last_id >= first_id),
  EXCLUDE USING gist (int8range(first_id, last_id, '[]') WITH &&)
)`,
  'CREATE INDEX id_blocks_county ON id_blocks (fips)',
  `CREATE TABLE datasets (
  fips text COLLATE "C" NOT NULL,
  dataset_id bigint NOT NULL,
  jurisdiction text COLLATE "C" NOT NULL,
  source_name text COLLATE "C" NOT NULL,
  source_date text COLLATE "C" NOT NULL,
  imported_at text COLLATE "C" NOT NULL,
  mapping text COLLATE "C" NOT NULL,
  report text COLLATE "C" NOT NULL,
  PRIMARY KEY (fips, dataset_id),
  UNIQUE (fips, jurisdiction)
)`,
  table(
    'parcel_registry',
    registryColumns,
    'PRIMARY KEY (fips, property_id)',
    'UNIQUE (fips, jurisdiction, apn, sequence)',
  ),
  `${table('parcels', orderedParcelColumns, 'PRIMARY KEY (fips, property_id)')} PARTITION BY RANGE (fips)`,
  ...states.map(
    (state) =>
      `CREATE TABLE parcels_${state} PARTITION OF parcels FOR VALUES FROM ('${state}') TO ('${String(Number(state) + 1).padStart(2, '0')}')`,
  ),
  'CREATE TABLE parcels_other PARTITION OF parcels DEFAULT',
  table('raw_columns', rawColumns, 'PRIMARY KEY (fips, property_id)'),
  table('comps', compServerColumns, 'PRIMARY KEY (fips, comp_id)', 'UNIQUE (fips, source, source_id)'),
  `CREATE TABLE layers (
  fips text COLLATE "C" NOT NULL,
  layer_id bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  source_name text COLLATE "C" NOT NULL,
  source_date text COLLATE "C" NOT NULL,
  PRIMARY KEY (fips, layer_id)
)`,
  `CREATE TABLE market_models (
  fips text COLLATE "C" PRIMARY KEY,
  constants text COLLATE "C" NOT NULL,
  generation bigint NOT NULL,
  comp_count bigint NOT NULL,
  comps text COLLATE "C" NOT NULL,
  row_count bigint NOT NULL,
  forests bytea,
  trained_at text COLLATE "C" NOT NULL,
  tested text COLLATE "C",
  tested_on text COLLATE "C"
)`,
  ...indexes,
  `CREATE FUNCTION county_of(id bigint) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT fips FROM ${schemaName}.id_blocks WHERE int8range(first_id, last_id, '[]') @> id
$$`,
];

/**
 * Column indexes of counties, derived data: a directory and packed segments. `county_writes` has a row for each county
 * and transaction of another program than a push, whatever its rights and its isolation are: with one, the index no longer
 * stands for the county's rows. Only a push removes those that it sees.
 */
const indexSql: readonly string[] = [
  `CREATE TABLE county_indexes (
  fips text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (fips, name)
)`,
  // packed already
  'ALTER TABLE county_indexes ALTER bytes SET STORAGE EXTERNAL',
  `CREATE TABLE county_writes (
  fips text COLLATE "C" NOT NULL,
  transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
  PRIMARY KEY (fips, transaction)
)`,
  `CREATE FUNCTION note_write() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schemaName}, pg_temp AS $$
BEGIN
  INSERT INTO county_writes (fips) SELECT fips FROM unnest(ARRAY[OLD.fips, NEW.fips]) AS c (fips) WHERE fips IS NOT NULL
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$`,
  `CREATE TRIGGER parcels_written AFTER INSERT OR UPDATE OR DELETE ON parcels FOR EACH ROW
  WHEN (current_setting('${pushSetting}', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION note_write()`,
];

/**
 * Statements by version, never changed after a release. A later column of the dictionary needs no entry: what a table lacks
 * is added (`migrate.ts`).
 * @param states codes of two digits, one partition each
 */
export const serverMigrations = (states: readonly string[]): readonly (readonly string[])[] => [
  firstSql(states),
  // filled by county-counts.ts, once all columns of the dictionary are there
  // the key finds a county's datasets as well as this index did, which each row of a push paid for
  ['ALTER TABLE pushed_counties ADD COLUMN counts jsonb', 'DROP INDEX IF EXISTS parcels_dataset'],
  // order-parts.ts orders the columns of older tables
  [
    `CREATE INDEX IF NOT EXISTS parcels_owner_words ON parcels USING gin (owner_name_words gin_trgm_ops)
  WHERE owner_name_words IS NOT NULL`,
  ],
  indexSql,
  // texts beyond plain ASCII are folded otherwise since then: the next push sends their rows again
  [`UPDATE parcels SET row_hash = 0 WHERE ${foldedTextNames.map((name) => `${name} ~ '[^!-~ ]|  '`).join(' OR ')}`],
  // the next push of the county's comps fills them
  ['deed', 'seller', 'buyer', 'struck'].map(
    (name) => `ALTER TABLE comps ADD COLUMN IF NOT EXISTS ${name} ${serverTypes.text}`,
  ),
];

/** From this version on, partitions have the order of column-order.ts. */
export const orderedSince = 3;

export const serverVersion = serverMigrations([]).length;
