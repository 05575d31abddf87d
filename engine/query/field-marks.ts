/** Waypoints, tracks and photos of the field, with the parcels they lie on. */
import { geodesicMeters } from '../comps/distance.ts';
import { type Bounds, boundsOfCoordinates, boundsOverlap } from '../geo/geometry.ts';
import { localMetric, metersPerFoot } from '../geo/local-metric.ts';
import { widenBounds } from '../geo/near-length.ts';
import { thinned } from '../geo/thinned.ts';
import type { AccountStore } from '../store/account-store.ts';
import type { LandStore } from '../store/land-store.ts';
import { parseLiveRequest } from './live-request.ts';
import { type LongitudeLatitudeBox, liveBounds } from './live-rows.ts';

interface OnParcel {
  /** The parcel that held the place when it was kept; null on a road, or off the data. */
  readonly property_id: number | null;
  readonly apn: string | null;
}

export interface Waypoint extends OnParcel {
  readonly waypoint_id: number;
  readonly name: string;
  readonly note: string | null;
  readonly longitude: number;
  readonly latitude: number;
  readonly accuracy_meters: number | null;
  /** A file that came in gives it, as it does the two below; null: it has none, or the mark was made here. */
  readonly elevation_m: number | null;
  readonly symbol: string | null;
  /** Texts of the file that have no field here, a line each. */
  readonly extras: string | null;
  /** When it was set; when it came in, if its file did not say. */
  readonly made_at: string;
}

interface Track {
  readonly track_id: number;
  readonly name: string;
  readonly note: string | null;
  readonly started_at: string;
  /** Null: it is being recorded, or its program was killed. */
  readonly ended_at: string | null;
  /** Points of the whole track. */
  readonly points: number;
  readonly feet: number;
  /** A line for each segment, thinned: no dropped point lies farther than a meter from it. Longitude, latitude. */
  readonly lines: readonly (readonly (readonly [longitude: number, latitude: number])[])[];
}

export interface Photo extends OnParcel {
  readonly photo_id: number;
  /** As the file was called. */
  readonly name: string;
  readonly media_type: string;
  readonly bytes: number;
  /** Null: only its parcel is known. */
  readonly longitude: number | null;
  readonly latitude: number | null;
  /** `photo`: written in it; `given`: where the user stood, or pointed; `track`: where its track was at its time. */
  readonly place_from: 'photo' | 'given' | 'track' | null;
  readonly track_id: number | null;
  /** Meters that a place from a track may be off. */
  readonly place_error_m: number | null;
  /** Degrees that the camera looked to, by its own north. */
  readonly heading: number | null;
  readonly heading_is_magnetic: boolean;
  /** By the camera's clock, without a zone; null if the photo does not say. */
  readonly taken_at: string | null;
  /** UTC; null: the clock is not known. */
  readonly taken_utc: string | null;
  readonly caption: string | null;
  readonly added_at: string;
}

export interface FieldMarks {
  readonly waypoints: readonly Waypoint[];
  readonly tracks: readonly Track[];
  readonly photos: readonly Photo[];
}

interface Stores {
  readonly land: LandStore;
  readonly account: AccountStore;
}

interface Where {
  readonly box?: LongitudeLatitudeBox | undefined;
  /** The box around its parcels. */
  readonly county?: string | undefined;
}

const everywhere = [-180, -90, 180, 90] as const;

/** All marks, those in a box, or those in the box around a county's parcels. */
export function fieldMarksIn(stores: Stores, { box, county }: Where): FieldMarks {
  if (box === undefined && county === undefined) return fieldMarks(stores, null);
  const { land, account } = stores;
  const around = box ?? liveBounds(land, parseLiveRequest({ county: county as string }, account), everywhere).bounds;
  if (!around) return { waypoints: [], tracks: [], photos: [] };
  const [minX, minY, maxX, maxY] = around;
  return fieldMarks(stores, { minX, minY, maxX, maxY });
}

/** All marks, or those in a box; of a track that enters the box the whole line. */
export function fieldMarks(stores: Stores, box: Bounds | null): FieldMarks {
  const waypoints = onParcels(stores, readWaypoints(stores.account));
  const photos = onParcels(stores, readPhotos(stores.account));
  if (!box) return { waypoints, photos, tracks: readTracks(stores.account, null) };
  return {
    waypoints: waypoints.filter((one) => isIn(box, one.longitude, one.latitude)),
    photos: photos.filter((photo) => isPhotoIn(stores.land, photo, box)),
    tracks: readTracks(stores.account, box),
  };
}

const isIn = ({ minX, minY, maxX, maxY }: Bounds, longitude: number, latitude: number): boolean =>
  longitude >= minX && longitude <= maxX && latitude >= minY && latitude <= maxY;

/** A photo without a place is where its parcel is. */
function isPhotoIn({ file }: LandStore, { longitude, latitude, property_id }: Photo, box: Bounds): boolean {
  if (longitude !== null && latitude !== null) return isIn(box, longitude, latitude);
  const shape = file.get<Bounds>(
    'SELECT xmin AS minX, ymin AS minY, xmax AS maxX, ymax AS maxY FROM idx_parcels_geom WHERE pkid = ?',
    property_id,
  );
  return shape !== undefined && boundsOverlap(shape, box);
}

/** A track with every point, for files. */
export interface WholeTrack {
  readonly name: string;
  readonly note: string | null;
  readonly extras: string | null;
  readonly segments: readonly (readonly TrackPoint[])[];
}

interface TrackPoint {
  readonly longitude: number;
  readonly latitude: number;
  /** Null: its file did not say. */
  readonly at: string | null;
  readonly elevation_m: number | null;
  readonly extras: string | null;
}

/** Marks for a file: tracks with every point. */
export interface FileMarks extends Omit<FieldMarks, 'tracks'> {
  readonly tracks: readonly WholeTrack[];
}

/** @throws EngineError not_found if the county is not loaded */
export function marksForFile(stores: Stores, where: Where): FileMarks {
  if (where.county !== undefined) stores.land.expectLoaded([where.county]);
  const { tracks, ...marks } = fieldMarksIn(stores, where);
  return { ...marks, tracks: tracks.map(({ track_id: id }) => wholeTrack(stores.account, id)) };
}

const bySegment = <Point extends { readonly segment: number }>(points: readonly Point[]): Point[][] => [
  ...Map.groupBy(points, ({ segment }) => segment).values(),
];

export function wholeTrack({ file }: Pick<AccountStore, 'file'>, id: number): WholeTrack {
  const track = file.get<Omit<WholeTrack, 'segments'>>('SELECT name, note, extras FROM tracks WHERE track_id = ?', id);
  const points = file.all<TrackPoint & { segment: number }>(
    `SELECT segment, longitude, latitude, nullif(at, '') AS at, elevation_m, extras FROM track_points WHERE track_id = ?
     ORDER BY place, at`,
    id,
  );
  return { ...(track as Omit<WholeTrack, 'segments'>), segments: bySegment(points) };
}

/** Marks farther than this from the parcels of a file are not about them. */
const nearMeters = 500;

/** The box around parcels and the land beside them; null if none has a shape. */
export function boxNear({ file }: LandStore, ids: readonly number[]): LongitudeLatitudeBox | null {
  const box = file.get<{ [Side in keyof Bounds]: number | null }>(
    `SELECT min(xmin) AS minX, min(ymin) AS minY, max(xmax) AS maxX, max(ymax) AS maxY FROM idx_parcels_geom
     WHERE pkid IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  );
  if (!box || box.minX === null) return null;
  const { minX, minY, maxX, maxY } = widenBounds(box as Bounds, nearMeters);
  return [minX, minY, maxX, maxY];
}

const waypointColumns =
  'waypoint_id, name, note, longitude, latitude, accuracy_meters, elevation_m, symbol, extras, property_id, made_at';

const readWaypoints = ({ file }: AccountStore): Omit<Waypoint, 'apn'>[] =>
  file.all(`SELECT ${waypointColumns} FROM waypoints ORDER BY waypoint_id`);

const photoColumns = `photo_id, name, media_type, bytes, longitude, latitude,
  CASE WHEN track_id IS NULL THEN place_from ELSE 'track' END AS place_from, track_id, place_error_m, heading,
  heading_is_magnetic, property_id, taken_at, taken_utc, caption, added_at`;

type PhotoRow = Omit<Photo, 'apn' | 'heading_is_magnetic'> & { readonly heading_is_magnetic: 0 | 1 | null };

const photosBy = ({ file }: AccountStore, where: string, ...values: number[]): Omit<Photo, 'apn'>[] =>
  file
    .all<PhotoRow>(`SELECT ${photoColumns} FROM photos ${where} ORDER BY photo_id`, ...values)
    .map((row) => ({ ...row, heading_is_magnetic: row.heading_is_magnetic === 1 }));

const readPhotos = (account: AccountStore): Omit<Photo, 'apn'>[] => photosBy(account, '');

/** Undefined: there is none. */
export function findWaypoint(stores: Stores, id: number): Waypoint | undefined {
  const sql = `SELECT ${waypointColumns} FROM waypoints WHERE waypoint_id = ?`;
  return onParcels(stores, stores.account.file.all<Omit<Waypoint, 'apn'>>(sql, id))[0];
}

/** Undefined: there is none. */
export function findPhoto(stores: Stores, id: number): Photo | undefined {
  return onParcels(stores, photosBy(stores.account, 'WHERE photo_id = ?', id))[0];
}

/** With the APN that the parcel has now. */
function onParcels<Mark extends { readonly property_id: number | null }>(
  { land }: Stores,
  marks: readonly Mark[],
): (Mark & { readonly apn: string | null })[] {
  const ids = [...new Set(marks.map(({ property_id: id }) => id))];
  const apns = new Map(
    land.file
      .all<{ property_id: number; apn: string | null }>(
        'SELECT property_id, apn FROM parcels WHERE property_id IN (SELECT value FROM json_each(?))',
        JSON.stringify(ids),
      )
      .map(({ property_id, apn }) => [property_id, apn || null]),
  );
  return marks.map((mark) => ({
    ...mark,
    apn: mark.property_id === null ? null : (apns.get(mark.property_id) ?? null),
  }));
}

type TrackRow = Pick<Track, 'track_id' | 'name' | 'note' | 'started_at' | 'ended_at'>;

const tracksSql = `SELECT track_id, name, note, started_at, ended_at FROM tracks LEFT JOIN track_logs USING (track_id)
  ORDER BY track_id`;

function readTracks({ file }: AccountStore, box: Bounds | null): Track[] {
  return file.all<TrackRow>(tracksSql).flatMap((track): Track[] => {
    const segments = trackCoordinates(file, track.track_id);
    if (box && (segments.length === 0 || !boundsOverlap(boundsOfCoordinates(segments), box))) return [];
    const [points, meters] = [sum(segments, ({ length }) => length / 2), sum(segments, lengthMeters)];
    return [{ ...track, points, feet: Math.round(meters / metersPerFoot), lines: segments.map(thinnedDegrees) }];
  });
}

const sum = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

/** Of each segment. */
function trackCoordinates(file: AccountStore['file'], id: number): Float64Array[] {
  const rows = file.rawRows(
    'SELECT longitude, latitude, segment FROM track_points WHERE track_id = ? ORDER BY place, at',
    id,
  );
  return [...Map.groupBy(rows, (row) => row[2]).values()].map((points) =>
    Float64Array.from(points.flatMap(([longitude, latitude]) => [longitude as number, latitude as number])),
  );
}

function lengthMeters(points: Float64Array): number {
  let meters = 0;
  for (let at = 2; at < points.length; at += 2) {
    const [ax, ay, bx, by] = points.subarray(at - 2, at + 2) as unknown as [number, number, number, number];
    meters += geodesicMeters(ax, ay, bx, by);
  }
  return meters;
}

const thinnedMeters = 1;

function thinnedDegrees(points: Float64Array): [number, number][] {
  const [longitude = 0, latitude = 0] = points;
  const metric = localMetric(latitude);
  const meters = points.map((value, at) =>
    at % 2 === 0 ? (value - longitude) * metric.x : (value - latitude) * metric.y,
  );
  const left = points.length < 6 ? meters : thinned(meters, thinnedMeters);
  return Array.from({ length: left.length / 2 }, (_, at) => [
    rounded(longitude + (left[2 * at] as number) / metric.x),
    rounded(latitude + (left[2 * at + 1] as number) / metric.y),
  ]);
}

/** A millimeter. */
const rounded = (degrees: number): number => Math.round(degrees * 1e8) / 1e8;
