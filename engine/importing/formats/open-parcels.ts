/** Opens any source of parcels: a file of any format, a folder, a zip. */
import fs from 'node:fs';
import path from 'node:path';
import { EngineError } from '../../spec/errors.ts';
import { type GdalFormatName, gdalFormats } from '../../spec/import-formats.ts';
import { openCsvParcels } from './csv/csv-parcel-reader.ts';
import { detectFormat, type FileFormat } from './detect-format.ts';
import { openFlatGeobuf } from './flatgeobuf/flatgeobuf-reader.ts';
import { isGeodatabase, openFileGeodatabase, openGdalFile } from './gdal/gdal-reader.ts';
import { openGeoJson } from './geojson/geojson-parcels.ts';
import { openGeoPackage } from './geopackage/geopackage-reader.ts';
import { openLand } from './geopackage/land-reader.ts';
import { openKml } from './kml/kml-reader.ts';
import { type Member, type OpenMember, openMembers } from './member-files.ts';
import { type ParcelLayer, type ParcelSource, type ReadOptions, singleLayer } from './parcel-source.ts';
import { openGeoParquet, openParts } from './parquet/geoparquet-reader.ts';
import { findParts } from './parquet/parquet-folder.ts';
import { withCondition } from './row-condition.ts';
import { openServiceAnswers } from './service/service-answers-reader.ts';
import { findShapefileParts, openShapefile } from './shapefile/shapefile-reader.ts';
import { openTableParcels } from './table-parcels.ts';
import { unpackZip } from './zip/zip-archive.ts';

type OpenFile = (filePath: string, options: ReadOptions) => ParcelSource;

const oneLayer =
  (open: (filePath: string, options: ReadOptions) => ParcelLayer): OpenFile =>
  (filePath, options) =>
    singleLayer(open(filePath, options));

/** Formats with a reader of their own; GDAL reads the others. */
const openers: Readonly<Record<Exclude<FileFormat, 'zip' | 'dbf' | GdalFormatName>, OpenFile>> = {
  csv: oneLayer(openCsvParcels),
  flatgeobuf: oneLayer(openFlatGeobuf),
  geojson: oneLayer((filePath, options) => openGeoJson(filePath, 'geojson', options)),
  'geojson-lines': oneLayer((filePath, options) => openGeoJson(filePath, 'geojson-lines', options)),
  geopackage: openGeoPackage,
  geoparquet: oneLayer(openGeoParquet),
  kml: oneLayer(openKml),
  land: openLand,
  'service-answers': oneLayer(openServiceAnswers),
  shapefile: oneLayer((filePath, options) => openShapefile(findShapefileParts(filePath), options)),
};

/** @throws EngineError import_refused, file_missing, file_damaged, validation_error; temporary files are then removed */
export function openParcels(filePath: string, options: ReadOptions = {}): ParcelSource {
  const { where, sampleRows } = options;
  if (where === undefined) return openAll(filePath, options);
  return withCondition({ filePath, text: where, isSample: sampleRows !== undefined }, () => openAll(filePath, options));
}

function openAll(filePath: string, options: ReadOptions): ParcelSource {
  if (options.withoutShapes) return singleLayer(openTableParcels(filePath, options));
  if (fs.statSync(filePath, { throwIfNoEntry: false })?.isDirectory()) return openFolder(filePath, options);
  const format = detectFormat(filePath);
  if (format === 'zip') return openZip(filePath, options);
  return openPlainFile({ name: path.basename(filePath), path: filePath }, format, options);
}

/** A file within a folder or zip; archives within archives are refused. */
function openPlainFile(
  file: Member,
  format: FileFormat,
  options: ReadOptions,
  around?: readonly Member[],
): ParcelSource {
  const filePath = file.path;
  if (format === 'dbf') {
    throw new EngineError(
      'import_refused',
      `${filePath}: expected parcels with their shapes, found a DBF table. Name the .shp beside it, join the table to parcels (--join), or import its rows as parcels without shapes (--without-shapes).`,
    );
  }
  if (format === 'zip' || format === 'file-geodatabase') {
    throw new EngineError(
      'import_refused',
      `${filePath}: expected a file of parcels, found an archive inside another.`,
    );
  }
  if (isGdalFormat(format)) return openGdalFile(format, file, options, around);
  return openers[format](filePath, options);
}

const isGdalFormat = (format: FileFormat): format is GdalFormatName => gdalFormats.some(({ name }) => name === format);

const openMember: OpenMember = (member, options, members) =>
  openPlainFile(member, detectFormat(member.path), options, members);

function openZip(filePath: string, options: ReadOptions): ParcelSource {
  const { members, close } = unpackZip(filePath);
  try {
    return openMembers({ place: filePath, members, isTemporary: true, close }, openMember, options);
  } catch (error) {
    close();
    throw error;
  }
}

const maxEntries = 5000;

function openFolder(folder: string, options: ReadOptions): ParcelSource {
  const parts = findParts(folder);
  if (parts !== null) return singleLayer(openParts(folder, parts, options));
  const entries = fs.readdirSync(folder, { withFileTypes: true });
  if (entries.length > maxEntries) {
    throw new EngineError('import_refused', `${folder}: expected a folder of at most ${maxEntries} files, found more.`);
  }
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
  if (isGeodatabase(files.map(({ name }) => name))) return openFileGeodatabase(folder, options);
  const members = files.map(({ name }) => ({ name, path: path.join(folder, name) }));
  for (const { name } of entries.filter((entry) => entry.isDirectory() && /\.gdb$/i.test(entry.name))) {
    for (const part of fs.readdirSync(path.join(folder, name))) {
      members.push({ name: `${name}/${part}`, path: path.join(folder, name, part) });
    }
  }
  return openMembers({ place: folder, members, isTemporary: false, close: () => {} }, openMember, options);
}
