/**
 * Wraps better-sqlite3: opening with named errors, migrations, a statement cache and IMMEDIATE transactions. `new
 * Database(path)` succeeds on anything, even on 0 bytes, so the header is inspected first, and a failed open never
 * writes.
 */
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { EngineError } from '../spec/errors.ts';
import { inspectHeader, removeDatabase } from './file-header.ts';
import { compareTables, inspectSchema, type SchemaObject, type TableDifference } from './schema-check.ts';
import { namedError, namedFolderError } from './sqlite-errors.ts';

export type SqlValue = string | number | bigint | Buffer | null;
export type SqlRow = Record<string, unknown>;
type Statement = Database.Statement<unknown[], SqlRow>;
/** Arguments have SQLite's types; `never` lets each function name the types it expects. */
export type SqlFunction = (...values: never[]) => SqlValue;

/** What kind of database a file should be. */
export interface DatabaseKind {
  /** File name for messages. */
  readonly fileName: string;
  /** Four letters in the SQLite header that mark the file as Platbook's. */
  readonly applicationId: number;
  readonly migrations: readonly string[];
  /** FULL where an acknowledged row must survive a power cut, NORMAL where a lost import can be repeated. */
  readonly synchronous: 'FULL' | 'NORMAL';
  /** SQL functions that triggers and queries of this file use; the arity comes from `fn.length`. */
  readonly functions: () => Readonly<Record<string, SqlFunction>>;
  /** Those functions whose result depends on more than their arguments. */
  readonly changing?: readonly string[];
  /** Modules of virtual tables that other programs bring along; here they are empty tables. */
  readonly virtualModules?: readonly string[];
  /** Runs after triggers or indexes were restored, in the same transaction: data they maintain may be stale. */
  readonly afterRepair?: (file: SqliteFile) => void;
  /** Fills a new file, in the transaction that creates it. */
  readonly seed?: (file: SqliteFile) => void;
  /** What is deleted is overwritten with zeros: it holds people who may ask for that. */
  readonly erasesDeleted?: boolean;
  /** What is deleted can be given back to the disk (`PRAGMA incremental_vacuum`). */
  readonly shrinks?: boolean;
  /** Bytes per page; larger pages keep wide rows together. */
  readonly pageSize?: number;
  /** Kibibytes of page cache; with SQLite's default of 2,000 every scan of a county reads the file again. */
  readonly cacheKibibytes?: number;
}

/** Files up to this size get SQLite's quick check on every open; `platbook check` does larger ones. */
export const quickCheckBytes = 64 * 1024 * 1024;

/** How long to wait for another writer before `file_locked`. */
const busyMilliseconds = 5000;

const mostStatements = 500;

export class SqliteFile {
  readonly path: string;
  readonly #kind: DatabaseKind | null;
  readonly #database: Database.Database;
  readonly #nameError: typeof namedError;
  /** Runs what it is given; made once, since making one takes longer than BEGIN and COMMIT. */
  readonly #whole: Database.Transaction<(work: () => unknown) => unknown>;
  readonly #statements = new Map<string, Statement>();
  readonly #columns = new Map<string, Statement>();
  readonly #raw = new Map<string, Statement>();

  constructor(
    filePath: string,
    database: Database.Database,
    { kind = null, nameError = namedError }: { kind?: DatabaseKind | null; nameError?: typeof namedError } = {},
  ) {
    this.path = filePath;
    this.#kind = kind;
    this.#database = database;
    this.#nameError = nameError;
    this.#whole = database.transaction((work) => work());
  }

  /** The prepared statement for this text; prepared once. */
  statement(text: string): Statement {
    const known = this.#statements.get(text);
    if (known) return known;
    const made = this.#database.prepare<unknown[], SqlRow>(text);
    // Callers choose filters and columns, so that there is no end of texts.
    if (this.#statements.size >= mostStatements) this.#statements.clear();
    this.#statements.set(text, made);
    return made;
  }

  all<Row = SqlRow>(text: string, ...values: unknown[]): Row[] {
    return this.#guard(() => this.statement(text).all(...values) as Row[]);
  }

  /** The first column of every row. */
  column<Value>(text: string, ...values: unknown[]): Value[] {
    return this.#guard(() => {
      // Cached separately: `pluck` changes a statement permanently.
      const statement = this.#columns.get(text) ?? this.#database.prepare<unknown[], SqlRow>(text).pluck();
      this.#columns.set(text, statement);
      return statement.all(...values) as unknown[] as Value[];
    });
  }

  /** Rows as arrays, in column order: takes half the time of objects. */
  rawRows(text: string, ...values: unknown[]): unknown[][] {
    return this.#guard(() => {
      // Cached separately: `raw` changes a statement permanently.
      const statement = this.#raw.get(text) ?? this.#database.prepare<unknown[], SqlRow>(text).raw();
      this.#raw.set(text, statement);
      return statement.all(...values) as unknown as unknown[][];
    });
  }

  get<Row = SqlRow>(text: string, ...values: unknown[]): Row | undefined {
    return this.#guard(() => this.statement(text).get(...values) as Row | undefined);
  }

  run(text: string, ...values: unknown[]): Database.RunResult {
    return this.#guard(() => this.statement(text).run(...values));
  }

  iterate<Row = SqlRow>(text: string, ...values: unknown[]): IterableIterator<Row> {
    return this.#guardEach(this.#guard(() => this.statement(text).iterate(...values) as IterableIterator<Row>));
  }

  /** Runs several statements that return nothing. */
  exec(text: string): void {
    this.#guard(() => this.#database.exec(text));
  }

  pragma(text: string): unknown {
    return this.#guard(() => this.#database.pragma(text, { simple: true }));
  }

  pragmaRows(text: string): SqlRow[] {
    return this.#guard(() => this.#database.pragma(text) as SqlRow[]);
  }

  /** Changes whenever any connection writes the file, even a write of this one that was rolled back. */
  writesSeen(): string {
    return `${this.pragma('data_version')} ${this.column<number>('SELECT total_changes()')[0]}`;
  }

  /**
   * All or nothing, and IMMEDIATE: a deferred transaction that reads first fails at once if another program has
   * written.
   */
  transaction<Result>(work: () => Result): Result {
    return this.#guard(() => this.#whole.immediate(work) as Result);
  }

  /** Reads one state of the file, whatever other connections write meanwhile. */
  snapshot<Result>(work: () => Result): Result {
    return this.#guard(() => this.#whole.deferred(work) as Result);
  }

  /** Lets `work` write the shadow tables of a virtual table, which SQLite normally protects. */
  withShadowTables<Result>(work: () => Result): Result {
    this.#database.unsafeMode(true);
    try {
      return work();
    } finally {
      this.#database.unsafeMode(false);
    }
  }

  /** Where its tables differ from what the migrations make, as clauses; for a check, since it builds them all. */
  schemaDifferences(): TableDifference[] {
    if (!this.#kind) return [];
    const reference = new Database(':memory:');
    try {
      registerModules(reference, this.#kind);
      for (const migration of this.#kind.migrations) reference.exec(migration);
      return compareTables(schemaOf(this.#database), schemaOf(reference), (table, of) =>
        (of === 'found' ? this.#database : reference)
          .prepare<[string], string>('SELECT name FROM pragma_table_xinfo(?)')
          .pluck()
          .all(table),
      );
    } finally {
      reference.close();
    }
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  /** `work` is refused at once, as `file_locked`, if another program writes the file. */
  withoutWaiting<Result>(work: () => Result): Result {
    const patience = this.pragma('busy_timeout');
    this.pragma('busy_timeout = 0');
    try {
      return work();
    } finally {
      this.pragma(`busy_timeout = ${String(patience)}`);
    }
  }

  /** Folds the write-ahead log into the file as far as other programs allow, without waiting. */
  checkpoint(): void {
    this.withoutWaiting(() => this.pragma('wal_checkpoint(TRUNCATE)'));
  }

  /** Folds the write-ahead log into the file and closes it. */
  close(): void {
    if (!this.#database.open) return;
    this.#statements.clear();
    this.#columns.clear();
    this.#raw.clear();
    try {
      if (!this.#database.readonly) this.#database.pragma('wal_checkpoint(TRUNCATE)');
    } catch {
      // Another program is still reading: the log stays, complete, and the next open folds it in.
    }
    this.#database.close();
  }

  #guard<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw this.#nameError(error, this.path);
    }
  }

  /** A damaged page may turn up after any number of rows. */
  *#guardEach<Row>(rows: IterableIterator<Row>): Generator<Row> {
    try {
      yield* rows;
    } catch (error) {
      throw this.#nameError(error, this.path);
    }
  }
}

/** Prepares a connection to a file of this kind for its first statement. */
export function prepareConnection(database: Database.Database, kind: DatabaseKind): void {
  database.pragma(`busy_timeout = ${busyMilliseconds}`);
  database.pragma('foreign_keys = ON');
  registerModules(database, kind);
  for (const [name, fn] of Object.entries(kind.functions())) {
    const deterministic = !kind.changing?.includes(name);
    database.function(name, { deterministic }, fn as (...values: unknown[]) => unknown);
  }
}

/** Uses the factory form, which `CREATE VIRTUAL TABLE` needs; the static form makes an eponymous table instead. */
function registerModules(database: Database.Database, kind: DatabaseKind): void {
  for (const name of kind.virtualModules ?? []) {
    // The types of better-sqlite3 declare only the static form.
    const factory: unknown = () => ({ columns: ['nothing'], *rows() {} });
    database.table(name, factory as Parameters<typeof database.table>[1]);
  }
}

/** Opens the file at `filePath`, creates it if missing, migrates an older one. */
export function openSqliteFile(filePath: string, kind: DatabaseKind): SqliteFile {
  if (!fs.existsSync(filePath)) createFile(filePath, (temporary) => buildFile(temporary, kind));
  inspectHeader(filePath, kind);
  const database = openDatabase(filePath);
  try {
    const repairs = inspectContent(database, filePath, kind);
    prepareConnection(database, kind);
    database.pragma('journal_mode = WAL');
    database.pragma(`synchronous = ${kind.synchronous}`);
    if (kind.erasesDeleted) database.pragma('secure_delete = ON');
    if (kind.cacheKibibytes) database.pragma(`cache_size = -${kind.cacheKibibytes}`);
    const file = new SqliteFile(filePath, database, { kind });
    if (repairs.length > 0) {
      file.transaction(() => {
        file.exec(repairs.join(';\n'));
        kind.afterRepair?.(file);
      });
    }
    migrate(file, kind);
    return file;
  } catch (error) {
    database.close();
    throw namedError(error, filePath);
  }
}

function openDatabase(filePath: string): Database.Database {
  try {
    return new Database(filePath);
  } catch (error) {
    throw namedError(error, filePath);
  }
}

/**
 * A new file appears whole or not at all: written under another name, in one transaction, then linked. If the process
 * dies first, a `.new` file is left that nothing opens; of two processes at once, one wins and both use its file.
 */
function createFile(filePath: string, fill: (temporary: string) => void): void {
  const temporary = `${filePath}.${process.pid}.new`;
  try {
    makeFolder(path.dirname(filePath));
    removeDatabase(temporary);
    try {
      fill(temporary);
      publish(temporary, filePath);
    } finally {
      fs.rmSync(temporary, { force: true });
    }
  } catch (error) {
    throw namedFolderError(error, filePath) ?? namedError(error, filePath);
  }
}

/** Puts a prepared database where none is; one that is there stays. @throws EngineError disk_full and others */
export const placeFile = (filePath: string, content: Uint8Array): void =>
  createFile(filePath, (temporary) => fs.writeFileSync(temporary, content, { flag: 'wx', mode: 0o600, flush: true }));

/** Level by level: Node's recursive mkdir never returns where a parent exists but accepts no folders (/proc). */
function makeFolder(folder: string): void {
  if (fs.existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  try {
    // A home holds people: it is its user's alone.
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function buildFile(temporary: string, kind: DatabaseKind): void {
  makePrivateFile(temporary);
  const database = new Database(temporary);
  try {
    if (kind.pageSize) database.pragma(`page_size = ${kind.pageSize}`);
    if (kind.shrinks) database.pragma('auto_vacuum = INCREMENTAL');
    prepareConnection(database, kind);
    migrate(new SqliteFile(temporary, database), kind);
    database.pragma(`application_id = ${kind.applicationId}`);
  } finally {
    database.close();
  }
}

/** An empty file that its user alone may read, for SQLite to fill; the files that SQLite puts beside it have its rights. */
export function makePrivateFile(filePath: string): void {
  fs.closeSync(fs.openSync(filePath, 'wx', 0o600));
}

function publish(temporary: string, filePath: string): void {
  try {
    fs.linkSync(temporary, filePath);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST') return;
    // Some disks (exFAT on a stick) lack links: a rename comes next, though it may replace another process's fresh
    // file.
    fs.renameSync(temporary, filePath);
  }
}

/** @returns SQL that restores what other programs removed from the schema; usually empty */
function inspectContent(database: Database.Database, filePath: string, kind: DatabaseKind): string[] {
  const version = database.pragma('user_version', { simple: true }) as number;
  const reference = new Database(':memory:');
  try {
    registerModules(reference, kind);
    for (const migration of kind.migrations.slice(0, version)) reference.exec(migration);
    const repairs = inspectSchema(schemaOf(database), schemaOf(reference), filePath);
    if (fs.statSync(filePath).size <= quickCheckBytes) quickCheck(database, filePath);
    return repairs;
  } finally {
    reference.close();
  }
}

const schemaOf = (database: Database.Database): SchemaObject[] =>
  database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema').all() as SchemaObject[];

export function quickCheck(database: Database.Database, filePath: string): void {
  const answer = database.pragma('quick_check(1)', { simple: true });
  if (answer !== 'ok') {
    throw new EngineError('file_damaged', `${filePath} is damaged: ${String(answer)}. Restore it from a backup.`);
  }
}

function migrate(file: SqliteFile, kind: DatabaseKind): void {
  if ((file.pragma('user_version') as number) === kind.migrations.length) return;
  file.transaction(() => {
    // Read again inside the lock: another process may have migrated meanwhile.
    const version = file.pragma('user_version') as number;
    for (const migration of kind.migrations.slice(version)) file.exec(migration);
    if (version === 0) kind.seed?.(file);
    file.pragma(`user_version = ${kind.migrations.length}`);
  });
}

/** The four letters of an application id as the integer SQLite stores. */
export const applicationId = (letters: string): number => Buffer.from(letters, 'latin1').readUInt32BE(0);
