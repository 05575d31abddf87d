/** Neighbors of a parcel on the server, by the rules of query/neighbours.ts. */
import { sql } from 'kysely';
import {
  boxAround,
  type FoundNeighbours,
  groundNotices,
  type Lot,
  lotsAround,
  neighboursOf,
  type PlacedRow,
  placedColumns,
  shapelessNotice,
} from '../query/neighbours.ts';
import { apnKey } from '../spec/text-fold.ts';
import type { Row } from './connect.ts';
import { shapeOfEwkb } from './ewkb.ts';
import { ofId, type SnapshotRows } from './snapshot-rows.ts';

type ShapedRow = PlacedRow & Row & { readonly bytes: Buffer | null };

const placed = sql.join(placedColumns.map((name) => sql.ref(`p.${name}`)));
const shaped = sql`${placed}, ST_AsEWKB(p.geom, 'NDR') AS bytes`;
const hasShape = sql`GeometryType(p.geom) = 'MULTIPOLYGON'`;

const lotOf = ({ bytes, ...row }: ShapedRow): Lot => ({ row, polygons: (bytes && shapeOfEwkb(bytes)) ?? [] });

export async function findNeighbours(
  rows: SnapshotRows,
  id: number,
  feet: number | null,
): Promise<FoundNeighbours | null> {
  const found = await rows.first<ShapedRow>(sql`SELECT ${shaped} FROM parcels p WHERE ${await ofId(rows, id)}`);
  if (!found) return null;
  const own = lotOf(found);
  const ground = own.polygons.length > 0 ? own : await lotUnder(rows, own.row);
  if (!ground) {
    const without = await rows.first<{ readonly n: number }>(
      sql`SELECT count(*) AS n FROM parcels p WHERE p.fips IS NOT DISTINCT FROM ${own.row.fips}::text
        AND (p.geom IS NULL OR NOT ${hasShape})`,
    );
    return { neighbours: [], notices: [shapelessNotice(without?.n ?? 0)] };
  }
  const { minX, minY, maxX, maxY } = boxAround(ground.polygons, feet);
  const around = await rows.all<ShapedRow>(
    sql`SELECT ${shaped} FROM parcels p WHERE p.geom && ST_MakeEnvelope(${minX}, ${minY}, ${maxX}, ${maxY}, 4326)
      AND ${hasShape} AND p.status = 'current' AND p.property_id <> ${id}::bigint`,
  );
  const subject = { row: own.row, polygons: ground.polygons };
  const lots = lotsAround(subject, around.map(lotOf), feet);
  const neighbours = neighboursOf(own.row, lots, await accountsOn(rows, id, [...lots.map(({ row }) => row), own.row]));
  return { neighbours, notices: groundNotices(subject, lots, neighbours) };
}

async function lotUnder(rows: SnapshotRows, { fips, dataset_id, stacked_on, point_lon, point_lat }: PlacedRow) {
  if (stacked_on === null) return null;
  const found = await rows.first<ShapedRow>(
    sql`SELECT ${shaped} FROM parcels p WHERE p.apn_key = ${apnKey(stacked_on)} AND p.fips = ${fips}::text
      AND p.dataset_id = ${dataset_id} AND p.apn = ${stacked_on} AND ${hasShape} AND p.status = 'current'
    ORDER BY (p.point_lon = ${point_lon} AND p.point_lat = ${point_lat}) DESC LIMIT 1`,
  );
  return found ? lotOf(found) : null;
}

async function accountsOn(rows: SnapshotRows, id: number, lots: readonly PlacedRow[]): Promise<PlacedRow[]> {
  const texts = (of: (row: PlacedRow) => unknown) => lots.map((row) => of(row));
  return rows.all<PlacedRow & Row>(
    sql`SELECT ${placed} FROM parcels p JOIN unnest(${texts((row) => row.fips)}::text[], ${texts((row) => row.dataset_id)}::bigint[],
        ${texts((row) => row.apn)}::text[], ${texts((row) => row.point_lon)}::float8[], ${texts((row) => row.point_lat)}::float8[])
        AS l (fips, dataset_id, apn, x, y)
      ON p.fips = l.fips AND p.dataset_id = l.dataset_id AND p.stacked_on = l.apn AND p.point_lon = l.x AND p.point_lat = l.y
    WHERE p.status = 'current' AND p.property_id <> ${id}::bigint AND (p.geom IS NULL OR NOT ${hasShape})
    ORDER BY p.apn COLLATE "C", p.property_id`,
  );
}
