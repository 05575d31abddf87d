/** Exports of parcels: one row and one file per format. Menus, commands and the app's `export_formats` derive from the rows. */
import path from 'node:path';
import { EngineError } from '../spec/errors.ts';
import { writeCsv } from './csv.ts';
import { writeDxf } from './dxf.ts';
import type { ExportSource } from './export-source.ts';
import { writeWhole } from './file-sink.ts';
import { writeGeoJson } from './geojson.ts';
import { writeGeoPackage } from './geopackage.ts';
import { writeGeoParquet } from './geoparquet.ts';
import { writeGpx } from './gpx.ts';
import { writeKml } from './kml.ts';
import { writeShapefile } from './shapefile.ts';
import { writeXlsx, xlsxProblem } from './xlsx.ts';

/** A line of a menu. */
export interface OfferedFormat {
  readonly name: string;
  readonly label: string;
  readonly docs: string;
}

export interface ExportFormat extends OfferedFormat {
  /** Another name that people type, by the ending of the files. */
  readonly alias?: string;
  readonly ending: string;
  readonly mediaType: string;
  /** Holds marks of the field beside the parcels. */
  readonly holdsMarks?: true;
  /** Drawn in a plane. */
  readonly isInPlane?: true;
  /** Why a source does not fit into the format; null if it does. */
  readonly problem?: (source: ExportSource) => string | null;
  /**
   * Writes a new file; `folder` is for temporary files.
   * @returns sentences about losses, such as cut texts
   */
  readonly write: (source: ExportSource, filePath: string, folder: string) => Promise<string[]>;
}

export const exportFormats: readonly ExportFormat[] = [
  {
    name: 'xlsx',
    label: 'XLSX',
    docs: 'text stays text, zeros kept',
    ending: 'xlsx',
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    problem: xlsxProblem,
    write: writeXlsx,
  },
  {
    name: 'csv',
    label: 'CSV',
    docs: 'plain numbers, ISO dates',
    ending: 'csv',
    mediaType: 'text/csv; charset=utf-8',
    write: writeCsv,
  },
  {
    name: 'geojson',
    label: 'GeoJSON',
    docs: 'shapes and columns',
    ending: 'geojson',
    mediaType: 'application/geo+json',
    write: writeGeoJson,
  },
  {
    name: 'kml',
    label: 'KML',
    docs: 'for the phone and Earth',
    ending: 'kml',
    mediaType: 'application/vnd.google-earth.kml+xml',
    holdsMarks: true,
    write: writeKml,
  },
  {
    name: 'gpx',
    label: 'GPX',
    docs: 'one point per parcel',
    ending: 'gpx',
    mediaType: 'application/gpx+xml',
    holdsMarks: true,
    write: writeGpx,
  },
  {
    name: 'gpkg',
    label: 'GeoPackage',
    docs: 'for QGIS',
    ending: 'gpkg',
    mediaType: 'application/geopackage+sqlite3',
    write: writeGeoPackage,
  },
  {
    name: 'geoparquet',
    alias: 'parquet',
    label: 'GeoParquet',
    docs: 'for DuckDB, QGIS, BigQuery; sorted by place',
    ending: 'parquet',
    mediaType: 'application/vnd.apache.parquet',
    write: writeGeoParquet,
  },
  {
    name: 'shapefile',
    alias: 'shp',
    label: 'Shapefile',
    docs: 'names cut to 10 letters',
    ending: 'zip',
    mediaType: 'application/zip',
    write: writeShapefile,
  },
  {
    name: 'dxf',
    label: 'DXF',
    docs: 'for CAD; lots as closed polylines, in UTM metres unless a plane is named',
    ending: 'dxf',
    mediaType: 'image/vnd.dxf',
    isInPlane: true,
    write: writeDxf,
  },
];

/** Formats for marks of the field. */
export const markFormatNames: readonly string[] = exportFormats
  .filter(({ holdsMarks }) => holdsMarks)
  .map(({ name }) => name);

export const exportFormatNames: readonly string[] = exportFormats.map(({ name }) => name);

/** @throws EngineError usage */
export function exportFormat(name: string): ExportFormat {
  const found = exportFormats.find((format) => format.name === name || format.alias === name);
  if (found) return found;
  throw new EngineError('usage', `expected a format (${exportFormatNames.join(', ')}), found ${JSON.stringify(name)}`);
}

/**
 * The format of a file: the one its ending names, or the given one, which the ending must not contradict.
 * @throws EngineError usage
 */
export function exportFormatOf(filePath: string, given?: string): ExportFormat {
  const extension = path.extname(filePath);
  const named = exportFormats.find(({ ending }) => `.${ending}` === extension.toLowerCase());
  if (given === undefined && named) return named;
  if (given === undefined) {
    const endings = exportFormats.map(({ ending, label }) => `.${ending} (${label})`).join(', ');
    const found = extension === '' ? 'none' : extension;
    throw new EngineError('usage', `expected a file name with the ending ${endings}, or --format; found ${found}`);
  }
  const format = exportFormat(given);
  if (!named || named === format) return format;
  throw new EngineError('usage', `--format ${given} writes .${format.ending} files; found the ending ${extension}`);
}

/**
 * Writes a whole file or none. An earlier file is replaced at the end and stays if anything fails.
 * @returns sentences about losses, such as cut texts
 * @throws EngineError disk_full, file_read_only, validation_error, usage
 */
export function writeExport(source: ExportSource, { problem, write }: ExportFormat, target: string): Promise<string[]> {
  const refused = problem?.(source);
  if (refused) throw new EngineError('validation_error', refused);
  return writeWhole(target, (temporary, folder) => write(source, temporary, folder));
}
