/**
 * `imports`: what was done to datasets, in order: each import that wrote something, and each deletion. A row appears in the
 * transaction of the import itself, so that a file of `undo/` without its row belongs to an import that never was.
 *
 * `raw_columns`: what the county published beyond the dictionary, as JSON, for the detail view. A table of its own: such
 * text would make every scan of the parcels longer.
 *
 * `parcels_retired` is small, and lets a list of datasets count what stands and what has gone without reading a parcel.
 */
export const importsSql = `
CREATE TABLE imports (
  import_id INTEGER PRIMARY KEY AUTOINCREMENT,
  dataset_id INTEGER NOT NULL,
  fips TEXT NOT NULL,
  jurisdiction TEXT NOT NULL,
  action TEXT NOT NULL CHECK (action IN ('import', 'delete')),
  source_name TEXT NOT NULL,
  source_date TEXT NOT NULL,
  done_at TEXT NOT NULL,
  counts TEXT NOT NULL,
  undone_at TEXT
);
CREATE INDEX imports_dataset ON imports (dataset_id, import_id);
CREATE INDEX parcels_retired ON parcels (dataset_id) WHERE status <> 'current';
CREATE TABLE raw_columns (
  property_id INTEGER PRIMARY KEY,
  json TEXT NOT NULL
);
`;
