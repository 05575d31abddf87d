/**
 * Migrations of land.sqlite, numbered by position. An entry never changes after a release (a test pins them): a change is a
 * new entry. The parcels table and its later columns come from the dictionary.
 */
import { homeIdentitySql } from '../home-identity.ts';
import { jobNoteSql } from '../job-note.ts';
import { backtestsSql } from './backtests.ts';
import { columnsSql } from './columns.ts';
import { importsSql } from './imports.ts';
import { computedRastersSql, layersSql, mapLayersSql, surveyLayersSql, waterLayersSql } from './layers.ts';
import { marketModelsSql } from './market-models.ts';
import { neighboursSql } from './neighbours.ts';
import { ownersSql } from './owners.ts';
import { parcelsLayerSql } from './parcels-layer.ts';
import { parcelsSql, withLaterColumns } from './parcels-table.ts';
import { spatialiteSchemaSql, spatialReferenceSystemsSql } from './spatialite-schema.ts';

/**
 * What the indexes are for (checked with EXPLAIN QUERY PLAN, test/engine/query-plans.test.ts): a county with or without
 * an acreage range; an APN within a county; ZIPs; owner portfolios; replacing a dataset's rows; and parcels that have
 * only a point, which the R-tree cannot hold.
 */
const parcelIndexes = {
  parcels_fips_acres: 'CREATE INDEX parcels_fips_acres ON parcels (fips, coalesce(acres, calculated_acres))',
  parcels_apn_key: 'CREATE INDEX parcels_apn_key ON parcels (apn_key, fips)',
  parcels_situs_zip: 'CREATE INDEX parcels_situs_zip ON parcels (situs_zip)',
  parcels_mailing_key: 'CREATE INDEX parcels_mailing_key ON parcels (mailing_key) WHERE mailing_key IS NOT NULL',
  parcels_dataset: 'CREATE INDEX parcels_dataset ON parcels (dataset_id)',
  parcels_point_only:
    'CREATE INDEX parcels_point_only ON parcels (point_lon, point_lat) WHERE geom IS NULL AND point_lon IS NOT NULL',
} as const;

/** All tables beside parcels: provenance, identities, and the nation's counties. */
const companionsSql = `
CREATE TABLE datasets (
  dataset_id INTEGER PRIMARY KEY,
  fips TEXT NOT NULL,
  jurisdiction TEXT NOT NULL DEFAULT '',
  source_name TEXT NOT NULL,
  source_date TEXT NOT NULL,
  imported_at TEXT NOT NULL,
  mapping TEXT NOT NULL,
  report TEXT NOT NULL,
  UNIQUE (fips, jurisdiction)
);
CREATE TABLE parcel_registry (
  property_id INTEGER PRIMARY KEY,
  fips TEXT NOT NULL,
  jurisdiction TEXT NOT NULL,
  apn TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  geometry_hash INTEGER,
  UNIQUE (fips, jurisdiction, apn, sequence)
);
CREATE TRIGGER parcel_registry_is_for_good BEFORE DELETE ON parcel_registry
BEGIN SELECT RAISE(ABORT, 'parcel_registry: a property_id is never given again, so its row is never deleted'); END;
CREATE TABLE counties (fips TEXT PRIMARY KEY, state TEXT NOT NULL, name TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE comps (
  comp_id TEXT PRIMARY KEY,
  source TEXT NOT NULL,
  source_id TEXT NOT NULL,
  fips TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('ACTIVE', 'PENDING', 'SOLD')),
  address TEXT,
  city TEXT,
  state TEXT,
  zip TEXT,
  county TEXT,
  apn TEXT,
  latitude REAL NOT NULL,
  longitude REAL NOT NULL,
  lot_size REAL,
  price REAL NOT NULL,
  list_date TEXT,
  sold_date TEXT,
  days_on_market INTEGER,
  sale_type TEXT,
  url TEXT,
  photos TEXT NOT NULL DEFAULT '[]',
  UNIQUE (source, source_id)
);
CREATE TABLE home_kind (id INTEGER PRIMARY KEY CHECK (id = 1), kind TEXT NOT NULL CHECK (kind IN ('sample', 'real')));
`;

/**
 * Gives comps their own row number, because VACUUM INTO may renumber a table without one and the R-tree names comps by
 * it; adds their parcel, its use, and the day a listing was last seen. Rebuilds the table instead of renaming it: a
 * rename would parse every trigger of the file again. Triggers maintain the R-tree, whoever writes. comps_county is the
 * order of `list_comps`; comps_listed serves market stats, comps_property a parcel's own comps.
 */
const compsSql = `
CREATE TABLE comps_before AS SELECT * FROM comps;
DROP TABLE comps;
CREATE TABLE comps (
  comp_rowid INTEGER PRIMARY KEY,
  comp_id TEXT NOT NULL UNIQUE,
  source TEXT NOT NULL,
  source_id TEXT NOT NULL,
  fips TEXT NOT NULL,
  property_id INTEGER,
  status TEXT NOT NULL CHECK (status IN ('ACTIVE', 'PENDING', 'SOLD')),
  address TEXT,
  city TEXT,
  state TEXT,
  zip TEXT,
  county TEXT,
  apn TEXT,
  latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
  longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
  coordinate_grain TEXT CHECK (coordinate_grain IN ('parcel', 'zip')),
  lot_size REAL,
  price REAL NOT NULL,
  use TEXT,
  list_date TEXT,
  as_of_date TEXT,
  sold_date TEXT,
  days_on_market INTEGER,
  sale_type TEXT,
  url TEXT,
  photos TEXT NOT NULL DEFAULT '[]',
  UNIQUE (source, source_id)
);
INSERT INTO comps (comp_id, source, source_id, fips, status, address, city, state, zip, county, apn, latitude, longitude,
  lot_size, price, list_date, sold_date, days_on_market, sale_type, url, photos)
SELECT comp_id, source, source_id, fips, status, address, city, state, zip, county, apn, latitude, longitude,
  lot_size, price, list_date, sold_date, days_on_market, sale_type, url, photos FROM comps_before ORDER BY comp_id;
DROP TABLE comps_before;
CREATE INDEX comps_county ON comps (fips, sold_date DESC, comp_id);
CREATE INDEX comps_listed ON comps (fips) WHERE status <> 'SOLD';
CREATE INDEX comps_property ON comps (property_id) WHERE property_id IS NOT NULL;
CREATE VIRTUAL TABLE comps_index USING rtree(comp_rowid, min_lon, max_lon, min_lat, max_lat);
INSERT INTO comps_index SELECT comp_rowid, longitude, longitude, latitude, latitude FROM comps;
CREATE TRIGGER comps_index_insert AFTER INSERT ON comps
BEGIN
  INSERT INTO comps_index VALUES (NEW.comp_rowid, NEW.longitude, NEW.longitude, NEW.latitude, NEW.latitude);
END;
CREATE TRIGGER comps_index_update AFTER UPDATE OF comp_rowid, longitude, latitude ON comps
BEGIN
  DELETE FROM comps_index WHERE comp_rowid = OLD.comp_rowid;
  INSERT INTO comps_index VALUES (NEW.comp_rowid, NEW.longitude, NEW.longitude, NEW.latitude, NEW.latitude);
END;
CREATE TRIGGER comps_index_delete AFTER DELETE ON comps
BEGIN
  DELETE FROM comps_index WHERE comp_rowid = OLD.comp_rowid;
END;
`;

/**
 * For regions: ZIPs with their counties, counted without touching a parcel. Indexed as an expression, so that the
 * planner does not use it for filters by ZIP, which have their own index. Superseded county codes name their
 * successors, separated by blanks; a new file gets them from data/counties.csv, an older one here.
 */
const regionsSql = `
CREATE INDEX parcels_zip_county ON parcels (situs_zip || ' ' || fips) WHERE situs_zip IS NOT NULL AND status = 'current';
ALTER TABLE counties ADD COLUMN superseded_by TEXT;
INSERT OR IGNORE INTO counties (fips, state, name) VALUES
  ('02201', 'AK', 'Prince of Wales-Outer Ketchikan Census Area'),
  ('02232', 'AK', 'Skagway-Hoonah-Angoon Census Area'),
  ('02280', 'AK', 'Wrangell-Petersburg Census Area'),
  ('12025', 'FL', 'Dade County'),
  ('30113', 'MT', 'Yellowstone National Park'),
  ('46113', 'SD', 'Shannon County'),
  ('51515', 'VA', 'Bedford city'),
  ('51560', 'VA', 'Clifton Forge city'),
  ('51780', 'VA', 'South Boston city');
UPDATE counties SET superseded_by = '02130 02198 02275' WHERE fips = '02201';
UPDATE counties SET superseded_by = '02105 02230' WHERE fips = '02232';
UPDATE counties SET superseded_by = '02063 02066' WHERE fips = '02261';
UPDATE counties SET superseded_by = '02158' WHERE fips = '02270';
UPDATE counties SET superseded_by = '02195 02275' WHERE fips = '02280';
UPDATE counties SET superseded_by = '09120 09140 09190' WHERE fips = '09001';
UPDATE counties SET superseded_by = '09110 09140 09160' WHERE fips = '09003';
UPDATE counties SET superseded_by = '09140 09160 09190' WHERE fips = '09005';
UPDATE counties SET superseded_by = '09130' WHERE fips = '09007';
UPDATE counties SET superseded_by = '09140 09170' WHERE fips = '09009';
UPDATE counties SET superseded_by = '09130 09150 09180' WHERE fips = '09011';
UPDATE counties SET superseded_by = '09110 09150' WHERE fips = '09013';
UPDATE counties SET superseded_by = '09150 09180' WHERE fips = '09015';
UPDATE counties SET superseded_by = '12086' WHERE fips = '12025';
UPDATE counties SET superseded_by = '30031 30067' WHERE fips = '30113';
UPDATE counties SET superseded_by = '46102' WHERE fips = '46113';
UPDATE counties SET superseded_by = '51019' WHERE fips = '51515';
UPDATE counties SET superseded_by = '51005' WHERE fips = '51560';
UPDATE counties SET superseded_by = '51083' WHERE fips = '51780';
`;

/** The parties of a comp's deed, and what strikes it out (spec/suspect-rules.ts). */
const suspectSalesSql = `
ALTER TABLE comps ADD COLUMN deed TEXT;
ALTER TABLE comps ADD COLUMN seller TEXT;
ALTER TABLE comps ADD COLUMN buyer TEXT;
ALTER TABLE comps ADD COLUMN struck TEXT;
`;

export const landMigrations: readonly string[] = withLaterColumns([
  [
    spatialiteSchemaSql,
    spatialReferenceSystemsSql,
    // SpatiaLite's interface to the R-trees, for users who query the file with mod_spatialite.
    'CREATE VIRTUAL TABLE SpatialIndex USING VirtualSpatialIndex();',
    parcelsSql,
    parcelsLayerSql,
    ...Object.values(parcelIndexes).map((statement) => `${statement};`),
    companionsSql,
  ].join('\n'),
  `${compsSql}${regionsSql}`,
  backtestsSql,
  columnsSql,
  layersSql,
  importsSql,
  computedRastersSql,
  jobNoteSql,
  homeIdentitySql,
  mapLayersSql,
  marketModelsSql,
  surveyLayersSql,
  waterLayersSql,
  neighboursSql,
  ownersSql,
  suspectSalesSql,
]);
