/** What files say of the marks of the field. */
import { metersPerFoot } from '../geo/local-metric.ts';
import type { FileMarks, Photo, Waypoint } from '../query/field-marks.ts';
import { grouped } from '../spec/counted.ts';
import { platbookNamespace } from '../spec/walk-marks.ts';
import { xmlText } from './xml-text.ts';

export const ownNamespace = `xmlns:platbook="${platbookNamespace}"`;

/** `on 9-94`; empty off the parcels. */
const onParcel = ({ apn }: Pick<Waypoint, 'apn'>): string => (apn === null ? '' : `on ${apn}`);

/** Rounded up: never shows the GPS better than it was. */
const gpsWords = ({ accuracy_meters: meters }: Waypoint): string =>
  meters === null ? '' : `GPS ±${grouped(Math.ceil(meters / metersPerFoot))} ft`;

export const waypointWords = (waypoint: Waypoint): string =>
  [waypoint.note ?? '', onParcel(waypoint), gpsWords(waypoint)].filter((part) => part !== '').join('; ');

/** `placed by time, ± 12 m`; empty for a place that the photo or the user gave. */
export const placedWords = ({ place_from: from, place_error_m: meters }: Photo): string =>
  from === 'track' ? `placed by time, ± ${grouped(meters ?? 0)} m` : '';

export const photoWords = (photo: Photo): string =>
  [
    'photo',
    onParcel(photo),
    photo.taken_at === null ? '' : `taken ${photo.taken_at.replace('T', ' ')}`,
    placedWords(photo),
  ]
    .filter((part) => part !== '')
    .join(' ');

interface PlacedPhoto extends Photo {
  readonly longitude: number;
  readonly latitude: number;
}

export const placedPhotos = ({ photos }: FileMarks): PlacedPhoto[] =>
  photos.filter((photo): photo is PlacedPhoto => photo.longitude !== null && photo.latitude !== null);

/** A track without a point is no line. */
export const walkedTracks = ({ tracks }: FileMarks) => tracks.filter(({ segments }) => segments.length > 0);

/**
 * The values themselves as elements of a namespace of Platbook's, beside the words that other apps show: a file that
 * Platbook wrote comes back equal (importing/walks).
 */
export const ownElements = (values: Readonly<Record<string, string | number | null>>): string =>
  Object.entries(values)
    .map(([name, value]) =>
      value === null || value === '' ? '' : `<platbook:${name}>${xmlText(String(value))}</platbook:${name}>`,
    )
    .join('');

/** Sentences about what a file leaves out. */
export function marksLeftOut(marks: FileMarks): string[] {
  const placeless = marks.photos.length - placedPhotos(marks).length;
  return placeless === 0
    ? []
    : [`${placeless} of ${marks.photos.length} photos have no place, only a parcel, and are left out.`];
}
