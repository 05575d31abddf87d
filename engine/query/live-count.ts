/** The exact count, and the effect of each filter: by the column index, else in one scan of the place. */
import { type RawBuilder, sql } from 'kysely';
import { filterKinds } from '../spec/filter-kinds.ts';
import { filtersByName } from '../spec/filters.ts';
import type { LandStore } from '../store/land-store.ts';
import { landQueries } from './land-schema.ts';
import { byColumns, countByColumns } from './live-by-columns.ts';
import { every, type LiveFilterTerm, liveCondition, scan } from './live-condition.ts';
import type { LiveRequest } from './live-request.ts';

interface FilterEffect {
  readonly name: string;
  /** Parcels that only this filter removes: without it, this many more match. */
  readonly removes: number;
  /** Parcels that pass all other filters and whose value for this one is unknown, however it is treated. */
  readonly unknown: number;
}

export interface LiveCount {
  readonly count: number;
  /** Of those, parcels without a geometry: in the table but not on the map. */
  readonly without_shape: number;
  readonly filters: FilterEffect[];
}

/** A missing APN can match no filter by APN. */
const dropsUnknown = (name: string): boolean => {
  const row = filtersByName.get(name);
  return row !== undefined && filterKinds[row.kind].dropsUnknown;
};

/** 1 where the filter stops a parcel. */
function stops({ mode }: LiveFilterTerm, column: RawBuilder<unknown>): RawBuilder<unknown> {
  if (mode === 'only') return sql`(${column} IS NOT NULL)`;
  return mode === 'keep' ? sql`(${column} IS FALSE)` : sql`(${column} IS NOT TRUE)`;
}

/** @throws EngineError validation_error when the query takes too long */
export function liveCount(land: LandStore, request: LiveRequest): LiveCount {
  return byColumns(land, request, countByColumns) ?? liveCountBySql(land, request);
}

/** The test oracle and the fallback of the column index. */
export function liveCountBySql(land: LandStore, request: LiveRequest): LiveCount {
  const condition = liveCondition(land, request);
  const { filters } = condition;
  const outcomes = filters.map((filter, i) => ({ filter, column: sql.ref(`t${i}`) }));
  const stopped = outcomes.map(({ filter, column }) => stops(filter, column));
  const stopCount = stopped.length === 0 ? sql`0` : sql.join(stopped, sql` + `);
  const counted = (test: RawBuilder<unknown>, name: string) => sql`count(*) FILTER (WHERE ${test}) AS ${sql.ref(name)}`;
  const columns = [
    counted(sql`stops = 0`, 'matches'),
    counted(sql`stops = 0 AND bare`, 'without_shape'),
    ...outcomes.flatMap(({ column }, i) => [
      counted(sql`stops = 1 AND ${stopped[i]}`, `removes${i}`),
      counted(sql`stops - ${stopped[i]} = 0 AND ${column} IS NULL`, `unknown${i}`),
    ]),
  ];
  const tests = filters.map(({ test }, i) => sql`${test} AS ${sql.ref(`t${i}`)}`);
  // A LIMIT keeps SQLite from flattening a level, which would run every test once for each reference to it.
  const tested = sql`SELECT ${sql.join([sql`geom IS NULL AS bare`, ...tests])} FROM parcels WHERE ${every(condition.scope)} LIMIT -1`;
  const summed = sql`SELECT *, ${stopCount} AS stops FROM (${tested}) LIMIT -1`;
  const query = sql`SELECT ${sql.join(columns)} FROM (${summed})`.compile(landQueries);
  const row = scan(land, condition, () => land.file.get<Record<string, number>>(query.sql, ...query.parameters));
  const effects = filters.map(({ name }, i) => ({
    name,
    removes: row?.[`removes${i}`] ?? 0,
    unknown: dropsUnknown(name) ? (row?.[`unknown${i}`] ?? 0) : 0,
  }));
  return { count: row?.matches ?? 0, without_shape: row?.without_shape ?? 0, filters: effects };
}
