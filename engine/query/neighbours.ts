/**
 * Whose land lies around a parcel: what abuts it, what faces it across a road, what lies within a distance of its
 * boundary. Found from the shapes as they stand, so that no answer waits for the stored pairs of a county.
 */
import { geodesicMeters } from '../comps/distance.ts';
import { ownerKey } from '../contacts/owner-key.ts';
import { ownerOf } from '../contacts/owner-name-words.ts';
import { bandAround } from '../geo/band.ts';
import { clipPolygons } from '../geo/clip-ring.ts';
import { coveredArea } from '../geo/covered-area.ts';
import { type Bounds, boundsOfMultiPolygon, boundsOverlap, type MultiPolygon } from '../geo/geometry.ts';
import { localMetric, metersPerFoot } from '../geo/local-metric.ts';
import { widenBounds } from '../geo/near-length.ts';
import { pointOnSurface } from '../geo/point-on-surface.ts';
import { MeasuredShape } from '../geo/shape-distance.ts';
import { aroundShape, pairMeters, type SharedBoundary, sharedEdges } from '../geo/shared-edges.ts';
import { multiPolygonToGeoJson } from '../geo/spatialite-blob.ts';
import type { ParcelSummary } from '../spec/parcel-summary.ts';
import { isRoadParcel, roadParcelColumns } from '../spec/road-parcels.ts';
import type { LandStore } from '../store/land-store.ts';
import { listStaleNeighbours } from '../store/neighbour-store.ts';
import { neighbourMethod, shapeOf } from './find-neighbours.ts';
import { type SummaryRow, summaryColumns, summaryOf } from './parcel-query.ts';
import { storedShapes } from './parcel-shapes.ts';

export const relations = ['abutting', 'across', 'within'] as const;
export type Relation = (typeof relations)[number];

export const directions = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const;

export interface Neighbour extends ParcelSummary {
  relation: Relation;
  /** Of common boundary; across a road, of boundary that faces it; 0 within a distance. */
  shared_feet: number;
  /** Between the boundaries. */
  distance_feet: number;
  /** From the middle of the parcel; null on the same ground. */
  direction: (typeof directions)[number] | null;
  /** Null: one of the owners is unknown. */
  same_owner: boolean | null;
  /** The property_id of the lot whose ground it shares: an account without a shape of its own, or a further one of equal shape. */
  stacked_on: number | null;
}

export interface FoundNeighbours {
  readonly neighbours: readonly Neighbour[];
  /** Why there are none, or what the list does not show by itself. */
  readonly notices: readonly string[];
}

/** A parcel with what decides about neighbors. */
export interface PlacedRow extends SummaryRow {
  readonly dataset_id: number | null;
  readonly stacked_on: string | null;
  readonly land_use_description: string | null;
  readonly property_class_id: string | null;
}
export const placedColumns = [...summaryColumns, 'dataset_id', 'stacked_on', ...roadParcelColumns] as const;

export interface Lot {
  readonly row: PlacedRow;
  readonly polygons: MultiPolygon;
}

/** Less is the noise of two drawings of one line. */
const leastOverlapShare = 0.01;

/** Rounding of the places that two drawings of one corner have. */
const touchMeters = 0.01;

/** Around the parcel, what may be its neighbor. @param feet of the boundary; null: abutting and across alone */
export function boxAround(polygons: MultiPolygon, feet: number | null): Bounds {
  const bounds = boundsOfMultiPolygon(polygons);
  const [near, far] = [aroundShape(bounds), widenBounds(bounds, (feet ?? 0) * metersPerFoot + 1)];
  return far.minX < near.minX ? far : near;
}

/** A lot that is a neighbor, with its direction as an angle from north; null on the same ground. */
interface FoundLot extends Lot {
  readonly relation: Relation;
  readonly sharedMeters: number;
  readonly meters: number;
  readonly bearing: number | null;
}

/**
 * @param around the lots with a shape in `boxAround`, without the parcel itself
 * @param onLot called for each; an error it throws ends the work
 */
export function lotsAround(subject: Lot, around: readonly Lot[], feet: number | null, onLot = () => {}): FoundLot[] {
  const measured = new MeasuredShape(subject.polygons);
  const near = around.filter(({ polygons }) =>
    boundsOverlap(boundsOfMultiPolygon(polygons), aroundShape(measured.bounds)),
  );
  const lots = [subject, ...near];
  const roads = new Set(lots.flatMap(({ row }, place) => (isRoadParcel(row) ? [place] : [])));
  const pairs = sharedEdges(
    lots.map(({ polygons }) => polygons),
    { subject: 0, roads },
  );
  const shared = new Map(pairs.map((pair) => [near[pair.other - 1], pair]));
  return around.flatMap((lot) => {
    onLot();
    const pair = shared.get(lot);
    // The plane of the parcel is off by less than a hundredth over five miles.
    const most = Math.max(pair ? pairMeters : 0, (feet ?? 0) * metersPerFoot * 1.01 + 1);
    const places = pair || feet !== null ? measured.nearest(lot.polygons, most) : null;
    const meters = places ? geodesicMeters(...places) : Number.POSITIVE_INFINITY;
    if (places && pair) return [besideOf(subject, lot, pair, meters)];
    if (!places || feet === null || meters > feet * metersPerFoot + touchMeters) return [];
    const place = { longitude: places[2], latitude: places[3], sharedMeters: 0, acrossMeters: 0 };
    return [besideOf(subject, lot, place, meters)];
  });
}

function besideOf(
  subject: Lot,
  { row, polygons }: Lot,
  pair: Omit<SharedBoundary, 'one' | 'other'>,
  meters: number,
): FoundLot {
  const isSame = subject.row.point_lon === row.point_lon && subject.row.point_lat === row.point_lat;
  const { sharedMeters: shared, acrossMeters: across } = pair;
  return {
    row,
    polygons,
    relation: shared > 0 ? 'abutting' : across > 0 ? 'across' : 'within',
    sharedMeters: isSame ? 0 : shared || across,
    meters: shared > 0 ? 0 : meters,
    bearing: isSame ? null : bearingOf(subject.row, pair),
  };
}

/** Degrees clockwise from north, from the parcel's point. */
function bearingOf(
  { point_lon: x, point_lat: y }: PlacedRow,
  to: Pick<SharedBoundary, 'longitude' | 'latitude'>,
): number {
  const metric = localMetric(y ?? 0);
  const [east, north] = [(to.longitude - (x ?? 0)) * metric.x, (to.latitude - (y ?? 0)) * metric.y];
  return ((Math.atan2(east, north) * 180) / Math.PI + 360) % 360;
}

/** Lots in order, each with the accounts on its ground. @param accounts without a shape, of these lots or the parcel's own */
export function neighboursOf(
  subject: PlacedRow,
  lots: readonly FoundLot[],
  accounts: readonly PlacedRow[],
): Neighbour[] {
  const key = keyOf(subject);
  const ofLot = Map.groupBy(accounts, lotKey);
  const own: FoundLot = { row: subject, polygons: [], relation: 'abutting', sharedMeters: 0, meters: 0, bearing: null };
  const firsts = new Map<string, number>();
  return [own, ...lots.toSorted(inOrder)].flatMap((lot) => {
    const { row, relation, sharedMeters, meters, bearing } = lot;
    const shown = (account: PlacedRow, on: number | null): Neighbour => ({
      ...summaryOf(account),
      relation,
      shared_feet: tenths(sharedMeters / metersPerFoot),
      distance_feet: tenths(meters / metersPerFoot),
      direction: bearing === null ? null : (directions[Math.round(bearing / 45) % 8] ?? null),
      same_owner: key === null || keyOf(account) === null ? null : keyOf(account) === key,
      stacked_on: on,
    });
    const ground = `${row.point_lon} ${row.point_lat}`;
    const first = firsts.get(ground) ?? null;
    if (first === null) firsts.set(ground, row.property_id);
    const stacked = (ofLot.get(lotKey({ ...row, stacked_on: row.apn })) ?? []).map((one) =>
      shown(one, row.property_id),
    );
    return lot === own ? stacked : [shown(row, first), ...stacked];
  });
}

/** By relation, then clockwise from north. */
function inOrder(a: FoundLot, b: FoundLot): number {
  const relation = relations.indexOf(a.relation) - relations.indexOf(b.relation);
  return relation || (a.bearing ?? -1) - (b.bearing ?? -1) || a.row.property_id - b.row.property_id;
}

const lotKey = ({ dataset_id, point_lon, point_lat, stacked_on }: PlacedRow): string =>
  `${dataset_id} ${point_lon} ${point_lat} ${stacked_on}`;

const keyOf = ({ owner_name: owner }: PlacedRow): string | null => ownerKey(ownerOf(owner ?? ''));

const tenths = (value: number): number => Math.round(value * 10) / 10;

/** What the list does not show by itself. @param found as listed */
export function groundNotices(subject: Lot, lots: readonly FoundLot[], found: readonly Neighbour[]): string[] {
  const same = found.filter(({ direction }) => direction === null).length;
  const over = lots.filter(({ meters, bearing }) => meters === 0 && bearing !== null);
  const covering = over.flatMap(({ polygons }) => polygons.map((polygon) => ({ polygon, coverClass: 0 })));
  const { parcel, covered } = coveredArea(subject.polygons, covering, 1);
  return [
    ...(same === 0
      ? []
      : [`${same === 1 ? 'One parcel lies' : `${same} parcels lie`} on the same ground as this one.`]),
    ...(covered < leastOverlapShare * parcel
      ? []
      : [
          `Other parcels are drawn over ${Math.round((100 * covered) / parcel)} % of this one; they count as abutting.`,
        ]),
  ];
}

export const shapelessNotice = (without: number): string =>
  `Neighbours need shapes: this parcel has none, and ${without.toLocaleString('en-US')} accounts of its county have none.`;

interface BlobRow extends PlacedRow {
  readonly geom: Uint8Array | null;
}

const columnsOf = (table: string): string => placedColumns.map((name) => `${table}.${name}`).join(', ');
const subjectSql = `SELECT ${columnsOf('p')}, p.geom FROM parcels p WHERE p.property_id = ?`;
const lotSql = `SELECT ${columnsOf('p')}, p.geom FROM parcels p WHERE p.apn_key = apn_key(:stacked_on) AND p.fips = :fips
  AND p.dataset_id = :dataset_id AND p.apn = :stacked_on AND p.geom IS NOT NULL AND p.status = 'current'
  ORDER BY p.point_lon = :point_lon AND p.point_lat = :point_lat DESC LIMIT 1`;
const aroundSql = `SELECT ${columnsOf('p')}, p.geom FROM idx_parcels_geom i CROSS JOIN parcels p ON p.property_id = i.pkid
  WHERE i.xmin <= :maxX AND i.xmax >= :minX AND i.ymin <= :maxY AND i.ymax >= :minY
    AND p.status = 'current' AND p.property_id <> :id`;
const accountsSql = `SELECT ${columnsOf('p')} FROM json_each(?) l CROSS JOIN parcels p
  ON p.geom IS NULL AND p.point_lon IS NOT NULL AND p.point_lon = l.value ->> 0 AND p.point_lat = l.value ->> 1
  WHERE p.dataset_id = l.value ->> 2 AND p.stacked_on = l.value ->> 3 AND p.status = 'current' AND p.property_id <> l.value ->> 4
  ORDER BY p.apn, p.property_id`;

/** Null if there is no such parcel. Of an account without a shape, the neighbors of its lot, and who shares it. */
export function findNeighbours(land: LandStore, id: number, feet: number | null): FoundNeighbours | null {
  const { file } = land;
  // The answer does not need the stored pairs; who asks this asks for holdings next.
  if (listStaleNeighbours(file, neighbourMethod).length > 0) land.onStaleNeighbours();
  const own = file.get<BlobRow & Record<string, never>>(subjectSql, id);
  if (!own) return null;
  const { geom: _none, ...place } = own;
  const lot =
    own.geom !== null || own.stacked_on === null ? own : file.get<BlobRow & Record<string, never>>(lotSql, place);
  if (!lot?.geom) {
    const without = file.get<{ n: number }>(
      'SELECT count(*) AS n FROM parcels WHERE fips IS ? AND geom IS NULL',
      own.fips,
    );
    return { neighbours: [], notices: [shapelessNotice(without?.n ?? 0)] };
  }
  const subject = { row: own, polygons: shapeOf(lot.geom) };
  return land.withDeadline(() => {
    const around = file
      .all<BlobRow>(aroundSql, { ...boxAround(subject.polygons, feet), id })
      .map(({ geom, ...row }): Lot => ({ row, polygons: geom ? shapeOf(geom) : [] }));
    const lots = lotsAround(subject, around, feet, () => land.tick());
    const grounds = [...lots.map(({ row }) => row), own].map((row) => [
      ...[row.point_lon, row.point_lat, row.dataset_id, row.apn, id],
    ]);
    const neighbours = neighboursOf(own, lots, file.all<PlacedRow>(accountsSql, JSON.stringify(grounds)));
    return { neighbours, notices: groundNotices(subject, lots, neighbours) };
  });
}

/** Meters around a parcel in which its neighbors have their numbers, at least; else half of its longer side. */
const besideMeters = 100;

/**
 * Where the map numbers the neighbors of a parcel: at the point of each, or where that is far off (a road through the
 * county, a section beside a house lot) on the part of it that lies beside the parcel.
 */
export function placesBeside(
  land: LandStore,
  id: number,
  neighbours: readonly Neighbour[],
): ReadonlyMap<number, readonly [number, number]> {
  const shapes = storedShapes(land, [id, ...neighbours.map(({ property_id: one }) => one)]);
  const own = shapes.get(id);
  const near = own && besideOfBounds(boundsOfMultiPolygon(shapeOf(own)));
  const places = new Map<number, readonly [number, number]>();
  for (const { property_id: one, point } of neighbours) {
    const geom = shapes.get(one);
    if (!point) continue;
    const isNear =
      !near || !geom || boundsOverlap(near, { minX: point[0], maxX: point[0], minY: point[1], maxY: point[1] });
    const part = isNear ? [] : clipPolygons(shapeOf(geom), near);
    places.set(one, part.length === 0 ? point : pointOnSurface(part));
  }
  return places;
}

/** What lies within feet of a parcel's boundary and outside it; null without feet, or a shape of its own. */
export function bandBeside(land: LandStore, id: number, feet: number | null) {
  const geom = feet ? storedShapes(land, [id]).get(id) : undefined;
  const band = geom && bandAround(shapeOf(geom), (feet ?? 0) * metersPerFoot);
  return band ? multiPolygonToGeoJson(band) : null;
}

function besideOfBounds(bounds: Bounds): Bounds {
  const metric = localMetric((bounds.minY + bounds.maxY) / 2);
  const longer = Math.max((bounds.maxX - bounds.minX) * metric.x, (bounds.maxY - bounds.minY) * metric.y);
  return widenBounds(bounds, Math.max(besideMeters, longer / 2));
}
