/** GPX 1.0 and 1.1: waypoints, tracks with their segments, routes as tracks; texts of extensions are kept. */
import { platbookNamespace } from '../../spec/walk-marks.ts';
import { childOf, childText, leafTexts, type XmlElement, xmlEvents } from '../formats/xml/xml-elements.ts';
import type { XmlKind } from '../formats/xml/xml-scanner.ts';
import { extrasOf, type RawPlace, type WalkBuilder, type WalkPoint } from './walk.ts';

const gpx: XmlKind = { name: 'GPX', remedy: 'Export or copy it again.', maxTokenMegabytes: 1 };
const containers = new Set(['gpx', 'trk', 'trkseg', 'rte']);

/** Children of a mark that have a field here. */
const markFields = new Set(['name', 'desc', 'cmt', 'sym', 'ele', 'time']);
const pointFields = new Set(['ele', 'time']);

class OpenTrack {
  name = '';
  note = '';
  type = '';
  own: XmlElement | undefined;
  readonly extras: (readonly [string, string])[] = [];
  readonly segments: WalkPoint[][] = [];
}

/** Both texts where they differ: some apps fill one, some the other, some both with the same. */
const noteOf = (element: XmlElement): string => joined(childText(element, 'desc'), childText(element, 'cmt'));
const joined = (first: string, second: string): string =>
  first === '' || second === '' || first === second ? first || second : `${first}\n${second}`;

export function readGpx(filePath: string, builder: WalkBuilder): void {
  const reading = new GpxReading(builder);
  for (const event of xmlEvents(filePath, gpx, containers)) {
    if (event.kind === 'open') reading.open(event.name, event.attributes);
    else if (event.kind === 'close') reading.close(event.name);
    else reading.take(event.element, event.parent);
  }
}

const place = (element: XmlElement): RawPlace => ({
  longitude: element.attributes.lon,
  latitude: element.attributes.lat,
  time: childText(element, 'time'),
  elevation: childText(element, 'ele'),
});

const ownText = (own: XmlElement | undefined, name: string): string => (own ? childText(own, name) : '');

class GpxReading {
  readonly #builder: WalkBuilder;
  /** Platbook wrote it: values of its own stand in extensions, parcels beside the marks. */
  #isOwn = false;
  #track: OpenTrack | null = null;

  constructor(builder: WalkBuilder) {
    this.#builder = builder;
  }

  open(name: string, attributes: XmlElement['attributes']): void {
    if (name === 'gpx') this.#isOwn = attributes['xmlns:platbook'] === platbookNamespace;
    else if (name === 'trk' || name === 'rte') this.#track = new OpenTrack();
    if (name === 'trkseg' || name === 'rte') this.#track?.segments.push([]);
  }

  close(name: string): void {
    if (!this.#track || (name !== 'trk' && name !== 'rte')) return;
    const { name: called, note, extras, own, type, segments } = this.#track;
    this.#track = null;
    if (!this.#isOwn) this.#builder.track({ name: called, note, extras: extrasOf(extras) }, segments);
    else if (type === 'track') this.#builder.track({ name: called, note, extras: ownText(own, 'extras') }, segments);
    else this.#builder.leave('outlines of parcels');
  }

  take(element: XmlElement, parent: string): void {
    const { name } = element;
    if (name === 'wpt' && parent === 'gpx') this.#addWaypoint(element);
    else if (!this.#track) return;
    else if (name === 'trkpt' || name === 'rtept') this.#addPoint(this.#track, element);
    else this.#takeAbout(this.#track, element);
  }

  #addWaypoint(element: XmlElement): void {
    const mark = { ...place(element), name: childText(element, 'name'), symbol: childText(element, 'sym') };
    if (!this.#isOwn) {
      this.#builder.waypoint({ ...mark, note: noteOf(element), extras: extrasOf(leafTexts(element, markFields)) });
      return;
    }
    const own = childOf(element, 'extensions');
    const type = childText(element, 'type');
    if (type !== 'waypoint') {
      this.#builder.leave(type === 'photo' ? 'places of photos, which come in with the photos' : 'points of parcels');
      return;
    }
    const [note, extras, accuracy] = ['note', 'extras', 'accuracy_meters'].map((name) => ownText(own, name));
    this.#builder.waypoint({ ...mark, note, extras, accuracy });
  }

  #addPoint({ segments }: OpenTrack, element: XmlElement): void {
    const isRoute = element.name === 'rtept';
    if (isRoute && childText(element, 'name') !== '') this.#builder.leave('names of points of routes');
    const extras = this.#isOwn
      ? ownText(childOf(element, 'extensions'), 'extras')
      : extrasOf(leafTexts(element, isRoute ? markFields : pointFields));
    const point = this.#builder.point({ ...place(element), extras });
    // A point outside of any segment, as damaged files have it, still lies on the track.
    if (segments.length === 0) segments.push([]);
    if (point) segments.at(-1)?.push(point);
  }

  #takeAbout(track: OpenTrack, element: XmlElement): void {
    const { name, text } = element;
    if (name === 'name') track.name = text;
    else if (name === 'desc' || name === 'cmt') track.note = joined(track.note, text);
    else if (this.#isOwn && name === 'type') track.type = text;
    else if (this.#isOwn && name === 'extensions') track.own = element;
    else track.extras.push(...leafTexts({ ...element, children: [element] }, none));
  }
}

const none: ReadonlySet<string> = new Set();
