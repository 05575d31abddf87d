/** The walk that every reader of a file from another app returns: waypoints, tracks, and what was left out, with numbers. */
import { EngineError } from '../../spec/errors.ts';
import {
  longestExtras,
  longestFieldNote,
  mostTrackPoints,
  mostWalkPoints,
  mostWaypoints,
} from '../../spec/field-limits.ts';
import { parseTime } from './walk-time.ts';

export interface WalkPoint {
  /** Degrees, to the millimeter; so is what Platbook keeps. */
  readonly longitude: number;
  readonly latitude: number;
  /** ISO in UTC; null: the file does not say. */
  readonly time: string | null;
  readonly elevation_m: number | null;
  /** Texts that have no field here: `name: text`, a line each. */
  readonly extras: string | null;
}

interface MarkTexts {
  /** Null: the file gives none. */
  readonly name: string | null;
  readonly note: string | null;
}

export interface WalkWaypoint extends WalkPoint, MarkTexts {
  readonly symbol: string | null;
  readonly accuracy_meters: number | null;
}

export interface WalkTrack extends MarkTexts {
  readonly extras: string | null;
  readonly segments: readonly (readonly WalkPoint[])[];
}

export interface LeftOut {
  readonly what: string;
  readonly count: number;
}

export interface Walk {
  readonly waypoints: readonly WalkWaypoint[];
  readonly tracks: readonly WalkTrack[];
  readonly leftOut: readonly LeftOut[];
}

/** A place as a file has it: numbers, or their texts. */
export interface RawPlace {
  readonly longitude: unknown;
  readonly latitude: unknown;
  readonly time?: unknown;
  readonly elevation?: unknown;
  readonly extras?: string | null | undefined;
}

interface RawMark {
  readonly name?: unknown;
  readonly note?: unknown;
  readonly extras?: string | null | undefined;
}

export interface RawWaypoint extends RawPlace, RawMark {
  readonly symbol?: unknown;
  readonly accuracy?: unknown;
}

/** A millimeter: a place is no more exact, and a row's numbers must come back from the journal as they were. */
const degreesKept = (degrees: number): number => Math.round(degrees * 1e8) / 1e8;
const metersKept = (meters: number): number => Math.round(meters * 100) / 100;

/** Decimal; null for anything else, so also for `0x10` and an empty text. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (
    typeof value !== 'string' ||
    !/^\s*[+-]?(?:\d{1,20}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][+-]?\d{1,3})?\s*$/.test(value)
  )
    return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value).trim() : '';

/** Values of a file that have no field here, as text. */
export const extrasOf = (values: Iterable<readonly [name: string, value: unknown]>): string | null =>
  [...values]
    .flatMap(([name, value]) => {
      const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : textOf(value);
      return text === '' ? [] : [`${name}: ${text}`];
    })
    .join('\n') || null;

const longestName = 200;

/** Gathers a walk and holds it to its limits; `file` is named in refusals. */
export class WalkBuilder {
  readonly #file: string;
  readonly #waypoints: WalkWaypoint[] = [];
  readonly #tracks: WalkTrack[] = [];
  readonly #leftOut = new Map<string, number>();
  #points = 0;

  constructor(file: string) {
    this.#file = file;
  }

  leave(what: string, count = 1): void {
    if (count > 0) this.#leftOut.set(what, (this.#leftOut.get(what) ?? 0) + count);
  }

  /** Null if it is no place; that is counted. */
  point({ longitude, latitude, time, elevation, extras }: RawPlace): WalkPoint | null {
    const [x, y] = [numberOf(longitude), numberOf(latitude)];
    if (x === null || y === null || Math.abs(x) > 180 || Math.abs(y) > 90) {
      this.leave('points without a place on the globe');
      return null;
    }
    if (++this.#points > mostWalkPoints) throw this.#tooMany(mostWalkPoints, 'points');
    return {
      longitude: degreesKept(x),
      latitude: degreesKept(y),
      time: this.#time(time),
      elevation_m: this.#elevation(elevation),
      extras: this.#cut(extras ?? '', longestExtras, 'texts beside a mark'),
    };
  }

  waypoint({ symbol, accuracy, ...raw }: RawWaypoint): void {
    const point = this.point(raw);
    if (!point) return;
    if (this.#waypoints.length === mostWaypoints) throw this.#tooMany(mostWaypoints, 'waypoints');
    const meters = numberOf(accuracy);
    this.#waypoints.push({
      ...point,
      ...this.#texts(raw),
      symbol: oneLine(textOf(symbol)).slice(0, longestName) || null,
      accuracy_meters: meters === null || meters < 0 || meters > 100_000 ? null : metersKept(meters),
    });
  }

  /** Segments without a point are dropped; a track without any is counted. */
  track(raw: RawMark, segments: readonly (readonly WalkPoint[])[]): void {
    const walked = segments.filter(({ length }) => length > 0);
    const points = walked.reduce((sum, { length }) => sum + length, 0);
    if (points === 0) this.leave('tracks without a point');
    else if (points > mostTrackPoints)
      this.leave(`tracks of more than ${mostTrackPoints.toLocaleString('en-US')} points`);
    else {
      const extras = this.#cut(raw.extras ?? '', longestExtras, 'texts beside a mark');
      this.#tracks.push({ ...this.#texts(raw), extras, segments: walked });
    }
  }

  /** @throws EngineError import_refused if there is neither a waypoint nor a track */
  walk(): Walk {
    const leftOut = [...this.#leftOut].map(([what, count]) => ({ what, count }));
    if (this.#waypoints.length + this.#tracks.length > 0)
      return { waypoints: this.#waypoints, tracks: this.#tracks, leftOut };
    const but = leftOut.length === 0 ? '' : ` but ${leftOut.map(({ what, count }) => `${count} ${what}`).join(', ')}`;
    throw new EngineError('import_refused', `${this.#file}: expected waypoints or tracks, found none${but}.`);
  }

  #texts({ name, note }: RawMark): MarkTexts {
    return {
      name: this.#cut(oneLine(textOf(name)), longestName, 'names'),
      note: this.#cut(textOf(note), longestFieldNote, 'notes'),
    };
  }

  #cut(text: string, most: number, what: string): string | null {
    const fit = text.replace(unfit, ' ').toWellFormed().trim();
    if (fit.length <= most) return fit || null;
    this.leave(`${what} cut to ${most.toLocaleString('en-US')} characters`);
    return fit.slice(0, most).toWellFormed().trim();
  }

  #time(value: unknown): string | null {
    if (value === undefined || value === null || value === '') return null;
    const { time, hasZone } = parseTime(value);
    if (time === null) this.leave('times that could not be read');
    else if (!hasZone) this.leave('times without a zone, read as UTC');
    return time;
  }

  #elevation(value: unknown): number | null {
    if (value === undefined || value === null || value === '') return null;
    const meters = numberOf(value);
    if (meters !== null && Math.abs(meters) < 100_000) return metersKept(meters);
    this.leave('elevations that could not be read');
    return null;
  }

  #tooMany(most: number, what: string): EngineError {
    return new EngineError(
      'import_refused',
      `${this.#file}: expected at most ${most.toLocaleString('en-US')} ${what}, found more. Split it.`,
    );
  }
}

/** Controls but tab and line ends: an XML file cannot hold them, so a copy would not come back equal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const unfit = /[\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const oneLine = (text: string): string => text.replace(/[\u0000-\u001f\u007f]+/g, ' ');
