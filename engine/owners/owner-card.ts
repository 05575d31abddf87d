/** All land of one owner for its card: sums by county and town, where each holding lies, its sales, what is perhaps its own. */
import type { SqliteFile } from '../store/sqlite.ts';
import { acresOf, type LandOfOwner, shapeColumnsSql } from './holding-columns.ts';
import { acresSql, ofGroup, piecesOf } from './read-owner.ts';

export interface OwnerTotal {
  readonly fips: string;
  readonly county_name: string | null;
  /** Null: the whole county. */
  readonly town: string | null;
  readonly parcels: number;
  readonly acres: number | null;
  readonly holdings: number;
  readonly value: number | null;
}

export interface OwnerPiece {
  readonly parcels: number;
  readonly acres: number | null;
  /** Inside its largest parcel; null: none of them has a place. */
  readonly point: readonly [number, number] | null;
}

export interface OwnerSale {
  readonly property_id: number;
  readonly apn: string | null;
  readonly date: string;
  readonly price: number | null;
  readonly seller: string | null;
}

export interface OwnerLand {
  /** Largest first. */
  readonly pieces: readonly OwnerPiece[];
  /** Each county, then its towns. */
  readonly totals: readonly OwnerTotal[];
  /** Market or assessed, whichever more of the parcels publish, and of how many it is known. */
  readonly value_is: 'market' | 'assessed';
  readonly valued: number;
  readonly property_ids: readonly number[];
  readonly sales: readonly OwnerSale[];
}

interface LandRow extends LandOfOwner {
  readonly apn: string | null;
  readonly fips: string;
  readonly town: string;
  readonly county_name: string | null;
  readonly market: number | null;
  readonly assessed: number | null;
  readonly x: number | null;
  readonly y: number | null;
  readonly sold_on: string | null;
  readonly price: number | null;
  readonly seller: string | null;
}

const landSql = `SELECT p.property_id, p.apn, coalesce(p.fips, '') AS fips, ${acresSql} AS acres, ${shapeColumnsSql},
    coalesce(p.situs_city, '') AS town, (SELECT name FROM counties c WHERE c.fips = p.fips) AS county_name,
    p.market_total_value AS market, p.assessed_total_value AS assessed, p.point_lon AS x, p.point_lat AS y,
    p.last_sale_date AS sold_on, p.last_sale_price AS price, p.last_sale_seller_name AS seller
  ${ofGroup} ORDER BY p.property_id`;

/** No more are outlined on the map. */
const mostOfRelated = 200;

/** @param propertyId one of its parcels; null if its owner is unknown or not worked out */
export function readOwnerLand(file: SqliteFile, propertyId: number): OwnerLand | null {
  const group = groupOf(file, propertyId);
  if (group === undefined) return null;
  const land = file.all<LandRow & Record<string, never>>(landSql, group);
  const pieces = piecesOf(file, land);
  const [markets, assessments] = [land.filter(({ market }) => market), land.filter(({ assessed }) => assessed)];
  const isMarket = markets.length >= assessments.length;
  const worthOf = (row: LandRow) => (isMarket ? row.market : row.assessed);
  return {
    pieces: pieces.map(pieceOf),
    totals: totalsOf(land, pieces, worthOf),
    value_is: isMarket ? 'market' : 'assessed',
    valued: (isMarket ? markets : assessments).length,
    property_ids: land.map(({ property_id: id }) => id),
    sales: land.flatMap(({ property_id, apn, sold_on: date, price, seller }) =>
      date === null ? [] : [{ property_id, apn, date, price, seller }],
    ),
  };
}

/** The parcels of the owner of one parcel, the first ones. */
export function parcelsOfOwner(file: SqliteFile, propertyId: number): number[] {
  const group = groupOf(file, propertyId);
  if (group === undefined) return [];
  return file.column<number>(`SELECT p.property_id ${ofGroup} ORDER BY p.property_id LIMIT ${mostOfRelated}`, group);
}

const groupOf = (file: SqliteFile, propertyId: number): number | undefined =>
  file.column<number>(
    'SELECT group_id FROM parcel_owners JOIN owner_identities USING (identity_id) WHERE property_id = ?',
    propertyId,
  )[0];

function pieceOf(parcels: readonly LandRow[]): OwnerPiece {
  const placed = parcels.filter(({ x, y }) => x !== null && y !== null);
  const largest = placed.toSorted((a, b) => (b.acres ?? 0) - (a.acres ?? 0))[0];
  const point = largest ? ([largest.x as number, largest.y as number] as const) : null;
  return { parcels: parcels.length, acres: acresOf(parcels), point };
}

function totalsOf(
  land: readonly LandRow[],
  pieces: readonly (readonly LandRow[])[],
  worthOf: (row: LandRow) => number | null,
): OwnerTotal[] {
  const total = (rows: readonly LandRow[], town: string | null): OwnerTotal => {
    const [{ fips, county_name }] = rows as [LandRow];
    const within = new Set(rows);
    const values = rows.flatMap((row) => worthOf(row) ?? []);
    return {
      ...{ fips, county_name, town, parcels: rows.length, acres: acresOf(rows) },
      holdings: pieces.filter((piece) => piece.some((row) => within.has(row))).length,
      value: values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0),
    };
  };
  const mostFirst = (a: OwnerTotal, b: OwnerTotal) => b.parcels - a.parcels;
  return [...Map.groupBy(land, ({ fips }) => fips).values()]
    .map((rows) => ({ rows, county: total(rows, null) }))
    .sort((a, b) => mostFirst(a.county, b.county))
    .flatMap(({ rows, county }) => {
      const towns = [...Map.groupBy(rows, ({ town }) => town)].map(([town, own]) => total(own, town));
      return [county, ...(towns.length > 1 || towns[0]?.town ? towns.sort(mostFirst) : [])];
    });
}
