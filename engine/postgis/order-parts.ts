/** Gives the tables of an older Platbook the order of columns that new ones have (column-order.ts). */
import { orderedParcelColumns } from './column-order.ts';
import type { ServerConnection } from './connect.ts';

const columnsSql = (table: string, value: string): string =>
  `SELECT ${value} FROM pg_attribute a LEFT JOIN pg_collation l ON l.oid = a.attcollation
   WHERE a.attrelid = ${table} AND a.attnum > 0 AND NOT a.attisdropped`;

const definitionSql = `concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
  'COLLATE ' || quote_ident(nullif(l.collname, 'default')), CASE WHEN a.attnotnull THEN 'NOT NULL' END)`;

type Part = { readonly name: string; readonly bound: string; readonly columns: readonly string[] };
type Column = { readonly name: string; readonly definition: string };

/** Rewrites each partition of `parcels`. The parent table keeps its own order of columns: no row is stored in it. */
export async function orderOlderParts(server: ServerConnection): Promise<void> {
  const columns = await orderedColumns(server);
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const parts = await server.rows<Part>(
    `SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bound,
       ARRAY(${columnsSql('c.oid', 'a.attname::text')} ORDER BY a.attnum) AS columns
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'parcels'::regclass ORDER BY 1`,
  );
  await server.run('SET LOCAL statement_timeout = 0');
  for (const { name, bound, columns: standing } of parts) {
    if (columns.every((column, place) => column.name === standing[place])) continue;
    await server.run(`CREATE TABLE ordered_part (${columns.map(({ definition }) => definition).join(', ')});
      INSERT INTO ordered_part (${names}) SELECT ${names} FROM ${name} ORDER BY fips, property_id;
      ALTER TABLE parcels DETACH PARTITION ${name};
      DROP TABLE ${name};
      ALTER TABLE ordered_part RENAME TO ${name};
      ALTER TABLE parcels ATTACH PARTITION ${name} ${bound};
      ANALYZE ${name}`);
  }
}

/** All that the table has: those of another program stay, behind ours. */
async function orderedColumns(server: ServerConnection): Promise<Column[]> {
  const columns = await server.rows<Column>(
    `${columnsSql("'parcels'::regclass", `a.attname AS name, ${definitionSql} AS definition`)} ORDER BY a.attnum`,
  );
  const places = new Map(orderedParcelColumns.map(({ name }, place) => [name, place]));
  const placeOf = ({ name }: Column): number => places.get(name) ?? places.size;
  return columns.sort((a, b) => placeOf(a) - placeOf(b));
}
