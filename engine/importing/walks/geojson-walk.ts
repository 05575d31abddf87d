/**
 * GeoJSON: points as waypoints, lines as tracks. Times of a track's points are a fourth number of each position (CalTopo),
 * or a list in `coordTimes` or `coordinateProperties.times` (toGeoJSON).
 */

import { EngineError } from '../../spec/errors.ts';
import { readGeoJsonLines } from '../formats/geojson/geojson-lines-reader.ts';
import { readGeoJson } from '../formats/geojson/geojson-reader.ts';
import { areasWords } from './kml-walk.ts';
import { extrasOf, type RawPlace, type WalkBuilder, type WalkPoint } from './walk.ts';
import { type ColumnRole, roleOf } from './walk-columns.ts';

export function readGeoJsonWalk(filePath: string, form: 'geojson' | 'geojson-lines', builder: WalkBuilder): void {
  const refuseSystem = (name: string) => {
    throw new EngineError(
      'import_refused',
      `${filePath}: expected degrees (WGS84), found the reference system ${name}. Export it in EPSG:4326.`,
    );
  };
  const features = form === 'geojson' ? readGeoJson(filePath, refuseSystem) : readGeoJsonLines(filePath);
  for (const { geometry, properties, problem } of features) {
    if (problem === undefined) addFeature(geometry, properties, builder);
    else builder.leave('features that could not be read');
  }
}

type Properties = Readonly<Record<string, unknown>>;

interface Shapes {
  readonly points: unknown[];
  readonly lines: unknown[];
  areas: number;
}

function gather(geometry: unknown, into: Shapes, depth = 0): void {
  const { type, coordinates, geometries } = Object(geometry) as Record<string, unknown>;
  if (type === 'Point') into.points.push(coordinates);
  else if (type === 'MultiPoint') into.points.push(...listOf(coordinates));
  else if (type === 'LineString') into.lines.push(coordinates);
  else if (type === 'MultiLineString') for (const line of listOf(coordinates)) into.lines.push(line);
  else if (type === 'Polygon' || type === 'MultiPolygon') into.areas++;
  else if (type === 'GeometryCollection' && depth < 8)
    for (const one of listOf(geometries)) gather(one, into, depth + 1);
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function placeOf(position: unknown): RawPlace {
  const [longitude, latitude, elevation, time] = listOf(position);
  // CalTopo writes 0 where it knows no time.
  return { longitude, latitude, elevation, time: time === 0 ? null : time };
}

function addFeature(geometry: unknown, properties: Properties, builder: WalkBuilder): void {
  const shapes: Shapes = { points: [], lines: [], areas: 0 };
  gather(geometry, shapes);
  builder.leave(areasWords, shapes.areas);
  if (shapes.points.length + shapes.lines.length + shapes.areas === 0) builder.leave('marks without a shape');
  const { texts, extras, times } = textsOf(properties);
  for (const position of shapes.points) {
    const { elevation = texts.elevation, time: at, ...place } = placeOf(position);
    builder.waypoint({ ...place, ...texts, elevation: elevation ?? texts.elevation, time: at ?? texts.time, extras });
  }
  if (shapes.lines.length === 0) return;
  // A line has no symbol, time and elevation of its own: what stands there is kept as text.
  const { name, note, ...more } = texts;
  const moreTexts = [extras ?? '', extrasOf(Object.entries(more)) ?? ''].filter((text) => text !== '').join('\n');
  const segments = shapes.lines.map((line, index) =>
    listOf(line)
      .map((position, at): WalkPoint | null => {
        const listed = shapes.lines.length > 1 || Array.isArray(times[0]) ? listOf(times[index])[at] : times[at];
        return builder.point({ ...placeOf(position), ...(listed === undefined ? {} : { time: listed }) });
      })
      .filter((point) => point !== null),
  );
  builder.track({ name, note, extras: moreTexts }, segments);
}

interface FeatureTexts {
  readonly texts: Partial<Record<ColumnRole, unknown>>;
  readonly extras: string | null;
  /** The times of the points of a line. */
  readonly times: readonly unknown[];
}

/** The first property of a role fills it; later ones are kept as text. */
function textsOf(properties: Properties): FeatureTexts {
  const texts: Partial<Record<ColumnRole, unknown>> = {};
  const extras: [string, unknown][] = [];
  let times: readonly unknown[] = [];
  for (const [name, value] of Object.entries(properties)) {
    const role = roleOf(name);
    const nested = name === 'coordinateProperties' ? listOf((Object(value) as Properties).times) : [];
    if (name === 'coordTimes' || nested.length > 0) times = nested.length > 0 ? nested : listOf(value);
    else if (role && role in marks && texts[role] === undefined && isText(value)) texts[role] = value;
    else extras.push([name, value]);
  }
  return { texts, extras: extrasOf(extras), times };
}

const isText = (value: unknown): boolean =>
  (typeof value === 'string' && value.trim() !== '') || typeof value === 'number';

/** A feature's place is its shape. */
const marks: Partial<Record<ColumnRole, true>> = {
  name: true,
  note: true,
  time: true,
  elevation: true,
  symbol: true,
  accuracy: true,
};
