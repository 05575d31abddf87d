/**
 * The id of a home, in each of its three files: an account.sqlite of another home would put notes and lists on other
 * parcels, and nothing else in it says so.
 */
import type { SqliteFile } from './sqlite.ts';

export const homeIdentitySql = `
CREATE TABLE home_identity (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  home TEXT NOT NULL
);
`;

/** Null: a file that no home has taken in yet, as a copy to share, or one of an older version. */
export const homeIdOf = (file: SqliteFile): string | null =>
  file.get<{ home: string }>('SELECT home FROM home_identity')?.home ?? null;

/** Takes a file in that has no id; one of another home keeps its own. */
function takeIn(file: SqliteFile, home: string): void {
  if (homeIdOf(file) === null) file.run('INSERT OR IGNORE INTO home_identity (id, home) VALUES (1, ?)', home);
}

/**
 * Gives the files of a home one id. Two programs that do so at once end with the same: the first file decides.
 * @param files land.sqlite first
 * @param newId for a home that has none yet
 */
export function agreeOnHome([first, ...others]: readonly [SqliteFile, ...SqliteFile[]], newId: string): void {
  takeIn(first, others.map(homeIdOf).find((id) => id !== null) ?? newId);
  const home = homeIdOf(first) ?? newId;
  for (const file of others) takeIn(file, home);
}

/** Removes the id from a file that goes into another home, or to another person. */
export const leaveHome = (file: SqliteFile): void => file.exec('DELETE FROM home_identity');
