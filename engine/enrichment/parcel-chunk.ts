/** A chunk of parcels for the computation: stored bytes, which move to a worker without a copy. */
import type { MultiPolygon } from '../geo/geometry.ts';
import { decodeMultiPolygon } from '../geo/spatialite-blob.ts';

export interface ParcelChunk {
  /** Index of the first parcel in the county's list. */
  readonly start: number;
  /** All shapes, one after the other. */
  readonly shapes: Uint8Array<ArrayBuffer>;
  /** Offset of each parcel's shape, and the end as last entry; equal neighbors mean no shape. */
  readonly shapeStarts: Uint32Array<ArrayBuffer>;
  /** `[longitude, latitude]` of each parcel's point on surface; NaN: none. */
  readonly points: Float64Array<ArrayBuffer>;
  readonly mailingZips: readonly (string | null)[];
}

export interface ParcelRow {
  readonly geom: Uint8Array | null;
  readonly point_lon: number | null;
  readonly point_lat: number | null;
  readonly mailing_zip: string | null;
}

export function packChunk(start: number, rows: readonly ParcelRow[]): ParcelChunk {
  const shapeStarts = new Uint32Array(rows.length + 1);
  for (const [index, { geom }] of rows.entries()) {
    shapeStarts[index + 1] = (shapeStarts[index] as number) + (geom?.length ?? 0);
  }
  const shapes = new Uint8Array(shapeStarts[rows.length] as number);
  const points = new Float64Array(rows.length * 2);
  for (const [index, { geom, point_lon: longitude, point_lat: latitude }] of rows.entries()) {
    if (geom) shapes.set(geom, shapeStarts[index]);
    points[index * 2] = longitude ?? Number.NaN;
    points[index * 2 + 1] = latitude ?? Number.NaN;
  }
  return { start, shapes, shapeStarts, points, mailingZips: rows.map(({ mailing_zip: zip }) => zip) };
}

export const chunkLength = (chunk: ParcelChunk): number => chunk.shapeStarts.length - 1;

/** The shape of a parcel of the chunk; null if it has none. @throws Error with a sentence if the bytes are damaged */
export function shapeOf({ shapes, shapeStarts }: ParcelChunk, index: number): MultiPolygon | null {
  const [from, to] = [shapeStarts[index] as number, shapeStarts[index + 1] as number];
  return from === to ? null : decodeMultiPolygon(shapes.subarray(from, to));
}

export function pointOf({ points }: ParcelChunk, index: number): readonly [number, number] | null {
  const [x, y] = [points[index * 2] as number, points[index * 2 + 1] as number];
  return Number.isNaN(x) || Number.isNaN(y) ? null : [x, y];
}
