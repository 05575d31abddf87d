/** KML and KMZ: every value, every kind of shape, and files that are cut or only point to others. */
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { gdalOrSkip } from '../../support/gdal.ts';
import { writeFile } from '../fixtures.ts';
import { cornersOf, refusal, write } from './door-lots.ts';
import { type ReadParcel, readParcels } from './reading.ts';

const hasGdal = gdalOrSkip('KML that GDAL wrote');

describe('KML', () => {
  const placemark = (inside: string) => `<Placemark id="p1">${inside}</Placemark>`;
  const ringOf = (places: string) => `<LinearRing><coordinates>${places}</coordinates></LinearRing>`;
  const outer = ringOf('-72,43,0 -71,43,0\n-71,44,0 -72, 43,0');
  const polygon = `<Polygon><outerBoundaryIs>${outer}</outerBoundaryIs></Polygon>`;
  const file = (inside: string) =>
    writeFile('lots.kml', `<kml:kml xmlns:kml="http://earth.google.com/kml/2.1">${inside}</kml:kml>`);

  test('gives folders, name, description and each kind of ExtendedData', () => {
    const data =
      '<ExtendedData><Data name="PIN"><displayName>Parcel</displayName><value>0012</value></Data><Data\n name=\'Empty\'><value/></Data>' +
      '<SchemaData schemaUrl="#s"><SimpleData name="OWNER">A &amp; B</SimpleData></SchemaData><x:ACRES>2.5</x:ACRES></ExtendedData>';
    const own = '<name>Lot 12</name><description><![CDATA[<b>12</b> & more]]></description><visibility>0</visibility>';
    const inside = `<Document><name>County</name><Folder><name>North</name><Folder><name>West</name>${placemark(own + data + polygon)}</Folder></Folder>${placemark(polygon)}</Document>`;
    const [first, second] = readParcels(file(inside));
    expect(first?.properties).toEqual({
      folder: 'North / West',
      name: 'Lot 12',
      description: '<b>12</b> & more',
      PIN: '0012',
      OWNER: 'A & B',
      ACRES: '2.5',
    });
    expect(second?.properties).toEqual({});
    expect(cornersOf(first as ReadParcel)).toEqual([
      [-72, 43],
      [-71, 43],
      [-71, 44],
      [-72, 43],
    ]);
  });

  test('reads no shape of more than a million vertices, in one ring or several', () => {
    const ring = ringOf('-72,43,0 '.repeat(600_000));
    const [lot, other] = readParcels(
      file(
        `<Document>${placemark(`<MultiGeometry>${`<Polygon>${ring}</Polygon>`.repeat(2)}</MultiGeometry>`)}${placemark(polygon)}</Document>`,
      ),
    );
    expect(lot?.problem).toMatch(/at most 1000000 vertices/);
    expect(cornersOf(other as ReadParcel)).toHaveLength(4);
  });

  test('gives the columns of an HTML table in the description, as ArcGIS writes them', () => {
    const html = `<html><body><table border="1"><tr style="x"><td>Lot 12</td></tr><tr><td><table>
      <tr><td>FID</td><td>0</td></tr>\n<tr bgcolor="#D4E4F3">\n<td>PIN</td>\n<td>0012</td>\n</tr>
      <tr><td>OWNER</td><td>A &amp; B</td></tr><tr><td>SOLD</td><td>&lt;Null&gt;</td></tr></table></td></tr></table></body></html>`;
    const data = '<ExtendedData><Data name="FID"><value>7</value></Data></ExtendedData>';
    const lot = placemark(`<name>12</name><description><![CDATA[${html}]]></description>${data}${polygon}`);
    expect(readParcels(file(lot))[0]?.properties).toEqual({
      name: '12',
      FID: '7',
      PIN: '0012',
      OWNER: 'A & B',
      SOLD: null,
    });
    // Without a row of two cells it stays a text.
    const note = placemark('<description><![CDATA[<table><tr><td>Lot</td></tr></table>]]></description>');
    expect(readParcels(file(note))[0]?.properties.description).toMatch(/^<table>/);
  });

  test('takes the polygons of a mixed geometry, with their holes, and bare rings', () => {
    const withHole = `<Polygon><innerBoundaryIs>${ringOf('-71.3,43.2 -71.1,43.2 -71.1,43.3 -71.3,43.2')}</innerBoundaryIs><outerBoundaryIs>${outer}</outerBoundaryIs></Polygon>`;
    const point = '<Point><coordinates>-71.5,43.5</coordinates></Point>';
    const mixed = `<MultiGeometry>${point}<MultiGeometry>${withHole}${polygon}</MultiGeometry></MultiGeometry>`;
    const read = readParcels(file(`${placemark(mixed)}${placemark(outer)}${placemark(point)}`));
    expect(read.map(({ polygons, point: place }) => polygons?.map((rings) => rings.length) ?? place)).toEqual([
      [2, 1],
      [1],
      [-71.5, 43.5],
    ]);
    expect(read[0]?.polygons?.[0]?.[0]?.slice(0, 2)).toEqual(Float64Array.of(-72, 43));
  });

  test('says of each shape that cannot be read why', () => {
    const read = readParcels(
      file(
        [
          '<Model/>',
          '<Polygon><outerBoundaryIs><LinearRing><coordinates>a,b c,d</coordinates></LinearRing></outerBoundaryIs></Polygon>',
          '<LineString><coordinates>-72,43 -71,43</coordinates></LineString>',
        ]
          .map(placemark)
          .join(''),
      ),
    );
    expect(read.map(({ problem }) => problem)).toEqual([
      expect.stringMatching(/found a Model/),
      expect.stringMatching(/Expected longitude,latitude, found "a,b"/),
      expect.stringMatching(/found a line/),
    ]);
  });

  test('that only points to other files is refused with how many it points to', () => {
    const link = '<NetworkLink><Link><href>http://example.org/x.kml</href></Link></NetworkLink>';
    expect(refusal(file(link + link))).toMatch(
      /found none but 2 links to other files \(NetworkLink\), which are not followed/,
    );
    expect(refusal(file('<Document/>'))).toMatch(/expected a KML with Placemarks, found none\./);
  });

  test('whose tags do not match is refused', () => {
    expect(refusal(file(`${placemark(polygon)}</Folder>`))).toMatch(/damaged KML: expected <\/kml>, found <\/Folder>/);
  });

  test.runIf(hasGdal)('is read as ogr2ogr reads the GeoJSON that it was made from', () => {
    // Another program's parse of the same file: GDAL finds as many polygons.
    const written = write('lots.kml');
    const info = execFileSync('ogrinfo', ['-ro', '-so', '-al', written], { encoding: 'utf8' });
    expect(info).toMatch(/Feature Count: 4/);
    expect(readParcels(written)).toHaveLength(4);
  });
});
