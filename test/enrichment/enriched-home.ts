/** A home with imported parcels around the origin of laid-shapes.ts, and layer files to complete them from. */
import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { type Engine, openEngine } from '../../engine/engine.ts';
import type { MultiPolygon } from '../../engine/geo/geometry.ts';
import { multiPolygonToGeoJson } from '../../engine/geo/spatialite-blob.ts';
import { type GivenFeature, importParcels } from '../../engine/importing/merge/import-parcels.ts';
import { emptyHome } from '../support/homes.ts';

/** Mitchell County, Kansas: where the origin lies. No parcel of it is real here. */
export const testFips = '20123';

export const now = (): Date => new Date('2026-02-01T12:00:00.000Z');

export interface TestParcel {
  readonly apn: string;
  readonly shape: MultiPolygon;
  readonly [column: string]: unknown;
}

export const featureOf = ({ shape, ...properties }: TestParcel): GivenFeature => ({
  geometry: multiPolygonToGeoJson(shape),
  properties,
});

export async function importAgain(engine: Engine, parcels: readonly TestParcel[]): Promise<void> {
  await importParcels(engine.land, {
    features: parcels.map(featureOf),
    fips: testFips,
    source: 'test',
    date: '2026-01-31',
    homeKind: 'real',
    now,
  });
}

/** Closed when the test is over. */
export async function homeWith(parcels: readonly TestParcel[]): Promise<Engine> {
  const engine = openEngine({ home: emptyHome() });
  onTestFinished(() => engine.close());
  await importAgain(engine, parcels);
  return engine;
}

export interface LayerFeature {
  readonly polygons?: MultiPolygon;
  readonly lines?: readonly Float64Array[];
  readonly [property: string]: unknown;
}

const positions = (path: Float64Array): [number, number][] =>
  Array.from({ length: path.length / 2 }, (_, index) => [path[index * 2] ?? 0, path[index * 2 + 1] ?? 0]);

/** A GeoJSON file in `folder`. */
export function writeLayer(folder: string, name: string, features: readonly LayerFeature[]): string {
  const file = path.join(folder, name);
  const collection = {
    type: 'FeatureCollection',
    features: features.map(({ polygons, lines, ...properties }) => ({
      type: 'Feature',
      geometry: polygons
        ? multiPolygonToGeoJson(polygons)
        : { type: 'MultiLineString', coordinates: (lines ?? []).map(positions) },
      properties,
    })),
  };
  fs.writeFileSync(file, JSON.stringify(collection));
  return file;
}

/** Columns of all parcels by APN. */
export function columnsByApn(engine: Engine, ...columns: string[]): Record<string, unknown[]> {
  const rows = engine.land.file.all<Record<string, unknown>>(
    `SELECT apn, ${columns.join(', ')} FROM parcels WHERE status = 'current' ORDER BY apn`,
  );
  return Object.fromEntries(rows.map((row) => [String(row.apn), columns.map((name) => row[name])]));
}
