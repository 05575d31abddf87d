/** What the pictures of the import show beside the town: a layer of areas and one of lines, comps, contacts, a broken file. */
import fs from 'node:fs';
import path from 'node:path';

const feature = (type: string, coordinates: unknown, properties: object) => ({
  type: 'Feature',
  properties,
  geometry: { type, coordinates },
});
const zone = [
  [-72.15, 43.2],
  [-72.13, 43.2],
  [-72.13, 43.207],
  [-72.15, 43.207],
  [-72.15, 43.2],
];

/** @returns the files */
export function writeImportFiles(folder: string): readonly string[] {
  const files: string[] = [];
  const write = (name: string, text: string) => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, text);
    files.push(file);
  };
  const collection = (...features: object[]) => JSON.stringify({ type: 'FeatureCollection', features });
  write('flood_zones.geojson', collection(feature('Polygon', [zone], { FLD_ZONE: 'AE' })));
  write('brooks.geojson', collection(feature('LineString', zone, { REACHCODE: '1', GNIS_NAME: 'Mill Brook' })));
  write('broken.geojson', '{"type": "FeatureCollection", "features": [');
  write(
    'sales.csv',
    [
      'source_id,is_land,status,price,lot_size,latitude,longitude,sold_date,address',
      'S1,true,SOLD,50000,10,43.21,-72.14,2026-03-04,118 Quill Brook Road',
      'S2,true,SOLD,64000,12,43.22,-72.13,2026-04-05,22 Larkspur Court',
      'S3,true,ACTIVE,,12,43.22,-72.13,,9 Hollow Road',
      '',
    ].join('\n'),
  );
  write(
    'contacts.csv',
    [
      'WHO,RESIDES,PV,MAILCODE,LINE A,STOP',
      '"FERREIRA, ANA",31 LARKSPUR CT,NH,03605,603-555-0123,yes',
      '"MOSS, DIANE",33 LARKSPUR CT,NH,03605,603-555-0144,no',
      '',
    ].join('\n'),
  );
  return files;
}
