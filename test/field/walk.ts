/**
 * A walk over lots of the sample county, as a receiver says it: GGA and RMC each two seconds at 1.4 m/s, the place off by up
 * to nine tenths of the accuracy that it claims. `walk.nmea` holds its lines.
 */
import geodesic from 'geographiclib-geodesic';
import { nmeaChecksum } from '../../electron/gps/nmea.ts';

export type Place = readonly [longitude: number, latitude: number];

export interface Step {
  /** Where the walker truly is. */
  readonly truly: Place;
  readonly lines: readonly string[];
}

const corners: readonly Place[] = [
  [-71.932, 44.186],
  [-71.9288, 44.1886],
  [-71.9312, 44.1886],
  [-71.9292, 44.1862],
];
const metersPerStep = 2.8;
const secondsPerStep = 2;
const start = Date.parse('2026-11-25T14:00:00.000Z');

const { WGS84 } = geodesic.Geodesic;

function moved([longitude, latitude]: Place, bearing: number, meters: number): Place {
  const { lon2 = 0, lat2 = 0 } = WGS84.Direct(latitude, longitude, bearing, meters);
  return [lon2, lat2];
}

function angle(degrees: number, digits: number): string {
  const whole = Math.floor(Math.abs(degrees));
  return `${String(whole).padStart(digits, '0')}${((Math.abs(degrees) - whole) * 60).toFixed(5).padStart(8, '0')}`;
}

const signed = (body: string): string => `$${body}*${nmeaChecksum(body)}`;

function linesAt(step: number, [longitude, latitude]: Place, dilution: number, course: number): string[] {
  const [day = '', time = ''] = new Date(start + step * secondsPerStep * 1000).toISOString().split('T');
  const clock = time.slice(0, 8).replaceAll(':', '');
  const date = `${day.slice(8, 10)}${day.slice(5, 7)}${day.slice(2, 4)}`;
  const place = `${angle(latitude, 2)},N,${angle(longitude, 3)},W`;
  return [
    signed(`GNGGA,${clock},${place},1,11,${dilution.toFixed(2)},310.0,M,-28.0,M,,`),
    signed(`GNRMC,${clock},A,${place},2.72,${course.toFixed(1)},${date},,,A`),
  ];
}

export function makeWalk(): Step[] {
  const steps: Step[] = [];
  for (const [at, to] of corners.slice(1).entries()) {
    const from = corners[at] as Place;
    const { s12: meters = 0, azi1: bearing = 0 } = WGS84.Inverse(from[1], from[0], to[1], to[0]);
    for (let gone = 0; gone < meters; gone += metersPerStep) {
      const step = steps.length;
      const truly = moved(from, bearing, gone);
      // From the best of fixes to one under wet leaves; five meters for each unit.
      const dilution = 0.8 + 1.2 * (1 + Math.sin(step / 23)) ** 2 * 0.5;
      const told = moved(truly, (step * 137) % 360, 0.9 * 5 * dilution * Math.abs(Math.sin(step / 7)));
      steps.push({ truly, lines: linesAt(step, told, dilution, (bearing + 360) % 360) });
    }
  }
  return steps;
}
