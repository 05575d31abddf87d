/** Pairs of neighboring parcels in land.sqlite, and of which counties they are current (migrations/neighbours.ts). */
import type { SqliteFile } from './sqlite.ts';

/** One of the pairs of two parcels, in meters. */
export type NeighbourRow = readonly [propertyId: number, otherId: number, shared: number, across: number];

/** For a writer that drops the triggers of `parcels` and changed a shape. Call it in its transaction. */
export function staleNeighbours(file: SqliteFile, fips: string): void {
  file.run("INSERT INTO neighbour_counties (fips) VALUES (?) ON CONFLICT (fips) DO UPDATE SET state = 'stale'", fips);
}

/** Counties whose pairs are missing, stale, or found by another method than `method`. */
export const listStaleNeighbours = (file: SqliteFile, method: number): string[] =>
  file.column<string>(
    "SELECT fips FROM neighbour_counties WHERE state <> 'current' OR method <> ? ORDER BY fips",
    method,
  );

/** Share of the parcels, 0 to 1, that lie in counties whose pairs are current; 1 if there are no parcels. */
export function knownNeighbourShare(file: SqliteFile): number {
  const counties = file.all<{ parcels: number; is_current: number }>(
    `SELECT count(*) AS parcels, EXISTS (SELECT 1 FROM neighbour_counties n
       WHERE n.fips = coalesce(p.fips, '') AND n.state = 'current') AS is_current FROM parcels p GROUP BY p.fips`,
  );
  const sum = (rows: typeof counties) => rows.reduce((all, { parcels }) => all + parcels, 0);
  const all = sum(counties);
  return all === 0 ? 1 : sum(counties.filter(({ is_current: is }) => is === 1)) / all;
}

/** From here on `isStillFinding` sees every change of the county. */
export function markFinding(file: SqliteFile, fips: string): void {
  file.run("UPDATE neighbour_counties SET state = 'building' WHERE fips = ?", fips);
}

export const isStillFinding = (file: SqliteFile, fips: string): boolean =>
  file.get("SELECT 1 FROM neighbour_counties WHERE fips = ? AND state = 'building'", fips) !== undefined;

/** After a repair of the schema: while triggers were missing, shapes may have changed unseen. */
export function forgetNeighbours(file: SqliteFile): void {
  const isThere = file.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'neighbour_counties'");
  if (isThere) file.exec("UPDATE neighbour_counties SET state = 'stale'");
}

/** Replaces all pairs with a parcel of a county, whichever county the other lies in. Call it in a transaction. */
export function writeNeighbours(file: SqliteFile, fips: string, method: number, rows: readonly NeighbourRow[]): void {
  // Ids of a county are in the registry even where their parcels are gone; other programs write parcels without it.
  const own = `SELECT property_id FROM parcel_registry WHERE fips = :fips
    UNION SELECT property_id FROM parcels WHERE coalesce(fips, '') = :fips`;
  const others = `SELECT other_id FROM parcel_neighbours WHERE property_id IN (${own})`;
  // Without the plus, SQLite seeks each of the others together with each of the county's own.
  file.run(`DELETE FROM parcel_neighbours WHERE property_id IN (${others}) AND +other_id IN (${own})`, { fips });
  file.run(`DELETE FROM parcel_neighbours WHERE property_id IN (${own})`, { fips });
  for (const row of rows) file.run('INSERT OR REPLACE INTO parcel_neighbours VALUES (?, ?, ?, ?)', ...row);
  file.run("UPDATE neighbour_counties SET state = 'current', method = ? WHERE fips = ?", method, fips);
}
