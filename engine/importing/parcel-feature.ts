/** What the readers of parcel files give, one after the other, whatever the format. */
import type { JsonScanner } from './json-scanner.ts';

export interface FeaturePosition {
  /** Number of the feature in its file, from 1. */
  readonly row: number;
  readonly byteOffset: number;
}

export interface ParcelFeature {
  /** A GeoJSON geometry, not looked at yet; null when there is none. */
  readonly geometry: unknown;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly id?: string | number;
  readonly position: FeaturePosition;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const noProperties: Readonly<Record<string, unknown>> = {};

/** Takes the value that stands next, which must be a GeoJSON Feature. */
export function takeFeature(scanner: JsonScanner, row: number): ParcelFeature {
  if (scanner.peek() !== 0x7b) throw scanner.refusal(`expected feature ${row}, found ${scanner.shownNext()}`);
  const byteOffset = scanner.offset;
  const value = scanner.takeValue();
  if (!isObject(value) || value.type !== 'Feature') {
    const found = isObject(value) ? JSON.stringify(value.type) : 'no object';
    throw scanner.refusal(`expected an object of type "Feature" as feature ${row}, found ${found}`, byteOffset);
  }
  const { properties = null, geometry = null, id } = value;
  if (properties !== null && !isObject(properties)) {
    throw scanner.refusal(
      `expected an object as the properties of feature ${row}, found ${typeof properties}`,
      byteOffset,
    );
  }
  return {
    geometry,
    properties: properties ?? noProperties,
    ...(typeof id === 'string' || typeof id === 'number' ? { id } : {}),
    position: { row, byteOffset },
  };
}
