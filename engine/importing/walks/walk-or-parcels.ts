/** Tells walks from parcels by what a file holds: areas are parcels; places with a name or a time, and lines, are a walk. */
import { areasWords } from './kml-walk.ts';
import type { Walk } from './walk.ts';

/** Values that only parcels have: a table of them may hold places with names as well. */
const aboutParcels = /^(?:apn|parcel|parcel_?(?:id|no|number)|pin|folio|owner|owner_?name\d*|acres|situs\w*): /im;

export function holdsOf({ waypoints, tracks, leftOut }: Walk): 'walk' | 'parcels' | 'both' {
  const isWalked = tracks.length > 0 || waypoints.some(({ name, time }) => name !== null || time !== null);
  if (!isWalked) return 'parcels';
  const hasParcels =
    leftOut.some(({ what }) => what === areasWords) || waypoints.some(({ extras }) => aboutParcels.test(extras ?? ''));
  return hasParcels ? 'both' : 'walk';
}
