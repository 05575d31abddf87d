/**
 * Parses NMEA 0183: GGA (place and quality) and RMC (place and date). Ignores all other sentences, and those with a
 * wrong or missing checksum. Field order: NMEA 0183, version 4; any talker (GP, GN, GL …) is accepted.
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

/** $GPGGA,time,lat,N,lon,E,quality,satellites,hdop,altitude,M,… Quality 0: no fix; 6 to 8: estimated, typed, simulated. */
function fromGga(fields: readonly string[]): Position | null {
  const place = parsePlace(fields, 2);
  const quality = Number(fields[6]);
  if (!place || !(quality >= 1 && quality <= 5)) return null;
  const dilution = /^\d+(\.\d+)?$/.test(fields[8] ?? '') ? Number(fields[8]) : null;
  return {
    ...place,
    accuracyMeters: dilution === null ? unknownAccuracyMeters : dilution * metersPerDilution,
    at: null,
  };
}

/** $GPRMC,time,A,lat,N,lon,E,speed,course,date,… V instead of A: not valid. Two digits of a year: 80 to 99 are past ones. */
function fromRmc(fields: readonly string[]): Position | null {
  const place = parsePlace(fields, 3);
  if (!place || fields[2] !== 'A') return null;
  const time = /^(\d\d)(\d\d)(\d\d)(?:\.\d+)?$/.exec(fields[1] ?? '');
  const date = /^(\d\d)(\d\d)(\d\d)$/.exec(fields[9] ?? '');
  if (!time || !date) return { ...place, accuracyMeters: unknownAccuracyMeters, at: null };
  const century = Number(date[3]) >= 80 ? 19 : 20;
  const at = `${century}${date[3]}-${date[2]}-${date[1]}T${time[1]}:${time[2]}:${time[3]}.000Z`;
  return { ...place, accuracyMeters: unknownAccuracyMeters, at: Number.isNaN(Date.parse(at)) ? null : at };
}

/** The position in one line; null if it has none. */
export function parseNmea(line: string): Position | null {
  const match = /^\$([A-Z]{2})(GGA|RMC)(,[\x20-\x7e]*)\*([0-9A-F]{2})\s*$/i.exec(line);
  if (!match || match[4]?.toUpperCase() !== nmeaChecksum(`${match[1]}${match[2]}${match[3]}`)) return null;
  const fields = `${match[2]}${match[3]}`.split(',');
  return match[2]?.toUpperCase() === 'GGA' ? fromGga(fields) : fromRmc(fields);
}
