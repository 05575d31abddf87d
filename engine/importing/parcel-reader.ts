/** The reader that fits a parcel file, found from what the file holds: names and endings are not to be trusted. */
import { EngineError } from '../spec/errors.ts';
import { readChunks } from './byte-window.ts';
import { readGeoJsonLines } from './geojson-lines-reader.ts';
import { readGeoJson } from './geojson-reader.ts';
import { JsonScanner } from './json-scanner.ts';
import type { ParcelFeature } from './parcel-feature.ts';

export type ParcelFormat = 'geojson' | 'geojson-lines';

/** Beginnings of formats that people try, to be named in the refusal. */
const otherFormats: readonly (readonly [beginning: string, name: string])[] = [
  ['PK\x03\x04', 'a zip archive'],
  ['\x00\x00\x27\x0a', 'a Shapefile'],
  ['SQLite format 3', 'a SQLite database (GeoPackage or SpatiaLite)'],
  ['fgb\x03', 'FlatGeobuf'],
  ['\x1f\x8b', 'a gzip archive'],
  ['<', 'XML or HTML (KML, GML, an error page)'],
];

export function detectParcelFormat(filePath: string): ParcelFormat {
  const head = firstCharacters(filePath);
  if (head === '') throw new EngineError('import_refused', `${filePath}: expected GeoJSON, found an empty file.`);
  if (head.startsWith('\x1e')) return 'geojson-lines';
  if (head.startsWith('{')) return detectByMembers(filePath);
  const other = otherFormats.find(([beginning]) => head.startsWith(beginning));
  const found = other ? other[1] : `a file that begins with ${JSON.stringify(head.slice(0, 12))}`;
  throw new EngineError(
    'import_refused',
    `${filePath}: expected GeoJSON (a FeatureCollection, or one feature per line), found ${found}.`,
  );
}

/** Up to 64 characters behind a byte order mark and white space of any length. */
function firstCharacters(filePath: string): string {
  let mark = '\xef\xbb\xbf';
  for (const chunk of readChunks(filePath)) {
    const text = chunk.toString('latin1').replace(mark, '').trimStart();
    if (text !== '') return text.slice(0, 64);
    mark = '';
  }
  return '';
}

/** Reads the members of the first object up to the first that tells a feature from a collection. */
function detectByMembers(filePath: string): ParcelFormat {
  const scanner = new JsonScanner(filePath);
  try {
    scanner.expect('{');
    if (scanner.peek() === 0x7d) throw scanner.refusal('expected GeoJSON, found an empty object');
    do {
      const name = scanner.takeName();
      if (name === 'features') return 'geojson';
      if (name === 'geometry' || name === 'properties') return 'geojson-lines';
      if (name === 'type') {
        const type = scanner.takeValue();
        // Any other type is refused by the collection's reader, with its offset.
        return type === 'Feature' ? 'geojson-lines' : 'geojson';
      }
      scanner.skipValue();
    } while (scanner.take(','));
    throw scanner.refusal('expected GeoJSON, found an object without "type", "features" or "geometry"');
  } finally {
    scanner.close();
  }
}

/** Every feature of a parcel file. */
export function readParcelFile(filePath: string): Generator<ParcelFeature> {
  return detectParcelFormat(filePath) === 'geojson' ? readGeoJson(filePath) : readGeoJsonLines(filePath);
}
