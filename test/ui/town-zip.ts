/** A file of an invented town in Sullivan County, New Hampshire. No person in it is real. */
import fs from 'node:fs';
import path from 'node:path';
import { makeShapefile, type ShapeRow } from '../support/make-shapefile.ts';
import { makeZip } from '../support/make-zip.ts';

const wgs84 =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';

const columns = [
  { name: 'MAPLOT' },
  { name: 'OWN1', length: 30 },
  { name: 'M_ADDR', length: 30 },
  { name: 'M_CITY' },
  { name: 'M_STATE', length: 2 },
  { name: 'M_ZIP' },
  { name: 'DEED_AC', type: 'N' },
  { name: 'SALEDT' },
  { name: 'SALEPR', type: 'N' },
  { name: 'YRBUILT', type: 'N' },
  { name: 'Q_U', length: 1 },
] as const;

/** A lot of `size` degrees, number `index` of rows of ten, clockwise as a Shapefile has its exterior rings. */
export function lotAt(index: number, [west, south]: readonly [number, number], size = 0.002): ShapeRow {
  const [x, y] = [west + (index % 10) * 0.003, south + Math.floor(index / 10) * 0.003];
  const ring = [
    [x, y],
    [x, y + size],
    [x + size, y + size],
    [x + size, y],
    [x, y],
  ] as const;
  // About 162 by 222 m at 43° north: 8.9 acres.
  const values = [
    `${11 + Math.floor(index / 10)}-${100 + index}`,
    `FERREIRA ANA ${index}`,
    `${31 + index} LARKSPUR CT`,
    'LEMPSTER',
    index % 3 === 0 ? 'MA' : 'NH',
    '03605',
    index % 7 === 0 ? '4.00' : '8.90',
    index % 5 === 0 ? '0' : `2010${String(1 + (index % 12)).padStart(2, '0')}12`,
    index % 5 === 0 ? '0' : String(61_000 + index * 500),
    index % 2 === 0 ? '0' : '1974',
    index % 2 === 0 ? 'Q' : 'U',
  ];
  return { shape: [ring], values };
}

export const inSullivan = [-72.15, 43.2] as const;

/** Another county altogether. */
export const inTexas = [-98.5, 31.5] as const;

/** A zipped Shapefile with a number of lots. */
export function townZip(
  folder: string,
  name: string,
  count: number,
  at: readonly [number, number] = inSullivan,
): string {
  const files = makeShapefile(
    Array.from({ length: count }, (_, i) => lotAt(i, at)),
    { columns: [...columns], prj: wgs84 },
  );
  const [west, south] = at;
  for (const header of [files.shp, files.shx]) {
    for (const [n, value] of [west, south, west + 0.029, south + 0.003 * Math.ceil(count / 10)].entries())
      header.writeDoubleLE(value, 36 + n * 8);
  }
  const file = path.join(folder, `${name}.zip`);
  fs.writeFileSync(
    file,
    makeZip(Object.entries(files).map(([ending, content]) => ({ name: `${name}.${ending}`, content }))),
  );
  return file;
}
