/** The output of every parcel reader: one feature after the other. */
import { shown } from '../../spec/validate.ts';
import { esriGeometry } from './geojson/esri-json.ts';
import type { JsonScanner } from './geojson/json-scanner.ts';

export interface FeaturePosition {
  /** Number of the feature in its file, from 1. */
  readonly row: number;
  readonly byteOffset: number;
}

export interface ParcelFeature {
  /** A GeoJSON geometry, not yet checked, or a `FlatGeometry`; null if there is none. */
  readonly geometry: unknown;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly id?: string | number;
  readonly position: FeaturePosition;
  /** Why it cannot be read, though reading continues after it; `properties` are then empty. */
  readonly problem?: string;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** An object that gets one name after the other takes longer to make than a copy of this one, which has them all. */
export const blankProperties = (names: readonly string[]): Record<string, unknown> =>
  JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:null`).join()}}`) as Record<string, unknown>;

const noProperties: Readonly<Record<string, unknown>> = {};

const isInexact = (value: unknown): boolean => typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;

/** Whether a property or the id is a number with more digits than JavaScript keeps: an APN like 120001510000000001. */
function holdsInexactNumber(feature: unknown): boolean {
  if (!isObject(feature)) return false;
  const { attributes, properties = attributes, id } = feature;
  if (isInexact(id)) return true;
  for (const name in Object(properties)) {
    if (isInexact((properties as Record<string, unknown>)[name])) return true;
  }
  return false;
}

/** Takes the next value, which must be a Feature of GeoJSON or of ArcGIS. */
export function takeFeature(scanner: JsonScanner, row: number): ParcelFeature {
  if (scanner.peek() !== 0x7b) throw scanner.refusal(`expected feature ${row}, found ${scanner.shownNext()}`);
  const byteOffset = scanner.offset;
  const value = scanner.takeValue(holdsInexactNumber);
  if (isObject(value) && isObject(value.attributes) && value.type === undefined)
    return esriFeature(value.attributes, value.geometry, { row, byteOffset });
  if (!isObject(value) || value.type !== 'Feature') {
    const found = isObject(value) ? JSON.stringify(value.type) : 'no object';
    throw scanner.refusal(`expected an object of type "Feature" as feature ${row}, found ${found}`, byteOffset);
  }
  const { properties = null, geometry = null, id } = value;
  return {
    geometry,
    properties: isObject(properties) ? properties : noProperties,
    ...(typeof id === 'string' || typeof id === 'number' ? { id } : {}),
    position: { row, byteOffset },
    ...(properties === null || isObject(properties)
      ? {}
      : { problem: `Expected an object as the properties of the feature, found ${shown(properties)}.` }),
  };
}

function esriFeature(properties: Record<string, unknown>, given: unknown, position: FeaturePosition): ParcelFeature {
  const geometry = esriGeometry(given);
  const problem =
    'Expected rings, paths or points of ArcGIS, found curves or another shape: ask the server for GeoJSON.';
  return { geometry: geometry ?? null, properties, position, ...(geometry === undefined && { problem }) };
}
