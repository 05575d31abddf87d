/** A second connection to an open file: it runs users' SQL and cannot write. */
import Database from 'better-sqlite3';
import { EngineError } from '../spec/errors.ts';
import { type DatabaseKind, prepareConnection, type SqlRow, type SqlValue } from './sqlite.ts';
import { namedError } from './sqlite-errors.ts';

/** By position (`?`) or by name (`:name`, `@name`, `$name`). */
export type SqlValues = readonly SqlValue[] | Readonly<Record<string, SqlValue>>;

export class ReadOnlyFile {
  readonly #path: string;
  readonly #database: Database.Database;

  constructor(filePath: string, kind: DatabaseKind) {
    this.#path = filePath;
    this.#database = new Database(filePath, { readonly: true, fileMustExist: true });
    prepareConnection(this.#database, kind);
    this.#database.pragma('query_only = ON');
  }

  /**
   * All rows of one statement.
   * @throws EngineError validation_error for SQL that is wrong, writes, returns nothing, or is several statements
   */
  rows(text: string, values: SqlValues = []): SqlRow[] {
    try {
      const statement = this.#database.prepare<unknown[], SqlRow>(text);
      if (!statement.reader || !statement.readonly) {
        throw new TypeError('expected one statement that reads (SELECT, WITH, EXPLAIN), found one that does not');
      }
      return Array.isArray(values) ? statement.all(...(values as readonly SqlValue[])) : statement.all(values);
    } catch (error) {
      const named = namedError(error, this.#path);
      if (named instanceof EngineError) throw named;
      const words = error instanceof Error ? error.message : String(error);
      throw new EngineError('validation_error', `sql: ${words}`, { cause: error });
    }
  }

  close(): void {
    this.#database.close();
  }
}
