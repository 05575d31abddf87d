/** Reads a walk of another app from a file: GPX, KML, KMZ, GeoJSON or CSV, told apart by their content. */
import { fileStatus } from '../../plain-file.ts';
import { EngineError } from '../../spec/errors.ts';
import { mostWalkBytes } from '../../spec/field-limits.ts';
import { detectFormat, isGpx } from '../formats/detect-format.ts';
import { unpackZip } from '../formats/zip/zip-archive.ts';
import { readCsvWalk } from './csv-walk.ts';
import { readGeoJsonWalk } from './geojson-walk.ts';
import { readGpx } from './gpx-walk.ts';
import { readKml } from './kml-walk.ts';
import { type Walk, WalkBuilder } from './walk.ts';

const megabytes = mostWalkBytes / 2 ** 20;

/**
 * @param name of the file for refusals and for what has no name
 * @throws EngineError import_refused, file_missing
 */
export function readWalk(filePath: string, name: string): Walk {
  const builder = new WalkBuilder(name);
  try {
    readInto(filePath, name, builder);
  } catch (error) {
    if (!(error instanceof EngineError) || filePath === name) throw error;
    throw new EngineError(error.code, error.message.replaceAll(filePath, name), { cause: error });
  }
  return builder.walk();
}

function readInto(filePath: string, name: string, builder: WalkBuilder, isPacked = false): void {
  const { size } = fileStatus(filePath);
  if (size > mostWalkBytes)
    throw new EngineError(
      'import_refused',
      `${filePath}: expected at most ${megabytes} MB, found ${Math.ceil(size / 2 ** 20)}.`,
    );
  if (isGpx(filePath)) {
    readGpx(filePath, builder);
    return;
  }
  const format = detectFormat(filePath);
  if (format === 'kml') readKml(filePath, builder);
  else if (format === 'geojson' || format === 'geojson-lines') readGeoJsonWalk(filePath, format, builder);
  else if (format === 'csv') readCsvWalk(filePath, name.replace(/\.[^.]*$/, ''), builder);
  else if (format === 'zip' && !isPacked) readPacked(filePath, name, builder);
  else throw new EngineError('import_refused', `${filePath}: expected GPX, KML, KMZ, GeoJSON or CSV, found ${format}.`);
}

/** The pictures beside the KML stay packed. */
function readPacked(filePath: string, name: string, builder: WalkBuilder): void {
  const { members, close } = unpackZip(filePath, '\\.(?:kml|gpx|KML|GPX)$');
  try {
    if (members.length === 0)
      throw new EngineError(
        'import_refused',
        `${filePath}: expected a KMZ with a KML in it, or a zip of GPX, found neither.`,
      );
    for (const member of members) readInto(member.path, name, builder, true);
  } finally {
    close();
  }
}
