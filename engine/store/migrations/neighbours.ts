/**
 * Which parcels share a boundary, or face each other across a road, as geo/shared-edges.ts measures it: each pair twice, so
 * that one parcel's neighbors stand together. Of parcels with equal shapes (units of a condominium) each has the
 * neighbors of the shape, and none has a row for another of them. Readers join `parcels` for what is current.
 *
 * `neighbour_counties` lists every county from its first parcel on; its pairs answer only in the state `current`, which a
 * change of a shape ends, by whatever program; a change of an owner does not. Imports drop the triggers and say it
 * themselves (`staleNeighbours`). For `building`, and for conflicts in triggers, see columns.ts.
 */
const stale = (fips: string): string => `INSERT INTO neighbour_counties (fips) SELECT ${fips}
    WHERE NOT EXISTS (SELECT 1 FROM neighbour_counties WHERE fips = ${fips});
  UPDATE neighbour_counties SET state = 'stale' WHERE fips = ${fips} AND state <> 'stale';`;

export const neighboursSql = `
CREATE TABLE parcel_neighbours (
  property_id INTEGER NOT NULL,
  other_id INTEGER NOT NULL,
  shared_m REAL NOT NULL,
  across_m REAL NOT NULL,
  PRIMARY KEY (property_id, other_id)
) WITHOUT ROWID;
CREATE TABLE neighbour_counties (
  fips TEXT PRIMARY KEY,
  state TEXT NOT NULL DEFAULT 'stale' CHECK (state IN ('stale', 'building', 'current')),
  method INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
INSERT INTO neighbour_counties (fips) SELECT DISTINCT coalesce(fips, '') FROM parcels;
CREATE TRIGGER parcels_neighbours_insert AFTER INSERT ON parcels
BEGIN
  ${stale("coalesce(NEW.fips, '')")}
END;
CREATE TRIGGER parcels_neighbours_update AFTER UPDATE ON parcels
WHEN OLD.geom IS NOT NEW.geom OR OLD.status IS NOT NEW.status OR OLD.fips IS NOT NEW.fips
  OR OLD.property_id IS NOT NEW.property_id
BEGIN
  ${stale("coalesce(OLD.fips, '')")}
  ${stale("coalesce(NEW.fips, '')")}
END;
CREATE TRIGGER parcels_neighbours_delete AFTER DELETE ON parcels
BEGIN
  ${stale("coalesce(OLD.fips, '')")}
END;
`;
