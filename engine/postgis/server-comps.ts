/** Comps of a snapshot: lists, the market of a county, and those that value a parcel. */
import { type RawBuilder, sql } from 'kysely';
import { splitToldRows, type ToldRow, toldSql } from '../comps/comp-facts.ts';
import { CompIndex } from '../comps/comp-index.ts';
import { type CompValueExplanation, type NoCompValue, valueFromComps } from '../comps/comp-value.ts';
import { boxesAround, type DegreeBox, metersFrom } from '../comps/distance.ts';
import { type MarketComp, statsWindow } from '../comps/market-stats.ts';
import { valuationParameters } from '../comps/valuation-parameters.ts';
import type { ValueDay } from '../comps/value-day.ts';
import type { ValueComp } from '../comps/value-types.ts';
import { type Circle, type CompPage, type CompQuery, type CompRow, compRowColumns } from '../query/comp-query.ts';
import { type LandRow, landNames, type ValueCompRow, valueCompColumns, valueCompOf } from '../query/comp-row.ts';
import type { Sql } from '../query/filter-terms.ts';
import { pastTheEnd } from '../query/parcel-query.ts';
import { type SubjectRow, subjectColumns, subjectOf } from '../query/value-query.ts';
import type { Page } from '../spec/paging.ts';
import type { Row } from './connect.ts';
import type { KeptLand } from './land-cache.ts';
import { findMarketSight } from './server-market.ts';
import { every } from './server-parcels.ts';
import { ofId, type SnapshotRows } from './snapshot-rows.ts';

const columns = sql.join(compRowColumns.map((name) => sql.ref(`c.${name}`)));

function conditionsOf({ fips, statuses, soldFrom, soldUntil, acresMin, acresMax }: Omit<CompQuery, 'page'>): Sql[] {
  return [
    ...(fips === undefined ? [] : [sql`c.fips = ${fips}`]),
    ...(statuses === undefined ? [] : [sql`c.status = ANY(${[...statuses]}::text[])`]),
    ...(soldFrom === undefined ? [] : [sql`c.sold_date >= ${soldFrom}`]),
    ...(soldUntil === undefined ? [] : [sql`c.sold_date <= ${soldUntil}`]),
    ...(acresMin === undefined ? [] : [sql`c.lot_size >= ${acresMin}::double precision`]),
    ...(acresMax === undefined ? [] : [sql`c.lot_size <= ${acresMax}::double precision`]),
  ];
}

export const findComps = (rows: SnapshotRows, query: CompQuery): Promise<CompPage> =>
  query.circle
    ? nearestFirst(rows, query.circle, conditionsOf(query), query.page)
    : newestFirst(rows, conditionsOf(query), query.page);

async function newestFirst(rows: SnapshotRows, conditions: readonly Sql[], page: Page): Promise<CompPage> {
  const where = conditions.length === 0 ? sql`true` : every(conditions);
  const counted = await rows.first<{ readonly n: number }>(sql`SELECT count(*) AS n FROM comps c WHERE ${where}`);
  const count = counted?.n ?? 0;
  if (page.number > 1 && page.offset >= count) throw pastTheEnd(page, count);
  const results = await rows.all<CompRow & Row>(
    sql`SELECT ${columns} FROM comps c WHERE ${where} ORDER BY c.sold_date DESC NULLS LAST, c.comp_id
      LIMIT ${page.size}::bigint OFFSET ${page.offset}::bigint`,
  );
  return { count, results };
}

/** Answered by the index; slightly wide, as PostgreSQL compares points. */
const inBox = ({ west, east, south, north }: DegreeBox): Sql =>
  sql`point(c.longitude, c.latitude) <@ box(point(${west}::double precision, ${south}::double precision), point(${east}::double precision, ${north}::double precision))`;

/** Exactly, both bounds included. */
const within = (box: DegreeBox): Sql =>
  sql`${inBox(box)} AND c.longitude BETWEEN ${box.west}::double precision AND ${box.east}::double precision
    AND c.latitude BETWEEN ${box.south}::double precision AND ${box.north}::double precision`;

const inBoxes = (boxes: readonly DegreeBox[]): Sql => sql`(${sql.join(boxes.map(inBox), sql` OR `)})`;

interface Placed {
  readonly fips: string;
  readonly comp_id: string;
  readonly longitude: number;
  readonly latitude: number;
}

/** The box yields candidates, the geodesic distance decides. */
async function nearestFirst(
  rows: SnapshotRows,
  { longitude, latitude, meters }: Circle,
  conditions: readonly Sql[],
  page: Page,
): Promise<CompPage> {
  const boxes = inBoxes(boxesAround(longitude, latitude, meters));
  const placed = await rows.all<Placed & Row>(
    sql`SELECT c.fips, c.comp_id, c.longitude, c.latitude FROM comps c WHERE ${every([boxes, ...conditions])}`,
  );
  const metersTo = metersFrom(longitude, latitude);
  const near = placed
    .map((comp) => ({ ...comp, meters: metersTo(comp.longitude, comp.latitude) }))
    .filter((comp) => comp.meters <= meters)
    .sort((a, b) => a.meters - b.meters || (a.comp_id < b.comp_id ? -1 : 1));
  if (page.number > 1 && page.offset >= near.length) throw pastTheEnd(page, near.length);
  return {
    count: near.length,
    results: await compsOf(rows, near.slice(page.offset, page.offset + page.size)),
  };
}

async function compsOf(rows: SnapshotRows, places: readonly Placed[]): Promise<CompRow[]> {
  if (places.length === 0) return [];
  const found = await rows.all<CompRow & Row>(
    sql`SELECT ${columns} FROM comps c WHERE c.fips = ANY(${[...new Set(places.map(({ fips }) => fips))]}::text[])
      AND c.comp_id = ANY(${places.map(({ comp_id: id }) => id)}::text[])`,
  );
  const byId = new Map(found.map((row) => [row.comp_id, row]));
  return places.flatMap(({ comp_id: id }) => byId.get(id) ?? []);
}

export async function hasAnyComps(rows: SnapshotRows): Promise<boolean> {
  return (await rows.first(sql`SELECT 1 AS one FROM comps LIMIT 1`)) !== undefined;
}

/** As query/comp-query.ts has it. */
export async function findMarketComps(rows: SnapshotRows, fips: string, now: Date): Promise<MarketComp[]> {
  const { after, until } = statsWindow(now);
  const told = sql.raw(`${toldSql}, days_on_market`);
  const found = await rows.all<ToldRow & MarketComp & Row>(
    sql`SELECT ${told} FROM comps c
      WHERE fips = ${fips} AND status = 'SOLD' AND sold_date > ${after} AND sold_date <= ${until} AND lot_size > 0 AND c.struck IS NULL
      UNION ALL
      SELECT ${told} FROM comps c WHERE fips = ${fips} AND status <> 'SOLD' AND lot_size > 0 AND c.struck IS NULL
        AND coalesce(greatest(coalesce(as_of_date, list_date), coalesce(list_date, as_of_date)), ${until}) > ${after}`,
  );
  return splitToldRows(found).kept;
}

/** Rings of comps that are read at once, in kilometers: most values need the first alone. */
const readKilometers = [8, 32, valuationParameters.ringsKilometers.at(-1) ?? 0];

/** Rings are circles of a plane, up to a hundredth off the geodesic ones. */
const ringMargin = 1.02;

/** How many comps beyond the last ring may be the nearest of all, as PostgreSQL computes it. */
const nearestRead = 20;

/** Reads comps ring by ring: a value depends on those within its own ring alone, and so does the reason against one. */
export async function valueParcel(
  rows: SnapshotRows,
  kept: KeptLand,
  id: number,
  on: ValueDay,
): Promise<CompValueExplanation | NoCompValue | null> {
  const row = await rows.first<SubjectRow & Row>(
    sql`SELECT ${sql.raw(subjectColumns)} FROM parcels p WHERE ${await ofId(rows, id)}`,
  );
  if (!row) return null;
  const subject = subjectOf(id, asStored(row), on);
  const { acres, longitude, latitude } = subject;
  const sight = await findMarketSight(rows, kept, subject.fips, (box) => valueComps(rows, sql`WHERE ${within(box)}`));
  const value = (comps: readonly ValueComp[]) =>
    valueFromComps(subject, CompIndex.of(comps), valuationParameters, sight);
  if (acres === null || longitude === null || latitude === null) return value([]);
  for (const kilometers of readKilometers) {
    const boxes = boxesAround(longitude, latitude, kilometers * 1000 * ringMargin);
    const comps = await valueComps(rows, sql`WHERE ${inBoxes(boxes)}`);
    const found = value(comps);
    if (found.value !== null && found.ringKilometers <= kilometers) return found;
    if (kilometers === readKilometers.at(-1))
      return found.value === null ? value([...comps, ...(await nearestBeyond(rows, subject, comps))]) : found;
  }
  return null;
}

/** The types of land.sqlite, which `attributesOf` reads. */
const asStored = <Stored extends Row>(row: Stored): Stored => ({
  ...row,
  landlocked: row.landlocked === null ? null : Number(row.landlocked),
  slope_area_percent: row.slope_area_percent === null ? null : JSON.stringify(row.slope_area_percent),
});

type FoundComp = Omit<ValueCompRow, keyof LandRow> & Row & { readonly fips: string };

async function valueComps(rows: SnapshotRows, which: RawBuilder<unknown>): Promise<ValueComp[]> {
  const found = await rows.all<FoundComp>(sql`SELECT ${sql.raw(valueCompColumns)}, c.fips FROM comps c ${which}`);
  const land = await attributesOfParcels(rows, found);
  return found.map((row) => valueCompOf({ ...row, ...(land.get(row.property_id) ?? unknownLand) }));
}

const unknownLand: LandRow = {
  wetlands_percent: null,
  flood_zone_percent: null,
  slope_area_percent: null,
  landlocked: null,
  road_frontage_ft: null,
  water_frontage_ft: null,
  county_land_value: null,
};

/** Mostly of the comps' own counties: only the partitions of their states are read. */
async function attributesOfParcels(
  rows: SnapshotRows,
  comps: readonly FoundComp[],
): Promise<ReadonlyMap<number | null, LandRow>> {
  const linked = comps.filter((comp) => comp.property_id !== null);
  const found = new Map<number | null, LandRow>();
  const read = async (counties: readonly string[], ids: readonly (number | null)[]) => {
    if (ids.length === 0) return;
    const parcels = await rows.all<LandRow & Row & { readonly property_id: number }>(
      sql`SELECT p.property_id, ${sql.raw(landNames.join(', '))} FROM parcels p
        WHERE p.fips = ANY(${[...new Set(counties)]}::text[]) AND p.property_id = ANY(${[...ids]}::bigint[])`,
    );
    for (const parcel of parcels) found.set(parcel.property_id, asStored(parcel));
  };
  await read(
    linked.map(({ fips }) => fips),
    linked.map(({ property_id: id }) => id),
  );
  const elsewhere = linked.map(({ property_id: id }) => id).filter((id) => !found.has(id));
  if (elsewhere.length > 0) await read(await countiesOfIds(rows, elsewhere), elsewhere);
  return found;
}

async function countiesOfIds(rows: SnapshotRows, ids: readonly (number | null)[]): Promise<string[]> {
  const found = await rows.all<{ readonly fips: string | null }>(
    sql`SELECT DISTINCT county_of(id) AS fips FROM unnest(${[...ids]}::bigint[]) AS given (id)`,
  );
  return found.flatMap(({ fips }) => fips ?? []);
}

interface Place {
  readonly propertyId: number | null;
  readonly longitude: number | null;
  readonly latitude: number | null;
}

/** Those of other parcels that are not read yet, by the formula of comps/comp-index.ts. */
async function nearestBeyond(
  rows: SnapshotRows,
  { propertyId, longitude, latitude }: Place,
  read: readonly ValueComp[],
): Promise<ValueComp[]> {
  const [x, y] = [sql`${longitude}::double precision`, sql`${latitude}::double precision`];
  const apart = sql`abs(c.longitude - ${x})`;
  const east = sql`(least(${apart}, 360 - ${apart}) * cosd((c.latitude + ${y}) / 2) * 111.32)`;
  const north = sql`((c.latitude - ${y}) * 110.57)`;
  return valueComps(
    rows,
    sql`WHERE c.property_id IS DISTINCT FROM ${propertyId}::bigint AND c.comp_id <> ALL(${read.map(({ id }) => id)}::text[])
      ORDER BY ${east} * ${east} + ${north} * ${north}, c.comp_id LIMIT ${sql.lit(nearestRead)}`,
  );
}
