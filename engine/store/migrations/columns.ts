/**
 * The column index of each county, derived data: a directory, and segments of bytes. A county is listed from its first
 * parcel on, whoever wrote it. Its index answers queries only in the state `current`, which any change of a parcel
 * ends, even one made by QGIS. During a build beside other writers the state is `building`: if a change ends that, the
 * build is discarded. Each build has a number never used before, so other processes see that an older one in their
 * memory is stale.
 *
 * No statement here may end in a conflict: the conflict clause of the statement that fires a trigger (INSERT OR REPLACE
 * …) would replace the trigger's own.
 */
export const columnsSql = `
CREATE TABLE column_indexes (
  build_id INTEGER PRIMARY KEY AUTOINCREMENT,
  fips TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL DEFAULT 'stale' CHECK (state IN ('stale', 'building', 'current')),
  format INTEGER NOT NULL DEFAULT 0,
  directory TEXT
);
CREATE TABLE column_segments (
  segment_id INTEGER PRIMARY KEY,
  fips TEXT NOT NULL,
  name TEXT NOT NULL,
  data BLOB NOT NULL,
  UNIQUE (fips, name)
);
INSERT INTO column_indexes (fips) SELECT DISTINCT coalesce(fips, '') FROM parcels;
CREATE TRIGGER parcels_columns_insert AFTER INSERT ON parcels
BEGIN
  INSERT INTO column_indexes (fips) SELECT coalesce(NEW.fips, '')
    WHERE NOT EXISTS (SELECT 1 FROM column_indexes WHERE fips = coalesce(NEW.fips, ''));
  UPDATE column_indexes SET state = 'stale' WHERE fips = coalesce(NEW.fips, '') AND state <> 'stale';
END;
CREATE TRIGGER parcels_columns_update AFTER UPDATE ON parcels
BEGIN
  INSERT INTO column_indexes (fips) SELECT coalesce(NEW.fips, '')
    WHERE NOT EXISTS (SELECT 1 FROM column_indexes WHERE fips = coalesce(NEW.fips, ''));
  UPDATE column_indexes SET state = 'stale'
    WHERE fips IN (coalesce(OLD.fips, ''), coalesce(NEW.fips, '')) AND state <> 'stale';
END;
CREATE TRIGGER parcels_columns_delete AFTER DELETE ON parcels
BEGIN
  UPDATE column_indexes SET state = 'stale' WHERE fips = coalesce(OLD.fips, '') AND state <> 'stale';
END;
`;
