/**
 * Records the rows a change writes, before and after; and restores them. Temporary triggers record every row, as on
 * SQLite's own page on undo (sqlite.org/undoredo.html), so no change has to describe its undo, and none can describe it
 * wrongly.
 */
import { EngineError } from '../spec/errors.ts';
import type { SqliteFile } from '../store/sqlite.ts';

/** Tables the journal can undo, in words for the refusal. All others (ledger, keys, stored values) stay as they are. */
export const journaledTables: Readonly<Record<string, string>> = {
  saved_searches: 'the saved search',
  stars: 'the star',
  notes: 'the note',
  tags: 'the tag',
  parcel_tags: 'the tag',
  lists: 'the list',
  list_members: 'the list',
  do_not_mail: 'the entry under Do not mail',
  saved_markets: 'the market',
  waypoints: 'the waypoint',
  tracks: 'the track',
  photos: 'the photo',
  visit_fields: 'the fields of visits',
  visits: 'the visit',
  owner_verdicts: 'what was said of two owners',
  sale_verdicts: 'what was said of the sale',
  deals: 'the deal',
  deal_log: 'the timeline of the deal',
  mailings: 'the mailing',
  mailing_choices: 'the letter',
  letters: 'the letter',
  replies: 'the reply',
  mailing_costs: 'the cost',
};

type Row = readonly unknown[];

/** Rows of one table before and after; null: absent. */
export interface TableChange {
  readonly table: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
  readonly rows: readonly (readonly [before: Row | null, after: Row | null])[];
}

interface TableShape {
  readonly columns: readonly string[];
  readonly key: readonly string[];
}

const shapes = new WeakMap<SqliteFile, ReadonlyMap<string, TableShape>>();

/** Columns of the journaled tables; the first call creates the triggers of this connection. */
function shapesOf(file: SqliteFile): ReadonlyMap<string, TableShape> {
  const known = shapes.get(file);
  if (known) return known;
  const found = new Map(
    Object.keys(journaledTables).map((table) => {
      const columns = file.all<{ name: string; pk: number }>(
        'SELECT name, pk FROM pragma_table_info(?) ORDER BY cid',
        table,
      );
      const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
      return [table, { columns: columns.map(({ name }) => name), key: key.map(({ name }) => name) }] as const;
    }),
  );
  file.exec(`CREATE TEMP TABLE recorded_rows (table_name TEXT NOT NULL, before TEXT, after TEXT);
    CREATE TEMP TABLE recording (is_on INTEGER NOT NULL);
    INSERT INTO recording VALUES (0);
    ${[...found].flatMap(([table, { columns }]) => triggers(table, columns)).join('\n')}`);
  shapes.set(file, found);
  return found;
}

function triggers(table: string, columns: readonly string[]): string[] {
  const row = (side: 'OLD' | 'NEW') => `json_array(${columns.map((name) => `${side}."${name}"`).join(', ')})`;
  return (['INSERT', 'UPDATE', 'DELETE'] as const).map(
    (event) => `CREATE TEMP TRIGGER record_${table}_${event.toLowerCase()} AFTER ${event} ON main."${table}"
      WHEN (SELECT is_on FROM recording) BEGIN
        INSERT INTO recorded_rows VALUES ('${table}', ${event === 'INSERT' ? 'NULL' : row('OLD')}, ${event === 'DELETE' ? 'NULL' : row('NEW')});
      END;`,
  );
}

/** Creates the temporary triggers, before the transaction, so that a rollback does not remove them. */
export function prepareRecording(file: SqliteFile): void {
  shapesOf(file);
}

/** Runs `work` and returns what it wrote. Call it in a transaction. */
export function recordRows<Result>(
  file: SqliteFile,
  work: () => Result,
): { readonly result: Result; readonly changed: readonly TableChange[] } {
  const tables = shapesOf(file);
  file.run('DELETE FROM recorded_rows');
  file.run('UPDATE recording SET is_on = 1');
  try {
    const result = work();
    return { result, changed: gather(file, tables) };
  } finally {
    file.run('UPDATE recording SET is_on = 0');
  }
}

interface Recorded {
  readonly table_name: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** A row written several times counts once: as it was first, as it is last. */
function gather(file: SqliteFile, tables: ReadonlyMap<string, TableShape>): TableChange[] {
  const gathered = new Map<string, Map<string, { before: Row | null; after: Row | null }>>();
  for (const { table_name: table, before, after } of file.iterate<Recorded>(
    'SELECT table_name, before, after FROM recorded_rows ORDER BY rowid',
  )) {
    const rows = gathered.get(table) ?? new Map<string, { before: Row | null; after: Row | null }>();
    gathered.set(table, rows);
    const shape = tables.get(table) as TableShape;
    const [was, is] = [before, after].map((text) => (text === null ? null : (JSON.parse(text) as Row)));
    const [wasKey, isKey] = [was, is].map((row) => (row ? keyText(shape, row) : null));
    if (wasKey !== null && wasKey !== undefined && wasKey !== isKey) note(rows, wasKey, was ?? null, null);
    if (isKey !== null && isKey !== undefined) note(rows, isKey, wasKey === isKey ? (was ?? null) : null, is ?? null);
  }
  return [...gathered].flatMap(([table, rows]) => {
    const different = [...rows.values()].filter(
      ({ before, after }) => JSON.stringify(before) !== JSON.stringify(after),
    );
    if (different.length === 0) return [];
    const { columns, key } = tables.get(table) as TableShape;
    return [{ table, columns, key, rows: different.map(({ before, after }) => [before, after] as const) }];
  });
}

function note(
  rows: Map<string, { before: Row | null; after: Row | null }>,
  key: string,
  before: Row | null,
  after: Row | null,
): void {
  const standing = rows.get(key);
  if (standing) standing.after = after;
  else rows.set(key, { before, after });
}

const keyText = ({ columns, key }: TableShape, row: Row): string =>
  JSON.stringify(key.map((name) => row[columns.indexOf(name)]));

/**
 * Restores rows to before (`back`), or to after (`again`). Call it in a transaction.
 * @throws EngineError validation_error if one of them has changed since
 */
export function putRows(file: SqliteFile, changed: readonly TableChange[], direction: 'back' | 'again'): void {
  const known = shapesOf(file);
  // Members may be restored before their list: at the commit all must exist.
  file.pragma('defer_foreign_keys = ON');
  const plans = changed.map((one) => planOf(one, known, direction));
  for (const plan of plans) requireGround(file, plan);
  for (const plan of plans) attempt(plan, () => remove(file, plan));
  for (const plan of plans) attempt(plan, () => update(file, plan));
  for (const plan of plans) attempt(plan, () => insert(file, plan));
  const orphan = file.pragmaRows('foreign_key_check')[0];
  if (orphan) throw groundChanged(String(orphan.parent));
}

interface Plan {
  readonly table: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
  /** JSON of `[current, wanted]`. */
  readonly rows: readonly (readonly [Row | null, Row | null])[];
}

/** Names become SQL, so only those of this file's own tables are accepted. */
function planOf(
  { table, columns, key, rows }: TableChange,
  known: ReadonlyMap<string, TableShape>,
  direction: 'back' | 'again',
): Plan {
  const shape = known.get(table);
  if (!shape || ![...columns, ...key].every((name) => shape.columns.includes(name)))
    throw new EngineError('file_damaged', `The journal does not fit the table ${JSON.stringify(table)}.`);
  return { table, columns, key, rows: direction === 'back' ? rows.map(([was, is]) => [is, was]) : rows };
}

const cell = (side: 0 | 1, index: number): string => `json_extract(e.value, '$[${side}][${index}]')`;

/** The row of `t` with the key of one side. */
const sameKey = ({ columns, key }: Plan, side: 0 | 1): string =>
  key.map((name) => `t."${name}" = ${cell(side, columns.indexOf(name))}`).join(' AND ');

const sameRow = (plan: Plan): string =>
  `${sameKey(plan, 0)} AND ${plan.columns.map((name, i) => `t."${name}" IS ${cell(0, i)}`).join(' AND ')}`;

const part = ({ rows }: Plan, test: (stands: Row | null, wanted: Row | null) => boolean): string =>
  JSON.stringify(rows.filter(([stands, wanted]) => test(stands, wanted)));

function requireGround(file: SqliteFile, plan: Plan): void {
  const standing = part(plan, (stands) => stands !== null);
  const absent = part(plan, (stands) => stands === null);
  const moved =
    file.get(
      `SELECT 1 FROM json_each(?) e WHERE NOT EXISTS (SELECT 1 FROM "${plan.table}" t WHERE ${sameRow(plan)})`,
      standing,
    ) ??
    file.get(
      `SELECT 1 FROM json_each(?) e WHERE EXISTS (SELECT 1 FROM "${plan.table}" t WHERE ${sameKey(plan, 1)})`,
      absent,
    );
  if (moved) throw groundChanged(plan.table);
}

const groundChanged = (table: string): EngineError =>
  new EngineError(
    'validation_error',
    `This can no longer be undone or redone: ${journaledTables[table] ?? table} has been changed since.`,
  );

/** Another row may have taken a unique name. */
function attempt(plan: Plan, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (String((error as { code?: unknown }).code).startsWith('SQLITE_CONSTRAINT')) throw groundChanged(plan.table);
    throw error;
  }
}

function remove(file: SqliteFile, plan: Plan): void {
  const rows = part(plan, (stands, wanted) => stands !== null && wanted === null);
  const names = plan.key.map((name) => `"${name}"`).join(', ');
  const cells = plan.key.map((name) => cell(0, plan.columns.indexOf(name))).join(', ');
  file.run(`DELETE FROM "${plan.table}" WHERE (${names}) IN (SELECT ${cells} FROM json_each(?) e)`, rows);
}

function update(file: SqliteFile, plan: Plan): void {
  const rows = part(plan, (stands, wanted) => stands !== null && wanted !== null);
  const assigned = plan.columns.map((name, i) => `"${name}" = ${cell(1, i)}`).join(', ');
  file.run(`UPDATE "${plan.table}" AS t SET ${assigned} FROM json_each(?) e WHERE ${sameKey(plan, 0)}`, rows);
}

function insert(file: SqliteFile, plan: Plan): void {
  const rows = part(plan, (stands, wanted) => stands === null && wanted !== null);
  const names = plan.columns.map((name) => `"${name}"`).join(', ');
  const cells = plan.columns.map((_, i) => cell(1, i)).join(', ');
  file.run(`INSERT INTO "${plan.table}" (${names}) SELECT ${cells} FROM json_each(?) e`, rows);
}
