/**
 * Values that layers computed for parcels, kept beside those in the parcels table. A published value beats a computed
 * one, and both stay known. An enrichment writes these rows; an import must keep them.
 */
import type { SqliteFile } from './sqlite.ts';
import { tableColumns } from './table-columns.ts';

/** A value in the parcels table; a list of numbers as JSON. */
export type ComputedValue = string | number | null;

/** What a layer computed for one parcel. */
export interface Standing {
  /** By column: every column that the layer's kind computes. */
  readonly values: Readonly<Record<string, ComputedValue>>;
  /** Columns where a published value stands instead. */
  readonly published: readonly string[];
}

interface StandingRow {
  readonly property_id: number;
  readonly values: string;
  readonly published: string | null;
}

const readStanding = ({ values, published }: StandingRow): Standing => ({
  values: JSON.parse(values) as Record<string, ComputedValue>,
  published: published === null ? [] : (JSON.parse(published) as string[]),
});

/** By property id. */
export function standingOf(file: SqliteFile, layerId: number): Map<number, Standing> {
  const rows = file.all<StandingRow>(
    'SELECT property_id, "values", published FROM computed_values WHERE layer_id = ?',
    layerId,
  );
  return new Map(rows.map((row) => [row.property_id, readStanding(row)]));
}

/** Whether a column holds a published value instead of a computed one. */
export function isPublished(column: string, value: ComputedValue, before: Standing | undefined): boolean {
  if (value === null) return false;
  return before === undefined || before.published.includes(column) || before.values[column] !== value;
}

/** Withdraws a parcel's computed values; published values stay. @returns whether the parcel changed */
export function withdrawParcel(file: SqliteFile, id: number, standing: Standing): boolean {
  const known = tableColumns(file, 'parcels');
  // The names come from a file, which may be a stranger's: only those of columns become SQL.
  const columns = Object.keys(standing.values).filter((name) => known.has(name));
  if (columns.length === 0) return false;
  const row = file.get<Record<string, ComputedValue>>(
    `SELECT ${columns.join(', ')} FROM parcels WHERE property_id = ?`,
    id,
  );
  const computed = columns.filter(
    (name) => (row?.[name] ?? null) !== null && !isPublished(name, row?.[name] ?? null, standing),
  );
  if (computed.length === 0) return false;
  file.run(`UPDATE parcels SET ${computed.map((name) => `${name} = NULL`).join(', ')} WHERE property_id = ?`, id);
  return true;
}

/** Withdraws all values of a layer. @returns how many parcels changed */
export function withdrawLayer(file: SqliteFile, layerId: number): number {
  let changed = 0;
  for (const [id, standing] of standingOf(file, layerId)) if (withdrawParcel(file, id, standing)) changed++;
  return changed;
}

/** Values of parcels whose shape has changed since they were computed. */
const staleSql = `SELECT v.layer_id, v.property_id, v."values", v.published FROM layers l
  JOIN computed_values v USING (layer_id) JOIN parcel_registry r USING (property_id)
  WHERE l.fips = ? AND v.geometry_hash IS NOT r.geometry_hash`;

/**
 * Withdraws values computed from shapes that have changed since. Every import calls it in its transaction, so no value
 * ever stands for another shape; the next enrichment recomputes them.
 * @returns the parcels that lost values
 */
export function withdrawStale(file: SqliteFile, fips: string): ReadonlySet<number> {
  const changed = new Set<number>();
  for (const row of file.all<StandingRow & { layer_id: number }>(staleSql, fips)) {
    const { property_id: id, layer_id: layerId } = row;
    if (withdrawParcel(file, id, readStanding(row))) changed.add(id);
    file.run('DELETE FROM computed_values WHERE layer_id = ? AND property_id = ?', layerId, id);
  }
  return changed;
}

/** When the county's parcels were last changed by an import, a deletion or an undo; redoing is `noteChanged`. */
const lastChangeSql = `ifnull((SELECT max(max(i.done_at, ifnull(i.undone_at, ''))) FROM imports i WHERE i.fips = l.fips), '')`;

/**
 * Counts, for each layer, the current parcels it has no values for. Counts only where something was imported since the
 * layer was last complete: 100,000 parcels with seven layers are 700,000 look-ups.
 * @param fips this county alone
 */
export const waitingByLayer = (
  file: SqliteFile,
  fips: string | null,
): { fips: string; kind: string; layer_id: number; parcels: number }[] =>
  file.all(
    `SELECT * FROM (
       SELECT l.fips, l.kind, l.layer_id, CASE WHEN json_extract(l.report, '$.complete_at') > ${lastChangeSql} THEN 0 ELSE (
         SELECT count(*) FROM parcels p WHERE p.fips = l.fips AND p.status = 'current' AND NOT EXISTS (
           SELECT 1 FROM computed_values v WHERE v.layer_id = l.layer_id AND v.property_id = p.property_id)) END AS parcels
       FROM layers l WHERE l.kind <> 'other' AND (:fips IS NULL OR l.fips = :fips))
     WHERE parcels > 0 ORDER BY fips, kind`,
    { fips },
  );

/** Notes which layers of the county have values for every parcel. @param at ISO date-time */
export function noteComplete(file: SqliteFile, fips: string, at: string): void {
  const waiting = JSON.stringify(waitingByLayer(file, fips).map(({ layer_id: id }) => id));
  file.run(
    `UPDATE layers SET report = json_set(report, '$.complete_at', :at)
     WHERE fips = :fips AND layer_id NOT IN (SELECT value FROM json_each(:waiting))`,
    { fips, at, waiting },
  );
}

/** Notes that the layers of a county may lack parcels, which no row of `imports` says: a redone import has its old day. */
export const noteChanged = (file: SqliteFile, fips: string): void => {
  file.run("UPDATE layers SET report = json_remove(report, '$.complete_at') WHERE fips = ?", fips);
};

/** Kinds of a county's layers that lack some current parcel: to recompute after an import. */
export const incompleteLayers = (file: SqliteFile, fips: string): string[] =>
  file.column<string>(
    `SELECT kind FROM layers l WHERE fips = :fips AND kind <> 'other' AND EXISTS (
       SELECT 1 FROM parcels p WHERE p.fips = :fips AND p.status = 'current' AND NOT EXISTS (
         SELECT 1 FROM computed_values v WHERE v.layer_id = l.layer_id AND v.property_id = p.property_id))
     ORDER BY kind`,
    { fips },
  );
