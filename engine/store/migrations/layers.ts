/**
 * Layers of a county (roads, wetlands …) and what was computed from them.
 *
 * The features stay for the map, for the explanation of a parcel, and for computing again after an import. Their R-tree is
 * filled by whoever writes them: features are written as a whole, never edited.
 *
 * `computed_values` keeps what was computed for each parcel beside what stands in `parcels`, with the fingerprint of the
 * shape it was computed from: `published` names the columns (JSON) where a value of the publisher stands instead; null:
 * none. `reason` says why the values are null, where they are. `rasters` numbers the rasters of the layer that the values
 * came from (JSON); null: its first, or a layer of features.
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
