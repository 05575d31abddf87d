/**
 * Parses NMEA 0183: GGA (place and quality) and RMC (place, date, course and speed). Ignores all other sentences, and those
 * with a wrong or missing checksum. Field order: NMEA 0183, version 4; any talker (GP, GN, GL …) is accepted.
 */
import type { Position } from './position.ts';

/** Range error per unit of dilution for a consumer receiver: about 5 m in 95 % of cases. */
const metersPerDilution = 5;
/** For RMC sentences, which lack quality. */
const unknownAccuracyMeters = 15;

/** XOR of all characters between $ and *. */
export function nmeaChecksum(body: string): string {
  let sum = 0;
  for (let at = 0; at < body.length; at++) sum ^= body.charCodeAt(at);
  return sum.toString(16).toUpperCase().padStart(2, '0');
}

/** `4807.038`, `N`, 2 digits of degrees → 48.1173. Null if invalid. */
function parseDegrees(text: string | undefined, side: string | undefined, digits: 2 | 3): number | null {
  const match = new RegExp(`^(\\d{${digits}})([0-5]\\d(?:\\.\\d+)?)$`).exec(text ?? '');
  const sides = digits === 2 ? 'NS' : 'EW';
  if (!match || !side || side.length !== 1 || !sides.includes(side)) return null;
  const degrees = Number(match[1]) + Number(match[2]) / 60;
  if (degrees > (digits === 2 ? 90 : 180)) return null;
  return side === sides[1] ? -degrees : degrees;
}

function parsePlace(fields: readonly string[], at: number): { latitude: number; longitude: number } | null {
  const latitude = parseDegrees(fields[at], fields[at + 1], 2);
  const longitude = parseDegrees(fields[at + 2], fields[at + 3], 3);
  return latitude === null || longitude === null ? null : { latitude, longitude };
}

/** `12.5`; null for an empty or odd field. */
const parseNumber = (text: string | undefined): number | null =>
  /^\d+(\.\d+)?$/.test(text ?? '') ? Number(text) : null;

/** $GPGGA,time,lat,N,lon,E,quality,satellites,hdop,altitude,M,… Quality 0: no fix; 6 to 8: estimated, typed, simulated. */
function fromGga(fields: readonly string[]): Position | null {
  const place = parsePlace(fields, 2);
  const quality = Number(fields[6]);
  if (!place || !(quality >= 1 && quality <= 5)) return null;
  const dilution = parseNumber(fields[8]);
  return {
    ...place,
    accuracyMeters: dilution === null ? unknownAccuracyMeters : dilution * metersPerDilution,
    at: null,
    course: null,
    speed: null,
    satellites: parseNumber(fields[7]),
  };
}

const metersPerSecondOfKnot = 1852 / 3600;

/** $GPRMC,time,A,lat,N,lon,E,knots,course,date,… V instead of A: not valid. Two digits of a year: 80 to 99 are past ones. */
function fromRmc(fields: readonly string[]): Position | null {
  const place = parsePlace(fields, 3);
  if (!place || fields[2] !== 'A') return null;
  const knots = parseNumber(fields[7]);
  const course = parseNumber(fields[8]);
  return {
    ...place,
    accuracyMeters: unknownAccuracyMeters,
    at: rmcTime(fields),
    course: course === null || course > 360 ? null : course % 360,
    speed: knots === null ? null : knots * metersPerSecondOfKnot,
    satellites: null,
  };
}

function rmcTime(fields: readonly string[]): string | null {
  const time = timeOfDay.exec(fields[1] ?? '');
  const date = /^(\d\d)(\d\d)(\d\d)$/.exec(fields[9] ?? '');
  if (!time || !date) return null;
  const century = Number(date[3]) >= 80 ? 19 : 20;
  const at = `${century}${date[3]}-${date[2]}-${date[1]}T${time[1]}:${time[2]}:${time[3]}.000Z`;
  return Number.isNaN(Date.parse(at)) ? null : at;
}

const timeOfDay = /^(\d\d)(\d\d)(\d\d)(?:\.\d+)?$/;

interface Sentence {
  readonly kind: 'GGA' | 'RMC';
  /** Seconds since midnight UTC, with their fraction; null if the sentence has no time. */
  readonly seconds: number | null;
  readonly position: Position;
}

/** Null if the line has no position. */
function parseSentence(line: string): Sentence | null {
  const match = /^\$([A-Z]{2})(GGA|RMC)(,[\x20-\x7e]*)\*([0-9A-F]{2})\s*$/i.exec(line);
  if (!match || match[4]?.toUpperCase() !== nmeaChecksum(`${match[1]}${match[2]}${match[3]}`)) return null;
  const fields = `${match[2]}${match[3]}`.split(',');
  const kind = match[2]?.toUpperCase() === 'GGA' ? 'GGA' : 'RMC';
  const position = kind === 'GGA' ? fromGga(fields) : fromRmc(fields);
  const time = timeOfDay.exec(fields[1] ?? '');
  const seconds = time ? Number(time[1]) * 3600 + Number(time[2]) * 60 + Number((fields[1] ?? '').slice(4)) : null;
  return position && { kind, seconds, position };
}

/** The position in one line; null if it has none. */
export const parseNmea = (line: string): Position | null => parseSentence(line)?.position ?? null;

/** The time of a line's fix, to tell where the lines of the next one begin; null without a position or a time. */
export const nmeaSeconds = (line: string): number | null => parseSentence(line)?.seconds ?? null;

/** What the other sentence said longer ago no longer holds. */
const togetherSeconds = 2;
const secondsPerDay = 86_400;

/** From one time of day to another, by the shorter way round. */
const secondsFrom = (from: number, to: number): number =>
  ((to - from + 1.5 * secondsPerDay) % secondsPerDay) - secondsPerDay / 2;

/**
 * Parses one receiver's lines, one after another: a GGA gets the course, speed and date of the RMC that came with it, an
 * RMC the accuracy and satellites of the GGA.
 */
export function nmeaParser(): (line: string) => Position | null {
  const latest: { GGA: Sentence | null; RMC: Sentence | null } = { GGA: null, RMC: null };
  return (line) => {
    const sentence = parseSentence(line);
    if (!sentence) return null;
    latest[sentence.kind] = sentence;
    const other = latest[sentence.kind === 'GGA' ? 'RMC' : 'GGA'];
    if (other?.seconds == null || sentence.seconds === null) return sentence.position;
    const later = secondsFrom(other.seconds, sentence.seconds);
    return Math.abs(later) > togetherSeconds ? sentence.position : together(sentence, other.position, later);
  };
}

function together({ kind, position }: Sentence, other: Position, later: number): Position {
  if (kind === 'RMC') return { ...position, accuracyMeters: other.accuracyMeters, satellites: other.satellites };
  const at = other.at === null ? null : new Date(Date.parse(other.at) + Math.round(later) * 1000).toISOString();
  return { ...position, at, course: other.course, speed: other.speed };
}
