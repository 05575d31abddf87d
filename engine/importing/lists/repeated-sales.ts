/** What an import of comps tells again: the county's own comps give way, and other tellings are counted. */
import { assessorSource } from '../../comps/comp-columns.ts';
import { splitToldRows, type ToldComp, type ToldRow, toldComp, toldSql } from '../../comps/comp-facts.ts';
import { SaleFinder } from '../../comps/same-sale.ts';
import type { SqliteFile } from '../../store/sqlite.ts';

/** The comps of a county that others than the county itself tell. */
export const findTold = (file: SqliteFile, fips: string): SaleFinder<ToldComp> =>
  new SaleFinder(
    file
      .all<ToldRow>(`SELECT ${toldSql} FROM comps c WHERE fips = ? AND source <> ?`, fips, assessorSource)
      .map(toldComp),
  );

/** Removes derived comps that a listing source tells too, as if it had come before them. @returns how many */
export function yieldDerived(file: SqliteFile, fips: string): number {
  const derived = file.all<ToldRow>(
    `SELECT ${toldSql} FROM comps c WHERE fips = ? AND source = ?`,
    fips,
    assessorSource,
  );
  if (derived.length === 0) return 0;
  const told = findTold(file, fips);
  const twins = derived.map(toldComp).filter((sale) => told.find(sale) !== undefined);
  for (const { row } of twins) file.run('DELETE FROM comps WHERE comp_id = ?', row.comp_id);
  return twins.length;
}

/** How many comps of a county tell the sale of another one again: it counts once for values and markets. */
export const countToldAgain = (file: SqliteFile, fips: string): number =>
  splitToldRows(file.all<ToldRow>(`SELECT ${toldSql} FROM comps c WHERE fips = ?`, fips)).twins.length;
