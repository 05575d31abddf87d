/** How a mapping names the columns of joined tables: `table.OWNER` of the first, `table2.OWNER` of the second. */

export const tablePrefix = (table: number): string => (table === 0 ? 'table.' : `table${table + 1}.`);

export const maxTables = 9;

const form = /^table([2-9]?)\./;

/** The table, from 0, and the column's own name; null: a column of the parcels. */
export function splitTableName(name: string): { readonly table: number; readonly column: string } | null {
  const found = form.exec(name);
  return found && { table: Number(found[1] || 1) - 1, column: name.slice(found[0].length) };
}

export const isTableName = (name: string): boolean => form.test(name);

/** The column's own name. */
export const withoutTable = (name: string): string => name.replace(form, '');

const isList = <Join>(join: Join | readonly Join[]): join is readonly Join[] => Array.isArray(join);

/** The joins of a mapping, which may have one, a list, or none. */
export const joinsOf = <Join>({ join }: { readonly join?: Join | readonly Join[] }): readonly Join[] =>
  join === undefined ? [] : isList(join) ? join : [join];
