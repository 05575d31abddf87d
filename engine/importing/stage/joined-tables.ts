/** Tables joined to the parcels: their rows by key, the rows that each parcel finds, and those that none uses. */
import path from 'node:path';
import { counted, grouped } from '../../spec/counted.ts';
import { EngineError } from '../../spec/errors.ts';
import { columnChoices, joinRowsExample } from '../../spec/join-rows.ts';
import { splitTableName, tablePrefix, withoutTable } from '../../spec/table-names.ts';
import type { SqliteFile } from '../../store/sqlite.ts';
import type { TableFile } from '../formats/table-file.ts';
import { checkJoinRows, combineRows, foldKey, type KeyedRow, rowsOfKey } from '../mapping/join-rows.ts';
import type { MappingRow } from '../mapping/mapping-expression.ts';
import { bindTableColumns, type CompiledJoin } from '../mapping/row-mapper.ts';
import { type ImportOptions, type ImportPlan, progressOf } from './import-options.ts';
import { listedKeys, type ReadingLog, type TableCounts } from './import-report.ts';
import { rawMembers } from './raw-columns.ts';

const progressRows = 1000;

interface StagedRow extends KeyedRow {
  readonly id: number;
  readonly row: number;
  /** Unused columns, as JSON members. */
  readonly raw: string;
}

/** The joined rows of one parcel. */
export interface JoinedParcel {
  /** Unused columns of the rows, as JSON members. */
  readonly raw: string;
  readonly rows: readonly { readonly table: number; readonly used: number[]; readonly others: number[] }[];
}

/** A key of the table that no parcel has. */
export interface JoinedAccount {
  readonly file: string;
  readonly row: number;
  readonly key: string;
  readonly properties: MappingRow['properties'];
}

/** For messages. */
interface Place {
  readonly file: string;
  readonly row: number;
}

/** What is known of a staged row, by its id. */
const marks = { used: 1, repeated: 2, claimed: 4, undecided: 8 } as const;

interface JoinedTable {
  readonly file: TableFile;
  readonly join: CompiledJoin;
  /** Columns that the mapping reads, and their places among those of all tables. */
  readonly columns: readonly string[];
  readonly places: readonly number[];
  readonly counts: TableCounts;
  undecided: { parcels: number; rows: number; example: string };
}

export class JoinedTables {
  readonly #sqlite: SqliteFile;
  readonly #width: number;
  readonly #tables: readonly JoinedTable[];
  readonly #parcels: () => Iterable<MappingRow>;
  readonly #find: (table: number, folded: string) => StagedRow[];
  #marks = new Uint8Array();
  #isClaimedKnown = false;

  /**
   * Reads the tables into `temp.staged_joins`.
   * @param parcels reads the parcels once more: needed only if a key is found in another spelling
   */
  constructor(
    file: SqliteFile,
    { mapper, tables }: Pick<ImportPlan, 'mapper' | 'tables'>,
    options: ImportOptions,
    log: ReadingLog,
    parcels: () => Iterable<MappingRow>,
  ) {
    this.#sqlite = file;
    this.#parcels = parcels;
    this.#width = mapper.tableColumns.length;
    file.exec('DELETE FROM temp.staged_joins');
    this.#tables = tables.map((table, index) => {
      const places = mapper.tableColumns.flatMap((name, place) => (splitTableName(name)?.table === index ? place : []));
      const columns = places.map((place) => withoutTable(mapper.tableColumns[place] ?? ''));
      const counts = { file: path.basename(table.path), rows: 0, joined: 0, unmatched: 0, repeated: 0, accounts: 0 };
      log.tables.push(counts);
      const join = mapper.joins[index] as CompiledJoin;
      return { file: table, join, columns, places, counts, undecided: { parcels: 0, rows: 0, example: '' } };
    });
    checkJoinRows(
      mapper.joins,
      tables.flatMap((table) => table.columns),
    );
    const progress = progressOf(options, 'reading table');
    for (const index of this.#tables.keys()) this.#stage(index, options, log, progress);
    file.exec('CREATE INDEX temp.staged_joins_by_key ON staged_joins (place, folded)');
    const { n } = file.get<{ n: number | null }>('SELECT max(id) AS n FROM temp.staged_joins') ?? { n: 0 };
    this.#marks = new Uint8Array((n ?? 0) + 1);
    const find = file.statement(
      'SELECT id, row, key, "values", raw FROM temp.staged_joins WHERE place = ? AND folded = ? ORDER BY id',
    );
    this.#find = (table, folded) =>
      (find.all(table, folded) as (Omit<StagedRow, 'values'> & { values: string })[]).map((row) => ({
        ...row,
        values: JSON.parse(row.values) as (string | null)[],
      }));
  }

  #stage(index: number, options: ImportOptions, log: ReadingLog, progress: (rows: number) => void): void {
    const { file, join, columns, places, counts } = this.#tables[index] as JoinedTable;
    const positions = bindTableColumns(options.mapping?.name ?? '', columns, file.columns);
    // Unused columns follow, for the raw columns.
    const others = file.columns.map((_, position) => position).filter((position) => !positions.includes(position));
    const otherNames = others.map((position) => file.columns[position] ?? '');
    const insert = this.#sqlite.statement(
      'INSERT INTO temp.staged_joins (place, row, key, folded, "values", raw) VALUES (?, ?, ?, ?, ?, ?)',
    );
    const cells = new Array<string | null>(this.#width).fill(null);
    const row: MappingRow = { properties: {}, id: undefined, table: cells };
    const onDeleted = () => {
      log.table_rows_deleted++;
    };
    for (const { values: all, row: number } of file.rows([...positions, ...others], onDeleted)) {
      log.table_rows++;
      counts.rows++;
      const values = all.slice(0, positions.length);
      for (const [at, place] of places.entries()) cells[place] = values[at] ?? null;
      const key = join.tableKey(row);
      if (key === null) this.#leaveOut(index, log, { row: number, key: null }, 'the row has no key');
      else {
        const raw = rawMembers(otherNames, all.slice(positions.length), () => false, tablePrefix(index));
        insert.run(index, number, key, foldKey(key), JSON.stringify(values), raw);
      }
      if (log.table_rows % progressRows === 0) progress(log.table_rows);
    }
    progress(log.table_rows);
    const encoding = file.encoding?.() ?? null;
    const before = log.table_encoding?.split('; ') ?? [];
    if (encoding !== null) log.table_encoding = [...new Set([...before, encoding])].join('; ');
  }

  #leaveOut(table: number, log: ReadingLog, { row, key }: { row: number; key: string | null }, reason: string): void {
    const { counts } = this.#tables[table] as JoinedTable;
    counts.unmatched++;
    const { table_rows_unmatched: unmatched } = log;
    unmatched.count++;
    if (unmatched.first.length < listedKeys) unmatched.first.push(key ?? `(row ${row}, without a key)`);
    log.tell({ file: counts.file, row, column: '', value: key ?? '', reason: `Not used: ${reason}.` });
  }

  /** Once all parcels are joined: each key of the first table that no parcel has, with its first row. */
  *accounts(): Generator<JoinedAccount> {
    const [first] = this.#tables;
    if (!first) return;
    const rows = this.#sqlite
      .statement('SELECT id, row, key FROM temp.staged_joins WHERE place = 0 ORDER BY id')
      .iterate() as Iterable<{ id: number; row: number; key: string }>;
    for (const { id, row, key } of rows) {
      if (this.#has(id, 'used') || this.#has(id, 'repeated')) continue;
      yield { file: first.counts.file, row, key, properties: first.join.accountProperties(key) };
    }
  }

  /** Fills `row.table`; null if no table has a row for the parcel. Count it with `use` once the parcel is staged. */
  join(row: MappingRow, at: Place, log: ReadingLog): JoinedParcel | null {
    const keys = this.#tables.map(({ join }) => join.parcelKey(row));
    return this.#joinBy(keys, row, at, log);
  }

  /** The same for a key of the first table that no parcel has. */
  joinAccount(key: string, row: MappingRow, at: Place, log: ReadingLog): JoinedParcel | null {
    const others = this.#tables.slice(1).map(({ join }) => join.parcelKey(row));
    return this.#joinBy([key, ...others], row, at, log);
  }

  #joinBy(keys: readonly (string | null)[], row: MappingRow, at: Place, log: ReadingLog): JoinedParcel | null {
    const cells = new Array<string | null>(this.#width).fill(null);
    const found: JoinedParcel['rows'][number][] = [];
    const raws: string[] = [];
    for (const [index, { join, columns, places }] of this.#tables.entries()) {
      const rows = this.#rowsOf(index, keys[index] ?? null, at, log);
      if (rows.length === 0) continue;
      const { values, main, usesAll, isUndecided } = combineRows(rows, columns, join.rows);
      if (isUndecided) this.#noteUndecided(index, rows);
      for (const [position, place] of places.entries()) cells[place] = values[position] ?? null;
      const ids = rows.map(({ id }) => id);
      const used = usesAll ? ids : ids.slice(main, main + 1);
      found.push({ table: index, used, others: ids.filter((id) => !used.includes(id)) });
      raws.push(rows[main]?.raw ?? '');
    }
    row.table = found.length === 0 ? null : cells;
    return found.length === 0 ? null : { raw: raws.filter((raw) => raw !== '').join(','), rows: found };
  }

  #rowsOf(table: number, key: string | null, at: Place, log: ReadingLog): readonly StagedRow[] {
    if (key === null) return [];
    const { rows, problem } = rowsOfKey(key, this.#find(table, foldKey(key)), ({ id }) => this.#isClaimed(id));
    if (problem !== null) log.tell({ ...at, column: '', value: key, reason: `Joined to no row: ${problem}.` });
    if (rows[0] && rows[0].key !== key) log.joined_otherwise++;
    return rows;
  }

  /** Whether a parcel has exactly this key. The first question reads the keys of all parcels. */
  #isClaimed(id: number): boolean {
    if (!this.#isClaimedKnown) for (const row of this.#parcels()) this.#claim(row);
    this.#isClaimedKnown = true;
    return this.#has(id, 'claimed');
  }

  #claim(row: MappingRow): void {
    for (const [index, { join }] of this.#tables.entries()) {
      const key = join.parcelKey(row);
      const alike = key === null ? [] : this.#find(index, foldKey(key));
      for (const found of alike) if (found.key === key) this.#mark(found.id, 'claimed');
    }
  }

  #noteUndecided(table: number, rows: readonly StagedRow[]): void {
    const { undecided } = this.#tables[table] as JoinedTable;
    const [first] = rows as [StagedRow];
    undecided.parcels++;
    if (this.#has(first.id, 'undecided')) return;
    this.#mark(first.id, 'undecided');
    undecided.rows += rows.length;
    const numbers = rows.slice(0, 4).map(({ row }) => row);
    undecided.example ||= `${first.key} has rows ${numbers.join(', ')}${rows.length > numbers.length ? ' …' : ''}`;
  }

  /** The parcel is staged: its rows are used. An account does not show that the table is the right one. */
  use({ rows }: JoinedParcel, log: ReadingLog, isAccount = false): void {
    log[isAccount ? 'accounts' : 'joined']++;
    for (const { table, used, others } of rows) {
      const { counts } = this.#tables[table] as JoinedTable;
      if (!isAccount) counts.joined++;
      else if (table === 0) counts.accounts += used.length;
      for (const id of used) this.#mark(id, 'used');
      for (const id of others) this.#mark(id, 'repeated');
    }
  }

  /**
   * Counts and lists the rows that no parcel uses.
   * @throws EngineError import_refused if parcels find several rows that differ, and nothing says which counts
   */
  finish(log: ReadingLog): void {
    const rows = this.#sqlite
      .statement('SELECT id, place, row, key FROM temp.staged_joins ORDER BY id')
      .iterate() as Iterable<{ id: number; place: number; row: number; key: string }>;
    for (const { id, place, row, key } of rows) {
      if (this.#has(id, 'used')) continue;
      if (!this.#has(id, 'repeated')) this.#leaveOut(place, log, { row, key }, 'no parcel has this key');
      else {
        const { counts } = this.#tables[place] as JoinedTable;
        counts.repeated++;
        log.table_keys_repeated++;
        const reason = 'Not used: another row of the same key counts.';
        log.tell({ file: counts.file, row, column: '', value: key, reason });
      }
    }
    for (const table of this.#tables) expectDecided(table);
  }

  #mark(id: number, mark: keyof typeof marks): void {
    this.#marks[id] = (this.#marks[id] ?? 0) | marks[mark];
  }

  #has(id: number, mark: keyof typeof marks): boolean {
    return ((this.#marks[id] ?? 0) & marks[mark]) !== 0;
  }
}

function expectDecided({ counts, undecided: { parcels, rows, example } }: JoinedTable): void {
  if (parcels === 0) return;
  throw new EngineError(
    'import_refused',
    `${counts.file}: ${counted(parcels, 'parcel finds', 'parcels find')} several rows that differ (${grouped(rows)} rows; ${example}). Say which row counts (--join-rows): first, last, or for each column one of ${columnChoices.join(', ')}, like "${joinRowsExample}"; of columns that are not named the first row counts.`,
  );
}
