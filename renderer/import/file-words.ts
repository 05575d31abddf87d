/** Formats and coordinate systems as people name them. */
import type { LookedLayer } from '../../engine/work/import-answers.ts';

const formatWords: Readonly<Record<string, string>> = {
  shapefile: 'Shapefile',
  geopackage: 'GeoPackage',
  geojson: 'GeoJSON',
  'geojson-lines': 'GeoJSON lines',
  flatgeobuf: 'FlatGeobuf',
  filegdb: 'File Geodatabase',
  csv: 'CSV',
  dbf: 'dBASE',
  xlsx: 'Excel',
  sqlite: 'Platbook',
};

export const formatName = (format: string): string => formatWords[format] ?? format;

export const systemWords = ({ name, code }: NonNullable<LookedLayer['system']>): string =>
  code === null || name.includes(String(code)) ? name : `${name} (EPSG:${code})`;
