/**
 * A filter or search by SQL: the exact count and one page. It stands in while a county's column index is missing or
 * stale, and the tests compare the index with it (docs/adr/0004-column-index.md).
 */
import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Page } from '../../spec/paging.ts';
import type { AreaTest, LandStore } from '../../store/land-store.ts';
import type { KeptUnknownTest } from '../filter-terms.ts';
import { landQueries } from '../land-schema.ts';
import {
  type KeptUnknown,
  type Ordering,
  type ParcelPage,
  pastTheEnd,
  someKept,
  summariesOf,
} from '../parcel-query.ts';
import { columnSql } from '../sqlite-dialect.ts';

export interface ParcelQuery {
  readonly terms: readonly RawBuilder<unknown>[];
  readonly keptUnknown: readonly KeptUnknownTest[];
  readonly area: AreaTest | null;
  readonly page: Page;
  readonly ordering: Ordering | null;
}

/**
 * In one snapshot, so that count and page agree while an import commits. One scan finds the ids of all matches, in
 * order; the page's rows are then fetched by id.
 * @throws EngineError not_found for a page past the end
 */
export function countAndPage(land: LandStore, query: ParcelQuery): ParcelPage {
  const { sql: text, parameters } = matchQuery(query.terms, query.ordering);
  const matches = land.withArea(query.area, () => land.file.column<number>(text, ...parameters));
  const found = Float64Array.from(matches);
  // The scan may follow any index; sorting numbers here is cheaper than in SQLite.
  const ids = query.ordering ? found : found.sort();
  const { number, offset, size } = query.page;
  if (number > 1 && offset >= ids.length) throw pastTheEnd(query.page, ids.length);
  return {
    count: ids.length,
    keptUnknown: countKept(land, matches, query.keptUnknown),
    absent: [],
    thin: [],
    results: summariesOf(land, [...ids.subarray(offset, offset + size)]),
  };
}

function countKept(land: LandStore, ids: readonly number[], tests: readonly KeptUnknownTest[]): KeptUnknown[] {
  if (tests.length === 0 || ids.length === 0) return [];
  const counts = tests.map(({ test }, i) => sql`count(*) FILTER (WHERE ${test}) AS ${sql.ref(`n${i}`)}`);
  const query = sql`SELECT ${sql.join(counts)} FROM parcels
    WHERE property_id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`.compile(landQueries);
  const row = land.file.get<Record<string, number>>(query.sql, ...query.parameters);
  return someKept(tests.map(({ filter }, i) => ({ filter, parcels: row?.[`n${i}`] ?? 0 })));
}

const where = (terms: readonly RawBuilder<unknown>[]) => sql<boolean>`${sql.join([...terms], sql` AND `)}`;

/** SQL for the ids that meet all terms; exported for the test of the query plans. */
export function matchQuery(terms: readonly RawBuilder<unknown>[], ordering: Ordering | null): CompiledQuery {
  const select = landQueries.selectFrom('parcels').select('property_id').where(where(terms));
  if (!ordering) return select.compile();
  const direction = ordering.descending ? sql`DESC` : sql`ASC`;
  return select
    .orderBy(sql`${columnSql(ordering.column)} ${direction} NULLS LAST`)
    .orderBy('property_id')
    .compile();
}
