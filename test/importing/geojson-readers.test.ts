import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isWgs84 } from '../../engine/importing/formats/geojson/geojson-reader.ts';
import { openParcels } from '../../engine/importing/formats/open-parcels.ts';
import { readParcelFile } from '../../engine/importing/formats/parcel-reader.ts';
import { EngineError } from '../../engine/spec/errors.ts';
import { requireOrSkip } from '../support/require.ts';
import { collection, lot, temporaryFolder, writeFile } from './fixtures.ts';

const read = (content: string | Buffer) => [...readParcelFile(writeFile('parcels.txt', content))];
const apns = (content: string | Buffer) => read(content).map(({ properties }) => properties.apn);

function refusalOf(work: () => unknown): EngineError {
  try {
    work();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const feature = (apn: string, more = '') =>
  `{"type":"Feature","geometry":null,"properties":{"apn":${JSON.stringify(apn)}${more}}}`;

describe('a FeatureCollection', () => {
  test('is read feature by feature, with rows and byte offsets', () => {
    const text = collection([lot('1', 0), lot('2', 1)]);
    const [first, second] = read(text);
    expect(first?.position).toEqual({ row: 1, byteOffset: text.indexOf('{"type":"Feature"') });
    expect(second?.position).toEqual({ row: 2, byteOffset: text.lastIndexOf('{"type":"Feature"') });
    expect(first?.geometry).toEqual(lot('1', 0).geometry);
  });

  test('may have its members in any order, white space anywhere and a byte order mark', () => {
    const text = `\ufeff\n{ "features" : [\r\n\t${feature('1')} , ${feature('2')}\n] ,
      "crs": {"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}}, "bbox":[1,2,3,4],
      "more": {"features":[{"type":"Feature"}]}, "n": -1.5e3, "t": true, "name": "a \\"features\\": [", "type" : "FeatureCollection" }\n`;
    expect(apns(text)).toEqual(['1', '2']);
  });

  test('keeps braces, quotes and backslashes within strings', () => {
    const values = ['}', '{"', '\\', '\\"', ']}', 'é漢😀', '\\\\"}'];
    expect(
      apns(`{"type":"FeatureCollection","features":[${values.map((value) => feature(value)).join(',')}]}`),
    ).toEqual(values);
  });

  test('reads features across the edges of its chunks (1 MB) the same', () => {
    const lots = Array.from({ length: 3000 }, (_, index) => ({
      geometry: null,
      properties: { apn: `${index}`, text: '"\\{['.repeat(index % 400) },
    }));
    expect(read(collection(lots)).map(({ properties }) => properties)).toEqual(
      lots.map(({ properties }) => properties),
    );
  });

  test('may be empty, and a feature may lack properties, geometry and id', () => {
    expect(read('{"type":"FeatureCollection","features":[]}')).toEqual([]);
    const [bare] = read('{"type":"FeatureCollection","features":[{"type":"Feature","properties":null}]}');
    expect(bare).toMatchObject({ geometry: null, properties: {} });
    expect(bare).not.toHaveProperty('id');
    expect(read('{"type":"FeatureCollection","features":[{"type":"Feature","id":7}]}')[0]?.id).toBe(7);
  });

  test.each([
    ['{"type":"FeatureCollection","features":[1]}', 'feature 1'],
    [`{"type":"FeatureCollection","features":[${feature('1')},[]]}`, 'feature 2'],
    ['{"type":"FeatureCollection","features":[{"type":"Polygon"}]}', 'type "Feature"'],
    ['{"type":"FeatureCollection","features":{}}', 'expected "["'],
    ['{"type":"FeatureCollection","features":[]} x', 'end of the file'],
    ['{"type":"FeatureCollection","features":[]}{}', 'end of the file'],
    ['{"type":"FeatureCollection"}', 'missing'],
    ['{"features":[]}', 'missing'],
    ['{"type":"Topology","objects":{}}', 'TopoJSON'],
    ['{"type":"GeometryCollection","geometries":[]}', 'GeometryCollection'],
    ['{"type":"FeatureCollection","features":[{"type":"Feature"]}', 'invalid'],
    ['{"type":"FeatureCollection","features":[{"type":"Feature",}]}', 'invalid'],
    ['{"type":"FeatureCollection","features":[],"features":[]}', 'twice'],
    [`{"type":"FeatureCollection","x":${'['.repeat(5000)}`, 'levels of nesting'],
    ['{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:2154"}},"features":[]}', '2154'],
    [
      '{"type":"FeatureCollection","features":[],"crs":{"type":"name","properties":{"name":"EPSG:3437"}}}',
      'found after',
    ],
    ['{"type":"FeatureCollection","features":[],"crs":{"type":"link"}}', 'EPSG:4326'],
    ['[]', 'GeoJSON'],
    ['', 'empty'],
    ['   ', 'empty'],
    ['PK\x03\x04zip', 'cannot be read'],
    ['a,b\n1,2', 'begins with "a,b"'],
    ['<html>', 'HTML'],
  ])('%s is refused: %s', (content, words) => {
    const error = refusalOf(() => read(content));
    expect(error.code).toBe('import_refused');
    expect(error.message).toContain(words);
  });

  test('whose properties are no object is a feature with a problem, and the file goes on', () => {
    const text = `{"type":"FeatureCollection","features":[{"type":"Feature","properties":[1]},${feature('2')}]}`;
    const [first, second] = read(text);
    expect(first).toMatchObject({ properties: {}, problem: expect.stringContaining('found [1]') as string });
    expect(second).toMatchObject({ properties: { apn: '2' } });
    expect(second).not.toHaveProperty('problem');
  });

  test('may begin with any amount of white space', () => {
    expect(apns(`${' '.repeat(100)}${collection([lot('1', 0)])}`)).toEqual(['1']);
    expect(apns(`\ufeff${'\n'.repeat(2 * 1024 * 1024)}${feature('1')}`)).toEqual(['1']);
  });

  test('keeps the digits of numbers that are too long to be exact, as text', () => {
    const long =
      '{"type":"Feature","id":120001510000000003,"geometry":null,"properties":{"apn":120001510000000001,"n":7}}';
    const [first] = read(long);
    expect(first).toMatchObject({ id: '120001510000000003', properties: { apn: '120001510000000001', n: 7 } });
  });

  test('in another character set than UTF-8 is refused, not garbled', () => {
    const latin = Buffer.from(
      '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"apn":"\xe9"}}]}',
      'latin1',
    );
    expect(refusalOf(() => read(latin)).message).toContain('UTF-8');
  });

  test('cut off at any byte is a named error with an offset, never a shorter county', () => {
    const text = collection([lot('1', 0, { note: 'a"}]\\' }), lot('é', 1)], { crs: null });
    const bytes = Buffer.from(text);
    for (let length = 0; length < bytes.length; length++) {
      const error = refusalOf(() => read(bytes.subarray(0, length)));
      expect(error.code).toBe('import_refused');
      expect(error.message).toMatch(/at byte \d+|empty file/);
    }
  });

  test('with a single feature above 64 MB is refused', () => {
    const text = `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"a":"${'x'.repeat(65 * 1024 * 1024)}"}}]}`;
    expect(refusalOf(() => read(text)).message).toContain('64 MB');
  });
});

test.each([
  ['urn:ogc:def:crs:OGC:1.3:CRS84', true],
  ['urn:ogc:def:crs:OGC::CRS84', true],
  ['OGC:CRS84', true],
  ['CRS84', true],
  ['CRS:84', true],
  ['EPSG:4326', true],
  ['urn:ogc:def:crs:EPSG::4326', true],
  ['urn:ogc:def:crs:EPSG:6.9:4326', true],
  ['http://www.opengis.net/def/crs/OGC/1.3/CRS84', true],
  ['http://www.opengis.net/gml/srs/epsg.xml#4326', true],
  ['EPSG:4269', false],
  ['EPSG:3857', false],
  ['ESRI:4326', false],
  ['', false],
])('the reference system %j counts as WGS84: %s', (name, answer) => {
  expect(isWgs84(name)).toBe(answer);
});

describe('features one after the other', () => {
  test('are read from lines, record separators and pretty print', () => {
    expect(apns(`${feature('1')}\n${feature('2')}\n`)).toEqual(['1', '2']);
    expect(apns(`${feature('1')}\r\n\r\n${feature('2')}`)).toEqual(['1', '2']);
    expect(apns(`\x1e${feature('1')}\n\x1e${feature('2')}\n`)).toEqual(['1', '2']);
    expect(apns(JSON.stringify(JSON.parse(feature('1')), null, 2))).toEqual(['1']);
    expect(apns(`{"properties":{"apn":"1"},"type":"Feature"}`)).toEqual(['1']);
  });

  test('cut off at any byte are a named error, or whole features', () => {
    const text = `${feature('1')}\n${feature('2', ',"n":1')}\n`;
    const firstEnds = text.indexOf('\n');
    for (let length = 1; length < text.length - 1; length++) {
      const content = text.slice(0, length);
      if (length === firstEnds || length === firstEnds + 1) expect(apns(content)).toEqual(['1']);
      else expect(refusalOf(() => read(content)).code).toBe('import_refused');
    }
  });
});

test.each([['/dev/null', 'is a pipe or a device']])('%s is refused by name: it %s', (file, words) => {
  const error = refusalOf(() => [...readParcelFile(file)]);
  expect([error.code, error.message]).toEqual(['file_missing', expect.stringContaining(words)]);
  expect(error.message).toContain(file);
});

const canMakePipes = requireOrSkip(
  'mkfifo',
  spawnSync('mkfifo', ['--version']).status === 0,
  'there is no such command',
);

test.runIf(canMakePipes)('a pipe is refused by name, and not waited for', () => {
  const pipe = path.join(temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  expect(refusalOf(() => [...readParcelFile(pipe)]).message).toContain('is a pipe');
});

test('a missing file is named', () => {
  expect(refusalOf(() => [...readParcelFile('/nowhere/parcels.geojson')]).code).toBe('file_missing');
});

describe('the JSON of ArcGIS', () => {
  /** Clockwise around land, as ArcGIS writes rings; counterclockwise around a hole. */
  const ring = (west: number, south: number, size: number) => [
    [west, south],
    [west, south + size],
    [west + size, south + size],
    [west + size, south],
    [west, south],
  ];
  const answer = (features: readonly object[], more: object = {}) =>
    writeFile(
      'answer.json',
      JSON.stringify({
        ...{ displayFieldName: '', fieldAliases: { PIN: 'PIN' }, geometryType: 'esriGeometryPolygon' },
        ...{ spatialReference: { wkid: 4326, latestWkid: 4326 }, fields: [{ name: 'PIN' }] },
        ...more,
        features,
      }),
    );

  test('is read: attributes, lots with holes and of several parts, points, lots without a shape', () => {
    const hole = ring(-71.999, 43.001, 0.001).toReversed();
    const file = answer([
      {
        attributes: { PIN: '7-1', ACRES: 2.5 },
        geometry: { rings: [ring(-72, 43, 0.004), hole, ring(-72.1, 43, 0.001)] },
      },
      { attributes: { PIN: '7-2' }, geometry: { x: -72, y: 43 } },
      { attributes: { PIN: '7-3' } },
      { attributes: { PIN: '7-4' }, geometry: { rings: [] } },
      {
        attributes: { PIN: '7-5' },
        geometry: {
          curveRings: [
            [
              [0, 0],
              {
                c: [
                  [1, 1],
                  [2, 0],
                ],
              },
            ],
          ],
        },
      },
    ]);
    const features = [...readParcelFile(file)];
    expect(features.map(({ properties }) => properties.PIN)).toEqual(['7-1', '7-2', '7-3', '7-4', '7-5']);
    expect(features[0]?.properties).toEqual({ PIN: '7-1', ACRES: 2.5 });
    expect(features.map(({ geometry }) => geometry)).toEqual([
      {
        type: 'MultiPolygon',
        coordinates: expect.arrayContaining([[ring(-72, 43, 0.004), hole], [ring(-72.1, 43, 0.001)]]) as unknown,
      },
      { type: 'Point', coordinates: [-72, 43] },
      null,
      null,
      null,
    ]);
    expect(features.map(({ problem }) => problem?.includes('curves') ?? false)).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  test('in Web Mercator becomes degrees; a system without a number or text is refused', () => {
    // 20,037,508.342789 m are 180 degrees east; the equator is at 0.
    const metersPerDegree = 20_037_508.342789244 / 180;
    const lot = [{ attributes: { PIN: '1' }, geometry: { x: -72 * metersPerDegree, y: 0 } }];
    const [feature] = [...readParcelFile(answer(lot, { spatialReference: { wkid: 102100, latestWkid: 3857 } }))];
    expect(feature?.geometry).toEqual({
      type: 'Point',
      coordinates: [expect.closeTo(-72, 7) as unknown, expect.closeTo(0, 7) as unknown],
    });
    const odd = answer(lot, { spatialReference: { vcsWkid: 5703 } });
    expect(refusalOf(() => [...readParcelFile(odd)]).message).toContain('expected the name of a reference system');
  });

  test('that holds only a part of its layer says so', () => {
    const source = openParcels(
      answer([{ attributes: { PIN: '1' }, geometry: { x: -72, y: 43 } }], { exceededTransferLimit: true }),
    );
    const layer = source.openLayer(source.layerNames[0] ?? '');
    expect([...layer.features()]).toHaveLength(1);
    expect(layer.isPart?.()).toBe(true);
    source.close();
  });
});
