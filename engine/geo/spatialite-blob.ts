/**
 * SpatiaLite's geometry BLOB (https://www.gaia-gis.it/gaia-sins/BLOB-Geometry.html), so that other programs open our file:
 *
 *     0x00  order (1 = little endian, 0 = big)  int32 SRID  doubles minX minY maxX maxY  0x7C  int32 class  data  0xFE
 *     POLYGON data (class 3):       int32 rings; per ring int32 points, then doubles x y
 *     MULTIPOLYGON data (class 6):  int32 polygons; per polygon 0x69, int32 3, POLYGON data
 *
 * Written little endian. Read in both orders; every count is checked against the bytes that are left before it is used,
 * because a damaged count must not make us allocate gigabytes.
 */
import {
  type Bounds,
  boundsOfMultiPolygon,
  geographicSrid,
  type MultiPolygon,
  type PolygonRings,
  type Ring,
} from './geometry.ts';

const startMark = 0x00;
const boundsEndMark = 0x7c;
const entityMark = 0x69;
const endMark = 0xfe;
const polygonClass = 3;
const multiPolygonClass = 6;
const boundsOffset = 6;
const boundsEndOffset = 38;
const classOffset = 39;
const dataOffset = 43;
const ringHeaderBytes = 4;
const polygonHeaderBytes = 9;
/** A vertex takes two doubles, x and y. */
export const vertexBytes = 16;
/** A triangle with its first point repeated. */
const minRingPoints = 4;

/** GeoJSON (RFC 7946) of a multipolygon, rings in stored order and direction. */
export interface GeoJsonMultiPolygon {
  readonly type: 'MultiPolygon';
  readonly coordinates: [number, number][][][];
}

/** Throws if there is no polygon or a polygon without a ring: store null for such a shape. */
export function encodeMultiPolygon(polygons: MultiPolygon): Buffer {
  let size = dataOffset + 4 + 1;
  for (const rings of polygons) {
    if (rings.length === 0) throw new Error('Expected a polygon with at least one ring, found none.');
    size += polygonHeaderBytes;
    for (const ring of rings) size += ringHeaderBytes + ring.length * 8;
  }
  if (polygons.length === 0) throw new Error('Expected at least one polygon to store, found none.');
  // Every byte is written below, so no old memory content remains.
  const buffer = Buffer.allocUnsafe(size);
  const view = new DataView(buffer.buffer, buffer.byteOffset, size);
  writeHeader(view, boundsOfMultiPolygon(polygons));
  view.setInt32(dataOffset, polygons.length, true);
  let offset = dataOffset + 4;
  for (const rings of polygons) offset = writePolygon(view, offset, rings);
  view.setUint8(offset, endMark);
  return buffer;
}

function writeHeader(view: DataView, bounds: Bounds): void {
  view.setUint8(0, startMark);
  view.setUint8(1, 1);
  view.setInt32(2, geographicSrid, true);
  view.setFloat64(boundsOffset, bounds.minX, true);
  view.setFloat64(boundsOffset + 8, bounds.minY, true);
  view.setFloat64(boundsOffset + 16, bounds.maxX, true);
  view.setFloat64(boundsOffset + 24, bounds.maxY, true);
  view.setUint8(boundsEndOffset, boundsEndMark);
  view.setInt32(classOffset, multiPolygonClass, true);
}

function writePolygon(view: DataView, start: number, rings: PolygonRings): number {
  view.setUint8(start, entityMark);
  view.setInt32(start + 1, polygonClass, true);
  view.setInt32(start + 5, rings.length, true);
  let offset = start + polygonHeaderBytes;
  for (const ring of rings) {
    view.setInt32(offset, ring.length / 2, true);
    offset += ringHeaderBytes;
    for (let index = 0; index < ring.length; index++, offset += 8) {
      view.setFloat64(offset, ring[index] as number, true);
    }
  }
  return offset;
}

/**
 * The rings of a stored POLYGON or MULTIPOLYGON in SRID 4326. Throws an Error with a sentence for any other bytes:
 * wrong marks, counts that do not fit, rings that are open or too short, coordinates that are not finite.
 */
export function decodeMultiPolygon(blob: Uint8Array): MultiPolygon {
  const polygons: Ring[][] = [];
  walkRings(blob, (polygon, points, view, at, isLittleEndian) => {
    const ring = new Float64Array(points * 2);
    for (let index = 0; index < ring.length; index++, at += 8) {
      const value = view.getFloat64(at, isLittleEndian);
      if (!Number.isFinite(value)) throw damage(blob, at, 'a finite coordinate');
      ring[index] = value;
    }
    const rings = polygons[polygon];
    if (rings) rings.push(ring);
    else polygons.push([ring]);
  });
  return polygons;
}

/** @param at byte of the first of its coordinates, x y x y … */
type VisitRing = (polygon: number, points: number, view: DataView, at: number, isLittleEndian: boolean) => void;

/** Visits the rings in their order without copying them. Throws as `decodeMultiPolygon` does, but for coordinates. */
export function walkRings(blob: Uint8Array, visit: VisitRing): void {
  const header = readHeader(blob);
  if (header === null) throw damage(blob, 0, 'a SpatiaLite geometry header');
  const { view, isLittleEndian, srid, type } = header;
  if (srid !== geographicSrid) throw damage(blob, 2, `SRID ${geographicSrid}, found ${srid}`);
  const reader = new BlobReader(blob, view, isLittleEndian, visit);
  if (type === polygonClass) reader.readPolygon(0);
  else reader.readPolygons(type);
  reader.finish();
}

class BlobReader {
  readonly #blob: Uint8Array;
  readonly #view: DataView;
  readonly #isLittleEndian: boolean;
  readonly #visit: VisitRing;
  #offset = dataOffset;

  constructor(blob: Uint8Array, view: DataView, isLittleEndian: boolean, visit: VisitRing) {
    this.#blob = blob;
    this.#view = view;
    this.#isLittleEndian = isLittleEndian;
    this.#visit = visit;
  }

  readPolygons(type: number): void {
    if (type !== multiPolygonClass) {
      throw damage(this.#blob, classOffset, `class ${polygonClass} or ${multiPolygonClass}, found ${type}`);
    }
    const polygonCount = this.#readCount('polygons', polygonHeaderBytes, 1);
    for (let polygon = 0; polygon < polygonCount; polygon++) {
      this.#expectEntity();
      this.readPolygon(polygon);
    }
  }

  readPolygon(polygon: number): void {
    const ringCount = this.#readCount('rings', ringHeaderBytes, 1);
    for (let index = 0; index < ringCount; index++) this.#readRing(polygon);
  }

  finish(): void {
    if (this.#offset !== this.#blob.length - 1) throw damage(this.#blob, this.#offset, 'the end mark after the data');
  }

  #readRing(polygon: number): void {
    const start = this.#offset;
    const points = this.#readCount('points', vertexBytes, minRingPoints);
    const first = this.#offset;
    const last = first + (points - 1) * vertexBytes;
    this.#visit(polygon, points, this.#view, first, this.#isLittleEndian);
    for (const axis of [0, 8])
      if (this.#coordinate(first + axis) !== this.#coordinate(last + axis))
        throw damage(this.#blob, start, 'a closed ring');
    this.#offset = last + vertexBytes;
  }

  #coordinate(at: number): number {
    return this.#view.getFloat64(at, this.#isLittleEndian);
  }

  #expectEntity(): void {
    const isPolygon =
      this.#offset + polygonHeaderBytes < this.#blob.length &&
      this.#blob[this.#offset] === entityMark &&
      this.#view.getInt32(this.#offset + 1, this.#isLittleEndian) === polygonClass;
    if (!isPolygon) throw damage(this.#blob, this.#offset, 'the head of a polygon');
    this.#offset += 5;
  }

  /** A count of things of at least `bytesEach`, checked against the bytes left before the end mark. */
  #readCount(things: string, bytesEach: number, least: number): number {
    const left = this.#blob.length - 1 - this.#offset - 4;
    if (left < 0) throw damage(this.#blob, this.#offset, `a count of ${things}`);
    const value = this.#view.getInt32(this.#offset, this.#isLittleEndian);
    if (value < least || value * bytesEach > left) {
      throw damage(this.#blob, this.#offset, `a count of ${things} from ${least} that fits, found ${value}`);
    }
    this.#offset += 4;
    return value;
  }
}

function damage(blob: Uint8Array, offset: number, expected: string): Error {
  return new Error(`Damaged geometry: expected ${expected}, at byte ${offset} of ${blob.length}.`);
}

interface Header {
  readonly view: DataView;
  readonly isLittleEndian: boolean;
  readonly srid: number;
  readonly type: number;
}

function readHeader(blob: unknown): Header | null {
  if (!(blob instanceof Uint8Array) || blob.length <= dataOffset) return null;
  const isGeometry =
    blob[0] === startMark &&
    (blob[1] === 0 || blob[1] === 1) &&
    blob[boundsEndOffset] === boundsEndMark &&
    blob[blob.length - 1] === endMark;
  if (!isGeometry) return null;
  const view = new DataView(blob.buffer, blob.byteOffset, blob.length);
  const isLittleEndian = blob[1] === 1;
  return {
    view,
    isLittleEndian,
    srid: view.getInt32(2, isLittleEndian),
    type: view.getInt32(classOffset, isLittleEndian),
  };
}

/**
 * The box in the header of a SpatiaLite geometry of any class; null for any other value. Never throws: the SQL
 * functions `MbrMinX` … call it inside triggers, on anything a program stores.
 */
export function blobBounds(blob: unknown): Bounds | null {
  const header = readHeader(blob);
  if (header === null) return null;
  return boundsIn(header.view, header.isLittleEndian);
}

/** Bytes from the start of a geometry that hold its box. */
export const boundsPrefixBytes = boundsEndOffset + 1;

/** The box from a geometry's first bytes; null if they do not begin one. */
export function prefixBounds(prefix: Uint8Array): Bounds | null {
  const isGeometry =
    prefix.length >= boundsPrefixBytes &&
    prefix[0] === startMark &&
    (prefix[1] === 0 || prefix[1] === 1) &&
    prefix[boundsEndOffset] === boundsEndMark;
  if (!isGeometry) return null;
  return boundsIn(new DataView(prefix.buffer, prefix.byteOffset, prefix.length), prefix[1] === 1);
}

const boundsIn = (view: DataView, isLittleEndian: boolean): Bounds => ({
  minX: view.getFloat64(boundsOffset, isLittleEndian),
  minY: view.getFloat64(boundsOffset + 8, isLittleEndian),
  maxX: view.getFloat64(boundsOffset + 16, isLittleEndian),
  maxY: view.getFloat64(boundsOffset + 24, isLittleEndian),
});

/** SRID and class (1 POINT … 6 MULTIPOLYGON, 7 GEOMETRYCOLLECTION) of a SpatiaLite geometry; null for any other value. */
export function blobGeometryType(blob: unknown): { srid: number; type: number } | null {
  const header = readHeader(blob);
  return header === null ? null : { srid: header.srid, type: header.type };
}

/** The multipolygon as GeoJSON, coordinates as stored. */
export function multiPolygonToGeoJson(polygons: MultiPolygon): GeoJsonMultiPolygon {
  return { type: 'MultiPolygon', coordinates: polygons.map((rings) => rings.map(ringToPositions)) };
}

function ringToPositions(ring: Ring): [number, number][] {
  const positions: [number, number][] = [];
  for (let index = 0; index < ring.length; index += 2) {
    positions.push([ring[index] as number, ring[index + 1] as number]);
  }
  return positions;
}

/** A stored geometry as GeoJSON. Throws like `decodeMultiPolygon`. */
export function blobToGeoJson(blob: Uint8Array): GeoJsonMultiPolygon {
  return multiPolygonToGeoJson(decodeMultiPolygon(blob));
}
