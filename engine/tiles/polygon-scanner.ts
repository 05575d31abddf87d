/**
 * Walks the rings of consecutive SpatiaLite polygons in one buffer without copying corners. Format and checks are those of
 * `geo/spatialite-blob.ts`, whose `decodeMultiPolygon` is the tests' oracle. Damage ends the walk instead of throwing,
 * because one bad parcel must not cost a whole tile.
 */
import { type Bounds, geographicSrid } from '../geo/geometry.ts';

const startMark = 0x00;
const boundsOffset = 6;
const boundsEndOffset = 38;
const boundsEndMark = 0x7c;
const classOffset = 39;
const dataOffset = 43;
const entityMark = 0x69;
const endMark = 0xfe;
const polygonClass = 3;
const multiPolygonClass = 6;
const vertexBytes = 16;
const minRingPoints = 4;

interface ScannedBounds {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

export class PolygonScanner {
  /** Bounds in the header of the geometry. */
  readonly #bounds: ScannedBounds = { minX: 0, minY: 0, maxX: 0, maxY: 0 };
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #start = 0;
  #end = 0;
  #at = 0;
  #isLittleEndian = true;
  #polygonsLeft = 0;
  #ringsLeft = 0;
  /** Whether each polygon has its own header. */
  #isMulti = true;
  #isDamaged = false;
  #isExterior = false;
  #firstX = 0;
  #firstY = 0;
  /** Corners of the current ring, including the closing one. */
  points = 0;
  /** The current corner, in degrees. */
  x = 0;
  y = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  get bounds(): Bounds {
    return this.#bounds;
  }

  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  get isExterior(): boolean {
    return this.#isExterior;
  }

  /** The bytes of the current geometry. */
  get blob(): Uint8Array {
    return this.#bytes.subarray(this.#start, this.#end);
  }

  /** Starts the geometry of `length` bytes at `start`. @returns false if it is not a geometry */
  begin(start: number, length: number): boolean {
    this.#start = start;
    this.#end = start + length;
    this.#isDamaged = !this.#readHeader(start, length);
    this.#ringsLeft = 0;
    if (this.#isDamaged) this.#polygonsLeft = 0;
    return !this.#isDamaged;
  }

  #readHeader(start: number, length: number): boolean {
    const bytes = this.#bytes;
    const order = bytes[start + 1] as number;
    const isGeometry =
      length > dataOffset &&
      this.#end <= bytes.length &&
      bytes[start] === startMark &&
      order <= 1 &&
      bytes[start + boundsEndOffset] === boundsEndMark &&
      bytes[start + length - 1] === endMark;
    if (!isGeometry) return false;
    const view = this.#view;
    const isLittleEndian = order === 1;
    this.#isLittleEndian = isLittleEndian;
    if (view.getInt32(start + 2, isLittleEndian) !== geographicSrid) return false;
    const bounds = this.#bounds;
    bounds.minX = view.getFloat64(start + boundsOffset, isLittleEndian);
    bounds.minY = view.getFloat64(start + boundsOffset + 8, isLittleEndian);
    bounds.maxX = view.getFloat64(start + boundsOffset + 16, isLittleEndian);
    bounds.maxY = view.getFloat64(start + boundsOffset + 24, isLittleEndian);
    const type = view.getInt32(start + classOffset, isLittleEndian);
    this.#at = start + dataOffset;
    this.#isMulti = type === multiPolygonClass;
    this.#polygonsLeft = this.#isMulti ? this.#readCount(9, 1) : 1;
    return (this.#isMulti || type === polygonClass) && this.#polygonsLeft > 0;
  }

  /** A count of items of at least `bytesEach`; 0 if they cannot fit into the remaining bytes. */
  #readCount(bytesEach: number, least: number): number {
    const left = this.#end - 1 - this.#at - 4;
    if (left < 0) return 0;
    const value = this.#view.getInt32(this.#at, this.#isLittleEndian);
    this.#at += 4;
    return value < least || value * bytesEach > left ? 0 : value;
  }

  /** Moves to the next ring; the corners of the previous one must have been read or skipped. */
  nextRing(): boolean {
    if (this.#isDamaged) return false;
    this.#isExterior = this.#ringsLeft === 0;
    if (this.#isExterior && !this.#beginPolygon()) return false;
    this.#ringsLeft--;
    this.points = this.#readCount(vertexBytes, minRingPoints);
    if (this.points === 0) return this.#damage();
    const view = this.#view;
    this.#firstX = view.getFloat64(this.#at, this.#isLittleEndian);
    this.#firstY = view.getFloat64(this.#at + 8, this.#isLittleEndian);
    const last = this.#at + (this.points - 1) * vertexBytes;
    const isClosed =
      this.#firstX === view.getFloat64(last, this.#isLittleEndian) &&
      this.#firstY === view.getFloat64(last + 8, this.#isLittleEndian);
    return isClosed || this.#damage();
  }

  /** @returns false at the end, or if no polygon follows */
  #beginPolygon(): boolean {
    if (this.#polygonsLeft === 0) return this.#at === this.#end - 1 ? false : this.#damage();
    this.#polygonsLeft--;
    if (this.#isMulti) {
      const isHead =
        this.#at + 9 < this.#end &&
        this.#bytes[this.#at] === entityMark &&
        this.#view.getInt32(this.#at + 1, this.#isLittleEndian) === polygonClass;
      if (!isHead) return this.#damage();
      this.#at += 5;
    }
    this.#ringsLeft = this.#readCount(4, 1);
    return this.#ringsLeft > 0 || this.#damage();
  }

  #damage(): false {
    this.#isDamaged = true;
    return false;
  }

  /** Reads the next of the ring's `points` corners into `x` and `y`. */
  nextPoint(): void {
    const x = this.#view.getFloat64(this.#at, this.#isLittleEndian);
    const y = this.#view.getFloat64(this.#at + 8, this.#isLittleEndian);
    // Written so that NaN fails too.
    if (!(Math.abs(x) <= 180 && Math.abs(y) <= 90)) this.#isDamaged = true;
    this.#at += vertexBytes;
    this.x = x;
    this.y = y;
  }

  skipRing(): void {
    for (let left = this.points; left > 0; left--) this.nextPoint();
  }
}

/**
 * Length in bytes of the geometry at `start`, by its own counts; 0 if they do not lead to an end mark. Checks nothing else.
 */
export function measureShape(view: DataView, start: number): number {
  if (start + dataOffset + 4 > view.byteLength) return 0;
  const isLittleEndian = view.getUint8(start + 1) === 1;
  const isMulti = view.getInt32(start + classOffset, isLittleEndian) === multiPolygonClass;
  const polygons = isMulti ? view.getInt32(start + dataOffset, isLittleEndian) : 1;
  let at = start + dataOffset + (isMulti ? 4 : 0);
  for (let left = polygons; left > 0 && at > 0; left--) at = polygonEnd(view, at + (isMulti ? 5 : 0), isLittleEndian);
  return at > 0 && at < view.byteLength && view.getUint8(at) === endMark ? at + 1 - start : 0;
}

/** Offset of the end of a polygon whose ring count is at the start; 0 if it is not one. */
function polygonEnd(view: DataView, start: number, isLittleEndian: boolean): number {
  const last = view.byteLength - 4;
  if (start > last) return 0;
  let at = start + 4;
  for (let rings = view.getInt32(start, isLittleEndian); rings > 0; rings--) {
    if (at > last) return 0;
    const points = view.getInt32(at, isLittleEndian);
    if (points < minRingPoints) return 0;
    at += 4 + points * vertexBytes;
  }
  return at;
}
