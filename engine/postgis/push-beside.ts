/** What stands beside a county's parcels: its layers by name, and the model of its market. Few rows, replaced together. */
import type { SqliteFile } from '../store/sqlite.ts';
import type { ServerConnection } from './connect.ts';
import { besideColumns } from './server-columns.ts';

/** Rows as texts, to compare. */
const textOf = (rows: readonly Readonly<Record<string, unknown>>[]): string => JSON.stringify(rows);

/** @returns whether something changed; a home without rows of a county leaves those of the server alone */
export async function pushBeside(server: ServerConnection, file: SqliteFile, fips: string): Promise<boolean> {
  let isChanged = false;
  for (const [name, names] of Object.entries(besideColumns)) {
    const select = `SELECT ${names.join(', ')} FROM ${name} WHERE fips =`;
    const home = file.all<Record<string, unknown>>(`${select} ? ORDER BY ${names.join(', ')}`, fips);
    if (home.length === 0) continue;
    const standing = await server.rows(`${select} $1 ORDER BY ${names.join(', ')}`, [fips]);
    if (textOf(home) === textOf(standing)) continue;
    isChanged = true;
    await server.rows(`DELETE FROM ${name} WHERE fips = $1`, [fips]);
    const places = names.map((_, index) => `$${index + 1}`).join(', ');
    for (const row of home)
      await server.rows(
        `INSERT INTO ${name} (${names.join(', ')}) VALUES (${places})`,
        names.map((column) => row[column]),
      );
  }
  return isChanged;
}
