/**
 * Reads Well Known Binary (OGC 06-103r4, ISO 13249-3; PostGIS's EWKB), in both byte orders. Drops heights and measures.
 * Every count is checked against the remaining bytes before use.
 */
import { FlatGeometry, type ShapeParts } from '../../../geo/ring-geometry.ts';
import type { ReferenceSystem } from '../crs/reference-system.ts';
import { straightened } from './arcs.ts';

const typeNames: Readonly<Record<number, string>> = {
  1: 'Point',
  2: 'LineString',
  3: 'Polygon',
  4: 'MultiPoint',
  5: 'MultiLineString',
  6: 'MultiPolygon',
  7: 'GeometryCollection',
  8: 'CircularString',
  9: 'CompoundCurve',
  10: 'CurvePolygon',
  11: 'MultiCurve',
  12: 'MultiSurface',
  15: 'PolyhedralSurface',
  16: 'TIN',
  17: 'Triangle',
};
const lineTypes: readonly number[] = [2, 8, 9];
/** The types of members that a group may have. */
const membersOf: ReadonlyMap<number, readonly number[]> = new Map([
  [4, [1]],
  [5, [2]],
  [6, [3]],
  [7, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
  [11, lineTypes],
  [12, [3, 10]],
]);
/** Groups within groups. */
const deepest = 8;
/** Of all arcs of a shape: a few bytes draw hundreds. */
const mostVertices = 1_000_000;
const straightenedNote = 'arcs drawn as short straight edges';
const [ewkbZ, ewkbM, ewkbSrid] = [0x80000000, 0x40000000, 0x20000000];

/** Thrown and caught in this file only. */
class ShapeProblem extends Error {}

/** Null for an empty geometry; a geometry with a problem if the bytes are invalid, or of an unsupported type. */
export function readWkb(bytes: Buffer, system: ReferenceSystem): FlatGeometry | null {
  try {
    return new WkbReader(bytes, system).readShape();
  } catch (error) {
    if (error instanceof ShapeProblem) return FlatGeometry.ofProblem(error.message);
    throw error;
  }
}

interface Head {
  readonly type: number;
  /** Numbers per vertex. */
  readonly width: number;
}

class WkbReader {
  readonly #bytes: Buffer;
  readonly #system: ReferenceSystem;
  #offset = 0;
  #isLittle = true;
  #hasArcs = false;
  #arcVertices = 0;

  constructor(bytes: Buffer, system: ReferenceSystem) {
    this.#bytes = bytes;
    this.#system = system;
  }

  readShape(): FlatGeometry | null {
    const parts: ShapeParts = { polygons: [], lines: [], points: [] };
    this.#readInto(parts, this.#readHead(), 0);
    return FlatGeometry.ofParts(parts, this.#hasArcs ? [straightenedNote] : []);
  }

  /** Nothing is added for an empty shape. */
  #readInto(parts: ShapeParts, head: Head, depth: number): void {
    const { type } = head;
    if (membersOf.has(type)) this.#readMembers(parts, type, depth);
    else if (type === 1) {
      const point = this.#readVertices(1, head.width);
      // An empty point has NaN coordinates.
      if (!(Number.isNaN(point[0]) && Number.isNaN(point[1]))) parts.points.push(this.#placed(point));
    } else if (lineTypes.includes(type)) {
      const line = this.#placed(this.#readCurve(head, depth));
      if (line.length > 0) parts.lines.push(line);
    } else {
      const rings = this.#readPolygon(head, depth);
      if (rings.length > 0) parts.polygons.push(rings);
    }
  }

  #readMembers(parts: ShapeParts, type: number, depth: number): void {
    if (depth > deepest) throw refuseType(type);
    const count = this.#readCount(9, 'members');
    for (let index = 0; index < count; index++) {
      const member = this.#readHead();
      if (!membersOf.get(type)?.includes(member.type)) throw refuseType(member.type);
      this.#readInto(parts, member, depth + 1);
    }
  }

  #readPolygon(head: Head, depth: number): Float64Array[] {
    if (head.type !== 3 && head.type !== 10) throw refuseType(head.type);
    const rings: Float64Array[] = [];
    const count = this.#readCount(4, 'rings');
    for (let index = 0; index < count; index++) {
      const ring = head.type === 3 ? this.#readPath(head) : this.#readCurve(this.#readHead(), depth);
      rings.push(this.#placed(ring));
    }
    return rings;
  }

  #placed(path: Float64Array): Float64Array {
    this.#system.toWgs84(path);
    return path;
  }

  #readPath({ width }: Pick<Head, 'width'>): Float64Array {
    return this.#readVertices(this.#readCount(8 * width, 'points'), width);
  }

  /** A line, arcs, or both in a row, straightened in the file's own coordinates. */
  #readCurve(head: Head, depth: number): Float64Array {
    if (head.type === 2) return this.#readPath(head);
    if (head.type === 8) {
      this.#hasArcs = true;
      const path = straightened(this.#readPath(head), mostVertices - this.#arcVertices);
      if (path === null) throw new ShapeProblem(`Expected arcs of at most ${mostVertices} vertices, found more.`);
      this.#arcVertices += path.length / 2;
      return path;
    }
    if (head.type !== 9 || depth > deepest) throw refuseType(head.type);
    const count = this.#readCount(9, 'members');
    const path: number[] = [];
    for (let index = 0; index < count; index++) {
      // Each begins where the one before it ends.
      const next = this.#readCurve(this.#readHead(), depth + 1).subarray(index === 0 ? 0 : 2);
      for (const ordinate of next) path.push(ordinate);
    }
    return Float64Array.from(path);
  }

  #readHead(): Head {
    this.#expect(5, 'the head of a geometry');
    const order = this.#bytes[this.#offset];
    if (order !== 0 && order !== 1) throw this.#damage(`a byte order of 0 or 1, found ${order}`);
    this.#isLittle = order === 1;
    this.#offset++;
    const code = this.#readUint();
    if ((code & ewkbSrid) !== 0) {
      this.#expect(4, 'an SRID');
      this.#offset += 4;
    }
    const plain = code & 0x1fffffff;
    const dimension = Math.floor(plain / 1000);
    const hasZ = (code & ewkbZ) !== 0 || dimension === 1 || dimension === 3;
    const hasM = (code & ewkbM) !== 0 || dimension === 2 || dimension === 3;
    return { type: plain % 1000, width: 2 + (hasZ ? 1 : 0) + (hasM ? 1 : 0) };
  }

  #readVertices(count: number, width: number): Float64Array {
    this.#expect(count * width * 8, `${count} points`);
    const flat = new Float64Array(count * 2);
    if (this.#isLittle && width === 2) {
      // Copied unchanged: every machine that the database driver supports is little endian.
      this.#bytes.copy(new Uint8Array(flat.buffer), 0, this.#offset, this.#offset + count * 16);
    } else {
      for (let index = 0; index < count; index++) {
        const at = this.#offset + index * width * 8;
        flat[2 * index] = this.#double(at);
        flat[2 * index + 1] = this.#double(at + 8);
      }
    }
    this.#offset += count * width * 8;
    return flat;
  }

  #double(at: number): number {
    return this.#isLittle ? this.#bytes.readDoubleLE(at) : this.#bytes.readDoubleBE(at);
  }

  #readUint(): number {
    const at = this.#offset;
    this.#offset += 4;
    return this.#isLittle ? this.#bytes.readUInt32LE(at) : this.#bytes.readUInt32BE(at);
  }

  #readCount(bytesEach: number, things: string): number {
    this.#expect(4, `a count of ${things}`);
    const count = this.#readUint();
    if (count * bytesEach > this.#bytes.length - this.#offset) {
      throw this.#damage(`a count of ${things} that fits, found ${count}`);
    }
    return count;
  }

  #expect(bytes: number, what: string): void {
    if (this.#offset + bytes > this.#bytes.length) throw this.#damage(`${what}, found the end`);
  }

  #damage(expected: string): ShapeProblem {
    return new ShapeProblem(
      `Damaged geometry: expected ${expected}, at byte ${this.#offset} of ${this.#bytes.length}.`,
    );
  }
}

function refuseType(type: number): ShapeProblem {
  return new ShapeProblem(`Expected a polygon, a line or a point, found a ${typeNames[type] ?? `type ${type}`}.`);
}
