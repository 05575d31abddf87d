/**
 * How far each camera's clock is from UTC: given, said by the photo itself, by the satellites it heard, by a photo of a clock,
 * or solved from photos whose place is known, where they lie on a track. What stays open is asked, never guessed.
 */
import type { PhotoFacts } from '../photos/photo-exif.ts';
import { passes, type TimedTrack } from './timed-tracks.ts';

/** Photos that do not name their camera are one camera's. */
export const unnamedCamera = 'a camera without a name';

export interface TimedPhoto {
  /** Name of the kept file. */
  readonly file: string;
  readonly name: string;
  readonly facts: PhotoFacts;
}

/** What the user says of a photo: the right time that it was taken, or its place. */
export interface KnownPhoto {
  readonly photo: string;
  /** ISO, in UTC. */
  readonly at?: string | undefined;
  readonly longitude?: number | undefined;
  readonly latitude?: number | undefined;
}

export interface CameraClock {
  /** The camera's clock less UTC. */
  readonly seconds: number;
  /** How far that may be off. */
  readonly error: number;
  readonly from: 'given' | 'clock' | 'satellites' | 'places';
}

/** Why a clock must be asked. */
export type Open = 'nothing' | 'several' | 'still' | 'contradiction';

export type ClockFound = CameraClock | { readonly open: Open };

interface ClockHelp {
  /** By camera, or for all of them (null). */
  readonly given: ReadonlyMap<string | null, number>;
  readonly known: readonly KnownPhoto[];
  /** Tracks near these places. */
  readonly tracksAt: (longitude: number, latitude: number) => readonly TimedTrack[];
}

/** A receiver's fix is written seconds after it was; satellites' clocks that differ more are not of one camera clock. */
const sameClockSeconds = 5;
/** A place in a photo is off as the GPS is, and so is the track. */
const passMeters = 25;
/** Who stood longer at a place could have taken the photo at any time of it. */
const longestPassSeconds = 120;
const farthestZoneSeconds = 15 * 3600;

const localMs = ({ takenAt }: PhotoFacts): number => Date.parse(`${takenAt}Z`);

const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] as number;

/** Of the photos of one camera. */
export function clockOf(camera: string, photos: readonly TimedPhoto[], help: ClockHelp): ClockFound {
  const given = help.given.get(camera) ?? help.given.get(null);
  if (given !== undefined) return { seconds: given, error: 1, from: 'given' };
  // The last word counts: a wrong one can be corrected.
  const knownOf = ({ file, name }: TimedPhoto) => help.known.findLast(({ photo }) => photo === file || photo === name);
  const timed = photos.filter(({ facts }) => facts.takenAt !== null);
  const clocks = timed.flatMap((photo) => {
    const at = knownOf(photo)?.at;
    return at === undefined ? [] : [(localMs(photo.facts) - Date.parse(at)) / 1000];
  });
  if (clocks.length > 0) return agreed(clocks, 'clock');
  const fixes = timed.flatMap(({ facts }) =>
    facts.fixedAt === null ? [] : [(localMs(facts) - Date.parse(facts.fixedAt)) / 1000],
  );
  if (fixes.length > 0 && Math.max(...fixes) - Math.min(...fixes) <= sameClockSeconds)
    return agreed(fixes, 'satellites');
  const places = timed.flatMap((photo) => {
    const { longitude, latitude } = { ...photo.facts.place, ...knownOf(photo) };
    return longitude === undefined || latitude === undefined ? [] : [{ ms: localMs(photo.facts), longitude, latitude }];
  });
  return places.length === 0 ? { open: 'nothing' } : solved(places, help);
}

function agreed(seconds: readonly number[], from: CameraClock['from']): ClockFound {
  if (Math.max(...seconds) - Math.min(...seconds) > sameClockSeconds) return { open: 'contradiction' };
  return { seconds: middle(seconds), error: 2, from };
}

interface Placed {
  readonly ms: number;
  readonly longitude: number;
  readonly latitude: number;
}

/** The offsets at which the most photos lie on a track where they say; one stretch of them must be left. */
function solved(places: readonly Placed[], { tracksAt }: ClockHelp): ClockFound {
  const all = places.flatMap(({ ms, longitude, latitude }, photo) =>
    tracksAt(longitude, latitude).flatMap((track) =>
      passes(track, longitude, latitude, passMeters).map(({ from, to, nearest }) => ({
        photo,
        from: (ms - to) / 1000,
        to: (ms - from) / 1000,
        nearest: (ms - nearest) / 1000,
      })),
    ),
  );
  // A clock is of a time zone; one that was reset is off by years, and counts where no zone fits.
  const zoned = all.filter(({ nearest }) => Math.abs(nearest) <= farthestZoneSeconds);
  const spans = zoned.length > 0 ? zoned : all;
  const held = (offset: number) => spans.filter(({ from, to }) => from <= offset && offset <= to);
  const photosAt = (offset: number): number => new Set(held(offset).map(({ photo }) => photo)).size;
  const counted = spans.map(({ from }) => ({ from, photos: photosAt(from) }));
  const most = Math.max(0, ...counted.map(({ photos }) => photos));
  if (most === 0) return { open: 'nothing' };
  if (most * 2 <= places.length) return { open: 'contradiction' };
  const stretches = counted
    .filter(({ photos }) => photos === most)
    .map(({ from }) => ({ from, to: Math.min(...held(from).map(({ to }) => to)) }))
    .toSorted((a, b) => a.from - b.from);
  const [first] = stretches;
  if (!first) return { open: 'nothing' };
  const last = Math.max(...stretches.map(({ to }) => to));
  if (stretches.some(({ from }) => from > first.to)) return { open: 'several' };
  if (last - first.from > longestPassSeconds) return { open: 'still' };
  const nearest = held(Math.max(...stretches.map(({ from }) => from))).map((one) => one.nearest);
  const seconds = nearest.reduce((sum, one) => sum + one, 0) / nearest.length;
  return { seconds: Math.round(seconds), error: Math.ceil(6 / Math.sqrt(nearest.length)), from: 'places' };
}
