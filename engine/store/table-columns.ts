/** Names of a table's columns. Names that come from a file become SQL only if they are among them: it may be a stranger's. */
import type { SqliteFile } from './sqlite.ts';

const known = new WeakMap<SqliteFile, Map<string, ReadonlySet<string>>>();

/** Read once: no table changes while its file is open. */
export function tableColumns(file: SqliteFile, table: string): ReadonlySet<string> {
  const tables = known.get(file) ?? new Map<string, ReadonlySet<string>>();
  known.set(file, tables);
  const columns = tables.get(table) ?? new Set(file.column<string>('SELECT name FROM pragma_table_info(?)', table));
  tables.set(table, columns);
  return columns;
}
