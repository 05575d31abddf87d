import { describe, expect, it } from 'vitest';
import type { QueryGeometry } from '../../engine/geo/geometry.ts';
import { parseWkt, wktLimits } from '../../engine/geo/wkt.ts';
import { positionsOf } from './shapes.ts';

function geometryOf(text: string): QueryGeometry {
  const result = parseWkt(text);
  if (!result.ok) throw new Error(result.problem);
  return result.geometry;
}

function problemOf(text: string): string {
  const result = parseWkt(text);
  if (result.ok) throw new Error(`accepted: ${text.slice(0, 80)}`);
  return result.problem;
}

const triangle = '((0 0, 4 0, 0 4, 0 0))';

describe('WKT', () => {
  it('reads each type', () => {
    expect(positionsOf(geometryOf('POINT(1 2)').points)).toEqual([[1, 2]]);
    expect(geometryOf('LINESTRING(1 2, 3 4)').lines.map(positionsOf)).toEqual([
      [
        [1, 2],
        [3, 4],
      ],
    ]);
    expect(geometryOf(`POLYGON${triangle}`).polygons).toEqual([[Float64Array.of(0, 0, 4, 0, 0, 4, 0, 0)]]);
    expect(geometryOf('POLYGON((0 0,9 0,0 9,0 0),(1 1,2 1,1 2,1 1))').polygons[0]).toHaveLength(2);
    expect(geometryOf('MULTILINESTRING((1 2,3 4),(5 6,7 8,9 10))').lines).toHaveLength(2);
    expect(geometryOf(`MULTIPOLYGON(${triangle},${triangle})`).polygons).toHaveLength(2);
  });

  it('reads both spellings of MULTIPOINT', () => {
    for (const text of ['MULTIPOINT(1 2, 3 4)', 'MULTIPOINT((1 2), (3 4))', 'MULTIPOINT((1 2), 3 4)']) {
      expect(positionsOf(geometryOf(text).points)).toEqual([
        [1, 2],
        [3, 4],
      ]);
    }
  });

  it('gathers the parts of nested collections', () => {
    const geometry = geometryOf(
      `GEOMETRYCOLLECTION(POINT(1 2), GEOMETRYCOLLECTION(LINESTRING(3 4, 5 6), GEOMETRYCOLLECTION(POLYGON${triangle})))`,
    );
    expect(geometry.points).toHaveLength(2);
    expect(geometry.lines).toHaveLength(1);
    expect(geometry.polygons).toHaveLength(1);
  });

  it('gives the box around all parts', () => {
    expect(geometryOf('GEOMETRYCOLLECTION(POINT(-3 2), LINESTRING(1 -7, 5 6))').bounds).toEqual({
      minX: -3,
      minY: -7,
      maxX: 5,
      maxY: 6,
    });
  });

  it.each([
    'point(1 2)',
    ' \t\r\n Point \n ( 1\n2 ) \t',
    'SRID=4326;POINT(1 2)',
    'srid = 4326 ; POINT(1 2)',
    'POINT(+1 2.)',
    'POINT(.1e1 20E-1)',
    'POINT(1.00000000000000000000 2)',
  ])('takes %j as the point 1 2', (text) => {
    expect(positionsOf(geometryOf(text).points)).toEqual([[1, 2]]);
  });

  it('takes numbers as JavaScript does', () => {
    expect(positionsOf(geometryOf('POINT(-111.55123456789012 4.5e1)').points)).toEqual([[-111.55123456789012, 45]]);
    expect(positionsOf(geometryOf('POINT(-180 90)').points)).toEqual([[-180, 90]]);
    expect(positionsOf(geometryOf('POINT(1e-400 0)').points)).toEqual([[0, 0]]);
  });

  it.each([
    [
      '',
      'Expected one of POINT, LINESTRING, POLYGON, MULTIPOINT, MULTILINESTRING, MULTIPOLYGON, GEOMETRYCOLLECTION at position 1, found the end of the text.',
    ],
    ['CIRCLE(1 2)', 'at position 1, found "CIRCLE".'],
    ['constructor(1 2)', 'at position 1, found "constructor".'],
    ['POINT', 'Expected "(" at position 6, found the end of the text.'],
    ['POINT 1 2', 'Expected "(" at position 7, found "1".'],
    ['POINT(1)', 'Expected a latitude (a finite number) at position 8, found ")".'],
    ['POINT(1,2)', 'Expected a latitude (a finite number) at position 8, found ",".'],
    ['POINT(1 2', 'Expected ")" at position 10, found the end of the text.'],
    ['POINT(1 2) x', 'Expected the end of the text at position 12, found "x".'],
    ['POINT(1 2);', 'Expected the end of the text at position 11, found ";".'],
    ['POINT(1 2))', 'Expected the end of the text at position 11, found ")".'],
    ['POINT EMPTY', 'Expected coordinates (an empty geometry intersects nothing) at position 7, found "EMPTY".'],
    ['MULTIPOINT(EMPTY)', 'found "EMPTY".'],
    ['MULTIPOLYGON(EMPTY)', 'found "EMPTY".'],
    ['GEOMETRYCOLLECTION(POINT EMPTY)', 'found "EMPTY".'],
    ['POINT Z (1 2 3)', 'Expected two dimensions, longitude and latitude, without Z or M at position 7, found "Z".'],
    ['POINTZM(1 2 3 4)', 'without Z or M at position 1, found "POINTZM".'],
    ['POINT(1 2 3)', 'without Z or M at position 11, found "3".'],
    ['POINT(NaN 2)', 'Expected a longitude (a finite number) at position 7, found "NaN".'],
    ['POINT(-Infinity 2)', 'found "-Infinity".'],
    ['POINT(1e999 2)', 'found "1e999".'],
    ['POINT(1-2 3)', 'found "1-2".'],
    ['POINT(1e 2)', 'found "1e".'],
    ['POINT(0x10 2)', 'found "x10".'],
    ['POINT(- 2)', 'found "-".'],
    [
      'POINT(181 2)',
      'Expected a longitude from -180 to 180 at position 7, found 181. Coordinates are degrees, longitude first, then latitude.',
    ],
    [
      'POINT(43.2 -111.5)',
      'Expected a latitude from -90 to 90 at position 12, found -111.5. Coordinates are degrees, longitude first, then latitude.',
    ],
    ['LINESTRING(1 2)', 'Expected at least 2 points in the line at position 11, found 1.'],
    ['LINESTRING()', 'Expected a longitude (a finite number) at position 12, found ")".'],
    ['POLYGON((0 0, 1 0, 0 0))', 'Expected at least 4 points in the ring at position 9, found 3.'],
    ['POLYGON((0 0, 1 0, 1 1, 0 1))', 'Expected the ring at position 9 to end where it begins, 0 0, found 0 1.'],
    ['POLYGON(0 0, 1 0, 1 1, 0 0)', 'Expected "(" at position 9, found "0".'],
    ['SRID=3857;POINT(1 2)', 'Expected SRID 4326 (WGS84 longitude latitude) at position 6, found 3857.'],
    ['SRID=x;POINT(1 2)', 'Expected an SRID (a finite number) at position 6, found "x".'],
    ['SRID=4326 POINT(1 2)', 'Expected ";" at position 11, found "POINT".'],
    ['POINT(1 2) 😀\u0000', 'found "\\ud83d\\ude00\\u0000".'],
    ['\ufeffPOINT(1 2)', 'at position 1, found "\\ufeffPOINT".'],
  ])('refuses %j and says why', (text, expected) => {
    expect(problemOf(text)).toContain(expected);
  });

  const collections = (depth: number): string => `${'GEOMETRYCOLLECTION('.repeat(depth)}POINT(1 2)${')'.repeat(depth)}`;
  const points = (count: number): string => `MULTIPOINT(${Array.from({ length: count }, () => '1 2').join(',')})`;
  const rings = (count: number): string =>
    `MULTIPOLYGON(${Array.from({ length: count }, () => '((0 0,1 0,0 1,0 0))').join(',')})`;

  it('accepts as much as the limits allow and refuses one more', () => {
    expect(parseWkt(collections(wktLimits.depth)).ok).toBe(true);
    expect(problemOf(collections(wktLimits.depth + 1))).toBe(
      'Expected collections nested at most 3 deep, found one deeper at position 76.',
    );
    expect(parseWkt(points(wktLimits.vertices)).ok).toBe(true);
    expect(problemOf(points(wktLimits.vertices + 1))).toContain('Expected at most 10,000 vertices, found another');
    expect(parseWkt(rings(wktLimits.rings)).ok).toBe(true);
    expect(problemOf(rings(wktLimits.rings + 1))).toContain('Expected at most 500 rings, found another');
    expect(parseWkt('POINT(1 2)'.padEnd(wktLimits.characters)).ok).toBe(true);
    expect(problemOf('POINT(1 2)'.padEnd(wktLimits.characters + 1))).toBe(
      'Expected at most 1,048,576 characters, found 1,048,577.',
    );
  });

  it('never repeats more than 40 characters of the text', () => {
    for (const character of ['A', 'é', '\u0000', '"', '9', '1e9', '😀']) {
      for (const lead of ['', 'POINT(', 'POINT(1 2)', 'SRID=']) {
        const [, found] = /found (".*")\.$/.exec(problemOf(lead + character.repeat(200_000))) ?? [];
        expect(found?.length).toBeLessThanOrEqual(40);
      }
    }
  });

  // R11 of docs/reliability.md, "What must hold": each is refused (the time, at most 50 ms, is the bench's)
  const size = wktLimits.characters;
  const fill = (lead: string, part: string): string =>
    lead + part.repeat(Math.floor((size - lead.length) / part.length));
  const bombs: [string, string][] = [
    ['brackets', fill('', '(')],
    ['brackets after a type', fill('POLYGON', '(')],
    ['closing brackets', fill('POINT(1 2', ')')],
    ['collections', fill('', 'GEOMETRYCOLLECTION(')],
    ['a wide collection', fill('GEOMETRYCOLLECTION(', 'POINT(1 2),')],
    ['a wide collection of collections', fill('GEOMETRYCOLLECTION(', 'GEOMETRYCOLLECTION(POINT(1 2)),')],
    ['polygons begun', fill('', 'POLYGON((')],
    ['rings begun', fill('POLYGON(', '(0 0,1 0,0 1,0 0),')],
    ['digits', fill('POINT(', '1')],
    ['decimals', fill('POINT(0.', '1')],
    ['an exponent', fill('POINT(1e', '9')],
    ['signs', fill('POINT(', '-')],
    ['points of the number', fill('POINT(', '.')],
    ['commas', fill('MULTIPOINT(', ',')],
    ['commas after a point', fill('MULTIPOINT(1 2', ',')],
    ['white space', fill('POINT(', ' ')],
    ['white space between', `POINT(1${' '.repeat(size - 20)}x)`],
    ['line breaks before', fill('', '\r\n')],
    ['white space between many', fill('MULTIPOINT(1 2', '          ,')],
    ['letters', fill('', 'A')],
    ['Z', fill('POINT', 'Z')],
    ['many vertices', fill('MULTIPOINT(1 2', ',1 2')],
    ['a long line', fill('LINESTRING(1 2', ',1 2')],
    ['long numbers', fill('LINESTRING(1 2', `,1.${'1'.repeat(60)} 2.${'1'.repeat(60)}`)],
    ['an open ring', fill('POLYGON((1 2', ',1 2')],
    ['SRIDs', fill('', 'SRID=4326;')],
    ['semicolons', fill('SRID=4326', ';')],
    ['EMPTY', fill('MULTIPOINT(', 'EMPTY,')],
    ['NUL', fill('POINT(', '\u0000')],
    ['surrogates', fill('', '\ud800')],
    ['wide spaces', fill('POINT(', '\u3000')],
    ['quotes', fill('', '"')],
    ['backslashes', fill('', '\\')],
  ];
  it.each(bombs)('refuses a megabyte of %s', (_name, text) => {
    expect(problemOf(text).length).toBeLessThan(250);
  });

  it('refuses every prefix of a long text but the whole', () => {
    const text = 'SRID=4326;GEOMETRYCOLLECTION(POLYGON((0 0,9 0,0 9,0 0),(1 1,2 1,1 2,1 1)),MULTIPOINT((1 2),3 4))';
    for (let length = 0; length < text.length; length++) expect(parseWkt(text.slice(0, length)).ok).toBe(false);
    expect(parseWkt(text).ok).toBe(true);
  });
});
