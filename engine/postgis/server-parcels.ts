/** Parcels of a snapshot: pages of filters and searches, single parcels, owners. */
import { type RawBuilder, sql } from 'kysely';
import type { DeskParcel, ParcelSearch, SearchPage } from '../land/land-reader.ts';
import type { RecordedOwner } from '../owners/owner-identity.ts';
import type { FilterRequest } from '../query/filter-request.ts';
import { currentTerm, type KeptUnknownTest, type Sql } from '../query/filter-terms.ts';
import { type ApnRow, apnCondition, meantApns, pageOfMatches } from '../query/find-parcels.ts';
import { aroundOf, idsAround, type LookedUp, ownerParcelOf } from '../query/looked-up.ts';
import { allColumns, fieldsOf } from '../query/parcel-detail.ts';
import {
  keyOfPortfolio,
  type Ordering,
  type ParcelPage,
  pastTheEnd,
  type SummaryRow,
  someKept,
  summaryColumns,
  summaryOf,
} from '../query/parcel-query.ts';
import { ownerColumns, type TracedOwner } from '../query/traced-owner.ts';
import type { Page } from '../spec/paging.ts';
import type { AddedFields, ParcelField } from '../spec/parcel-fields.ts';
import type { ParcelSummary } from '../spec/parcel-summary.ts';
import type { ParcelDetail } from '../spec/wire-types.ts';
import type { Row } from './connect.ts';
import { type KeptCounties, noTexts } from './county-cache.ts';
import { shapeOfEwkb } from './ewkb.ts';
import { columnSql, filterTerms, filterTests, hasEveryToken, keptUnknownTests } from './postgres-dialect.ts';
import { findNeighbours } from './server-neighbours.ts';
import { ofId, type SnapshotRows } from './snapshot-rows.ts';

export const every = (terms: readonly Sql[]): Sql => sql.join([...terms], sql` AND `);

/** A page of ids with its counties, the count of all, and of those that a filter keeps because their value is unknown. */
type FoundIds = Row & { readonly count: number; readonly ids: readonly string[]; readonly counties: readonly string[] };

interface Asked {
  readonly terms: readonly Sql[];
  readonly keptUnknown: readonly KeptUnknownTest[];
  readonly page: Page;
  readonly ordering: Ordering | null;
}

/** One statement: count and page apart would scan twice. */
function matchQuery({ terms, keptUnknown, page, ordering }: Asked): RawBuilder<unknown> {
  const kept = keptUnknown.map((_, i) => sql.ref(`kept${i}`));
  const columns = [
    sql`property_id`,
    sql`fips`,
    ...(ordering ? [sql`${columnSql(ordering.column)} AS placed`] : []),
    ...keptUnknown.map(({ test }, i) => sql`${test} AS ${kept[i]}`),
  ];
  const order = ordering
    ? sql`placed ${ordering.descending ? sql`DESC` : sql`ASC`} NULLS LAST, property_id`
    : sql`property_id`;
  const counts = kept.map((one) => sql`, count(*) FILTER (WHERE ${one}) AS ${one}`);
  return sql`WITH matched AS MATERIALIZED (SELECT ${sql.join(columns)} FROM parcels WHERE ${every(terms)}),
    page AS (SELECT * FROM matched ORDER BY ${order} LIMIT ${page.size}::bigint OFFSET ${page.offset}::bigint)
    SELECT count(*) AS count, (SELECT array_agg(property_id ORDER BY ${order}) FROM page) AS ids,
      (SELECT array_agg(fips ORDER BY ${order}) FROM page) AS counties${sql.join(counts, sql``)} FROM matched`;
}

async function findPage(rows: SnapshotRows, asked: Asked): Promise<ParcelPage> {
  const { page, keptUnknown } = asked;
  const found = (await rows.byPages<FoundIds>(matchQuery(asked))) as FoundIds;
  if (page.number > 1 && page.offset >= found.count) throw pastTheEnd(page, found.count);
  return {
    count: found.count,
    keptUnknown: someKept(keptUnknown.map(({ filter }, i) => ({ filter, parcels: found[`kept${i}`] as number }))),
    absent: [],
    thin: [],
    results: await summariesOf(rows, (found.ids ?? []).map(Number), found.counties ?? []),
  };
}

/** The rows of ids whose counties are known: the plan has their partitions alone. */
const inCounties = (ids: readonly number[], counties: readonly string[]): Sql =>
  sql`p.fips = ANY(${[...new Set(counties)]}::text[]) AND p.property_id = ANY(${[...ids]}::bigint[])`;

async function summariesOf(
  rows: SnapshotRows,
  ids: readonly number[],
  counties: readonly string[],
): Promise<ParcelSummary[]> {
  if (ids.length === 0) return [];
  const found = await rows.all<SummaryRow & Row>(
    sql`SELECT ${sql.join(summaryColumns.map((name) => sql.ref(name)))} FROM parcels p
      WHERE ${inCounties(ids, counties)}`,
  );
  const byId = new Map(found.map((row) => [row.property_id, summaryOf(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export async function findParcels(
  rows: SnapshotRows,
  kept: KeptCounties,
  request: FilterRequest,
  page: Page,
  ordering: Ordering | null,
): Promise<ParcelPage> {
  const held = await kept.withMatches(rows, request, ordering, (matches, steps) => ({
    ...pageOfMatches(matches, steps, page, ordering, noTexts),
    counties: matches.flatMap(({ county, count }) => (count > 0 ? [county.fips] : [])),
  }));
  if (held) {
    const { ids, counties, ...found } = held;
    return { ...found, results: await summariesOf(rows, ids, counties) };
  }
  const terms = filterTerms(request, await lookUp(rows, request));
  return findPage(rows, { terms, keptUnknown: keptUnknownTests(request), page, ordering });
}

/** Null if it takes too long. */
export async function countMatches(
  rows: SnapshotRows,
  kept: KeptCounties,
  request: FilterRequest,
): Promise<number | null> {
  const held = await kept.withMatches(rows, request, null, (matches) =>
    matches.reduce((sum, { count }) => sum + count, 0),
  );
  if (held !== null) return held;
  const terms = filterTerms(request, await lookUp(rows, request));
  return rows.inTime(async () => {
    const row = await rows.first<{ readonly n: number | string }>(
      sql`SELECT count(*) AS n FROM parcels WHERE ${every(terms)}`,
    );
    return Number(row?.n ?? 0);
  });
}

/** Null if it takes too long. */
export async function hasMatch(
  rows: SnapshotRows,
  kept: KeptCounties,
  request: FilterRequest,
): Promise<boolean | null> {
  const held = await kept.withMatches(rows, request, null, (matches) => matches.some(({ count }) => count > 0));
  if (held !== null) return held;
  const terms = filterTerms(request, await lookUp(rows, request));
  return rows.inTime(async () => {
    const row = await rows.first<{ readonly found: boolean }>(
      sql`SELECT EXISTS (SELECT 1 FROM parcels WHERE ${every(terms)}) AS found`,
    );
    return row?.found === true;
  });
}

/** @throws EngineError validation_error if a parcel that the request names is unknown or cannot tell */
export async function lookUp(rows: SnapshotRows, request: FilterRequest): Promise<LookedUp> {
  const around = aroundOf(request);
  return {
    mailingKey: await portfolioKey(rows, request),
    around: around ? idsAround(around.id, await findNeighbours(rows, around.id, around.feet)) : null,
  };
}

async function portfolioKey(rows: SnapshotRows, request: FilterRequest): Promise<string | null> {
  const id = ownerParcelOf(request);
  if (id === undefined) return null;
  const row = await rows.first<{ readonly mailing_key: string | null }>(
    sql`SELECT p.mailing_key FROM parcels p WHERE ${await ofId(rows, id)}`,
  );
  return keyOfPortfolio(id, row);
}

export async function searchParcels(
  rows: SnapshotRows,
  { fips, apn, ownerName, place }: ParcelSearch,
  page: Page,
  ordering: Ordering | null,
): Promise<SearchPage> {
  const named = apn === null ? null : await parcelsOfApn(rows, fips, apn);
  const terms = [
    sql`fips = ${fips}`,
    currentTerm,
    ...(named ? [sql`property_id = ANY(${[...named.ids]}::bigint[])`] : []),
    ...(ownerName === null ? [] : [hasEveryToken('owner_name', ownerName)]),
    ...(place ? filterTests(place).map(({ test }) => test) : []),
  ];
  const found = await findPage(rows, { terms, keptUnknown: [], page, ordering });
  return { ...found, alike: named?.alike ?? [] };
}

async function parcelsOfApn(rows: SnapshotRows, fips: string, apn: string) {
  const [column, value] = apnCondition(apn);
  const found = await rows.all<ApnRow & Row>(
    sql`SELECT property_id, apn FROM parcels WHERE ${sql.ref(column)} = ${value} AND fips = ${fips} AND status = 'current'
      ORDER BY property_id`,
  );
  return meantApns(found, apn);
}

/** Columns of parcels by id; unknown ids are left out. */
async function columnsOfIds<Found>(rows: SnapshotRows, ids: readonly number[], columns: RawBuilder<unknown>) {
  const found = new Map<number, Found>();
  for (const id of new Set(ids)) {
    const row = await rows.first<Found & Row>(sql`SELECT ${columns} FROM parcels p WHERE ${await ofId(rows, id)}`);
    if (row) found.set(id, row);
  }
  return found;
}

/** What parcels record of their owners; unknown ids are left out. */
export const findRecordedOwners = (rows: SnapshotRows, ids: readonly number[]): Promise<Map<number, RecordedOwner>> =>
  columnsOfIds(rows, ids, sql`p.owner_name, p.owner_type, p.mailing_key`);

export const findDeskParcels = (rows: SnapshotRows, ids: readonly number[]): Promise<Map<number, DeskParcel>> =>
  columnsOfIds(
    rows,
    ids,
    sql`p.fips, p.apn, p.owner_name, coalesce(p.acres, p.calculated_acres) AS acres, p.situs_address, p.situs_city,
      p.point_lon, p.point_lat`,
  );

const bytes = sql`ST_AsEWKB(p.geom, 'NDR') AS bytes`;

/** What is read for a column that parcels do not store; `d` is the dataset of the parcel, `c` its county. */
const computedSql: Readonly<Record<string, Sql>> = {
  url: sql`p.property_id`,
  point: sql`p.point_lon, p.point_lat`,
  shape: bytes,
  shape_wkt: bytes,
  county_name: sql`c.name AS county_name`,
  jurisdiction: sql`nullif(d.jurisdiction, '') AS jurisdiction`,
  ...Object.fromEntries(['source_name', 'source_date', 'imported_at'].map((name) => [name, sql.ref(`d.${name}`)])),
};

async function fieldRows(
  rows: SnapshotRows,
  fields: readonly ParcelField[],
  which: Sql,
): Promise<(readonly [id: number, AddedFields])[]> {
  const columns = [...new Set(fields.map((name) => computedSql[name] ?? sql.ref(`p.${name}`)))];
  const found = await rows.all<Row & { readonly property_id: number; readonly bytes?: Buffer | null }>(
    sql`SELECT p.property_id, ${sql.join(columns)}
    FROM parcels p LEFT JOIN datasets d ON d.fips = p.fips AND d.dataset_id = p.dataset_id
      LEFT JOIN counties c ON c.fips = p.fips
    WHERE ${which}`,
  );
  return found.map((row) => {
    const shape = row.bytes ? shapeOfEwkb(row.bytes) : null;
    return [row.property_id, fieldsOf(fields, row, shape, (_column, stored) => stored ?? null)];
  });
}

export async function findParcel(rows: SnapshotRows, id: number): Promise<ParcelDetail | null> {
  const [found] = await fieldRows(rows, allColumns, await ofId(rows, id));
  return found ? (found[1] as ParcelDetail) : null;
}

/** Some columns of parcels, by id. */
export async function findFields(
  rows: SnapshotRows,
  parcels: readonly ParcelSummary[],
  fields: readonly ParcelField[],
): Promise<ReadonlyMap<number, AddedFields>> {
  const ids = parcels.map(({ property_id: id }) => id);
  return new Map(
    await fieldRows(
      rows,
      fields,
      inCounties(
        ids,
        parcels.map(({ fips }) => fips),
      ),
    ),
  );
}

export async function findOwner(rows: SnapshotRows, id: number): Promise<TracedOwner | null> {
  const columns = sql.join(ownerColumns.map((name) => sql.ref(`p.${name}`)));
  return (
    (await rows.first<TracedOwner & Row>(sql`SELECT ${columns} FROM parcels p WHERE ${await ofId(rows, id)}`)) ?? null
  );
}
