/**
 * The column index of each county, derived data: a directory, and segments of bytes. A county is listed from its first
 * parcel on, whoever wrote it; its index answers only while its state is current, which any change of a parcel takes away,
 * also one that QGIS makes. While one is made beside other writers the state is building: should a change take that away,
 * what is made is thrown away. A build gets a number that was never used, so that what other processes hold in memory of an
 * older one is known to be stale.
 *
 * No statement here can end in a conflict: the conflict clause of the statement that fires a trigger (INSERT OR REPLACE …)
 * would replace the trigger's own.
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
