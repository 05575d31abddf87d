/** Delimited text whose rows hold a location; also the CSV exports of the hosted service and of Platbook itself. */
import path from 'node:path';
import { EngineError } from '../../../spec/errors.ts';
import { type ReferenceSystem, systemOfCode, systemOfText, wgs84 } from '../crs/reference-system.ts';
import type { ParcelFeature } from '../parcel-feature.ts';
import type { ParcelLayer, ReadOptions } from '../parcel-source.ts';
import { asServiceRow, isServiceExport } from '../service/service-rows.ts';
import type { TableRow } from '../table-file.ts';
import { findPlace, geometryAt, type Place } from './csv-places.ts';
import { openCsvTable } from './csv-table-reader.ts';

/** Rows inspected for a shape. */
const rowsToLookAt = 200;

export function openCsvParcels(filePath: string, { crs, headerRow }: ReadOptions): ParcelLayer {
  const table = openCsvTable(filePath, headerRow);
  const { columns } = table;
  const all = columns.map((_, index) => index);
  const place = findPlace(columns, firstRows(table.rows(all)));
  const isExport = isServiceExport(columns);
  if (place === null && !isExport) {
    throw new EngineError(
      'import_refused',
      `${filePath}: expected GeoJSON, or a table with a column of shapes (wkt, geometry) or of coordinates (latitude, longitude), found a file that begins with ${JSON.stringify(columns.join(',').slice(0, 60))}. A table without shapes is joined to parcels (--join), or its rows are imported as parcels without shapes (--without-shapes).`,
    );
  }
  const names = propertyNames(columns, place);
  const system = (): ReferenceSystem =>
    crs === undefined ? { ...wgs84, name: 'WGS 84 (assumed: the file names none)' } : systemOfText(crs, filePath);
  return {
    name: path.basename(filePath, path.extname(filePath)),
    format: 'csv',
    columns: names.filter((name) => name !== null).map((name) => ({ name, type: null })),
    rowCount: null,
    bounds: null,
    encoding: table.encoding?.() ?? 'UTF-8',
    system,
    *features() {
      const systemOfSrid = systemsOf(system(), filePath);
      for (const { row, values } of table.rows(all)) {
        const properties = propertiesOf(names, values);
        const geometry = place === null ? null : geometryAt(place, values, systemOfSrid);
        yield {
          geometry,
          properties: isExport ? asServiceRow(properties) : properties,
          position: { row, byteOffset: 0 },
        } satisfies ParcelFeature;
      }
    },
  };
}

function firstRows(rows: Iterable<TableRow>): TableRow['values'][] {
  const found: TableRow['values'][] = [];
  for (const { values } of rows) {
    found.push(values);
    if (found.length === rowsToLookAt) break;
  }
  return found;
}

/** All columns but that of the shape are properties, including coordinates. */
function propertyNames(columns: readonly string[], place: Place | null): (string | null)[] {
  return columns.map((name, index) =>
    place !== null && place.kind !== 'coordinates' && place.column === index ? null : name,
  );
}

/** Spreadsheets need a leading ' to keep a cell from being read as a formula: it is not part of the text. */
const formulaGuard = /^'(?=[=+\-@\t\r])/;

function propertiesOf(names: readonly (string | null)[], values: TableRow['values']): Record<string, string | null> {
  const properties: Record<string, string | null> = {};
  for (let index = 0; index < names.length; index++) {
    const name = names[index];
    if (name === null || name === undefined) continue;
    const value = values[index] ?? null;
    properties[name] = value !== null && value.charCodeAt(0) === 0x27 ? value.replace(formulaGuard, '') : value;
  }
  return properties;
}

/** Systems by the SRID in a row, each looked up once. */
function systemsOf(own: ReferenceSystem, filePath: string): (srid: number | null) => ReferenceSystem {
  const known = new Map<number, ReferenceSystem>();
  return (srid) => {
    if (srid === null || srid === 0) return own;
    const system = known.get(srid) ?? systemOfCode(srid, filePath);
    known.set(srid, system);
    return system;
  };
}
