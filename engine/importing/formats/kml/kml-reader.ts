/**
 * KML (OGC 12-007r2), Placemark after Placemark: name, description, the folders above, every value of ExtendedData, and the shape. The
 * GDAL that ships drops ExtendedData, where counties keep the APN. A KMZ is a zip with a KML in it.
 */
import path from 'node:path';
import { FlatGeometry } from '../../../geo/ring-geometry.ts';
import { EngineError } from '../../../spec/errors.ts';
import { systemOfText, wgs84 } from '../crs/reference-system.ts';
import type { ParcelFeature } from '../parcel-feature.ts';
import type { ParcelLayer, ReadOptions } from '../parcel-source.ts';
import { decodeXmlText, type XmlKind, XmlScanner } from '../xml/xml-scanner.ts';

/** A shape may be as long as one of GeoJSON. */
const kml: XmlKind = { name: 'KML', remedy: 'Export or download it again.', maxTokenMegabytes: 64 };
/** Limit of nested folders; deeper nesting is an attack, not a drawing. */
const maxDepth = 500;

export function openKml(filePath: string, { crs }: ReadOptions): ParcelLayer {
  expectPlacemark(filePath);
  // KML is always in degrees; who names another system knows better.
  const system = () => (crs === undefined ? wgs84 : systemOfText(crs, filePath));
  return {
    name: path.basename(filePath, path.extname(filePath)),
    format: 'kml',
    columns: null,
    rowCount: null,
    bounds: null,
    encoding: 'UTF-8',
    system,
    features: () => readPlacemarks(filePath, system().toWgs84),
  };
}

/** @throws EngineError import_refused for a KML that only points to other files or pictures */
function expectPlacemark(filePath: string): void {
  const xml = new XmlScanner(filePath, kml);
  let links = 0;
  try {
    for (let token = xml.next(); token !== 'end'; token = xml.next()) {
      xml.release();
      if (token === 'open' && xml.name === 'Placemark') return;
      if (token === 'open' && xml.name === 'NetworkLink') links++;
    }
  } finally {
    xml.close();
  }
  const linked = links === 0 ? '' : ` but ${links} links to other files (NetworkLink), which are not followed`;
  throw new EngineError('import_refused', `${filePath}: expected a KML with Placemarks, found none${linked}.`);
}

function* readPlacemarks(filePath: string, toWgs84: (places: Float64Array) => void): Generator<ParcelFeature> {
  const xml = new XmlScanner(filePath, kml);
  const reading = new KmlReading(xml, toWgs84);
  try {
    for (let token = xml.next(); token !== 'end'; token = xml.next()) {
      if (token === 'open') reading.open();
      const feature = token === 'close' || xml.isEmpty ? reading.close(token === 'open') : null;
      xml.release();
      if (feature) yield feature;
    }
    reading.expectEnd();
  } finally {
    xml.close();
  }
}

/** The state of a reading: the open elements, and the current Placemark. */
class KmlReading {
  readonly #xml: XmlScanner;
  readonly #toWgs84: (places: Float64Array) => void;
  readonly #open: string[] = [];
  /** Names of the folders that are open, null for those without. */
  readonly #folders: (string | null)[] = [];
  #row = 0;
  #placemark: Placemark | null = null;
  /** The name of the next value. */
  #key = '';

  constructor(xml: XmlScanner, toWgs84: (places: Float64Array) => void) {
    this.#xml = xml;
    this.#toWgs84 = toWgs84;
  }

  open(): void {
    const { name } = this.#xml;
    if (this.#open.length === maxDepth) throw this.#xml.refusal(`more than ${maxDepth} elements in one another`);
    this.#open.push(name);
    if (name === 'Folder') this.#folders.push(null);
    else if (name === 'Placemark') this.#placemark = new Placemark(this.#toWgs84, this.#xml.attribute('id'));
    else if (name === 'Data' || name === 'SimpleData') this.#key = this.#xml.attribute('name') ?? '';
    this.#placemark?.shape.open(name);
  }

  /** @param isEmpty the element that was opened closes itself */
  close(isEmpty: boolean): ParcelFeature | null {
    const { name } = this.#xml;
    const open = this.#open.pop();
    if (open !== name) throw this.#xml.refusal(`expected </${open ?? 'kml'}>, found </${name}>`);
    if (!isEmpty) this.#takeText(name, this.#open.at(-1) ?? '');
    this.#placemark?.shape.close(name);
    if (name === 'Folder') this.#folders.pop();
    if (name !== 'Placemark' || !this.#placemark) return null;
    const placemark = this.#placemark;
    this.#placemark = null;
    return placemark.feature(++this.#row, this.#folders);
  }

  expectEnd(): void {
    if (this.#open.length === 0) return;
    throw this.#xml.refusal(`the file ends before </${this.#open.at(-1)}>: it was cut off`);
  }

  #takeText(name: string, parent: string): void {
    const placemark = this.#placemark;
    const text = () => decodeXmlText(this.#xml.before).trim();
    if (!placemark) {
      if (name === 'name' && parent === 'Folder') this.#folders[this.#folders.length - 1] = text();
    } else if (name === 'coordinates') placemark.shape.coordinates(text(), parent, this.#open);
    else if (parent === 'Placemark' && ownTexts.has(name)) placemark.own.set(name, text());
    else if (name === 'SimpleData' || (name === 'value' && parent === 'Data')) placemark.values.set(this.#key, text());
    // Values of other schemas are in elements named after them.
    else if (parent === 'ExtendedData' && !containers.has(name)) placemark.values.set(name, text());
  }
}

const ownTexts = new Set(['name', 'description', 'address']);
const containers = new Set(['Data', 'SchemaData']);

class Placemark {
  readonly own = new Map<string, string>();
  readonly values = new Map<string, string>();
  readonly shape: Shape;
  readonly #id: string | null;

  constructor(toWgs84: (places: Float64Array) => void, id: string | null) {
    this.shape = new Shape(toWgs84);
    this.#id = id;
  }

  /** A value of ExtendedData overrides the Placemark's own of the same name. */
  feature(row: number, folders: readonly (string | null)[]): ParcelFeature {
    const named = folders.filter((folder) => folder !== null && folder !== '');
    const folder: [string, string][] = named.length === 0 ? [] : [['folder', named.join(' / ')]];
    const table = tableIn(this.own.get('description') ?? '');
    // Its values stand in the table, which would be kept twice.
    if (table.length > 0) this.own.delete('description');
    const properties = Object.fromEntries(
      [...folder, ...this.own, ...table, ...this.values].map(([key, text]) => [key, text === '' ? null : text]),
    );
    const id = this.#id === null ? {} : { id: this.#id };
    return { geometry: this.shape.geometry(), properties, ...id, position: { row, byteOffset: 0 } };
  }
}

/** Longer descriptions are not read: they are not the table of one lot. */
const maxTable = 64 * 1024;
const tableRow = /<tr[^<>]*>\s*<td[^<>]*>([^<>]*)<\/td>\s*<td[^<>]*>([^<>]*)<\/td>\s*<\/tr>/gi;

/** ArcGIS writes the columns of a layer as an HTML table into the description: rows of a name and a value. */
function tableIn(description: string): [string, string][] {
  if (description.length > maxTable) return [];
  const rows = Array.from(description.matchAll(tableRow), ([, name = '', value = '']): [string, string] => {
    const text = decodeXmlText(value).replaceAll('&nbsp;', ' ').trim();
    return [decodeXmlText(name).trim(), text === '<Null>' ? '' : text];
  });
  return rows.filter(([name]) => name !== '');
}

/** As in GeoJSON: a vertex takes a hundred times its bytes while it is read. */
const mostVertices = 1_000_000;

/** At least as many as there are pairs: each has a comma, or two with a height. */
function verticesIn(text: string): number {
  let commas = 0;
  for (let at = text.indexOf(','); at >= 0; at = text.indexOf(',', at + 1)) commas++;
  return Math.ceil(commas / 2);
}

const unknownShapes = new Set(['Model', 'Track', 'MultiTrack']);

/**
 * The shape of a Placemark. A MultiGeometry is its polygons, else its lines, else its point: drawings add a point for the
 * label to a lot.
 */
class Shape {
  readonly #toWgs84: (places: Float64Array) => void;
  readonly #polygons: Float64Array[][] = [];
  readonly #lines: Float64Array[] = [];
  #rings: Float64Array[] = [];
  #point: Float64Array | null = null;
  #problem: string | null = null;
  #unknown: string | null = null;
  #vertices = 0;

  constructor(toWgs84: (places: Float64Array) => void) {
    this.#toWgs84 = toWgs84;
  }

  open(name: string): void {
    if (name === 'Polygon') this.#rings = [];
    else if (unknownShapes.has(name)) this.#unknown = name;
  }

  close(name: string): void {
    if (name === 'Polygon') this.#polygons.push(this.#rings);
  }

  coordinates(text: string, parent: string, above: readonly string[]): void {
    const places = this.#parse(text);
    if (parent === 'Point') this.#point ??= places;
    else if (parent === 'LineString') this.#lines.push(places);
    else if (parent !== 'LinearRing') return;
    else if (!above.includes('Polygon')) this.#polygons.push([places]);
    else if (above.includes('innerBoundaryIs')) this.#rings.push(places);
    else this.#rings.unshift(places);
  }

  geometry(): FlatGeometry | null {
    if (this.#problem !== null) return FlatGeometry.ofProblem(this.#problem);
    if (this.#polygons.length > 0) return FlatGeometry.ofPolygons(this.#polygons);
    if (this.#lines.length > 0) return FlatGeometry.ofLines(this.#lines);
    const [longitude, latitude] = this.#point ?? [];
    if (longitude !== undefined && latitude !== undefined) return FlatGeometry.ofPoint(longitude, latitude);
    return this.#unknown === null
      ? null
      : FlatGeometry.ofProblem(`Expected a Polygon, LineString or Point, found a ${this.#unknown}.`);
  }

  /** `lon,lat[,height]`, parted by white space; some writers put a blank behind the comma. */
  #parse(text: string): Float64Array {
    this.#vertices += verticesIn(text);
    if (this.#vertices > mostVertices) {
      this.#problem ??= `Expected at most ${mostVertices} vertices, found more; simplify or split the shape.`;
      return new Float64Array(0);
    }
    const tuples = text === '' ? [] : text.replace(/\s*,\s*/g, ',').split(/\s+/);
    const places = new Float64Array(tuples.length * 2);
    for (const [index, tuple] of tuples.entries()) {
      const [longitude = '', latitude = ''] = tuple.split(',');
      places[index * 2] = longitude === '' ? Number.NaN : Number(longitude);
      places[index * 2 + 1] = latitude === '' ? Number.NaN : Number(latitude);
      const isPlace = Number.isFinite(places[index * 2]) && Number.isFinite(places[index * 2 + 1]);
      if (!isPlace) this.#problem ??= `Expected longitude,latitude, found ${JSON.stringify(tuple.slice(0, 40))}.`;
    }
    this.#toWgs84(places);
    return places;
  }
}
