/** Detects a file's format from its content: names and extensions are unreliable. */
import { EngineError } from '../../spec/errors.ts';
import { formatWords, gdalFormats } from '../../spec/import-formats.ts';
import { readChunks, readHead } from './bytes/byte-window.ts';
import { headText, utf16Of } from './bytes/text-encoding.ts';
import { isFlatGeobuf } from './flatgeobuf/flatgeobuf-reader.ts';
import { JsonScanner } from './geojson/json-scanner.ts';
import type { ParcelFormat } from './parcel-source.ts';
import { isParquet } from './parquet/geoparquet-reader.ts';
import { isDbf } from './shapefile/dbf-table-reader.ts';
import { isShapeHeader } from './shapefile/shapefile-shapes.ts';
import { afterProlog } from './xml/xml-prolog.ts';
import { isZip } from './zip/zip-archive.ts';

/** Folders have no format: their files do. */
export type FileFormat = ParcelFormat | 'zip' | 'dbf';

const turned = 'turn it into GeoJSON or a GeoPackage first (ogr2ogr, QGIS)';

const gpxRoot = /^<(?:\w+:)?gpx[\s/>]/;

/** Beginnings of unsupported formats, which the refusal names. */
const otherFormats: readonly (readonly [beginning: string | RegExp, name: string])[] = [
  ['\x1f\x8b', 'a gzip archive: unpack it first'],
  ['Rar!', 'a RAR archive: unpack it first'],
  ['7z\xbc\xaf', 'a 7-Zip archive: unpack it first'],
  [/^<(?:rss|feed|rdf:RDF)[\s>]/, `GeoRSS or another feed: ${turned}`],
  [gpxRoot, 'a GPX, which holds a walk and no parcels: bring it in as field notes'],
  ['<', 'XML or HTML that holds no KML and no GML: an error page of a server, or metadata'],
  ['AutoCAD Binary DXF', 'a binary DXF: save it as a DXF in ASCII'],
  [/^EXP\s+\d\s/, `an ArcInfo export (E00): ${turned}`],
  ['%PDF', 'a PDF'],
  ['\xd0\xcf\x11\xe0', 'an old Excel or Access file: save it as CSV or XLSX'],
];
const sqliteHeader = 'SQLite format 3\0';
const expected = `${formatWords()}, or a zip of them`;
const kmlRoot = /^<(?:\w+:)?kml[\s/>]/;

export function detectFormat(filePath: string): FileFormat {
  const head = readHead(filePath, 128);
  if (isZip(head)) return 'zip';
  if (isShapeHeader(head)) return 'shapefile';
  if (isFlatGeobuf(head)) return 'flatgeobuf';
  if (isParquet(head)) return 'geoparquet';
  if (head.toString('latin1', 0, 16) === sqliteHeader) {
    return head.toString('latin1', 68, 72) === 'PLBL' ? 'land' : 'geopackage';
  }
  if (isDbf(head)) return 'dbf';
  return detectText(filePath, firstCharacters(filePath));
}

/** A walk of a GPS device or app (importing/walks). */
export function isGpx(filePath: string): boolean {
  const start = firstCharacters(filePath);
  return start.startsWith('<') && gpxRoot.test(afterProlog(start) ?? '');
}

function detectText(filePath: string, start: string): FileFormat {
  const refuse = (found: string) =>
    new EngineError('import_refused', `${filePath}: expected ${expected}, found ${found}.`);
  const head = readHead(filePath, 128);
  if (utf16Of(head)) {
    if (!/^[{[<]/.test(headText(head).toString().trimStart())) return 'csv';
    throw refuse('JSON or XML in UTF-16: save it as UTF-8');
  }
  if (start === '') throw refuse('an empty file');
  const body = start.startsWith('<') ? afterProlog(start) : start;
  if (body === null && !/<!DOCTYPE\s+html/i.test(start))
    throw refuse('XML with a document type (DOCTYPE): remove that');
  if (body !== null && kmlRoot.test(body)) return 'kml';
  const byGdal = gdalFormats.find(({ begins }) => body !== null && begins?.test(body));
  if (byGdal) return byGdal.name;
  if (start.startsWith('\x1e')) return 'geojson-lines';
  if (start.startsWith('{')) return detectByMembers(filePath);
  if (start.startsWith('[')) return detectArray(filePath);
  const other = otherFormats.find(([beginning]) =>
    typeof beginning === 'string' ? start.startsWith(beginning) : beginning.test(body ?? start),
  );
  if (other) throw refuse(other[1]);
  // Text has no bytes below the tab.
  const isBinary = [...start.slice(0, 64)].some((character) => character.charCodeAt(0) < 0x09);
  if (isBinary) throw refuse(`a file that begins with ${JSON.stringify(start.slice(0, 12))}`);
  return 'csv';
}

const maxCharacters = 64 * 1024;

/** The first characters after a byte order mark and any white space. */
function firstCharacters(filePath: string): string {
  let mark = '\xef\xbb\xbf';
  for (const chunk of readChunks(filePath)) {
    const text = chunk.toString('latin1').replace(mark, '').trimStart();
    if (text !== '') return text.slice(0, maxCharacters);
    mark = '';
  }
  return '';
}

/** Members that identify an object by themselves. */
const tellingMembers: ReadonlyMap<string, FileFormat> = new Map([
  ['features', 'geojson'],
  ['geometry', 'geojson-lines'],
  ['properties', 'geojson-lines'],
  ['results', 'service-answers'],
  ['property_id', 'service-answers'],
  ['arcs', 'topojson'],
  ['objects', 'topojson'],
]);

/** Reads the members of the first object up to the first that tells a feature, a collection and an answer apart. */
function detectByMembers(filePath: string): FileFormat {
  const scanner = new JsonScanner(filePath);
  try {
    scanner.expect('{');
    if (scanner.peek() === 0x7d) throw scanner.refusal('expected GeoJSON, found an empty object');
    do {
      const name = scanner.takeName();
      const told = tellingMembers.get(name);
      if (told) return told;
      if (name === 'type') {
        const type = scanner.takeValue();
        // Any other type is refused by the collection's reader, with its offset.
        return type === 'Feature' ? 'geojson-lines' : type === 'Topology' ? 'topojson' : 'geojson';
      }
      scanner.skipValue();
    } while (scanner.take(','));
    throw scanner.refusal(
      'expected GeoJSON or an answer of the hosted service, found an object without "type", "features", "geometry" or "results"',
    );
  } finally {
    scanner.close();
  }
}

function detectArray(filePath: string): FileFormat {
  const scanner = new JsonScanner(filePath);
  try {
    scanner.expect('[');
    if (scanner.peek() === 0x7b) return 'service-answers';
    throw scanner.refusal(
      `expected GeoJSON or answers of the hosted service, found an array of ${scanner.shownNext()}`,
    );
  } finally {
    scanner.close();
  }
}
