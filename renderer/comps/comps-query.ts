/** The query for comps: a county or a circle, and conditions. Pure functions. */
import type { InputOf } from '../../engine/operations/index.ts';
import { daysOfMonths } from '../../engine/spec/date-words.ts';
import { parseCoordinates } from '../../engine/spec/parse-coordinates.ts';
import type { CompStatus } from './comp-mark.tsx';

export type CompsInput = Omit<InputOf<'list_comps'>, 'page' | 'page_size'>;

export interface Place {
  readonly longitude: number;
  readonly latitude: number;
  /** `parcel 11-169`; empty for typed coordinates. */
  readonly name: string;
}

export interface CompsQuery {
  readonly scope: 'county' | 'circle';
  readonly fips: string | null;
  readonly center: Place | null;
  readonly miles: number;
  /** None: all. */
  readonly statuses: readonly CompStatus[];
  readonly soldWithinMonths: number | null;
  readonly acresMin: number | null;
  readonly acresMax: number | null;
}

export const beginQuery: CompsQuery = {
  scope: 'circle',
  fips: null,
  center: null,
  miles: 5,
  statuses: [],
  soldWithinMonths: null,
  acresMin: null,
  acresMax: null,
};

export const metersPerMile = 1609.344;
/** The limit of list_comps. */
export const maximumMiles = 124;

/** The input of list_comps; null while there is no place. Months are those of the market's statistics. */
export function compsInput(query: CompsQuery, today = new Date().toISOString().slice(0, 10)): CompsInput | null {
  const { scope, fips, center, miles, statuses, soldWithinMonths: months, acresMin, acresMax } = query;
  const place = scope === 'county' ? fips !== null && { fips } : center !== null && circleInput(center, miles);
  if (!place) return null;
  return {
    ...place,
    ...(statuses.length === 0 || statuses.length === 3 ? {} : { status: [...statuses] }),
    ...(months === null ? {} : { age: daysOfMonths(today, months) - 1 }),
    ...(acresMin === null ? {} : { acres_min: acresMin }),
    ...(acresMax === null ? {} : { acres_max: acresMax }),
  };
}

const circleInput = ({ longitude, latitude }: Place, miles: number) => ({
  point: [longitude, latitude],
  dist: Math.max(1, Math.round(miles * metersPerMile)),
});

/** Why the query cannot run; null if it can. */
export function problemOf({ scope, fips, center, acresMin, acresMax }: CompsQuery): string | null {
  if (scope === 'county' && fips === null) return 'Choose a county.';
  if (scope === 'circle' && center === null) return 'Give the center of the circle, or choose a parcel in Explore.';
  return acresMin !== null && acresMax !== null && acresMin > acresMax ? 'Acres from is above acres to.' : null;
}

/** A place without a name; null if the text is not one. */
export function readPlace(text: string): Place | null {
  const found = parseCoordinates(text);
  return found && { ...found, name: '' };
}

export const placeText = ({ latitude, longitude }: Place): string => `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;

const earthRadiusMeters = 6_371_008.8;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const degrees = (angle: number): number => (angle * 180) / Math.PI;

/** On the sphere: within half a percent of the engine's geodesic, for display and drawing. */
export function milesBetween(a: Omit<Place, 'name'>, b: Omit<Place, 'name'>): number {
  const [p, q] = [radians(a.latitude), radians(b.latitude)];
  const chord =
    Math.sin((q - p) / 2) ** 2 + Math.cos(p) * Math.cos(q) * Math.sin(radians(b.longitude - a.longitude) / 2) ** 2;
  return (2 * earthRadiusMeters * Math.asin(Math.sqrt(chord))) / metersPerMile;
}

/** The circle as a polygon of 64 corners, for `geom_intersects`; its corners lie on the circle. */
export function circleWkt(center: Omit<Place, 'name'>, miles: number): string {
  const angle = (miles * metersPerMile) / earthRadiusMeters;
  const latitude = radians(center.latitude);
  const corners = Array.from({ length: 64 }, (_each, i) => {
    const bearing = (-2 * Math.PI * i) / 64;
    const to = Math.asin(
      Math.sin(latitude) * Math.cos(angle) + Math.cos(latitude) * Math.sin(angle) * Math.cos(bearing),
    );
    const east = Math.atan2(
      Math.sin(bearing) * Math.sin(angle) * Math.cos(latitude),
      Math.cos(angle) - Math.sin(latitude) * Math.sin(to),
    );
    return `${(center.longitude + degrees(east)).toFixed(6)} ${degrees(to).toFixed(6)}`;
  });
  return `POLYGON ((${[...corners, corners[0]].join(', ')}))`;
}

/** The value below which a share of the sorted values lies, interpolated between neighbors; null without values. */
export function quantile(sorted: readonly number[], share: number): number | null {
  if (sorted.length === 0) return null;
  const at = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)] as number, sorted[Math.ceil(at)] as number];
  return low + (high - low) * (at - Math.floor(at));
}
