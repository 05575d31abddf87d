/** Kysely as a compiler only: it builds the text, store/sqlite.ts runs it. The hot path has no promises. */
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';

/** The spec's tables name the stored columns, so rows are typed only where code names a column. */
interface LandSchema {
  parcels: ParcelRow;
}

/** A row of the parcels table as SQLite holds it. */
export interface ParcelRow {
  property_id: number;
  fips: string;
  apn: string | null;
  apn_key: string | null;
  status: string;
  acres: number | null;
  calculated_acres: number | null;
  owner_name: string | null;
  situs_address: string | null;
  situs_city: string | null;
  situs_state: string | null;
  situs_zip: string | null;
  mailing_key: string | null;
  dataset_id: number | null;
  point_lon: number | null;
  point_lat: number | null;
  geom: Buffer | null;
}

export const landQueries = new Kysely<LandSchema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});
