/** KML: points as waypoints; lines and gx:Track as tracks. Areas, pictures and linked files are counted, never fetched. */
import { platbookNamespace } from '../../spec/walk-marks.ts';
import { childOf, childText, leafTexts, type XmlElement, xmlEvents } from '../formats/xml/xml-elements.ts';
import type { XmlKind } from '../formats/xml/xml-scanner.ts';
import { extrasOf, type RawPlace, type WalkBuilder, type WalkPoint } from './walk.ts';

const kml: XmlKind = { name: 'KML', remedy: 'Export or download it again.', maxTokenMegabytes: 16 };
const containers = new Set(['kml', 'Document', 'Folder']);

/** Children of a Placemark that have a field here, or are only about its looks. */
const fields = new Set(
  'name description TimeStamp TimeSpan Point LineString LinearRing Polygon MultiGeometry Track MultiTrack Style StyleMap styleUrl visibility open Snippet'.split(
    ' ',
  ),
);

export const areasWords = 'areas (polygons), which are no walk';

export function readKml(filePath: string, builder: WalkBuilder): void {
  let isOwn = false;
  for (const event of xmlEvents(filePath, kml, containers)) {
    if (event.kind === 'item') takeItem(event.element, isOwn, builder);
    else if (event.kind === 'open' && event.name === 'kml')
      isOwn = event.attributes['xmlns:platbook'] === platbookNamespace;
  }
}

function takeItem(element: XmlElement, isOwn: boolean, builder: WalkBuilder): void {
  const { name } = element;
  if (name === 'NetworkLink') builder.leave('links to other files (NetworkLink), which are not followed');
  else if (name.endsWith('Overlay')) builder.leave('pictures');
  else if (name === 'Placemark') (isOwn ? addOwn : addPlacemark)(element, builder);
}

/** Shapes of a Placemark by kind, those of MultiGeometry one by one. */
function shapesOf(element: XmlElement): XmlElement[] {
  return element.children.flatMap((child) => {
    if (child.name === 'MultiGeometry' || child.name === 'MultiTrack') return shapesOf(child);
    return shapeNames.has(child.name) ? [child] : [];
  });
}

const shapeNames = new Set(['Point', 'LineString', 'Track', 'Polygon', 'LinearRing']);

function addPlacemark(element: XmlElement, builder: WalkBuilder): void {
  const shapes = shapesOf(element);
  builder.leave(areasWords, shapes.filter(({ name }) => name === 'Polygon' || name === 'LinearRing').length);
  if (shapes.length === 0) builder.leave('marks without a shape');
  const texts = {
    name: childText(element, 'name'),
    note: childText(element, 'description'),
    extras: extrasOf(placemarkExtras(element)),
  };
  const [time, symbol] = [timeOf(element), iconOf(element)];
  for (const shape of shapes.filter(({ name }) => name === 'Point'))
    for (const place of placesOf(shape)) builder.waypoint({ ...place, ...texts, time, symbol });
  const lines = shapes.filter(({ name }) => name === 'LineString' || name === 'Track');
  const segments = lines.map((line) => pointsOf(line.name === 'Track' ? trackPlaces(line) : placesOf(line), builder));
  if (lines.length > 0) builder.track(texts, segments);
}

/** What Platbook wrote: words for other apps, and the values themselves in ExtendedData. */
function addOwn(element: XmlElement, builder: WalkBuilder): void {
  const own = childOf(element, 'ExtendedData');
  const kind = own ? childText(own, 'kind') : '';
  if (!own || (kind !== 'waypoint' && kind !== 'track')) {
    builder.leave(kind === 'photo' ? 'places of photos, which come in with the photos' : 'parcels');
    return;
  }
  const name = childText(element, 'name');
  const [note, extras, symbol, accuracy] = ['note', 'extras', 'symbol', 'accuracy_meters'].map((one) =>
    childText(own, one),
  );
  const shapes = shapesOf(element);
  if (kind === 'track') builder.track({ name, note, extras }, ownSegments(childText(own, 'points'), shapes, builder));
  else
    for (const place of shapes.flatMap(placesOf))
      builder.waypoint({ ...place, name, note, extras, symbol, accuracy, time: timeOf(element) });
}

const timeOf = (element: XmlElement): string => {
  const [stamp, span] = [childOf(element, 'TimeStamp'), childOf(element, 'TimeSpan')];
  return (stamp && childText(stamp, 'when')) || (span && childText(span, 'begin')) || '';
};

/** The style's name (`#placemark-red` of Organic Maps, `#icon-1899-0288D1` of My Maps), else the address of its icon. */
function iconOf(element: XmlElement): string {
  const named = childText(element, 'styleUrl').replace(/^#/, '');
  const icon = ['Style', 'IconStyle', 'Icon'].reduce<XmlElement | undefined>(
    (above, name) => above && childOf(above, name),
    element,
  );
  return named || (icon ? childText(icon, 'href') : '');
}

function* placemarkExtras(element: XmlElement): Generator<readonly [string, string]> {
  for (const [label, text] of leafTexts(element, fields)) {
    if (text.trim() === '') continue;
    yield [label.replace(/^(?:Simple)?Data /, ''), text];
  }
}

const tuples = (text: string): string[] => (text === '' ? [] : text.replace(/\s*,\s*/g, ',').split(/\s+/));

function placesOf(shape: XmlElement): RawPlace[] {
  return tuples(childText(shape, 'coordinates')).map((tuple) => {
    const [longitude, latitude, elevation] = tuple.split(',');
    return { longitude, latitude, elevation };
  });
}

/** A gx:Track has all its times, then all its places; either may be fewer. */
function trackPlaces({ children }: XmlElement): RawPlace[] {
  const times = children.flatMap(({ name, text }) => (name === 'when' ? [text] : []));
  return children
    .filter(({ name }) => name === 'coord')
    .map(({ text }, index) => {
      const [longitude, latitude, elevation] = text.split(/\s+/);
      return { longitude, latitude, elevation, time: times[index] };
    });
}

const pointsOf = (places: readonly RawPlace[], builder: WalkBuilder): WalkPoint[] =>
  places.map((place) => builder.point(place)).filter((point) => point !== null);

/** @param text times and texts of all points, in their order: `[time, extras?]` each, in JSON */
function ownSegments(text: string, shapes: readonly XmlElement[], builder: WalkBuilder): WalkPoint[][] {
  const more = parsePoints(text);
  let at = 0;
  return shapes.map((shape) =>
    pointsOf(
      placesOf(shape).map((place) => {
        const [time, extras] = more[at++] ?? [];
        return { ...place, time, extras };
      }),
      builder,
    ),
  );
}

/** Empty for anything but what Platbook writes. */
function parsePoints(text: string): (string | undefined)[][] {
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value)) return [];
    return value.map((one) =>
      Array.isArray(one) ? one.map((item) => (typeof item === 'string' ? item : undefined)) : [],
    );
  } catch {
    return [];
  }
}
