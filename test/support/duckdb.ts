/** DuckDB as an independent reader and writer of GeoParquet, from the packages beside the bench. */
import { onTestFinished } from 'vitest';
import { installCommand, isInstalled, requirePackage } from '../bench/engines/peer-packages.ts';
import { noteSkip } from './require.ts';

interface Connection {
  runAndReadAll(sql: string): Promise<{ getRowsJS(): unknown[][] }>;
  closeSync(): void;
}
interface DuckDb {
  readonly DuckDBInstance: { create(file: string): Promise<{ connect(): Promise<Connection>; closeSync(): void }> };
}

type Ask = (sql: string) => Promise<unknown[][]>;

/** Answers of a database of its own for each test; null, noted, where it is not installed. */
export function duckDbOrSkip(name: string): Ask | null {
  if (!isInstalled('@duckdb/node-api')) {
    noteSkip(name, `the npm package @duckdb/node-api is not installed: ${installCommand}`);
    return null;
  }
  return async (sql) => {
    const instance = await requirePackage<DuckDb>('@duckdb/node-api').DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    onTestFinished(() => {
      connection.closeSync();
      instance.closeSync();
    });
    return (await connection.runAndReadAll(sql)).getRowsJS();
  };
}
