/**
 * Parses Well Known Text into a query geometry. The text comes from strangers: one pass, linear time, limits on
 * everything that grows, recursion no deeper than the nesting limit, problems as values. (Every npm parser that was
 * tried hangs or overflows the stack on hostile input.)
 */
import { grouped } from '../spec/counted.ts';
import {
  boundsOfCoordinates,
  geographicSrid,
  maxLatitude,
  maxLongitude,
  type PolygonRings,
  type QueryGeometry,
} from './geometry.ts';
import { WktScanner } from './wkt-scanner.ts';

/** Limits of a text. A collection counts as one level of depth. */
export const wktLimits = {
  characters: 1_048_576,
  vertices: 10_000,
  rings: 500,
  depth: 3,
} as const;

/** `problem` is a sentence: what was expected, what was found (at most 40 characters of it) and where (from 1). */
type WktResult =
  | { readonly ok: true; readonly geometry: QueryGeometry }
  | { readonly ok: false; readonly problem: string };

interface Reading {
  readonly scanner: WktScanner;
  readonly points: number[];
  readonly lines: Float64Array[];
  readonly polygons: PolygonRings[];
  vertexCount: number;
  ringCount: number;
}

type Reader = (reading: Reading, depth: number) => boolean;

/** Each reads what follows the type's name, from its opening bracket. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['POINT', readPoint],
  ['LINESTRING', readLine],
  ['POLYGON', readPolygon],
  ['MULTIPOINT', (reading) => readList(reading, () => readMultiPointMember(reading))],
  ['MULTILINESTRING', (reading) => readList(reading, () => readLine(reading))],
  ['MULTIPOLYGON', (reading) => readList(reading, () => readPolygon(reading))],
  ['GEOMETRYCOLLECTION', readCollection],
]);

const typeNames = [...readers.keys()].join(', ');
const dimensionNames: ReadonlySet<string> = new Set(['Z', 'M', 'ZM']);
/** Reads WKT in longitude latitude order, optionally led by `SRID=4326;`. Never throws. */
export function parseWkt(text: string): WktResult {
  if (text.length > wktLimits.characters) {
    return {
      ok: false,
      problem: `Expected at most ${grouped(wktLimits.characters)} characters, found ${grouped(text.length)}.`,
    };
  }
  const scanner = new WktScanner(text);
  const reading: Reading = { scanner, points: [], lines: [], polygons: [], vertexCount: 0, ringCount: 0 };
  const isRead =
    readSrid(scanner) && readGeometry(reading, 0) && (scanner.isAtEnd() || scanner.refuseHere('the end of the text'));
  if (!isRead) return { ok: false, problem: scanner.problem ?? 'The text is not WKT.' };
  return { ok: true, geometry: buildGeometry(reading) };
}

function buildGeometry({ points, lines, polygons }: Reading): QueryGeometry {
  const flatPoints = Float64Array.from(points);
  const bounds = boundsOfCoordinates([flatPoints, ...lines, ...polygons.flat()]);
  return { points: flatPoints, lines, polygons, bounds };
}

function readSrid(scanner: WktScanner): boolean {
  if (scanner.peekWord() !== 'SRID') return true;
  scanner.skipWord('SRID');
  if (!scanner.take('=')) return false;
  const position = scanner.position;
  const srid = scanner.takeNumber('an SRID');
  if (srid === null) return false;
  if (srid !== geographicSrid) {
    return scanner.refuse(
      `Expected SRID ${geographicSrid} (WGS84 longitude latitude) at position ${position}, found ${srid}.`,
    );
  }
  return scanner.take(';');
}

function readGeometry(reading: Reading, depth: number): boolean {
  const { scanner } = reading;
  const word = scanner.peekWord();
  const reader = readers.get(word);
  if (reader === undefined) return refuseType(scanner, word);
  scanner.skipWord(word);
  const next = scanner.peekWord();
  if (next === 'EMPTY') return refuseEmpty(scanner);
  if (dimensionNames.has(next)) return refuseDimension(scanner);
  return reader(reading, depth);
}

function refuseType(scanner: WktScanner, word: string): false {
  const flatName = word.replace(/(?:ZM|Z|M)$/, '');
  if (readers.has(flatName)) return refuseDimension(scanner);
  return scanner.refuseHere(`one of ${typeNames}`);
}

function refuseEmpty(scanner: WktScanner): false {
  return scanner.refuseHere('coordinates (an empty geometry intersects nothing)');
}

function refuseDimension(scanner: WktScanner): false {
  return scanner.refuseHere('two dimensions, longitude and latitude, without Z or M');
}

/** `( item, item, … )` */
function readList({ scanner }: Reading, readItem: () => boolean): boolean {
  if (scanner.peekWord() === 'EMPTY') return refuseEmpty(scanner);
  if (!scanner.take('(')) return false;
  do {
    if (!readItem()) return false;
  } while (scanner.takeIf(','));
  return scanner.take(')', '"," or ")"');
}

function readCollection(reading: Reading, depth: number): boolean {
  const { scanner } = reading;
  if (depth >= wktLimits.depth) {
    return scanner.refuse(
      `Expected collections nested at most ${wktLimits.depth} deep, found one deeper at position ${scanner.position}.`,
    );
  }
  return readList(reading, () => readGeometry(reading, depth + 1));
}

function readPoint(reading: Reading): boolean {
  const { scanner } = reading;
  return scanner.take('(') && readVertex(reading, reading.points) && scanner.take(')');
}

/** Both spellings occur: `MULTIPOINT (1 2, 3 4)` and `MULTIPOINT ((1 2), (3 4))`. */
function readMultiPointMember(reading: Reading): boolean {
  if (reading.scanner.peekWord() === 'EMPTY') return refuseEmpty(reading.scanner);
  return reading.scanner.isAt('(') ? readPoint(reading) : readVertex(reading, reading.points);
}

function readLine(reading: Reading): boolean {
  const { scanner } = reading;
  const position = scanner.position;
  const coordinates: number[] = [];
  if (!readList(reading, () => readVertex(reading, coordinates))) return false;
  if (coordinates.length < 4) {
    return scanner.refuse(`Expected at least 2 points in the line at position ${position}, found 1.`);
  }
  reading.lines.push(Float64Array.from(coordinates));
  return true;
}

function readPolygon(reading: Reading): boolean {
  const rings: Float64Array[] = [];
  if (!readList(reading, () => readRing(reading, rings))) return false;
  reading.polygons.push(rings);
  return true;
}

function readRing(reading: Reading, rings: Float64Array[]): boolean {
  const { scanner } = reading;
  const position = scanner.position;
  reading.ringCount++;
  if (reading.ringCount > wktLimits.rings) {
    return scanner.refuse(`Expected at most ${wktLimits.rings} rings, found another at position ${position}.`);
  }
  const coordinates: number[] = [];
  if (!readList(reading, () => readVertex(reading, coordinates))) return false;
  const pointCount = coordinates.length / 2;
  if (pointCount < 4) {
    return scanner.refuse(`Expected at least 4 points in the ring at position ${position}, found ${pointCount}.`);
  }
  const [firstX, firstY] = coordinates;
  const lastX = coordinates.at(-2);
  const lastY = coordinates.at(-1);
  if (firstX !== lastX || firstY !== lastY) {
    return scanner.refuse(
      `Expected the ring at position ${position} to end where it begins, ${firstX} ${firstY}, found ${lastX} ${lastY}.`,
    );
  }
  rings.push(Float64Array.from(coordinates));
  return true;
}

function readVertex(reading: Reading, into: number[]): boolean {
  const { scanner } = reading;
  if (reading.vertexCount >= wktLimits.vertices) {
    return scanner.refuse(
      `Expected at most ${grouped(wktLimits.vertices)} vertices, found another at position ${scanner.position}.`,
    );
  }
  const longitude = readOrdinate(scanner, 'longitude', maxLongitude);
  if (longitude === null) return false;
  const latitude = readOrdinate(scanner, 'latitude', maxLatitude);
  if (latitude === null) return false;
  if (scanner.isAtNumber()) return refuseDimension(scanner);
  into.push(longitude, latitude);
  reading.vertexCount++;
  return true;
}

function readOrdinate(scanner: WktScanner, name: string, limit: number): number | null {
  const position = scanner.position;
  const value = scanner.takeNumber(`a ${name}`);
  if (value === null) return null;
  if (Math.abs(value) > limit) {
    scanner.refuse(
      `Expected a ${name} from -${limit} to ${limit} at position ${position}, found ${value}. ` +
        'Coordinates are degrees, longitude first, then latitude.',
    );
    return null;
  }
  return value;
}

/** Coordinates of a GeoJSON MultiPolygon as WKT. */
export function wktOfPolygons(polygons: readonly (readonly (readonly (readonly number[])[])[])[]): string {
  const list = (parts: readonly string[]): string => `(${parts.join(', ')})`;
  const rings = polygons.map((polygon) => list(polygon.map((ring) => list(ring.map(([x, y]) => `${x} ${y}`)))));
  return `MULTIPOLYGON ${list(rings)}`;
}
