/** Formats that the shipped GDAL reads: the same parcels as from GeoJSON, and files that are cut, lack parts or mean harm. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { look } from '../../../engine/importing/look.ts';
import { gdalFormats } from '../../../engine/spec/import-formats.ts';
import { gdalOrSkip, ogr2ogr } from '../../support/gdal.ts';
import { temporaryFolder, writeFile } from '../fixtures.ts';
import {
  cornersOf,
  expectTheLots,
  lotsDrawn,
  refusal,
  shapes,
  source,
  statePlane,
  write,
  writers,
  zipped,
} from './door-lots.ts';
import { leftovers, metersBetween, type ReadParcel, readParcels } from './reading.ts';

const hasGdal = gdalOrSkip('formats that GDAL reads');

describe.runIf(hasGdal)('parcels are the same as from GeoJSON', () => {
  test('from a zip with a TAB, by its own name', () => {
    const zip = zipped(path.dirname(write('lots.tab')), 'lots.zip');
    expectTheLots(zip);
    expect(leftovers()).toEqual([]);
  });

  test.each(Object.keys(writers))('from %s: corners, holes, parts, names, leading zeros, long numbers', (name) => {
    expectTheLots(write(name));
    expect(leftovers()).toEqual([]);
  });

  test('and the files beside it stay as they are', () => {
    const file = write('lots.gml');
    const folder = path.dirname(file);
    const before = fs.readdirSync(folder);
    expectTheLots(file);
    expect(fs.readdirSync(folder)).toEqual(before);
  });
});

describe.runIf(hasGdal)('a drawing', () => {
  test('gives closed lines as parcels, layer by layer, and says what it leaves out', () => {
    const file = writeFile('lots.dxf', lotsDrawn);
    const read = readParcels(file, { layer: 'LOTS', crs: statePlane });
    // A square of 1,000 feet; the second with an arc.
    expect(read.map(({ polygons }) => polygons?.map((rings) => rings.length))).toEqual([[1], [1]]);
    const [first] = read;
    expect(cornersOf(first as ReadParcel)).toHaveLength(5);
    const { layers } = look(file, { crs: statePlane });
    expect(layers.map(({ name, rows, leftOut }) => [name, rows, leftOut])).toEqual([
      ['LOTS', 2, '1 open line'],
      ['ROADS', null, null],
      ['LABELS', null, null],
    ]);
    expect(layers[1]?.problem).toMatch(/expected closed lines in the layer ROADS, found 1 open line/);
    expect(layers[2]?.problem).toMatch(/found 1 point, text or block/);
  });

  test('gives its open lines to a layer of lines', () => {
    const file = writeFile('lots.dxf', lotsDrawn);
    const { layers } = look(file, { crs: statePlane, purpose: 'layer' });
    expect(layers.map(({ name, shapes: kind, rows }) => [name, kind, rows])).toEqual([
      ['LOTS', 'polygons', 3],
      ['ROADS', 'lines', 1],
      ['LABELS', 'points', 1],
    ]);
  });

  test('asks for its coordinate system, and which layer is meant', () => {
    const file = writeFile('lots.dxf', lotsDrawn);
    expect(refusal(file, { layer: 'LOTS' })).toMatch(
      /expected a coordinate system, and a DXF never names one.*--crs EPSG/,
    );
    expect(refusal(file, { crs: statePlane })).toMatch(/LOTS.*ROADS.*LABELS.*--layer/);
  });

  test('that GDAL wrote has the areas of GeoJSON', () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'lots.dxf');
    ogr2ogr('-f', 'DXF', '-explodecollections', '-t_srs', statePlane, file, source(folder));
    const read = readParcels(file, { crs: statePlane });
    expect(read.map(({ polygons }) => polygons?.length)).toEqual([1, 1, 1, 1, 1, 1]);
    const expected = shapes.flat(3).map(([x, y]) => [x, y] as const);
    for (const corner of read.flatMap(cornersOf))
      expect(Math.min(...expected.map((each) => metersBetween(corner, each)))).toBeLessThan(0.01);
  });
});

describe.runIf(hasGdal)('a file that is not whole is refused', () => {
  test.each([
    [
      'lots.tab',
      '.dat',
      /expected \.dat of the same name beside it, found none\. A MapInfo TAB is \.tab, \.dat, \.map, \.id/,
    ],
    ['lots.tab', '.map', /expected \.map of the same name/],
    ['lots.tab', '.id', /expected \.id of the same name/],
    ['lots.mif', '.mid', /expected \.mid of the same name beside it, found none\. A MapInfo MIF is \.mif, \.mid/],
  ])('%s without its %s', (name, ending, message) => {
    const file = write(name);
    fs.rmSync(file.replace(/\.\w+$/, ending));
    expect(refusal(file)).toMatch(message);
    expect(refusal(zipped(path.dirname(file), 'lots.zip'))).toMatch(message);
    expect(leftovers()).toEqual([]);
  });

  test('a MIF that ends between two shapes, which GDAL reads as fewer lots', () => {
    const file = write('lots.mif');
    const text = fs.readFileSync(file, 'latin1');
    fs.writeFileSync(file, text.slice(0, text.lastIndexOf('Region')), 'latin1');
    expect(refusal(file)).toMatch(
      /expected 4 shapes, as many as the rows beside it, found 3: one of its files was cut/,
    );
  });

  test('a drawing that was cut off, which GDAL reads as fewer lots', () => {
    for (const share of [0.95, 0.6, 0.3]) {
      const file = writeFile('lots.dxf', lotsDrawn.slice(0, Math.floor(lotsDrawn.length * share)));
      expect(refusal(file, { crs: statePlane, layer: 'LOTS' })).toMatch(/expected its EOF mark at its end.*cut off/);
      expect(() => look(file, { crs: statePlane })).toThrow(/EOF mark/);
    }
  });
});

describe('a file that means harm', () => {
  const lot =
    '<gml:Polygon srsName="EPSG:4326"><gml:outerBoundaryIs><gml:LinearRing><gml:coordinates>-72,43 -71,43 -71,44 -72,43</gml:coordinates></gml:LinearRing></gml:outerBoundaryIs></gml:Polygon>';
  const gml = (inside: string, head = '', more = '') =>
    `<?xml version="1.0"?>${head}<w:FeatureCollection xmlns:w="http://www.opengis.net/wfs" xmlns:gml="http://www.opengis.net/gml" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"${more}>${inside}</w:FeatureCollection>`;
  const member = (value: string) =>
    `<gml:featureMember><lot fid="1"><pin>${value}</pin><shape>${lot}</shape></lot></gml:featureMember>`;
  const kml = (inside: string, head = '') =>
    `<?xml version="1.0"?>${head}<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark>${inside}</Placemark></kml>`;
  const entity = (address: string) => `<!DOCTYPE x [<!ENTITY x SYSTEM "${address}">]>`;
  /** A file whose words must not appear. */
  const secretBeside = () => {
    const folder = temporaryFolder();
    return { folder, secret: writeFile('secret.xml', '<pin>SECRET-WORDS</pin>', folder) };
  };

  test('by an entity of another file is refused before anything is read', () => {
    const { folder, secret } = secretBeside();
    for (const address of ['file:///etc/passwd', `file://${secret}`, 'secret.xml', 'http://127.0.0.1:9/x']) {
      const files = [
        writeFile('lots.gml', gml(member('&x;'), entity(address)), folder),
        writeFile('lots.kml', kml('<name>&x;</name>', entity(address)), folder),
        writeFile('late.gml', gml(member('&x;'), `<!-- ${'x'.repeat(5000)} -->\n${entity(address)}`), folder),
      ];
      for (const file of files) expect(refusal(file)).toMatch(/document type/i);
    }
  });

  test('by links and schemas of other files reads none of them', () => {
    const { folder } = secretBeside();
    const linked = member('A').replace('<pin>A</pin>', '<pin xlink:href="secret.xml#x"/><also>B</also>');
    const schema = ' xsi:schemaLocation="http://x secret.xml" xsi:noNamespaceSchemaLocation="secret.xml"';
    const file = writeFile('lots.gml', gml(linked, '', schema), folder);
    const read = readParcels(file);
    expect(read).toHaveLength(1);
    expect(read[0]?.properties.also).toBe('B');
    // An element that stands twice is one value.
    const twice = writeFile('twice.gml', gml(member('A').replace('<pin>', '<pin>Z</pin><pin>')), folder);
    expect(String(readParcels(twice)[0]?.properties.pin)).toMatch(/Z,A/);
    expect(JSON.stringify(read)).not.toContain('SECRET');
    const stylesheet = `<?xml-stylesheet href="secret.xml"?>${gml(member('C'))}`.replace('<?xml version="1.0"?>', '');
    expect(JSON.stringify(readParcels(writeFile('style.gml', stylesheet, folder)))).not.toContain('SECRET');
  });

  test('that names no coordinate system is not taken for degrees', () => {
    const file = writeFile('lots.gml', gml(member('A').replace(' srsName="EPSG:4326"', '')));
    expect(refusal(file)).toMatch(/expected a coordinate system, found none in the layer lot\. Name it \(--crs EPSG/);
    expect(readParcels(file, { crs: 'EPSG:4326' })).toHaveLength(1);
  });

  test('by a description of other files (VRT) is refused, also under the name and the look of another format', () => {
    const { folder, secret } = secretBeside();
    const inside = `<OGRVRTLayer name="x"><SrcDataSource>${secret}</SrcDataSource><SrcSQL>SELECT 1</SrcSQL></OGRVRTLayer>`;
    const plain = `<OGRVRTDataSource>${inside}</OGRVRTDataSource>`;
    const disguised = `<OGRVRTDataSource xmlns:gml="http://www.opengis.net/gml">${inside}</OGRVRTDataSource>`;
    for (const name of ['x.vrt', 'x.gml', 'x.kml', 'x.tab', 'x.dxf']) {
      expect(refusal(writeFile(name, plain, folder))).toMatch(/holds no KML and no GML/);
      expect(refusal(writeFile(name, disguised, folder))).toMatch(
        /expected a GML, found something else|layer with shapes, found none/,
      );
    }
  });

  test('by a TAB that names files elsewhere (a view, a seamless table) is refused', () => {
    const folder = temporaryFolder();
    for (const more of [
      'open table "../secret" hide\ncreate view x as\nSelect * From secret',
      'definition table\n  type seamless',
    ]) {
      const file = writeFile('lots.tab', `!table\n!version 100\n\n${more}\n`, folder);
      for (const ending of ['.dat', '.map', '.id']) writeFile(`lots${ending}`, Buffer.alloc(64), folder);
      expect(refusal(file)).toMatch(/import_refused|expected|cannot be read|cut off/);
    }
  });

  test('by blocks of blocks is not taken apart, and what stands for a block is left out and counted', () => {
    const block = (name: string, inside: string) => `  0\nBLOCK\n  8\n0\n  2\n${name}\n 70\n0\n${inside}  0\nENDBLK\n`;
    const insert = (name: string) => `  0\nINSERT\n  8\nLOTS\n  2\n${name}\n 10\n0\n 20\n0\n`;
    const bomb = Array.from({ length: 9 }, (_, n) => block(`B${n + 1}`, insert(`B${n}`).repeat(10)));
    const blocks = `  0\nSECTION\n  2\nHEADER\n  0\nENDSEC\n  0\nSECTION\n  2\nBLOCKS\n${bomb.join('')}  0\nENDSEC\n`;
    const drawn = lotsDrawn.replace('ENTITIES\n', `ENTITIES\n${insert('B9')}`);
    const file = writeFile('lots.dxf', blocks + drawn);
    expect(readParcels(file, { crs: statePlane, layer: 'LOTS' })).toHaveLength(2);
    expect(look(file, { crs: statePlane }).layers[0]?.leftOut).toBe('1 open line and 1 point, text or block');
  });

  test('by elements without an end in one another is refused', () => {
    expect(refusal(writeFile('deep.kml', kml('<MultiGeometry>'.repeat(5000))))).toMatch(/more than 500 elements/);
  });

  test('no driver that follows other files or runs SQL is among those that may open one', () => {
    expect([...new Set(gdalFormats.map(({ driver }) => driver))].sort()).toEqual([
      'DXF',
      'GML',
      'MapInfo File',
      'OpenFileGDB',
      'TopoJSON',
    ]);
  });
});
