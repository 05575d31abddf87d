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

type Report = Readonly<Record<string, unknown>>;

function parseReport(line: string): Report | null {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === 'object' ? (message as Report | null) : null;
  } catch {
    return null;
  }
}

/** `uSat`, else the satellites of a `SKY` report that are marked as used; null for other reports. */
function satellitesOf(report: Report): number | null {
  if (report.class !== 'SKY') return null;
  if (isError(report.uSat)) return report.uSat;
  if (!Array.isArray(report.satellites)) return null;
  return report.satellites.filter((one: unknown) => (one as Report | null)?.used === true).length;
}

/** Parses one gpsd's lines, one after another: the number of satellites comes in reports without a place. */
export function gpsdParser(): (line: string) => Position | null {
  let satellites: number | null = null;
  return (line) => {
    const report = parseReport(line);
    if (!report) return null;
    satellites = satellitesOf(report) ?? satellites;
    const position = positionOf(report);
    return position && { ...position, satellites };
  };
}

/** The position in one line; null if it has none. */
export function parseGpsd(line: string): Position | null {
  const report = parseReport(line);
  return report && positionOf(report);
}

function positionOf(report: Report): Position | null {
  const hasFix = report.class === 'TPV' && typeof report.mode === 'number' && report.mode >= 2;
  if (!hasFix || !isWithin(report.lat, 90) || !isWithin(report.lon, 180)) return null;
  const at = typeof report.time === 'string' && !Number.isNaN(Date.parse(report.time)) ? report.time : null;
  return {
    longitude: report.lon,
    latitude: report.lat,
    accuracyMeters: accuracyOf(report),
    at,
    course: isError(report.track) && report.track <= 360 ? report.track % 360 : null,
    speed: isError(report.speed) ? report.speed : null,
    satellites: null,
  };
}
