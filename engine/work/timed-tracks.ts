/** Where a track was at a time: for photos whose camera kept the time, but no place. */
import { localMetric } from '../geo/local-metric.ts';
import type { SqliteFile } from '../store/sqlite.ts';

/** Points with a time, in its order. */
export interface TimedTrack {
  readonly id: number;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly times: Float64Array;
  readonly longitudes: Float64Array;
  readonly latitudes: Float64Array;
  /** Meters; NaN: not told. */
  readonly accuracies: Float64Array;
}

/** Between two points farther apart in time, anything may have happened. */
export const longestGapSeconds = 120;
/** What a phone's GPS is off by, where its file does not say. */
const usualAccuracyMeters = 10;
/** Two tracks that lie nearer are one walk, recorded twice. */
const sameWalkMeters = 15;

interface TrackPlace {
  readonly track: TimedTrack;
  readonly longitude: number;
  readonly latitude: number;
  /** Meters, rounded up. */
  readonly error: number;
}

/** Why a time has no place. */
export type Unplaced = 'outside' | 'gap' | 'ambiguous';

export type Placing = TrackPlace | { readonly why: Unplaced };

/** The tracks with a point in a span of time, or all. @param only ids; absent: any */
export function readTimedTracks(
  file: SqliteFile,
  span: readonly [from: number, to: number] | null,
  only?: readonly number[],
): TimedTrack[] {
  const spans = file.all<{ id: number; name: string; first: string; last: string }>(
    `SELECT t.track_id AS id, t.name, min(p.at) AS first, max(p.at) AS last FROM tracks t JOIN track_points p USING (track_id)
     WHERE p.at <> '' GROUP BY t.track_id ORDER BY t.track_id`,
  );
  return spans
    .filter(({ id }) => only?.includes(id) ?? true)
    .filter(({ first, last }) => !span || (Date.parse(first) <= span[1] && Date.parse(last) >= span[0]))
    .map(({ id, name }) => readTrack(file, id, name));
}

function readTrack(file: SqliteFile, id: number, name: string): TimedTrack {
  const rows = file.rawRows(
    "SELECT at, longitude, latitude, accuracy_meters FROM track_points WHERE track_id = ? AND at <> '' ORDER BY at, place",
    id,
  ) as [string, number, number, number | null][];
  return {
    ...{ id, name },
    times: Float64Array.from(rows, ([at]) => Date.parse(at)),
    longitudes: Float64Array.from(rows, ([, longitude]) => longitude),
    latitudes: Float64Array.from(rows, ([, , latitude]) => latitude),
    accuracies: Float64Array.from(rows, ([, , , accuracy]) => accuracy ?? Number.NaN),
  };
}

export function metersBetween(ax: number, ay: number, bx: number, by: number): number {
  const metric = localMetric((ay + by) / 2);
  return Math.hypot((bx - ax) * metric.x, (by - ay) * metric.y);
}

/** The last point at or before a time; -1 if it is before the first. */
function indexAt(times: Float64Array, ms: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) <= ms) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * The one place of a time on these tracks.
 * @param clockSeconds how far the time may be off
 */
export function placeAt(tracks: readonly TimedTrack[], ms: number, clockSeconds: number): Placing {
  const found = tracks.map((track) => onTrack(track, ms, clockSeconds));
  const places = found.filter((one) => typeof one === 'object').sort((a, b) => a.error - b.error);
  const [best] = places;
  if (!best) return { why: found.includes('gap') ? 'gap' : 'outside' };
  const isOne = places.every(
    (one) => metersBetween(best.longitude, best.latitude, one.longitude, one.latitude) <= sameWalkMeters,
  );
  return isOne ? best : { why: 'ambiguous' };
}

function onTrack(track: TimedTrack, ms: number, clockSeconds: number): TrackPlace | 'outside' | 'gap' {
  const { times, longitudes, latitudes, accuracies } = track;
  const at = indexAt(times, ms);
  if (at < 0 || (at === times.length - 1 && times[at] !== ms)) return 'outside';
  const next = Math.min(at + 1, times.length - 1);
  const seconds = ((times[next] as number) - (times[at] as number)) / 1000;
  if (seconds > longestGapSeconds) return 'gap';
  const share = seconds === 0 ? 0 : (ms - (times[at] as number)) / 1000 / seconds;
  const [ax, ay, bx, by] = [longitudes[at], latitudes[at], longitudes[next], latitudes[next]] as [
    number,
    number,
    number,
    number,
  ];
  const apart = metersBetween(ax, ay, bx, by);
  const accuracy = Math.max(...[at, next].map((one) => accuracies[one] || usualAccuracyMeters));
  // The way between two points is not known; while the clock is off, the walk goes on.
  const walked = seconds === 0 ? 0 : (apart / seconds) * clockSeconds;
  return {
    track,
    longitude: ax + (bx - ax) * share,
    latitude: ay + (by - ay) * share,
    error: Math.ceil(accuracy + apart / 2 + walked),
  };
}

/** The times at which a track passed a place: each pass from when to when, and when it was nearest. */
export function passes(
  { times, longitudes, latitudes }: TimedTrack,
  longitude: number,
  latitude: number,
  withinMeters: number,
): { readonly from: number; readonly to: number; readonly nearest: number }[] {
  const found: { from: number; to: number; nearest: number; meters: number }[] = [];
  let isInside = false;
  for (let at = 0; at < times.length; at++) {
    const [x, y, time] = [longitudes[at], latitudes[at], times[at]] as [number, number, number];
    // A degree is farther than any pass: most points are told by a subtraction.
    const meters = Math.abs(y - latitude) > 0.01 ? Number.POSITIVE_INFINITY : metersBetween(x, y, longitude, latitude);
    const pass = found.at(-1);
    if (meters <= withinMeters && isInside && pass) {
      pass.to = time;
      if (meters < pass.meters) Object.assign(pass, { meters, nearest: time });
    } else if (meters <= withinMeters) found.push({ from: time, to: time, nearest: time, meters });
    isInside = meters <= withinMeters;
  }
  return found;
}
