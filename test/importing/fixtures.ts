/** Files and homes for import tests. Every parcel is invented; the squares lie in a row east of one place. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { type ImportOptions, type ImportReport, importParcels } from '../../engine/importing/merge/import-parcels.ts';
import { type LandStore, openLandStore } from '../../engine/store/land-store.ts';

export function temporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-import-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function writeFile(name: string, content: string | Buffer, folder = temporaryFolder()): string {
  const filePath = path.join(folder, name);
  fs.writeFileSync(filePath, content);
  return filePath;
}

export function openLand(home = temporaryFolder()): LandStore {
  const land = openLandStore(home, () => performance.now());
  onTestFinished(() => land.close());
  return land;
}

export const clock = (): Date => new Date('2026-08-01T12:00:00.000Z');

/** A square of about 100 m, number `index` of the row. */
export const square = (index: number, size = 0.001) => {
  const west = -72 + index * 0.01;
  return {
    type: 'Polygon',
    coordinates: [
      [
        [west, 43],
        [west + size, 43],
        [west + size, 43 + size],
        [west, 43 + size],
        [west, 43],
      ],
    ],
  };
};

export interface Lot {
  geometry: unknown;
  properties: Record<string, unknown>;
}

export const lot = (apn: string | null, index: number, more: Record<string, unknown> = {}): Lot => ({
  geometry: square(index),
  properties: { apn, owner_name: `OWNER ${index}`, acres: 2.5, ...more },
});

export const collection = (lots: readonly Lot[], more: Record<string, unknown> = {}): string =>
  JSON.stringify({ type: 'FeatureCollection', ...more, features: lots.map((each) => ({ type: 'Feature', ...each })) });

/** Imports lots as a county's dataset of July 2026, though they lie in the county beside it. */
export function importLots(
  land: LandStore,
  lots: readonly Lot[],
  more: Partial<ImportOptions> = {},
): Promise<ImportReport> {
  return importParcels(land, {
    features: lots,
    fips: '33019',
    source: 'Test county',
    date: '2026-07-01',
    homeKind: 'real',
    anywhere: true,
    now: clock,
    ...more,
  });
}

/** property_id by APN and sequence, of current parcels. */
export const idsOf = (land: LandStore): Record<string, number> =>
  Object.fromEntries(
    land.file
      .all<{ key: string; property_id: number }>(
        `SELECT coalesce(apn, '') || '/' || owner_name AS key, property_id FROM parcels WHERE status = 'current' ORDER BY 1`,
      )
      .map(({ key, property_id }) => [key, property_id]),
  );

/** Everything that an import writes, to see that nothing did. */
export const wholeLand = (land: LandStore): unknown =>
  [
    'parcels',
    'parcel_registry',
    'datasets',
    'home_kind',
    'idx_parcels_geom',
    'geometry_columns_statistics',
    'geometry_columns_time',
  ]
    .map((table) => [table, land.file.all(`SELECT * FROM ${table} ORDER BY 1`)])
    .concat([
      ['schema', land.file.all("SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = 'parcels' ORDER BY 1, 2")],
    ]);

export const countOf = (land: LandStore, from: string): number =>
  land.file.get<{ n: number }>(`SELECT count(*) AS n FROM ${from}`)?.n ?? -1;
