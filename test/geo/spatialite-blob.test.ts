import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MultiPolygon } from '../../engine/geo/geometry.ts';
import {
  blobBounds,
  blobGeometryType,
  blobToGeoJson,
  decodeMultiPolygon,
  encodeMultiPolygon,
  multiPolygonToGeoJson,
} from '../../engine/geo/spatialite-blob.ts';
import { box, ring } from './shapes.ts';

const donutAndIsland: MultiPolygon = [
  [box(-10, -5, 10, 5), box(-2, -2, 2, 2)],
  [ring([20, 1], [21, 1], [20, 2], [20, 1])],
];

/** The same blob with every number in the other byte order. Written out, not derived from the encoder's offsets. */
function bigEndian(polygons: MultiPolygon): Buffer {
  const parts: Buffer[] = [];
  const byte = (value: number): number => parts.push(Buffer.of(value));
  const integer = (value: number): void => {
    const buffer = Buffer.alloc(4);
    buffer.writeInt32BE(value);
    parts.push(buffer);
  };
  const double = (value: number): void => {
    const buffer = Buffer.alloc(8);
    buffer.writeDoubleBE(value);
    parts.push(buffer);
  };
  byte(0x00);
  byte(0x00);
  integer(4326);
  for (const value of [-10, -5, 21, 5]) double(value);
  byte(0x7c);
  integer(6);
  integer(polygons.length);
  for (const rings of polygons) {
    byte(0x69);
    integer(3);
    integer(rings.length);
    for (const path of rings) {
      integer(path.length / 2);
      for (const value of path) double(value);
    }
  }
  byte(0xfe);
  return Buffer.concat(parts);
}

/** A class 3 blob of one triangle: what other programs may store. */
function polygonBlob(): Buffer {
  const multi = encodeMultiPolygon([[ring([20, 1], [21, 1], [20, 2], [20, 1])]]);
  // header, class, then the polygon's data without count (4), entity mark (1) and class (4)
  const blob = Buffer.concat([multi.subarray(0, 43), multi.subarray(52)]);
  blob.writeInt32LE(3, 39);
  return blob;
}

describe('a SpatiaLite blob', () => {
  it('is laid out as SpatiaLite documents it', () => {
    // 43 bytes of header and class, 4 of count, 9 of polygon, 4 of ring, 4 points of 16, end mark
    const blob = encodeMultiPolygon([[ring([20, 1], [21, 1], [20, 2], [20, 1])]]);
    expect(blob.toString('hex')).toBe(
      [
        '0001e6100000', // start, little endian, 4326 = 0x10e6
        '0000000000003440000000000000f03f', // 20, 1
        '00000000000035400000000000000040', // 21, 2
        '7c06000000',
        '01000000',
        '690300000001000000',
        '04000000',
        '0000000000003440000000000000f03f',
        '0000000000003540000000000000f03f',
        '00000000000034400000000000000040',
        '0000000000003440000000000000f03f',
        'fe',
      ].join(''),
    );
  });

  it('gives back every coordinate bit for bit', () => {
    const coordinate = fc.double({ min: -180, max: 180, noNaN: true });
    const anyRing = fc
      .array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 12 })
      .map(([first, ...others]) => ring(first as [number, number], ...others, first as [number, number]));
    const anyPolygons = fc.array(fc.array(anyRing, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(anyPolygons, (polygons) => {
        expect(decodeMultiPolygon(encodeMultiPolygon(polygons))).toEqual(polygons);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('is read in both byte orders and as POLYGON', () => {
    const blob = bigEndian(donutAndIsland);
    expect(decodeMultiPolygon(blob)).toEqual(donutAndIsland);
    expect(blobBounds(blob)).toEqual({ minX: -10, minY: -5, maxX: 21, maxY: 5 });
    expect(blobGeometryType(blob)).toEqual({ srid: 4326, type: 6 });
    expect(decodeMultiPolygon(polygonBlob())).toEqual([[ring([20, 1], [21, 1], [20, 2], [20, 1])]]);
    expect(blobGeometryType(polygonBlob())).toEqual({ srid: 4326, type: 3 });
  });

  it('is read at any place in a larger buffer', () => {
    const blob = encodeMultiPolygon(donutAndIsland);
    for (let shift = 0; shift < 9; shift++) {
      const larger = Buffer.concat([Buffer.alloc(shift, 0xff), blob, Buffer.alloc(5, 0xff)]);
      expect(decodeMultiPolygon(larger.subarray(shift, shift + blob.length))).toEqual(donutAndIsland);
    }
  });

  it('carries the box of all its parts', () => {
    expect(blobBounds(encodeMultiPolygon(donutAndIsland))).toEqual({ minX: -10, minY: -5, maxX: 21, maxY: 5 });
  });

  it.each([
    ['little endian', encodeMultiPolygon(donutAndIsland)],
    ['big endian', bigEndian(donutAndIsland)],
    ['POLYGON', polygonBlob()],
  ])('is refused at every shorter length and with bytes after it (%s)', (_name, blob) => {
    for (let length = 0; length < blob.length; length++) {
      expect(() => decodeMultiPolygon(blob.subarray(0, length))).toThrow('Damaged geometry');
      // an end mark where the cut is does not help
      const marked = Buffer.concat([blob.subarray(0, length), Buffer.of(0xfe)]);
      if (length < blob.length - 1) expect(() => decodeMultiPolygon(marked)).toThrow('Damaged geometry');
    }
    expect(() => decodeMultiPolygon(Buffer.concat([blob, Buffer.of(0xfe)]))).toThrow('Damaged geometry');
  });

  it('is refused when a count is not what follows', () => {
    // count of polygons at 43; first polygon's mark at 47, class 48, rings 52; first ring's points 56
    for (const offset of [43, 48, 52, 56]) {
      for (const value of [-2_147_483_648, -1, 0, 4, 6, 1000, 2_147_483_647]) {
        const blob = encodeMultiPolygon(donutAndIsland);
        blob.writeInt32LE(value, offset);
        expect(() => decodeMultiPolygon(blob)).toThrow('Damaged geometry');
      }
    }
  });

  it('never gives anything but rings or an error when bytes are changed', () => {
    const blob = encodeMultiPolygon(donutAndIsland);
    fc.assert(
      fc.property(fc.nat(blob.length - 1), fc.nat(255), (offset, value) => {
        const changed = Buffer.from(blob);
        changed[offset] = value;
        blobBounds(changed);
        try {
          for (const path of decodeMultiPolygon(changed).flat()) expect(path.every(Number.isFinite)).toBe(true);
        } catch (error) {
          expect(String(error)).toMatch(/^Error: Damaged geometry: expected .* at byte \d+ of \d+\.$/);
        }
      }),
      { seed: 2, numRuns: 3000 },
    );
  });

  it('is refused with another SRID, an open ring or a coordinate that is not finite', () => {
    const srid = encodeMultiPolygon(donutAndIsland);
    srid.writeInt32LE(3857, 2);
    expect(() => decodeMultiPolygon(srid)).toThrow('expected SRID 4326, found 3857');
    const open = encodeMultiPolygon(donutAndIsland);
    open.writeDoubleLE(-9, 60);
    expect(() => decodeMultiPolygon(open)).toThrow('expected a closed ring, at byte 56');
    const infinite = encodeMultiPolygon(donutAndIsland);
    infinite.writeDoubleLE(Number.POSITIVE_INFINITY, 76);
    expect(() => decodeMultiPolygon(infinite)).toThrow('expected a finite coordinate, at byte 76');
  });

  it('has a box only when it is a geometry, whatever the value', () => {
    const wkb = Buffer.from('0101000000000000000000f03f0000000000000040', 'hex');
    for (const value of [
      null,
      undefined,
      1,
      'text',
      {},
      Buffer.alloc(0),
      Buffer.alloc(44),
      wkb,
      Buffer.alloc(100, 0xfe),
    ]) {
      expect(blobBounds(value)).toBeNull();
      expect(blobGeometryType(value)).toBeNull();
    }
  });

  it('is never written without a ring', () => {
    expect(() => encodeMultiPolygon([])).toThrow('at least one polygon');
    expect(() => encodeMultiPolygon([[]])).toThrow('at least one ring');
  });

  it('becomes GeoJSON', () => {
    const polygons: MultiPolygon = [[ring([20, 1], [21, 1], [20, 2], [20, 1])]];
    const expected = {
      type: 'MultiPolygon',
      coordinates: [
        [
          [
            [20, 1],
            [21, 1],
            [20, 2],
            [20, 1],
          ],
        ],
      ],
    };
    expect(multiPolygonToGeoJson(polygons)).toEqual(expected);
    expect(blobToGeoJson(encodeMultiPolygon(polygons))).toEqual(expected);
  });
});
