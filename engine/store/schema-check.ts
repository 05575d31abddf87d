/**
 * Compares a file's schema with what the migrations made. A trigger can run its own SQL with our functions, so our
 * tables may carry only our triggers. Objects that other programs add for themselves (a layer with its triggers) are
 * left alone: Platbook never writes there. Objects they removed or replaced under the same name (SpatiaLite rebuilds
 * its triggers) are restored.
 */
import { EngineError } from '../spec/errors.ts';

export interface SchemaObject {
  readonly type: 'table' | 'index' | 'trigger' | 'view';
  readonly name: string;
  readonly tbl_name: string;
  /** Null for indexes that SQLite creates itself. */
  readonly sql: string | null;
}

/**
 * @returns statements that restore our triggers, indexes and views
 * @throws EngineError file_suspicious for a foreign trigger on our tables, file_damaged for a missing table
 */
export function inspectSchema(
  found: readonly SchemaObject[],
  expected: readonly SchemaObject[],
  filePath: string,
): string[] {
  const ours = new Map(expected.map((object) => [object.name, object]));
  const stranger = found.find(
    ({ type, name, tbl_name }) => type === 'trigger' && ours.has(tbl_name) && !ours.has(name),
  );
  if (stranger) {
    throw new EngineError(
      'file_suspicious',
      `${filePath} holds the trigger ${JSON.stringify(stranger.name)} on ${stranger.tbl_name}, which Platbook did not make. Drop it to use the file.`,
    );
  }
  const standing = new Map(found.map((object) => [object.name, object]));
  const missing = expected.find(
    ({ type, name }) => (type === 'table' || type === 'view') && standing.get(name)?.type !== type,
  );
  if (missing) {
    throw new EngineError(
      'file_damaged',
      `${filePath} lacks the ${missing.type} ${JSON.stringify(missing.name)}. Restore it from a backup.`,
    );
  }
  return expected.flatMap((object) => repair(object, standing.get(object.name)));
}

function repair(object: SchemaObject, standing: SchemaObject | undefined): string[] {
  if (object.type === 'table' || object.sql === null || standing?.sql === object.sql) return [];
  return standing ? [`DROP ${standing.type} "${standing.name}"`, object.sql] : [object.sql];
}

export interface TableDifference {
  /** As a sentence without its end: `parcels lacks the column apn`. */
  readonly words: string;
  /** Whether another program only added to the table: nothing of ours is missing. */
  readonly isHarmless: boolean;
}

const quoted = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(', ');

/**
 * Compares the text of our tables. At opening only their presence is tested: a foreign column must not keep a home shut.
 * @param columns names of a table's columns, in the file or as the migrations make it
 */
export function compareTables(
  found: readonly SchemaObject[],
  expected: readonly SchemaObject[],
  columns: (table: string, of: 'found' | 'expected') => readonly string[],
): TableDifference[] {
  const standing = new Map(found.map((object) => [object.name, object.sql]));
  return expected
    .filter(({ type, name, sql }) => type === 'table' && sql !== null && standing.get(name) !== sql)
    .map(({ name }) => {
      const [there, ours] = [columns(name, 'found'), columns(name, 'expected')];
      const lacking = ours.filter((column) => !there.includes(column));
      const added = there.filter((column) => !ours.includes(column));
      if (lacking.length > 0)
        return {
          words: `${name} lacks ${lacking.length === 1 ? 'the column' : 'the columns'} ${quoted(lacking)}`,
          isHarmless: false,
        };
      if (added.length > 0) return { words: `${name} also has ${quoted(added)}, of another program`, isHarmless: true };
      return { words: `${name} is declared otherwise than Platbook does`, isHarmless: false };
    });
}
