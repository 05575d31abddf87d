/**
 * A live request as SQL, filter by filter: the place, and each filter with its three outcomes (true, false, NULL for
 * unknown), so that one scan finds the effect of every filter.
 */
import { type RawBuilder, sql } from 'kysely';
import type { UnknownMode } from '../../columns/count-effects.ts';
import { prepareGeometry } from '../../geo/intersects.ts';
import type { AreaTest, LandStore } from '../../store/land-store.ts';
import { type LiveRequest, unknownMode } from '../live-request.ts';
import { lookUp } from '../looked-up.ts';
import { filterTerms, filterTests } from '../sqlite-dialect.ts';
import type { WorkTerm } from '../work-terms.ts';

type Sql = RawBuilder<unknown>;

export interface LiveFilterTerm {
  readonly name: string;
  /** 1, 0, or NULL where the value is unknown. */
  readonly test: Sql;
  readonly mode: UnknownMode;
}

export interface LiveCondition {
  /** County, ZIP, area, portfolio; also the status `current` and the deadline. */
  readonly scope: readonly Sql[];
  readonly filters: readonly LiveFilterTerm[];
  readonly area: AreaTest | null;
}

/** @throws EngineError validation_error if a parcel that the request names is unknown or cannot tell */
export function liveCondition(land: LandStore, request: LiveRequest): LiveCondition {
  const { criteria, area, includeUnknown } = request;
  const scope = filterTerms(
    { criteria: criteria.filter(({ row }) => row.scope), area, includeUnknown },
    lookUp(land, request),
  );
  const filters = criteria
    .filter(({ row }) => !row.scope && row.kind !== 'frontage_type')
    .map(
      ({ row }): LiveFilterTerm => ({
        name: row.name,
        test: strictTest(request, row.name),
        mode: unknownMode(request, row),
      }),
    );
  return { scope, filters: [...filters, ...request.work.map(workTest)], area: area ? prepareGeometry(area) : null };
}

function workTest({ name, ids, isExcluded }: WorkTerm): LiveFilterTerm {
  const set = sql`(SELECT value FROM json_each(${JSON.stringify(Array.from(ids))}))`;
  return { name, test: isExcluded ? sql`property_id NOT IN ${set}` : sql`property_id IN ${set}`, mode: 'drop' };
}

/** The test of one filter alone. */
function strictTest(request: LiveRequest, name: string): Sql {
  const own = request.criteria.filter(({ row }) => row.name === name || row.kind === 'frontage_type');
  const test = filterTests({ criteria: own, area: null, includeUnknown: new Set() }).at(-1)?.test;
  if (!test) throw new TypeError(`${name} has no predicate`);
  return test;
}

/** True where a parcel passes the filter. */
function passes({ test, mode }: LiveFilterTerm): Sql {
  if (mode === 'only') return sql`(${test}) IS NULL`;
  return mode === 'keep' ? sql`(${test}) IS NOT FALSE` : test;
}

/** All terms of a condition; each must be true. */
export const termsOf = ({ scope, filters }: LiveCondition): Sql[] => [...scope, ...filters.map(passes)];

export const every = (terms: readonly Sql[]) => sql<boolean>`${sql.join([...terms], sql` AND `)}`;

/** Runs a scan with its area, its deadline and one snapshot. */
export const scan = <Result>(land: LandStore, condition: LiveCondition, work: () => Result): Result =>
  land.withArea(condition.area, () => land.withDeadline(() => land.file.snapshot(work)));
