/** Writes KML 2.2 for phones and Google Earth: one placemark per parcel, its columns as typed data. */
import type { MultiPolygon, Ring } from '../geo/geometry.ts';
import type { ExportColumn, ValueKind } from './export-columns.ts';
import { type ExportRow, type ExportSource, headingOf } from './export-source.ts';
import { withFile } from './file-sink.ts';
import { xmlText } from './xml-text.ts';

/** KML's own types: it has no date, and `int` holds 32 bits. */
const types: Record<ValueKind, string> = {
  text: 'string',
  integer: 'double',
  number: 'double',
  date: 'string',
  boolean: 'bool',
};

const schemaField = (column: ExportColumn): string =>
  `<SimpleField type="${types[column.kind]}" name="${column.name}"><displayName>${xmlText(headingOf(column))}</displayName></SimpleField>\n`;

function ringText(ring: Ring, tag: string): string {
  const positions: string[] = [];
  for (let at = 0; at < ring.length; at += 2) positions.push(`${ring[at]},${ring[at + 1]}`);
  return `<${tag}><LinearRing><coordinates>${positions.join(' ')}</coordinates></LinearRing></${tag}>`;
}

const polygonText = (rings: readonly Ring[]): string =>
  `<Polygon>${rings.map((ring, i) => ringText(ring, i === 0 ? 'outerBoundaryIs' : 'innerBoundaryIs')).join('')}</Polygon>`;

function geometryText(shape: MultiPolygon | null, point: ExportRow['point']): string {
  if (shape) return `<MultiGeometry>${shape.map(polygonText).join('')}</MultiGeometry>`;
  return point ? `<Point><coordinates>${point.join(',')}</coordinates></Point>` : '';
}

/** Booleans as 1 and 0, which XML Schema allows and both Google Earth and GDAL read. */
const dataText = (value: string | number | boolean): string =>
  typeof value === 'boolean' ? String(Number(value)) : String(value);

function placemark(columns: readonly ExportColumn[], { name, values, shape, point }: ExportRow): string {
  const data = columns.flatMap((column, i) => {
    const value = values[i];
    return value === null || value === undefined
      ? []
      : [`<SimpleData name="${column.name}">${xmlText(dataText(value))}</SimpleData>`];
  });
  return `<Placemark><name>${xmlText(name)}</name><styleUrl>#parcel</styleUrl><ExtendedData><SchemaData schemaUrl="#parcels">${data.join('')}</SchemaData></ExtendedData>${geometryText(shape, point)}</Placemark>\n`;
}

/** Outlines only: a fill would hide the land. */
const style =
  '<Style id="parcel"><LineStyle><color>ff00a5ff</color><width>2</width></LineStyle><PolyStyle><fill>0</fill></PolyStyle></Style>\n';

export const writeKml = (source: ExportSource, filePath: string): Promise<string[]> =>
  withFile(filePath, async (sink) => {
    sink.put(
      `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>${xmlText(source.title)}</name>\n<description>Boundaries are approximate, not a survey.</description>\n${style}<Schema name="parcels" id="parcels">\n${source.columns.map(schemaField).join('')}</Schema>\n`,
    );
    for await (const rows of source.batches()) {
      for (const row of rows) sink.put(placemark(source.columns, row));
      await sink.flush();
    }
    sink.put('</Document></kml>\n');
    return [];
  });
