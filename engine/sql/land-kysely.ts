/** Kysely over land.sqlite for users of the library: typed by the dictionary, answered as questions in SQL are. */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { ReadonlyKysely } from 'kysely/readonly';
import type { StoredComp } from '../comps/comp-columns.ts';
import { EngineError } from '../spec/errors.ts';
import type { DatasetRow } from '../store/dataset-row.ts';
import type { ParcelRow } from '../store/parcel-row.ts';
import type { SqlValue } from '../store/sqlite.ts';

/** The documented tables of land.sqlite. Others may change with any version. */
export interface LandTables {
  /** The columns of data/DICTIONARY.md that are stored. Rows whose `status` is not `current` are of earlier imports. */
  readonly parcels: ParcelRow;
  /** Listings and sales. */
  readonly comps: StoredComp;
  /** What is loaded: one row per county and jurisdiction. */
  readonly datasets: DatasetRow & { readonly fips: string };
  /** Every county of the nation, loaded or not. */
  readonly counties: {
    readonly fips: string;
    readonly state: string;
    readonly name: string;
    /** Codes of the counties that took its place, separated by blanks. */
    readonly superseded_by: string | null;
  };
}

/** Each question sees a state of its own, so there are no transactions. */
export type LandKysely = Omit<ReadonlyKysely<LandTables>, 'transaction' | 'startTransaction'>;

type Ask = (text: string, values: readonly SqlValue[]) => readonly object[];

const refuseTransaction = (): never => {
  throw new EngineError('validation_error', 'kysely: expected a query, found a transaction; land.sqlite is only read');
};

function driverOf(ask: Ask): Driver {
  const executeQuery = async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => ({
    rows: ask(sql, parameters as readonly SqlValue[]) as Row[],
  });
  const connection: DatabaseConnection = {
    executeQuery,
    async *streamQuery<Row>(query: CompiledQuery) {
      yield await executeQuery<Row>(query);
    },
  };
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: refuseTransaction,
    commitTransaction: refuseTransaction,
    rollbackTransaction: refuseTransaction,
    destroy: async () => {},
  };
}

/** @param ask answers one statement, and refuses one that writes */
export const landKysely = (ask: Ask): LandKysely =>
  new Kysely<LandTables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => driverOf(ask),
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }) as unknown as LandKysely;
