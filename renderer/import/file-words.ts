/** Formats and coordinate systems as people name them. */
import type { LookedLayer } from '../../engine/work/import-answers.ts';

const formatWords: Readonly<Record<LookedLayer['format'], string>> = {
  shapefile: 'Shapefile',
  geopackage: 'GeoPackage',
  geojson: 'GeoJSON',
  'geojson-lines': 'GeoJSON lines',
  flatgeobuf: 'FlatGeobuf',
  'file-geodatabase': 'File Geodatabase',
  csv: 'CSV',
  dbf: 'dBASE',
  xlsx: 'Excel',
  land: 'Platbook',
  'service-answers': 'saved answers of the hosted service',
};

export const formatName = (format: LookedLayer['format']): string => formatWords[format];

export const systemWords = ({ name, code }: NonNullable<LookedLayer['system']>): string =>
  code === null || name.includes(String(code)) ? name : `${name} (EPSG:${code})`;
