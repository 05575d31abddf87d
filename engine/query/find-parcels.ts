/**
 * Filter and search: the column index answers; SQL does where a county's index is missing, stale, or lacks a column.
 * Both give the same count and rows.
 */
import { type RawBuilder, sql } from 'kysely';
import type { CountyColumns } from '../columns/county-columns.ts';
import { countySource } from '../columns/county-source.ts';
import { countUnknown, type ParcelTests, withAllMatches } from '../columns/evaluate.ts';
import { type CountyMatches, pageByColumn, pageById, type TextOrders } from '../columns/pages.ts';
import { absentValues, columnsRead, isColumnStep, type Step } from '../columns/steps.ts';
import { type TextOrder, TextOrderBuilder } from '../columns/text-order.ts';
import { prepareGeometry } from '../geo/intersects.ts';
import type { Page } from '../spec/paging.ts';
import { apnKey, foldSpaces } from '../spec/text-fold.ts';
import type { AreaTest, LandStore } from '../store/land-store.ts';
import { parcelExpressions } from '../store/parcel-expressions.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { columnSteps, countiesOf, type NamedParcels } from './column-steps.ts';
import { openCounties, shrinkColumns } from './county-index.ts';
import type { FilterRequest } from './filter-request.ts';
import { currentTerm, type KeptUnknownTest, searchTokens } from './filter-terms.ts';
import { type LookedUp, nothingLookedUp } from './looked-up.ts';
import { type Ordering, type ParcelPage, pastTheEnd, someKept, summariesOf, type ThinFilter } from './parcel-query.ts';
import { countAndPage, type ParcelQuery } from './sql-filters/count-and-page.ts';
import { filterTerms, filterTests, hasEveryToken, keptUnknownTests } from './sqlite-dialect.ts';

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
type FoundIds = Omit<ParcelPage, 'results'> & { readonly ids: readonly number[] };

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
  const counties = matches.map(({ county }) => county);
  return {
    count,
    keptUnknown: someKept(excluding.map((step) => ({ filter: step.filter, parcels: countUnknown(matches, step) }))),
    absent: absentValues(counties, steps),
    thin: thinFilters(counties, steps),
    ids: pageIds(matches, page, ordering, texts),
  };
}

/** Fewer known values than this share are said with every answer. */
const leastKnown = 0.95;

/** What excludes keeps unknown values, and says so by count (`keptUnknown`). */
function thinFilters(counties: readonly CountyColumns[], steps: readonly Step[]): ThinFilter[] {
  const sum = (count: (county: CountyColumns) => number) => counties.reduce((total, one) => total + count(one), 0);
  const parcels = sum(({ rows }) => rows);
  return steps.flatMap((step) => {
    if (!isColumnStep(step) || step.negate) return [];
    const known = sum((county) => county.knownRows(step.column));
    return known < leastKnown * parcels ? [{ filter: step.filter, known, parcels }] : [];
  });
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

/** Parcels found by SQLite's own indexes. */
export const namedParcels = ({ file }: LandStore): NamedParcels => ({
  withApnKey: (key) => file.column('SELECT property_id FROM parcels WHERE apn_key = ?', key),
  withMailingKey: (key) => file.column('SELECT property_id FROM parcels WHERE mailing_key = ?', key),
});

export function filterQuestion(land: LandStore, request: FilterRequest, lookedUp: LookedUp): ParcelQuestion {
  const area = request.area ? prepareGeometry(request.area) : null;
  return {
    counties: countiesOf(request),
    steps: columnSteps(request, lookedUp, area, namedParcels(land)),
    terms: () => filterTerms(request, lookedUp),
    keptUnknown: () => keptUnknownTests(request),
    area,
  };
}

/** For requests that name no parcel. */
export const noParcels: NamedParcels = { withApnKey: () => [], withMailingKey: () => [] };

interface SearchRequest {
  readonly fips: string;
  /** The parcels of an APN; null for any. */
  readonly ids: readonly number[] | null;
  readonly ownerName: string | null;
  /** The place in the public land survey that filters ask for; absent or null: any. */
  readonly place?: FilterRequest | null;
}

export function searchQuestion({ fips, ids, ownerName, place }: SearchRequest): ParcelQuestion {
  return {
    counties: [fips],
    steps: [
      ...(ids === null ? [] : [{ type: 'ids', filter: 'apn', ids } as const]),
      ...(ownerName === null ? [] : [tokensStep('owner_name', ownerName)]),
      ...(place ? columnSteps(place, nothingLookedUp, null, noParcels) : []),
    ],
    terms: () => [
      sql`fips = ${fips}`,
      currentTerm,
      ...(ids === null ? [] : [sql`property_id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`]),
      ...(ownerName === null ? [] : [hasEveryToken('owner_name', ownerName)]),
      ...(place ? filterTests(place).map(({ test }) => test) : []),
    ],
    keptUnknown: () => [],
    area: null,
  };
}

/** Every word of the text occurs somewhere in the column. */
export const tokensStep = (column: string, text: string) =>
  ({
    type: 'tokens',
    filter: column,
    column,
    tokens: searchTokens(text),
    passUnknown: false,
    negate: false,
  }) as const;

interface ApnMatches {
  readonly ids: readonly number[];
  /** APNs of other parcels that are equal in letters and digits alone, where one is equal as it is written. */
  readonly alike: readonly string[];
}

/**
 * Current parcels of a county by APN. Separators may part lots (`12-201`, `12-2-01`): where one APN is equal as it is
 * written, in any case and with any white space, it alone is meant; else those that are equal in letters and digits are.
 */
export function parcelsOfApn({ file }: LandStore, fips: string, apn: string): ApnMatches {
  const [column, value] = apnCondition(apn);
  const found = file.all<ApnRow>(
    `SELECT property_id, apn FROM parcels WHERE ${column} = ? AND fips = ? AND status = 'current' ORDER BY property_id`,
    value,
    fips,
  );
  return meantApns(found, apn);
}

export interface ApnRow {
  readonly property_id: number;
  readonly apn: string;
}

/** The column by which an APN is looked up, and its value. */
export function apnCondition(apn: string): readonly [column: 'apn' | 'apn_key', value: string] {
  const key = apnKey(apn);
  return key === '' ? ['apn', apn.trim()] : ['apn_key', key];
}

/** @param found the parcels that `apnCondition` finds, by property_id */
export function meantApns(found: readonly ApnRow[], apn: string): ApnMatches {
  const written = foldSpaces(apn);
  const exact = found.filter((row) => foldSpaces(row.apn) === written);
  const meant = exact.length > 0 ? exact : found;
  return {
    ids: meant.map((row) => row.property_id),
    alike: [...new Set(found.filter((row) => !meant.includes(row)).map((row) => row.apn))],
  };
}

/*
 * Pages in the order of a text outside the column index. A county is sorted once, a million rows in one to two seconds,
 * and the order stays in the county's memory.
 */
/** Rows from SQLite; the texts themselves are not stored. */
interface SortedRow {
  readonly id: number;
  /** 1 where the text differs from that of the row before. */
  readonly begins: number;
}

const sqlOf = (column: string): string => parcelExpressions[column] ?? `"${column}"`;

const valuesSql = (column: string): string =>
  `SELECT property_id, ${sqlOf(column)} FROM parcels WHERE property_id IN (SELECT value FROM json_each(?))`;

export function textOrders({ file }: LandStore): TextOrders {
  return {
    sortedRows: (county, column) =>
      column === 'fips'
        ? orderOfOne(county)
        : (orderByTexts(file, county, column) ?? orderBySqlite(file, county, column)),
    values: (ids, column) => {
      const found = file.rawRows(valuesSql(column), JSON.stringify(ids)) as [number, string | null][];
      return new Map(found);
    },
  };
}

/** '' stands for parcels without a county. */
const fipsOf = ({ fips }: CountyColumns): string | null => (fips === '' ? null : fips);

/** The remaining rows, ascending, after the first. */
function appendOthers(rows: Uint32Array, known: number): Uint32Array {
  const isListed = new Uint8Array(rows.length);
  for (const row of rows.subarray(0, known)) isListed[row] = 1;
  let at = known;
  for (let row = 0; row < rows.length; row++) if (isListed[row] === 0) rows[at++] = row;
  return rows;
}

/** By the county's code alone. */
function orderOfOne({ fips, rows, words }: CountyColumns): TextOrder {
  const starts = new Uint8Array(words * 8);
  starts[0] = 1;
  return { rows: Uint32Array.from({ length: rows }, (_, row) => row), known: fips === '' ? 0 : rows, starts };
}

/** Null if only SQLite can order a value: other programs may write anything. */
function orderByTexts(file: SqliteFile, county: CountyColumns, column: string): TextOrder | null {
  const builder = new TextOrderBuilder(county.rows);
  for (const rows of countySource(file, fipsOf(county)).scan([column], false))
    if (!builder.addAll(rows, 0)) return null;
  return builder.finish();
}

function orderBySqlite(file: SqliteFile, county: CountyColumns, column: string): TextOrder {
  const rows = new Uint32Array(county.rows);
  const starts = new Uint8Array(county.words * 8);
  let known = 0;
  const value = sqlOf(column);
  const sorted = file.iterate<SortedRow>(
    `SELECT property_id AS id, ${value} IS NOT lag(${value}) OVER (ORDER BY ${value}, property_id) AS begins
       FROM parcels WHERE fips IS :fips AND status = 'current' AND ${value} IS NOT NULL
       ORDER BY ${value}, property_id`,
    { fips: fipsOf(county) },
  );
  for (const { id, begins } of sorted) {
    if (begins === 1) starts[known >> 3] = (starts[known >> 3] as number) | (1 << (known & 7));
    rows[known++] = county.rowOf(id);
  }
  return { rows: appendOthers(rows, known), known, starts };
}
