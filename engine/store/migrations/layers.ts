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

/** A county may lie on several elevation files. */
export const computedRastersSql = 'ALTER TABLE computed_values ADD COLUMN rasters TEXT;';
