/** Shapefiles: the .shp with its .shx, .dbf, .prj and .cpg, row by row. */
import fs from 'node:fs';
import path from 'node:path';
import { maxLatitude, maxLongitude } from '../../../geo/geometry.ts';
import { EngineError } from '../../../spec/errors.ts';
import { importFormats } from '../../../spec/import-formats.ts';
import { readHead } from '../bytes/byte-window.ts';
import { FileCursor } from '../bytes/file-cursor.ts';
import { type ReferenceSystem, systemOfText, wgs84 } from '../crs/reference-system.ts';
import type { ParcelFeature } from '../parcel-feature.ts';
import type { FileBounds, ParcelLayer, ReadOptions, ShapefileParts } from '../parcel-source.ts';
import { columnOfField, readDbfRecords } from './dbf-records.ts';
import { dbfRefusal, findTextForm, type Header, readDbfHeader } from './dbf-table-reader.ts';
import { countIndex, expectShapes, readShapeHeader, readShapes, type ShapeHeader } from './shapefile-shapes.ts';

const { needed, also } = importFormats.shapefile.beside;
const endings = [...needed, ...also] as const;

/** The files beside a .shp, with extensions in any case. */
export function findShapefileParts(shp: string): ShapefileParts {
  const folder = path.dirname(shp);
  const stem = path.basename(shp, path.extname(shp)).toLowerCase();
  const beside = new Map<string, string>();
  for (const entry of fs.readdirSync(folder)) {
    const ending = path.extname(entry);
    const isSister = path.basename(entry, ending).toLowerCase() === stem;
    if (isSister) beside.set(ending.slice(1).toLowerCase(), path.join(folder, entry));
  }
  const [shx = null, dbf = null, prj = null, cpg = null] = endings.map((ending) => beside.get(ending));
  return { name: path.basename(shp, path.extname(shp)), shp, shx, dbf, prj, cpg };
}

export function openShapefile(parts: ShapefileParts, options: ReadOptions): ParcelLayer {
  const { shp, shx, dbf } = parts;
  const [index, table] = [expectPart(shp, shx, 'shx'), expectPart(shp, dbf, 'dbf')];
  const header = headerOf(shp);
  expectShapes(shp, header, options.purpose ?? 'parcels');
  const count = countIndex(index, headerOf(index));
  const rows = readDbfHeader(table);
  if (rows.rowCount !== count) {
    throw new EngineError(
      'import_refused',
      `${shp}: expected as many shapes as rows, found ${count} shapes in the .shx and ${rows.rowCount} rows in the .dbf. ` +
        'Export the layer again: its files date from different exports.',
    );
  }
  expectFill(shp, header, count);
  const named = withDistinctNames(rows);
  const form = findTextForm(parts.cpg === null ? [] : [parts.cpg], rows.languageDriver);
  const system = () => findSystem(parts, header, options);
  return {
    name: parts.name,
    format: 'shapefile',
    columns: named.fields.map(columnOfField),
    rowCount: count,
    bounds: count > 0 ? header.bounds : null,
    encoding: form.words,
    system,
    *features() {
      const records = readDbfRecords(table, named, form);
      try {
        yield* joinRows(readShapes(shp, index, count, system()), records, shp, count);
      } finally {
        records.return(undefined);
      }
    },
  };
}

function expectPart(shp: string, part: string | null, ending: string): string {
  if (part !== null) return part;
  throw new EngineError(
    'import_refused',
    `${shp}: expected a .${ending} file of the same name beside it, found none. A Shapefile is .shp, .shx and .dbf together: give the whole folder or zip.`,
  );
}

function headerOf(filePath: string): ShapeHeader {
  const cursor = new FileCursor(filePath);
  try {
    return readShapeHeader(cursor);
  } finally {
    cursor.close();
  }
}

const smallestRecord = 12;

/** A .shx and .dbf of another, shorter layer would agree with each other. */
function expectFill(shp: string, { size }: ShapeHeader, count: number): void {
  const isPossible = count === 0 ? size === 100 : size >= 100 + count * smallestRecord;
  if (isPossible) return;
  throw new EngineError(
    'import_refused',
    `${shp}: expected ${count} shapes as the .shx and .dbf say, found a file of ${size} bytes, too small for that.`,
  );
}

/** dBASE cuts names at ten characters, so two columns may get the same name. */
function withDistinctNames(header: Header): Header {
  const seen = new Set<string>();
  const fields = header.fields.map((field) => {
    let name = field.name;
    for (let more = 1; seen.has(name); more++) name = `${field.name}_${more}`;
    seen.add(name);
    return { ...field, name };
  });
  return { ...header, fields };
}

/** The system the user names, else the .prj, else degrees if the file's box fits only those. */
function findSystem({ shp, prj }: ShapefileParts, { bounds }: ShapeHeader, { crs }: ReadOptions): ReferenceSystem {
  if (crs !== undefined) return systemOfText(crs, shp);
  if (prj !== null) return systemOfText(readHead(prj, 64 * 1024).toString('utf8'), prj);
  if (looksLikeDegrees(bounds)) return { ...wgs84, name: 'WGS 84 (assumed: there is no .prj)' };
  throw new EngineError(
    'import_refused',
    `${shp}: expected a .prj beside it that names its coordinate system, found none, and its coordinates (${bounds.map(Math.round).join(', ')}) are not degrees. Name the system (--crs EPSG:…).`,
  );
}

/** Within the range of longitude and latitude. */
function looksLikeDegrees([west, south, east, north]: FileBounds): boolean {
  return Math.max(-west, east) <= maxLongitude && Math.max(-south, north) <= maxLatitude;
}

function* joinRows(
  shapes: ReturnType<typeof readShapes>,
  records: ReturnType<typeof readDbfRecords>,
  shp: string,
  count: number,
): Generator<ParcelFeature> {
  let row = 0;
  for (const { geometry, byteOffset } of shapes) {
    const { value: properties, done } = records.next();
    if (done) throw dbfRefusal(shp, `expected a row for each of ${count} shapes, found ${row}`, byteOffset);
    row++;
    if (properties !== null) yield { geometry, properties, position: { row, byteOffset } };
  }
  if (row === count) return;
  throw dbfRefusal(shp, `expected ${count} shapes, found ${row}`, 0);
}
