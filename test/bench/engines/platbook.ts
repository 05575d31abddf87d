/** Platbook itself. One line here chooses what answers. */
import path from 'node:path';
import Database from 'better-sqlite3';
import { type Engine, openEngine } from '../../../engine/engine.ts';
import { openCounties } from '../../../engine/query/county-index.ts';
import type { ParcelPage } from '../../../engine/query/parcel-query.ts';
import { type Answer, type BenchEngine, processMemory } from './engine.ts';
import { bytesByColumns, countByColumns, findByColumns } from './platbook-columns.ts';

const [find, findCount] = [findByColumns, countByColumns];

/** The summary's empty texts mean unknown. */
const known = (text: string): string | null => text || null;

export function answerOf({ count, results }: ParcelPage): Answer {
  return {
    count,
    rows: results.map((row) => [
      ...[row.property_id, known(row.apn), row.fips, row.point?.[0] ?? null, row.point?.[1] ?? null, row.acres],
      ...[row.calculated_acres, known(row.owner_name), row.situs_address, known(row.situs_city)],
      ...[known(row.situs_state), known(row.situs_zip)],
    ]),
  };
}

/** What answers: if a county's index is missing or stale, SQL does. */
function versionOf({ land }: Engine): string {
  const isIndexed = land.file.snapshot(() => openCounties(land, null) !== null);
  const sqlite = land.file.get<{ version: string }>('SELECT sqlite_version() AS version')?.version;
  return `SQLite ${sqlite}, ${find === findByColumns && isIndexed ? 'answered by the column index' : 'answered by SQL'}`;
}

export const platbook: BenchEngine = {
  name: 'Platbook',
  missing: () => null,
  cannot: {},
  load: () => Promise.reject(new Error('a home is loaded by the importer, in a process of its own')),
  /** @param folder the home */
  open: async (folder) => {
    // A stopped clock: the bench measures times itself, so no query may hit its deadline.
    const engine = openEngine({ home: folder, steadyNow: () => 0 });
    return {
      version: () => versionOf(engine),
      ask: (question) => {
        const page = find(engine, question);
        return () => answerOf(page);
      },
      count: (question) => findCount(engine, question),
      touched: (question) => bytesByColumns(engine, question),
      residentMemory: processMemory,
      close: () => engine.close(),
    };
  },
  files: (folder) => ['land.sqlite', 'people.sqlite', 'account.sqlite'].map((name) => path.join(folder, name)),
  // better-sqlite3 loads its binary with the first database.
  preload: () => {
    new Database(':memory:').close();
  },
};
