/** The values of a text column with their frequencies, and which columns a place has data for. */
import { sql } from 'kysely';
import { compareUtf8 } from '../columns/text-table.ts';
import { type FilterRow, filters } from '../spec/filters.ts';
import type { LandStore } from '../store/land-store.ts';
import { columnSql } from './filter-sql.ts';
import { landQueries } from './land-schema.ts';
import { byColumns, coverageByColumns, type LabelledValue, usualLabels, valuesByColumns } from './live-by-columns.ts';
import { every, type LiveCondition, liveCondition, scan, termsOf } from './live-condition.ts';
import { type LiveRequest, scopeOf } from './live-request.ts';

interface FacetValue {
  readonly value: string;
  /** The county's own label of the value; null if it has none. */
  readonly label: string | null;
  readonly count: number;
}

export interface Facet {
  readonly values: FacetValue[];
  /** Distinct values in all; more than listed if the limit was reached. */
  readonly distinct: number;
  readonly unknown: number;
}

/** Filters whose values can be listed, with the column they read. */
export const facetColumns = new Map(
  filters.flatMap((row) =>
    row.kind === 'list' || row.kind === 'text' || row.kind === 'zips' || row.kind === 'exclude_zips'
      ? [[row.name, row.column] as const]
      : [],
  ),
);

/** Codes whose labels are in another column. */
const labelColumns: Readonly<Record<string, string>> = { land_use_code: 'land_use_description' };

/** @throws EngineError validation_error when the query takes too long */
export function liveFacet(land: LandStore, request: LiveRequest, column: string, limit: number): Facet {
  const found = byColumns(land, request, (_, steps) => valuesByColumns(land, steps, column, labelColumns[column]));
  if (!found) return liveFacetBySql(land, request, column, limit);
  const { counts, labels, unknown } = found;
  return { values: listedValues(counts, labels, limit), distinct: counts.size, unknown };
}

/** The test oracle and the fallback of the column index. */
export function liveFacetBySql(land: LandStore, request: LiveRequest, column: string, limit: number): Facet {
  const condition = liveCondition(land, request);
  const value = columnSql(column);
  const label = labelColumns[column] ? columnSql(labelColumns[column]) : sql`NULL`;
  const where = every(termsOf(condition));
  const pairs = sql`SELECT ${value} AS value, ${label} AS label, count(*) AS count FROM parcels
    WHERE ${where} AND ${value} IS NOT NULL GROUP BY 1, 2`.compile(landQueries);
  const totals = sql`SELECT count(DISTINCT ${value}) AS known, count(*) - count(${value}) AS unknown
    FROM parcels WHERE ${where}`.compile(landQueries);
  return scan(land, condition, () => {
    const total = land.file.get<{ known: number; unknown: number }>(totals.sql, ...totals.parameters);
    const found = land.file
      .all<{ value: string; label: string | null; count: number }>(pairs.sql, ...pairs.parameters)
      .map(({ value, label, count }): LabelledValue => [value, label, count]);
    const counts = new Map<string, number>();
    for (const [value, , count] of found) counts.set(value, (counts.get(value) ?? 0) + count);
    const values = listedValues(counts, usualLabels(found), limit);
    return { values, distinct: total?.known ?? 0, unknown: total?.unknown ?? 0 };
  });
}

/** Most frequent first. */
const listedValues = (
  counts: ReadonlyMap<string, number>,
  labels: ReadonlyMap<string, string>,
  limit: number,
): FacetValue[] =>
  [...counts]
    .map(([value, count]) => ({ value, label: labels.get(value) ?? null, count }))
    .sort((a, b) => b.count - a.count || compareUtf8(a.value, b.value))
    .slice(0, limit);

export interface Coverage {
  readonly parcels: number;
  /** For each filter, how many of them have a value in its column. */
  readonly filters: { readonly name: string; readonly known: number }[];
}

/** The columns that decide whether a filter has data. */
function columnsOf(row: FilterRow): readonly string[] {
  if (row.kind === 'slope_area') return ['slope_area_percent'];
  return 'column' in row ? [row.column] : [];
}

const filterColumns = filters.map((row) => ({ name: row.name, columns: columnsOf(row) }));

/** Which data the place of the request has. @throws EngineError validation_error when the query takes too long */
export function liveCoverage(land: LandStore, request: LiveRequest): Coverage {
  const columns = [...new Set(filterColumns.flatMap((filter) => filter.columns))];
  const found = byColumns(land, scopeOf(request), (_, steps) => coverageByColumns(land, steps, columns));
  return found
    ? coverageOf(found.parcels, (column) => found.known.get(column) ?? 0)
    : liveCoverageBySql(land, request, columns);
}

/** A filter that reads no published column (place, id, APN) always has data. */
const coverageOf = (parcels: number, known: (column: string) => number): Coverage => ({
  parcels,
  filters: filterColumns.map(({ name, columns }) => ({
    name,
    known: columns.length === 0 ? parcels : Math.max(...columns.map(known)),
  })),
});

function liveCoverageBySql(land: LandStore, request: LiveRequest, columns: readonly string[]): Coverage {
  const condition: LiveCondition = liveCondition(land, scopeOf(request));
  const counts = columns.map((column) => sql`count(${columnSql(column)}) AS ${sql.ref(column)}`);
  const query =
    sql`SELECT count(*) AS parcels, ${sql.join(counts)} FROM parcels WHERE ${every(condition.scope)}`.compile(
      landQueries,
    );
  const row = scan(land, condition, () => land.file.get<Record<string, number>>(query.sql, ...query.parameters)) ?? {};
  return coverageOf(row.parcels ?? 0, (column) => row[column] ?? 0);
}
