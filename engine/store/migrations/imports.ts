/**
 * `imports`: the history of datasets: each import that wrote something, and each deletion. A row is written in the
 * transaction of the import, so a file in `undo/` without a row belongs to an import that never committed.
 *
 * `raw_columns`: what the county published beyond the dictionary, as JSON, for the detail view. A separate table: such
 * text would slow every scan of the parcels.
 *
 * `parcels_retired` is small and lets a list of datasets count current and retired parcels without reading one.
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
