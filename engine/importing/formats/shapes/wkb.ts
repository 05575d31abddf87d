/**
 * Reads Well Known Binary (OGC 06-103r4, ISO 13249-3; PostGIS's EWKB), in both byte orders. Drops heights and measures.
 * Every count is checked against the remaining bytes before use.
 */
import { FlatGeometry } from '../../../geo/ring-geometry.ts';
import type { ReferenceSystem } from '../crs/reference-system.ts';

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
const curves = new Set([8, 9, 10, 11, 12]);
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

  constructor(bytes: Buffer, system: ReferenceSystem) {
    this.#bytes = bytes;
    this.#system = system;
  }

  readShape(): FlatGeometry | null {
    const head = this.#readHead();
    if (head.type === 1) return this.#readPoint(head);
    if (head.type === 2) return shapeOfLines([this.#readPath(head)]);
    if (head.type === 3) return shapeOfPolygons([this.#readPolygon(head)]);
    if (head.type === 5) return shapeOfLines(this.#readMembers(2, 'lines', (member) => this.#readPath(member)));
    if (head.type === 6)
      return shapeOfPolygons(this.#readMembers(3, 'polygons', (member) => this.#readPolygon(member)));
    throw refuseType(head.type);
  }

  #readMembers<Member>(type: number, things: string, read: (head: Head) => Member): Member[] {
    const count = this.#readCount(9, things);
    return Array.from({ length: count }, () => {
      const head = this.#readHead();
      if (head.type !== type) throw refuseType(head.type);
      return read(head);
    });
  }

  /** An empty point has NaN coordinates. */
  #readPoint({ width }: Head): FlatGeometry | null {
    const point = this.#readVertices(1, width);
    if (Number.isNaN(point[0]) && Number.isNaN(point[1])) return null;
    this.#system.toWgs84(point);
    return FlatGeometry.ofPoint(point[0] as number, point[1] as number);
  }

  #readPolygon({ width }: Pick<Head, 'width'>): Float64Array[] {
    const rings: Float64Array[] = [];
    const count = this.#readCount(4, 'rings');
    for (let index = 0; index < count; index++) rings.push(this.#readPath({ width }));
    return rings;
  }

  #readPath({ width }: Pick<Head, 'width'>): Float64Array {
    const path = this.#readVertices(this.#readCount(8 * width, 'points'), width);
    this.#system.toWgs84(path);
    return path;
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

function shapeOfPolygons(polygons: readonly Float64Array[][]): FlatGeometry | null {
  const filled = polygons.filter((rings) => rings.length > 0);
  return filled.length > 0 ? FlatGeometry.ofPolygons(filled) : null;
}

function shapeOfLines(lines: readonly Float64Array[]): FlatGeometry | null {
  const filled = lines.filter(({ length }) => length > 0);
  return filled.length > 0 ? FlatGeometry.ofLines(filled) : null;
}

function refuseType(type: number): ShapeProblem {
  const name = typeNames[type] ?? `type ${type}`;
  const advice = curves.has(type) ? ' Curves are not read: export the layer with straight edges.' : '';
  return new ShapeProblem(`Expected a polygon, a line or a point, found a ${name}.${advice}`);
}
