/**
 * Filter and search: the column index answers; SQL does where a county's index is missing, stale, or lacks a column.
 * Both give the same count and rows.
 */
import type { RawBuilder } from 'kysely';
import { absentValues } from '../columns/absent-values.ts';
import type { CountyColumns } from '../columns/county-columns.ts';
import { countUnknown, type ParcelTests, withAllMatches } from '../columns/evaluate.ts';
import { type CountyMatches, pageByColumn, pageById, type TextOrders } from '../columns/pages.ts';
import { columnsRead, isColumnStep, type Step } from '../columns/steps.ts';
import type { Page } from '../spec/paging.ts';
import type { AreaTest, LandStore } from '../store/land-store.ts';
import { openCounties, shrinkColumns } from './county-index.ts';
import type { KeptUnknownTest } from './filter-terms.ts';
import { type Ordering, type ParcelPage, pastTheEnd, someKept, summariesOf } from './parcel-query.ts';
import { countAndPage, type ParcelQuery } from './sql-filters/count-and-page.ts';
import { textOrders } from './text-orders.ts';

/** A query for the column index and in SQL. */
export interface ParcelQuestion {
  /** FIPS codes; null: all counties. */
  readonly counties: readonly string[] | null;
  readonly steps: readonly Step[];
  /** The whole query in SQL: also counties, status and time limit. */
  readonly terms: () => readonly RawBuilder<unknown>[];
  /** In SQL, what the index finds by the steps that exclude. */
  readonly keptUnknown: () => readonly KeptUnknownTest[];
  readonly area: AreaTest | null;
}

/**
 * Count and page come from one snapshot of the file, so they agree while an import commits.
 * @throws EngineError not_found for a page past the end, validation_error when the query takes too long
 */
export function findParcels(
  land: LandStore,
  ask: (land: LandStore) => ParcelQuestion,
  page: Page,
  ordering: Ordering | null,
): ParcelPage {
  return land.withDeadline(() =>
    land.file.snapshot(() => {
      const question = ask(land);
      const counties = countiesFor(land, question);
      if (!counties) return countAndPage(land, queryOf(question, page, ordering));
      try {
        return withAllMatches(counties, question.steps, parcelTests(land), (matches) => {
          const { ids, ...found } = pageOfMatches(matches, question.steps, page, ordering, textOrders(land));
          return { ...found, results: summariesOf(land, ids) };
        });
      } finally {
        shrinkColumns(land);
      }
    }),
  );
}

/** Counties whose index holds every requested column; null if SQL has to answer. */
export function countiesFor(
  land: LandStore,
  { counties, steps }: Pick<ParcelQuestion, 'counties' | 'steps'>,
): CountyColumns[] | null {
  const opened = openCounties(land, counties);
  return opened && holdColumns(opened, steps) ? opened : null;
}

export function holdColumns(counties: readonly CountyColumns[], steps: readonly Step[]): boolean {
  const columns = steps.flatMap(columnsRead);
  return counties.every((county) => columns.every((column) => county.has(column)));
}

/** Parcels read at once for the exact test. */
const testedAtOnce = 500;

const shapesSql =
  'SELECT property_id, geom, point_lon, point_lat FROM parcels WHERE property_id IN (SELECT value FROM json_each(?))';

/** The tests for which the index reads the parcels. */
export function parcelTests(land: LandStore): ParcelTests {
  return {
    meetArea: (ids, area) => {
      const meeting = new Set<number>();
      for (let from = 0; from < ids.length; from += testedAtOnce) {
        const chunk = JSON.stringify(ids.slice(from, from + testedAtOnce));
        for (const [id, geometry, longitude, latitude] of land.file.rawRows(shapesSql, chunk)) {
          // A hostile area can take 0.2 ms per parcel.
          land.tick();
          const meets =
            geometry instanceof Uint8Array
              ? area.intersectsBlob(geometry)
              : area.intersectsPoint(longitude as number, latitude as number);
          if (meets) meeting.add(id as number);
        }
      }
      return ids.map((id) => meeting.has(id));
    },
  };
}

/** The same question for `countAndPage`. */
export const queryOf = (
  { terms, keptUnknown, area }: ParcelQuestion,
  page: Page,
  ordering: Ordering | null,
): ParcelQuery => ({ terms: terms(), keptUnknown: keptUnknown(), area, page, ordering });

/** A page before its parcels are read. */
export type FoundIds = Omit<ParcelPage, 'results'> & { readonly ids: readonly number[] };

/** @throws EngineError not_found for a page past the end */
export function pageOfMatches(
  matches: readonly CountyMatches[],
  steps: readonly Step[],
  page: Page,
  ordering: Ordering | null,
  texts: TextOrders,
): FoundIds {
  const count = matches.reduce((sum, match) => sum + match.count, 0);
  if (page.number > 1 && page.offset >= count) throw pastTheEnd(page, count);
  const excluding = steps.filter((step) => isColumnStep(step) && step.negate);
  return {
    count,
    keptUnknown: someKept(excluding.map((step) => ({ filter: step.filter, parcels: countUnknown(matches, step) }))),
    absent: absentValues(
      matches.map(({ county }) => county),
      steps,
    ),
    ids: pageIds(matches, page, ordering, texts),
  };
}

function pageIds(
  matches: readonly CountyMatches[],
  page: Page,
  ordering: Ordering | null,
  texts: TextOrders,
): readonly number[] {
  const { column, descending } = ordering ?? { column: 'property_id', descending: false };
  if (column === 'property_id') return pageById(matches, page, descending);
  return pageByColumn(matches, page, { column, descending }, texts);
}
