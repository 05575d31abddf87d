/** Kysely as a compiler only: it builds the text, store/sqlite.ts runs it. The hot path has no promises. */
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { ParcelRow } from '../store/parcel-row.ts';

interface LandSchema {
  readonly parcels: ParcelRow;
}

export const landQueries = new Kysely<LandSchema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});
