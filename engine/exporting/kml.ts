/**
 * Writes KML 2.2 for phones and Google Earth: one placemark per parcel, its columns as typed data; waypoints, photos and
 * tracks of the field in folders of their own.
 */
import type { MultiPolygon, Ring } from '../geo/geometry.ts';
import type { FileMarks } from '../query/field-marks.ts';
import { notASurvey } from '../spec/not-a-survey.ts';
import type { ExportColumn, ValueKind } from './export-columns.ts';
import { type ExportRow, type ExportSource, headingOf } from './export-source.ts';
import { withFile } from './file-sink.ts';
import {
  marksLeftOut,
  ownElements,
  ownNamespace,
  photoWords,
  placedPhotos,
  walkedTracks,
  waypointWords,
} from './mark-words.ts';
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

interface Mark {
  readonly name: string;
  readonly words: string;
  readonly time: string | null;
  /** XML, as is the geometry. */
  readonly style?: string;
  readonly geometry: string;
  readonly own: Parameters<typeof ownElements>[0];
}

/** Custom data without a schema: Google Earth keeps it and does not show it. */
const mark = ({ name, words, time, style = '', geometry, own }: Mark): string =>
  `<Placemark><name>${xmlText(name)}</name>${words === '' ? '' : `<description>${xmlText(words)}</description>`}${time === null ? '' : `<TimeStamp><when>${time}</when></TimeStamp>`}${style}<ExtendedData>${ownElements(own)}</ExtendedData>${geometry}</Placemark>\n`;

interface Position {
  readonly longitude: number;
  readonly latitude: number;
  readonly elevation_m?: number | null;
}

const position = ({ longitude, latitude, elevation_m: meters }: Position): string =>
  `${longitude},${latitude}${meters == null ? '' : `,${meters}`}`;

const pointText = (place: Position): string => `<Point><coordinates>${position(place)}</coordinates></Point>`;

const folder = (name: string, placemarks: readonly string[]): string =>
  placemarks.length === 0 ? '' : `<Folder><name>${name}</name>\n${placemarks.join('')}</Folder>\n`;

const trackStyle = '<Style><LineStyle><color>ffff5500</color><width>3</width></LineStyle></Style>';

/** A line has two points at least. */
function lineText(points: Segment): string {
  const [first] = points;
  if (points.length === 1 && first) return pointText(first);
  return `<LineString><tessellate>1</tessellate><coordinates>${points.map(position).join(' ')}</coordinates></LineString>`;
}

type Track = FileMarks['tracks'][number];
type Segment = Track['segments'][number];

function trackText({ name, note, extras, segments }: Track): string {
  const [only] = segments;
  const geometry = segments.length === 1 && only ? lineText(only) : multi(segments.map(lineText));
  const points = JSON.stringify(segments.flat().map(({ at, extras: own }) => (own === null ? [at] : [at, own])));
  const own = { kind: 'track', note, extras, points };
  const time = segments[0]?.[0]?.at ?? null;
  return mark({ name, words: note ?? '', time, style: trackStyle, geometry, own });
}

const multi = (shapes: readonly string[]): string => `<MultiGeometry>${shapes.join('')}</MultiGeometry>`;

function marksText(marks: FileMarks): string {
  const waypoints = marks.waypoints.map((one) => {
    const { name, note, symbol, extras, accuracy_meters } = one;
    const own = { kind: 'waypoint', note, symbol, extras, accuracy_meters };
    return mark({ name, words: waypointWords(one), time: one.made_at, geometry: pointText(one), own });
  });
  const photos = placedPhotos(marks).map((one) =>
    mark({
      name: one.name,
      words: photoWords(one),
      time: one.taken_at,
      geometry: pointText(one),
      own: { kind: 'photo' },
    }),
  );
  const tracks = walkedTracks(marks).map(trackText);
  return `${folder('Waypoints', waypoints)}${folder('Photos', photos)}${folder('Tracks', tracks)}`;
}

export const writeKml = (source: ExportSource, filePath: string): Promise<string[]> =>
  withFile(filePath, async (sink) => {
    sink.put(
      `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2" ${ownNamespace}><Document><name>${xmlText(source.title)}</name>\n<description>${notASurvey}</description>\n${style}<Schema name="parcels" id="parcels">\n${source.columns.map(schemaField).join('')}</Schema>\n`,
    );
    for await (const rows of source.batches()) {
      for (const row of rows) sink.put(placemark(source.columns, row));
      await sink.flush();
    }
    if (source.marks) sink.put(marksText(source.marks));
    sink.put('</Document></kml>\n');
    return source.marks ? marksLeftOut(source.marks) : [];
  });
