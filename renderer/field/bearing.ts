/** Directions and distances on foot, in words. Pure functions. */
import { bearing, distance } from '@turf/turf';
import { formatLength, isMetric, type UnitSystem } from '../map/units.ts';
import { formatNumber } from '../parts/format.ts';

export interface LonLat {
  readonly longitude: number;
  readonly latitude: number;
}

const pair = ({ longitude, latitude }: LonLat): [number, number] => [longitude, latitude];

export const metersBetween = (a: LonLat, b: LonLat): number => distance(pair(a), pair(b), { units: 'meters' });

/** True, degrees from 0 to less than 360. */
export const bearingTo = (from: LonLat, to: LonLat): number => (bearing(pair(from), pair(to)) + 360) % 360;

/** As a compass shows it. @param east how far it points east of true north, degrees; negative: west */
export const magneticBearing = (trueDegrees: number, east: number): number => (trueDegrees - east + 360) % 360;

const points = [
  ['N', 'north'],
  ['NE', 'northeast'],
  ['E', 'east'],
  ['SE', 'southeast'],
  ['S', 'south'],
  ['SW', 'southwest'],
  ['W', 'west'],
  ['NW', 'northwest'],
] as const;

const pointOf = (degrees: number) => points[Math.round(degrees / 45) % 8] ?? points[0];

/** `NE` */
export const compassLetters = (degrees: number): string => pointOf(degrees)[0];
/** `northeast` */
export const compassName = (degrees: number): string => pointOf(degrees)[1];

/** `24° NE`; never 360°. */
export const bearingWords = (degrees: number): string => `${Math.round(degrees) % 360}° ${compassLetters(degrees)}`;

/** A smaller turn is straight ahead: no one walks straighter. */
const aheadDegrees = 5;

/** From here on, left and right are equal. */
const aroundDegrees = 170;

/** `turn right 66°`, `straight ahead`, `turn around`. */
export function turnWords(bearingDegrees: number, headingDegrees: number): string {
  const turn = ((bearingDegrees - headingDegrees + 540) % 360) - 180;
  if (Math.abs(turn) <= aheadDegrees) return 'straight ahead';
  if (Math.abs(turn) >= aroundDegrees) return 'turn around';
  return `turn ${turn > 0 ? 'right' : 'left'} ${Math.round(Math.abs(turn))}°`;
}

const metersPerFoot = 0.3048;

/** The engine's feet in the user's units, rounded down: never shows a line farther away than it is. */
export const lineLength = (feet: number, units: UnitSystem): { readonly number: string; readonly unit: string } =>
  isMetric(units)
    ? { number: formatNumber(Math.floor(feet * metersPerFoot)), unit: 'm' }
    : { number: formatNumber(feet), unit: 'ft' };

/** `±13 ft`, rounded up: never shows the GPS better than it is. */
export const accuracyWords = (meters: number, units: UnitSystem): string =>
  isMetric(units) ? `±${formatNumber(Math.ceil(meters))} m` : `±${formatNumber(Math.ceil(meters / metersPerFoot))} ft`;

export const walkedWords = (meters: number, units: UnitSystem): string => formatLength(meters, units);

/** `0:47`, hours and minutes. */
export function durationWords(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}
