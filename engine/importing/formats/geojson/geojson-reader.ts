/** GeoJSON (RFC 7946) FeatureCollections, and their like of ArcGIS, of any size: one feature in memory at a time. */

import { type ParcelFeature, takeFeature } from '../parcel-feature.ts';
import { esriSystem } from './esri-json.ts';
import { JsonScanner } from './json-scanner.ts';

/**
 * Every feature of a FeatureCollection, with unchanged coordinates; other members may precede or follow `features`.
 * @param onSystem called before the first feature with the name of a reference system other than WGS84
 * @param onPart called if the file says that it holds only part of its layer
 */
export function* readGeoJson(
  filePath: string,
  onSystem: (name: string) => unknown,
  onPart: () => void = () => {},
): Generator<ParcelFeature> {
  const scanner = new JsonScanner(filePath);
  try {
    scanner.expect('{');
    const names = new Set<string>();
    if (!scanner.take('}')) {
      do {
        const name = scanner.takeName();
        if (names.has(name)) throw scanner.refusal(`expected each member once, found ${JSON.stringify(name)} twice`);
        names.add(name);
        yield* readMember(scanner, name, { onSystem: names.has('features') ? null : onSystem, onPart });
      } while (scanner.take(','));
      scanner.expect('}');
    }
    if (scanner.peek() !== -1) throw scanner.refusal(`expected the end of the file, found ${scanner.shownNext()}`);
    const isNamed = names.has('type') || names.has('spatialReference') || names.has('geometryType');
    if (!isNamed || !names.has('features')) {
      throw scanner.refusal('expected a FeatureCollection with "type" and "features", found one of them missing');
    }
  } finally {
    scanner.close();
  }
}

/**
 * Where ArcGIS says that a query had too many results for one answer: beside the features, or among their properties.
 */
const partMembers = new Set(['exceededTransferLimit', 'properties']);

function saysPart(name: string, value: unknown): boolean {
  const said =
    name === 'properties' ? (Object(value) as { exceededTransferLimit?: unknown }).exceededTransferLimit : value;
  return said === true;
}

function* readMember(
  scanner: JsonScanner,
  name: string,
  { onSystem, onPart }: { onSystem: SystemListener; onPart: () => void },
): Generator<ParcelFeature> {
  if (name === 'features') yield* readFeatures(scanner);
  else if (name === 'type') expectCollection(scanner);
  else if (name === 'crs') readSystem(scanner, onSystem);
  else if (name === 'spatialReference') readEsriSystem(scanner, onSystem);
  else if (!partMembers.has(name)) scanner.skipValue();
  else if (saysPart(name, scanner.takeValue())) onPart();
}

function* readFeatures(scanner: JsonScanner): Generator<ParcelFeature> {
  scanner.expect('[');
  if (scanner.take(']')) return;
  let row = 0;
  do {
    row++;
    yield takeFeature(scanner, row);
  } while (scanner.take(','));
  scanner.expect(']');
}

function expectCollection(scanner: JsonScanner): void {
  scanner.peek();
  const at = scanner.offset;
  const type = scanner.takeValue();
  if (type === 'FeatureCollection') return;
  throw scanner.refusal(
    `expected a GeoJSON FeatureCollection, found an object of type ${JSON.stringify(type)?.slice(0, 40)}`,
    at,
  );
}

/** Null once the features are read. */
type SystemListener = ((name: string) => unknown) | null;

/** GeoJSON of 2008 could name another reference system; RFC 7946 allows only WGS84 longitude and latitude. */
function readSystem(scanner: JsonScanner, onSystem: SystemListener): void {
  scanner.peek();
  const at = scanner.offset;
  const crs = scanner.takeValue();
  if (crs === null) return;
  const { type, properties } = Object(crs) as { type?: unknown; properties?: unknown };
  const name = (Object(properties) as { name?: unknown }).name;
  const isName = type === 'name' && typeof name === 'string';
  tellSystem(scanner, { name: isName ? name : null, found: isName ? name : JSON.stringify(crs), at }, onSystem);
}

/** ArcGIS names the system of its coordinates, mostly a State Plane or Web Mercator, before the features. */
function readEsriSystem(scanner: JsonScanner, onSystem: SystemListener): void {
  scanner.peek();
  const at = scanner.offset;
  const value = scanner.takeValue();
  tellSystem(scanner, { name: esriSystem(value), found: JSON.stringify(value), at }, onSystem);
}

interface SaidSystem {
  readonly name: string | null;
  readonly found: string;
  readonly at: number;
}

function tellSystem(scanner: JsonScanner, { name, found, at }: SaidSystem, onSystem: SystemListener): void {
  if (name !== null && isWgs84(name)) return;
  if (name !== null && onSystem) {
    onSystem(name);
    return;
  }
  const where = onSystem ? 'found' : 'found after the features';
  throw scanner.refusal(
    `expected the name of a reference system before the features, ${where} ${JSON.stringify(found.slice(0, 80))}. Export the file in EPSG:4326`,
    at,
  );
}

/** `urn:ogc:def:crs:OGC:1.3:CRS84`, `EPSG:4326`, `http://www.opengis.net/def/crs/EPSG/0/4326`, … */
export function isWgs84(name: string): boolean {
  const parts = name.trim().toUpperCase().split(/[:/#]/);
  const code = parts.at(-1);
  if (code === 'CRS84') return true;
  if (code === '84') return parts.at(-2) === 'CRS';
  return code === '4326' && parts.some((part) => part === 'EPSG' || part === 'EPSG.XML');
}
