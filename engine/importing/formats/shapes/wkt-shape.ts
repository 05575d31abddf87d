/**
 * Reads Well Known Text of a parcel or of a layer's feature, as files hold it: in any coordinate system, with heights,
 * with rings left open, with more vertices than a query may have. (`geo/wkt.ts` reads the WKT of queries, more
 * strictly.)
 */
import { FlatGeometry } from '../../../geo/ring-geometry.ts';
import { WktScanner } from '../../../geo/wkt-scanner.ts';
import type { ReferenceSystem } from '../crs/reference-system.ts';

/** Limits of a shape: a file may be hostile too. */
const shapeLimits = { vertices: 4_000_000, rings: 200_000 } as const;

const shapeTypes: ReadonlySet<string> = new Set([
  'POINT',
  'POLYGON',
  'MULTIPOLYGON',
  'LINESTRING',
  'MULTILINESTRING',
  'GEOMETRYCOLLECTION',
]);
/** Collections within collections. */
const deepest = 8;
const otherTypes: ReadonlySet<string> = new Set([
  'MULTIPOINT',
  'CIRCULARSTRING',
  'COMPOUNDCURVE',
  'CURVEPOLYGON',
  'MULTICURVE',
  'MULTISURFACE',
  'TIN',
  'TRIANGLE',
  'POLYHEDRALSURFACE',
]);

/** Whether a text begins like a parcel's shape. */
export const looksLikeWkt = (text: string): boolean =>
  /^\s*(?:SRID=\d{1,6};)?\s*(?:GEOMETRYCOLLECTION|(?:MULTI)?(?:POINT|POLYGON|LINESTRING|SURFACE))\s*(?:[A-Z ]{0,9})\s*(?:\(|EMPTY)/i.test(
    text,
  );

/** @param systemOfSrid resolves the text's own SRID; null: the file's system */
export function readWktShape(
  text: string,
  systemOfSrid: (srid: number | null) => ReferenceSystem,
): FlatGeometry | null {
  const scanner = new WktScanner(text);
  const srid = takeSrid(scanner);
  const reader = new ShapeReader(scanner);
  const isRead = srid !== undefined && reader.read();
  if (!isRead || !(scanner.isAtEnd() || scanner.refuseHere('the end of the text'))) {
    return FlatGeometry.ofProblem(scanner.problem ?? 'The text is not WKT.');
  }
  const system = systemOfSrid(srid ?? null);
  const { lines, points } = reader;
  const polygons = reader.polygons.filter((polygon) => polygon.length > 0);
  for (const path of [...polygons.flat(), ...lines, ...points]) system.toWgs84(path);
  return FlatGeometry.ofParts({ polygons, lines, points });
}

/** Null if the text has none; undefined for an invalid one. */
function takeSrid(scanner: WktScanner): number | null | undefined {
  if (scanner.peekWord() !== 'SRID') return null;
  scanner.skipWord('SRID');
  if (!scanner.take('=')) return undefined;
  const srid = scanner.takeNumber('an SRID');
  return srid !== null && scanner.take(';') ? srid : undefined;
}

class ShapeReader {
  readonly #scanner: WktScanner;
  #vertexCount = 0;
  #ringCount = 0;
  #depth = 0;
  readonly points: Float64Array[] = [];
  readonly polygons: Float64Array[][] = [];
  readonly lines: Float64Array[] = [];

  constructor(scanner: WktScanner) {
    this.#scanner = scanner;
  }

  /** False, with the problem noted in the scanner. */
  read(): boolean {
    const scanner = this.#scanner;
    const word = scanner.peekWord();
    const type = word.replace(/(?:ZM|Z|M)$/, '');
    if (!shapeTypes.has(type)) {
      if (otherTypes.has(type)) scanner.refuse(`Expected a polygon, a line or a point, found a ${type}.`);
      else scanner.refuseHere('POLYGON, MULTIPOLYGON or POINT');
      return false;
    }
    scanner.skipWord(word);
    const dimension = scanner.peekWord();
    if (dimension === 'Z' || dimension === 'M' || dimension === 'ZM') scanner.skipWord(dimension);
    return this.#takeEmpty() || this.#readShape(type);
  }

  #readShape(type: string): boolean {
    if (type === 'POINT') return this.#readPoint();
    if (type === 'POLYGON') return this.#readPolygon();
    if (type === 'GEOMETRYCOLLECTION') return this.#readCollection();
    if (type === 'LINESTRING') return this.#readPath(this.lines);
    return this.#readList(type === 'MULTIPOLYGON' ? () => this.#readPolygon() : () => this.#readPath(this.lines));
  }

  #readCollection(): boolean {
    if (this.#depth === deepest)
      return this.#scanner.refuse(`Expected collections at most ${deepest} deep, found more.`);
    this.#depth++;
    const isRead = this.#readList(() => this.read());
    this.#depth--;
    return isRead;
  }

  #takeEmpty(): boolean {
    if (this.#scanner.peekWord() !== 'EMPTY') return false;
    this.#scanner.skipWord('EMPTY');
    return true;
  }

  #readPoint(): boolean {
    const coordinates: number[] = [];
    if (!(this.#scanner.take('(') && this.#readVertex(coordinates) && this.#scanner.take(')'))) return false;
    this.points.push(Float64Array.from(coordinates));
    return true;
  }

  #readPolygon(): boolean {
    if (this.#takeEmpty()) return true;
    const rings: Float64Array[] = [];
    if (!this.#readList(() => this.#readPath(rings))) return false;
    this.polygons.push(rings);
    return true;
  }

  /** A ring or a line. */
  #readPath(paths: Float64Array[]): boolean {
    if (this.#takeEmpty()) return true;
    if (++this.#ringCount > shapeLimits.rings) {
      return this.#scanner.refuse(`Expected at most ${shapeLimits.rings} rings or lines, found more.`);
    }
    const coordinates: number[] = [];
    if (!this.#readList(() => this.#readVertex(coordinates))) return false;
    paths.push(Float64Array.from(coordinates));
    return true;
  }

  /** Numbers after the second are heights and measures. */
  #readVertex(into: number[]): boolean {
    const scanner = this.#scanner;
    if (++this.#vertexCount > shapeLimits.vertices) {
      return scanner.refuse(`Expected at most ${shapeLimits.vertices} vertices, found more.`);
    }
    const x = scanner.takeNumber('a coordinate');
    const y = x === null ? null : scanner.takeNumber('a coordinate');
    if (x === null || y === null) return false;
    into.push(x, y);
    for (let more = 0; more < 2 && scanner.isAtNumber(); more++) {
      if (scanner.takeNumber('a height or a measure') === null) return false;
    }
    return true;
  }

  #readList(readItem: () => boolean): boolean {
    const scanner = this.#scanner;
    if (!scanner.take('(')) return false;
    do {
      if (!readItem()) return false;
    } while (scanner.takeIf(','));
    return scanner.take(')', '"," or ")"');
  }
}
