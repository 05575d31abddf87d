/**
 * Parses gpsd's JSON: one object per line; a `TPV` (time, position, velocity) holds a place from mode 2 (2D fix) on.
 */
import type { Position } from './position.ts';

/** Makes gpsd send its reports. */
export const gpsdWatch = '?WATCH={"enable":true,"json":true};\n';

export const gpsdPort = 2947;

export interface GpsdAddress {
  readonly host: string;
  readonly port: number;
}

const unknownAccuracyMeters = 15;

const isWithin = (value: unknown, limit: number): value is number =>
  typeof value === 'number' && Math.abs(value) <= limit;
const isError = (value: unknown): value is number => typeof value === 'number' && value >= 0 && Number.isFinite(value);

/** `eph`, else the larger of `epx` and `epy`: meters, 95 % according to gpsd. */
function accuracyOf({ eph, epx, epy }: Readonly<Record<string, unknown>>): number {
  if (isError(eph)) return eph;
  return isError(epx) && isError(epy) ? Math.max(epx, epy) : unknownAccuracyMeters;
}

/** The position in one line; null if it has none. */
export function parseGpsd(line: string): Position | null {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof message !== 'object' || message === null) return null;
  const report = message as Readonly<Record<string, unknown>>;
  const hasFix = report.class === 'TPV' && typeof report.mode === 'number' && report.mode >= 2;
  if (!hasFix || !isWithin(report.lat, 90) || !isWithin(report.lon, 180)) return null;
  const at = typeof report.time === 'string' && !Number.isNaN(Date.parse(report.time)) ? report.time : null;
  return { longitude: report.lon, latitude: report.lat, accuracyMeters: accuracyOf(report), at };
}
