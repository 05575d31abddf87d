/** DuckDB in process, one native file, two threads. */
import fs from 'node:fs';
import path from 'node:path';
import type { ColumnType } from '../../../engine/spec/parcel-columns.ts';
import { type BenchEngine, type Cell, processMemory } from './engine.ts';
import { installCommand, isInstalled, requirePackage } from './peer-packages.ts';
import { peerColumns, writePeerRows } from './peer-rows.ts';
import { type Dialect, type Statement, statementsOf } from './peer-sql.ts';

/** What the bench uses of @duckdb/node-api. */
interface DuckDb {
  readonly DuckDBInstance: {
    create(file: string, options: Record<string, string>): Promise<Instance>;
  };
  version(): string;
}
interface Instance {
  connect(): Promise<Connection>;
  closeSync(): void;
}
interface Connection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getRowsJS(): unknown[][] }>;
  closeSync(): void;
}

const threads = '2';
const fileIn = (folder: string): string => path.join(folder, 'parcels.duckdb');

const types: Readonly<Record<ColumnType | 'geometry', string>> = {
  id: 'BIGINT',
  integer: 'INTEGER',
  money: 'BIGINT',
  number: 'DOUBLE',
  percent: 'DOUBLE',
  text: 'VARCHAR',
  date: 'DATE',
  boolean: 'BOOLEAN',
  point: 'VARCHAR',
  shape: 'VARCHAR',
  percents: 'VARCHAR',
  geometry: 'BLOB',
};

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const literal = (value: unknown): string => (typeof value === 'string' ? quoted(value) : String(value));

/** Letters, marks and digits make words, as in the contract; RE2's own \b knows ASCII alone. */
const wordEdge = '[^\\p{L}\\p{M}\\p{N}]';
const plainPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** `contains` over upper case is quicker than ILIKE, one regular expression than a test for each word. */
const dialect: Dialect = {
  placeholder: () => '?',
  oneOf: (column, values, bind) => `${column} IN (${values.map(bind).join(', ')})`,
  withoutWords: (column, words, bind) =>
    `(regexp_matches(${column}, ${bind(`(^|${wordEdge})(${words.map(plainPattern).join('|')})($|${wordEdge})`)}, 'i')) IS NOT TRUE`,
  withTokens: (column, tokens, bind) =>
    tokens.map((token) => `contains(upper(${column}), ${bind(token.toUpperCase())})`).join(' AND '),
  intersects: () => {
    throw new Error('DuckDB has no exact test');
  },
};

/** Puts the values into the text, in the order of their placeholders. */
function textOf({ sql, values }: Statement): string {
  let at = 0;
  return sql.replace(/\?/g, () => literal(values[at++]));
}

async function connect(folder: string): Promise<{ connection: Connection; close: () => void; version: string }> {
  const { DuckDBInstance, version } = requirePackage<DuckDb>('@duckdb/node-api');
  const instance = await DuckDBInstance.create(fileIn(folder), { threads });
  const connection = await instance.connect();
  const close = () => {
    connection.closeSync();
    instance.closeSync();
  };
  return { connection, close, version: version() };
}

const noExactTest = 'no exact test: its spatial extension comes from its own site, not from npm';

export const duckdb: BenchEngine = {
  name: 'DuckDB',
  missing: () => {
    if (!isInstalled('@duckdb/node-api')) return `the npm package @duckdb/node-api: ${installCommand}`;
    try {
      requirePackage<DuckDb>('@duckdb/node-api').version();
      return null;
    } catch (error) {
      return `@duckdb/node-api with the binary of this platform: ${(error as Error).message.split('\n')[0]}`;
    }
  },
  cannot: { Q4a: noExactTest, Q4b: noExactTest },
  load: async (landFile, folder) => {
    const csvFile = path.join(folder, 'duckdb.csv');
    writePeerRows(landFile, csvFile);
    fs.rmSync(fileIn(folder), { force: true });
    const began = performance.now();
    const { connection, close } = await connect(folder);
    const columns = peerColumns.map(({ name, type }) => `${name} ${types[type]}`);
    const read = peerColumns.map(({ name, type }) => `'${name}': '${type === 'geometry' ? 'VARCHAR' : types[type]}'`);
    await connection.run(`CREATE TABLE parcels (${columns.join(', ')})`);
    await connection.run(
      `INSERT INTO parcels SELECT * REPLACE (unhex(geom) AS geom) FROM read_csv(${quoted(csvFile)}, header = false,
         auto_detect = false, quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false,
         columns = {${read.join(', ')}})`,
    );
    await connection.run('CHECKPOINT');
    close();
    fs.rmSync(csvFile);
    return { seconds: (performance.now() - began) / 1000, bytes: fs.statSync(fileIn(folder)).size };
  },
  open: async (folder) => {
    const { connection, close, version } = await connect(folder);
    const rowsOf = async (statement: Statement) =>
      (await connection.runAndReadAll(textOf(statement))).getRowsJS() as (Cell | bigint)[][];
    return {
      version: () => version,
      ask: async (question) => {
        const { count, page } = statementsOf(question, dialect);
        const [[matches = 0] = []] = await rowsOf(count);
        const rows = await rowsOf(page);
        return () => ({
          count: Number(matches),
          rows: rows.map((row) => row.map((cell) => (typeof cell === 'bigint' ? Number(cell) : cell))),
        });
      },
      residentMemory: processMemory,
      close,
    };
  },
  files: (folder) => [fileIn(folder)],
  preload: () => {
    requirePackage<DuckDb>('@duckdb/node-api').version();
  },
};
