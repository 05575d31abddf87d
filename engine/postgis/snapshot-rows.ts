/** Rows of one snapshot: the questions of a transaction. */
import { type RawBuilder, sql } from 'kysely';
import { EngineError, tooBroad } from '../spec/errors.ts';
import type { Row, ServerConnection } from './connect.ts';
import { compiled } from './postgres-dialect.ts';

/** SQLSTATE of a statement stopped at its time limit. */
const stopped = '57014';

export class SnapshotRows {
  readonly #server: ServerConnection;

  constructor(server: ServerConnection) {
    this.#server = server;
  }

  /** @throws EngineError postgis_…; validation_error past the time limit */
  all<Found extends Row = Row>(query: RawBuilder<unknown>): Promise<Found[]> {
    const { sql: text, parameters } = compiled(query);
    return this.#server.guard(async () => {
      try {
        return (await this.#server.client.query<Found>(text, [...parameters])).rows;
      } catch (error) {
        if ((error as { readonly code?: unknown }).code === stopped) throw tooBroad();
        throw error;
      }
    });
  }

  async first<Found extends Row = Row>(query: RawBuilder<unknown>): Promise<Found | undefined> {
    const [row] = await this.all<Found>(query);
    return row;
  }

  /**
   * The first row of a question that reads many rows of a county: PostgreSQL reads each page once, and not each row by an
   * index, which it takes for cheaper. The settings travel with the question.
   */
  async byPages<Found extends Row>(query: RawBuilder<unknown>): Promise<Found | undefined> {
    const [, rows] = await Promise.all([
      this.#server.run('SET LOCAL enable_indexscan = off'),
      this.all<Found>(query),
      this.#server.run('SET LOCAL enable_indexscan = on'),
    ]);
    return rows[0];
  }

  /** Null if it takes too long; the snapshot goes on. */
  async inTime<Result>(work: () => Promise<Result>): Promise<Result | null> {
    await this.#server.run('SAVEPOINT in_time');
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'validation_error') throw error;
      await this.#server.run('ROLLBACK TO SAVEPOINT in_time');
      return null;
    }
  }
}

/** The row of an id. Its county is asked first: with it known, the plan has one partition of fifty-seven. */
export async function ofId(rows: SnapshotRows, id: number): Promise<RawBuilder<unknown>> {
  const found = await rows.first<{ readonly fips: string | null }>(sql`SELECT county_of(${id}::bigint) AS fips`);
  return sql`p.fips = ${found?.fips ?? null}::text AND p.property_id = ${id}::bigint`;
}
