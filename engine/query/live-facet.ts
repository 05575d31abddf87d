/** The values of a text column with their frequencies, and which columns a place has data for. */
import { compareUtf8 } from '../columns/text-table.ts';
import { type FilterRow, filters } from '../spec/filters.ts';
import type { LandStore } from '../store/land-store.ts';
import {
  byColumns,
  type CountedValues,
  coverageByColumns,
  type KnownValues,
  valuesByColumns,
} from './live-by-columns.ts';
import { type LiveRequest, scopeOf } from './live-request.ts';
import { coverageBySql, valuesBySql } from './stand-in/live-by-sql.ts';

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

/**
 * @param find the column index where it can answer, else SQL; tests pass either
 * @throws EngineError validation_error when the query takes too long
 */
export function liveFacet(
  land: LandStore,
  request: LiveRequest,
  column: string,
  limit: number,
  find = findValues,
): Facet {
  return facetOf(find(land, request, column, labelColumnOf(column)), limit);
}

/** The column that labels the codes of this one. */
export const labelColumnOf = (column: string): string | undefined => labelColumns[column];

export const facetOf = ({ counts, labels, unknown }: CountedValues, limit: number): Facet => ({
  values: listedValues(counts, labels, limit),
  distinct: counts.size,
  unknown,
});

const findValues: typeof valuesBySql = (land, request, column, labelColumn) =>
  byColumns(land, request, (_, steps) => valuesByColumns(land, steps, column, labelColumn)) ??
  valuesBySql(land, request, column, labelColumn);

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
  const place = scopeOf(request);
  return coverageOf(
    byColumns(land, place, (_, steps) => coverageByColumns(land, steps, coverageColumns)) ??
      coverageBySql(land, place, coverageColumns),
  );
}

/** The columns whose known values `coverageOf` reads. */
export const coverageColumns: readonly string[] = [...new Set(filterColumns.flatMap((filter) => filter.columns))];

export function coverageOf({ parcels, known }: KnownValues): Coverage {
  return {
    parcels,
    filters: filterColumns.map(({ name, columns: read }) => ({
      name,
      // A filter that reads no published column (place, id, APN) always has data.
      known: read.length === 0 ? parcels : Math.max(...read.map((column) => known.get(column) ?? 0)),
    })),
  };
}
