/**
 * Layers of a county (roads, wetlands …) and the values computed from them.
 *
 * Features stay for the map, for explaining a parcel, and for recomputing after an import. The code that writes
 * features fills their R-tree: they are written as a whole, never edited.
 *
 * `computed_values` keeps each parcel's computed values beside `parcels`, with the fingerprint of the shape they came
 * from. `published` names the columns (JSON) where a published value stands instead; null: none. `reason` says why
 * values are null. `rasters` numbers the layer's rasters that the values came from (JSON); null: its first, or a layer
 * of features.
 */
export const layersSql = `
CREATE TABLE layers (
  layer_id INTEGER PRIMARY KEY AUTOINCREMENT,
  fips TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('roads', 'wetlands', 'flood', 'buildings', 'slope', 'schools', 'zips')),
  source_name TEXT NOT NULL,
  source_date TEXT NOT NULL,
  feature_count INTEGER NOT NULL,
  settings TEXT NOT NULL,
  coverage TEXT NOT NULL,
  report TEXT NOT NULL,
  loaded_at TEXT NOT NULL,
  UNIQUE (fips, kind)
);
CREATE TABLE layer_features (
  layer_feature_id INTEGER PRIMARY KEY,
  layer_id INTEGER NOT NULL REFERENCES layers,
  feature_id INTEGER NOT NULL,
  class TEXT,
  properties TEXT NOT NULL,
  geom BLOB NOT NULL,
  UNIQUE (layer_id, feature_id)
);
CREATE VIRTUAL TABLE layer_features_index USING rtree(layer_feature_id, min_lon, max_lon, min_lat, max_lat);
CREATE TABLE computed_values (
  layer_id INTEGER NOT NULL REFERENCES layers,
  property_id INTEGER NOT NULL,
  geometry_hash INTEGER,
  "values" TEXT NOT NULL,
  published TEXT,
  reason TEXT,
  computed_at TEXT NOT NULL,
  PRIMARY KEY (layer_id, property_id)
) WITHOUT ROWID;
CREATE INDEX computed_values_parcel ON computed_values (property_id);
`;

/**
 * Makes `layers` again for its constraints, under the ids that its features name (their checks wait for the commit); an id
 * that was given once is not given again.
 * @param copied the columns that the table of before has
 */
const layersAgainSql = (kinds: string, copied: string): string => `
PRAGMA defer_foreign_keys = ON;
CREATE TABLE layers_before AS SELECT * FROM layers;
CREATE TABLE layers_given AS SELECT name, seq FROM sqlite_sequence WHERE name = 'layers';
DROP TABLE layers;
CREATE TABLE layers (
  layer_id INTEGER PRIMARY KEY AUTOINCREMENT,
  fips TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN (${kinds})),
  title TEXT NOT NULL DEFAULT '' CHECK ((title = '') = (kind <> 'other')),
  source_name TEXT NOT NULL,
  source_date TEXT NOT NULL,
  feature_count INTEGER NOT NULL,
  settings TEXT NOT NULL,
  coverage TEXT NOT NULL,
  report TEXT NOT NULL,
  loaded_at TEXT NOT NULL,
  UNIQUE (fips, kind, title)
);
INSERT INTO layers (${copied})
SELECT ${copied}
FROM layers_before;
DELETE FROM sqlite_sequence WHERE name = 'layers';
INSERT INTO sqlite_sequence (name, seq) SELECT name, seq FROM layers_given;
DROP TABLE layers_before;
DROP TABLE layers_given;
`;

const firstColumns =
  'layer_id, fips, kind, source_name, source_date, feature_count, settings, coverage, report, loaded_at';

/**
 * Layers that are only drawn: kind `other`, several in a county, told apart by their titles; and names of features. Roads
 * kept before get the names that their files gave them.
 */
export const mapLayersSql = `${layersAgainSql(
  "'roads', 'wetlands', 'flood', 'buildings', 'slope', 'schools', 'zips', 'other'",
  firstColumns,
)}ALTER TABLE layer_features ADD COLUMN name TEXT;
UPDATE layer_features SET name = nullif(trim(coalesce(
    json_extract(properties, '$.FULLNAME'), json_extract(properties, '$.fullname'),
    json_extract(properties, '$.NAME'), json_extract(properties, '$.name'))), '')
  WHERE json_valid(properties) AND layer_id IN (SELECT layer_id FROM layers WHERE kind = 'roads');
`;

/** The townships and sections of the public land survey. */
export const surveyLayersSql = layersAgainSql(
  "'roads', 'wetlands', 'flood', 'buildings', 'slope', 'schools', 'zips', 'plss', 'other'",
  `${firstColumns}, title`,
);

/** Lakes, ponds and broad rivers, which give parcels their frontage on water. */
export const waterLayersSql = layersAgainSql(
  "'roads', 'wetlands', 'flood', 'buildings', 'slope', 'schools', 'zips', 'plss', 'water', 'other'",
  `${firstColumns}, title`,
);

/** A county may lie on several elevation files. */
export const computedRastersSql = 'ALTER TABLE computed_values ADD COLUMN rasters TEXT;';
