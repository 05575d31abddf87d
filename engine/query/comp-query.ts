/**
 * Comps from land.sqlite: by county and by radius, one page and the exact count; and the comps of a county's market.
 */
import { type CompStatus, compStatuses, type StoredComp } from '../comps/comp-columns.ts';
import { splitToldRows, type ToldRow, toldSql } from '../comps/comp-facts.ts';
import { boxesAround, type DegreeBox, metersFrom } from '../comps/distance.ts';
import { type MarketComp, statsWindow } from '../comps/market-stats.ts';
import { smallest } from '../comps/value-order.ts';
import type { Page } from '../spec/paging.ts';
import type { LandStore } from '../store/land-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { calendarNumber, type LandComps, withComps } from './land-comps.ts';
import { pastTheEnd } from './parcel-query.ts';

const columnNames = [
  'comp_id',
  'source',
  'status',
  'address',
  'city',
  'state',
  'zip',
  'county',
  'apn',
  'latitude',
  'longitude',
  'lot_size',
  'price',
  'sold_date',
  'days_on_market',
  'sale_type',
  'url',
  'photos',
] as const satisfies (keyof StoredComp)[];
/** Those of a `CompRow`. */
export const compRowColumns: readonly string[] = columnNames;
const columns = columnNames.join(', ');

/** The columns of a comp in `list_comps`. */
export type CompRow = Pick<StoredComp, (typeof columnNames)[number]>;

export interface Circle {
  readonly longitude: number;
  readonly latitude: number;
  readonly meters: number;
}

/** Conditions on a comp; an unknown value fails its condition. */
export interface CompQuery {
  readonly fips?: string;
  readonly circle?: Circle;
  readonly statuses?: readonly CompStatus[];
  /** ISO days, both included. */
  readonly soldFrom?: string;
  readonly soldUntil?: string;
  readonly acresMin?: number;
  readonly acresMax?: number;
  readonly page: Page;
}

export interface CompPage {
  readonly count: number;
  readonly results: CompRow[];
}

/** Asked on one row in 256. */
const deadlineTerm = '((c.comp_rowid & 255) <> 0 OR tick())';

interface Conditions {
  readonly sql: string;
  readonly values: readonly unknown[];
}

function conditionsOf(query: CompQuery): Conditions {
  const terms: [string, unknown][] = [];
  const add = (sql: string, value: unknown) => {
    if (value !== undefined) terms.push([sql, value]);
  };
  add('c.fips = ?', query.fips);
  add('c.status IN (SELECT value FROM json_each(?))', query.statuses && JSON.stringify(query.statuses));
  add('c.sold_date >= ?', query.soldFrom);
  add('c.sold_date <= ?', query.soldUntil);
  add('c.lot_size >= ?', query.acresMin);
  add('c.lot_size <= ?', query.acresMax);
  return {
    sql: [...terms.map(([sql]) => sql), deadlineTerm].join(' AND '),
    values: terms.map(([, value]) => value),
  };
}

/**
 * Nearest first within a circle, else newest sale first with unknown dates last; ties by id. Count and page come from
 * one snapshot of the file.
 * @throws EngineError not_found for a page past the end, validation_error when the query takes too long
 */
export const queryComps = (land: LandStore, query: CompQuery): CompPage =>
  land.withDeadline(() => {
    const { circle } = query;
    if (!circle) return land.file.snapshot(() => newestFirst(land, conditionsOf(query), query.page));
    return withComps(land, ({ allIfWorthwhile }) => {
      const comps = allIfWorthwhile();
      return comps?.isPlain
        ? nearestInMemory(land, comps, circle, query)
        : nearestInFile(land, circle, conditionsOf(query), query.page);
    });
  });

function newestFirst({ file }: LandStore, { sql, values }: Conditions, page: Page): CompPage {
  const count = file.get<{ n: number }>(`SELECT count(*) AS n FROM comps c WHERE ${sql}`, ...values)?.n ?? 0;
  if (page.number > 1 && page.offset >= count) throw pastTheEnd(page, count);
  // descending, SQLite sorts null last, and the index comps_county has this order
  const results = file.all<CompRow>(
    `SELECT ${columns} FROM comps c WHERE ${sql} ORDER BY c.sold_date DESC, c.comp_id LIMIT ? OFFSET ?`,
    ...values,
    page.size,
    page.offset,
  );
  return { count, results };
}

interface Placed {
  readonly comp_rowid: number;
  readonly longitude: number;
  readonly latitude: number;
}

interface Near {
  readonly rowid: number;
  readonly meters: number;
}

/** The SQL of `conditionsOf` as a test of a row in memory. */
function isWanted(comps: LandComps, query: CompQuery): (row: number) => boolean {
  const { statuses, soldDays, acres, counties } = comps;
  const tests: ((row: number) => boolean)[] = [];
  const { fips, statuses: wanted, soldFrom, soldUntil, acresMin, acresMax } = query;
  if (fips !== undefined) {
    const county = comps.numberOfCounty(fips);
    tests.push((row) => counties[row] === county);
  }
  if (wanted) {
    const isStatus = compStatuses.map((status) => wanted.includes(status));
    tests.push((row) => isStatus[statuses[row] as number] === true);
  }
  if (soldFrom !== undefined) {
    const from = calendarNumber(soldFrom);
    tests.push((row) => (soldDays[row] as number) >= from);
  }
  if (soldUntil !== undefined) {
    const until = calendarNumber(soldUntil);
    tests.push((row) => (soldDays[row] as number) > 0 && (soldDays[row] as number) <= until);
  }
  // NaN, for unknown acres, fails both
  if (acresMin !== undefined) tests.push((row) => (acres[row] as number) >= acresMin);
  if (acresMax !== undefined) tests.push((row) => (acres[row] as number) <= acresMax);
  return (row) => tests.every((test) => test(row));
}

/** Equals `nearestInFile`, but reads only the page from the file. */
function nearestInMemory({ file }: LandStore, comps: LandComps, circle: Circle, query: CompQuery): CompPage {
  const { index } = comps;
  const isMatch = isWanted(comps, query);
  const metersTo = metersFrom(circle.longitude, circle.latitude);
  const rows: number[] = [];
  const distances: number[] = [];
  for (const box of boxesAround(circle.longitude, circle.latitude, circle.meters)) {
    index.forEachInBox(box, (position) => {
      const row = index.rows[position] as number;
      if (!isMatch(row)) return;
      const meters = metersTo(index.longitudes[position] as number, index.latitudes[position] as number);
      if (meters > circle.meters) return;
      rows.push(row);
      distances.push(meters);
    });
  }
  const { number, offset, size } = query.page;
  if (number > 1 && offset >= rows.length) throw pastTheEnd(query.page, rows.length);
  const compareTies = (a: number, b: number) => comps.compareIds(rows[a] as number, rows[b] as number);
  const places = smallest(Float64Array.from(distances), offset + size, compareTies).slice(offset);
  const rowids = places.map((place) => comps.rowids[rows[place] as number] as number);
  const byRowid = new Map(rowsAt(file, rowids).map((row) => [row.comp_rowid, row]));
  return { count: rows.length, results: rowids.map((rowid) => byRowid.get(rowid) as CompRow) };
}

const rowsAt = (file: SqliteFile, rowids: readonly number[]) =>
  file.all<CompRow & { comp_rowid: number }>(
    `SELECT comp_rowid, ${columns} FROM comps WHERE comp_rowid IN (SELECT value FROM json_each(?))`,
    JSON.stringify(rowids),
  );

/** The R-tree yields candidates (its bounds are rounded outwards), the geodesic distance decides. */
function nearestInFile(land: LandStore, circle: Circle, conditions: Conditions, page: Page): CompPage {
  const metersTo = metersFrom(circle.longitude, circle.latitude);
  const near: Near[] = [];
  for (const box of boxesAround(circle.longitude, circle.latitude, circle.meters)) {
    for (const { comp_rowid: rowid, longitude, latitude } of inBox(land, box, conditions)) {
      const meters = metersTo(longitude, latitude);
      if (meters <= circle.meters) near.push({ rowid, meters });
    }
  }
  if (page.number > 1 && page.offset >= near.length) throw pastTheEnd(page, near.length);
  near.sort((a, b) => a.meters - b.meters);
  return { count: near.length, results: rowsOfPage(land, near, page) };
}

/** CROSS JOIN keeps the R-tree outermost, whatever the planner expects of the other conditions. */
const inBox = ({ file }: LandStore, box: DegreeBox, { sql, values }: Conditions): Placed[] =>
  file.all<Placed>(
    `SELECT c.comp_rowid, c.longitude, c.latitude FROM comps_index i CROSS JOIN comps c ON c.comp_rowid = i.comp_rowid
     WHERE i.max_lon >= ? AND i.min_lon <= ? AND i.max_lat >= ? AND i.min_lat <= ? AND ${sql}`,
    box.west,
    box.east,
    box.south,
    box.north,
    ...values,
  );

/** The rows of the page, and those exactly as far as its first or last: ties are ordered by id. */
function rowsOfPage({ file }: LandStore, near: readonly Near[], { offset, size }: Page): CompRow[] {
  const end = Math.min(offset + size, near.length);
  if (offset >= end) return [];
  let from = offset;
  let to = end;
  while (from > 0 && near[from - 1]?.meters === near[offset]?.meters) from--;
  while (to < near.length && near[to]?.meters === near[end - 1]?.meters) to++;
  const metersOf = new Map(near.slice(from, to).map(({ rowid, meters }) => [rowid, meters]));
  const rows = rowsAt(file, [...metersOf.keys()]);
  const meters = (row: { comp_rowid: number }) => metersOf.get(row.comp_rowid) ?? 0;
  rows.sort((a, b) => meters(a) - meters(b) || (a.comp_id < b.comp_id ? -1 : 1));
  return rows.slice(offset - from, end - from);
}

/** Comps that count for a county's market now: sold within the window, or listed and last seen in it; each sale once. */
export function marketComps({ file }: LandStore, fips: string, now: Date): MarketComp[] {
  const { after, until } = statsWindow(now);
  const columns = `${toldSql}, days_on_market`;
  const rows = file.all<ToldRow & MarketComp>(
    `SELECT ${columns} FROM comps c
     WHERE fips = :fips AND status = 'SOLD' AND sold_date > :after AND sold_date <= :until AND lot_size > 0 AND c.struck IS NULL
     UNION ALL
     SELECT ${columns} FROM comps c
     WHERE fips = :fips AND status <> 'SOLD' AND lot_size > 0 AND c.struck IS NULL
       AND coalesce(max(coalesce(as_of_date, list_date), coalesce(list_date, as_of_date)), :until) > :after`,
    { fips, after, until },
  );
  return splitToldRows(rows).kept;
}

/** Whether the county has any comp. */
export const compCount = ({ file }: LandStore, fips: string): number =>
  file.get<{ comps: number }>('SELECT count(*) AS comps FROM comps WHERE fips = ?', fips)?.comps ?? 0;

export const hasAnyComps = ({ file }: LandStore): boolean => file.get('SELECT 1 FROM comps LIMIT 1') !== undefined;

export const hasComps = ({ file }: LandStore, fips: string): boolean =>
  file.get('SELECT 1 FROM comps WHERE fips = ? LIMIT 1', fips) !== undefined;
