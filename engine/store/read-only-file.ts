/** A second connection to an open file: it runs users' SQL and cannot write. */
import Database from 'better-sqlite3';
import { EngineError } from '../spec/errors.ts';
import { type DatabaseKind, prepareConnection, type SqlRow, type SqlValue } from './sqlite.ts';
import { namedError } from './sqlite-errors.ts';

/** By position (`?`) or by name (`:name`, `@name`, `$name`). */
export type SqlValues = readonly SqlValue[] | Readonly<Record<string, SqlValue>>;

/** Pragmas that only describe the schema. Others change the connection, some even while they are prepared. */
const tellingPragma =
  /^\s*PRAGMA\s+(?:main\.)?(?:table_info|table_xinfo|table_list|index_list|index_info|index_xinfo|foreign_key_list|database_list|function_list|compile_options|user_version|application_id)\s*(?:\(\s*\w+\s*\))?\s*;?\s*$/i;

/** Comments, texts and quoted names, in which the word means nothing. */
const notCode = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]/g;

/** @throws TypeError */
function refusePragma(text: string): void {
  const code = text.replace(notCode, (part) => (/^[-/]/.test(part) ? ' ' : 'x'));
  if (!/\bPRAGMA\b/i.test(code) || tellingPragma.test(code)) return;
  throw new TypeError(
    'expected a SELECT, found a PRAGMA; those that tell of tables and indexes (table_info) are answered',
  );
}

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
      refusePragma(text);
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
