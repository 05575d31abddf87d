/** A fixture home with values that are hard to take along, exported. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { type ExportWish, openExportSource } from '../../engine/exporting/export-source.ts';
import { exportFormat, writeExport } from '../../engine/exporting/index.ts';
import { planeOfCode } from '../../engine/importing/formats/crs/reference-system.ts';
import { fixtureCount, openFixtureHome } from '../support/fixture-home.ts';

export const madeAt = new Date('2026-11-20T12:34:56.000Z');
export const allIds = Array.from({ length: fixtureCount }, (_, i) => i + 1);

/** An APN that looks like a date, one that looks like a number with zeros in front, a formula, and letters of Europe. */
export const hardTexts: Readonly<Record<number, Readonly<Record<string, string | number | null>>>> = {
  1: { apn: '3-12', owner_name: '+1 "QUOTED", & <TAG>' },
  2: { apn: '000120', owner_name: 'MUÑOZ JOSÉ' },
  3: { apn: '1E5', owner_name: "'=ALREADY MARKED" },
  4: { apn: '-7', owner_name: '_x0041_ ŁÓDŹ', last_sale_date: '1899-05-01' },
  5: { legal_description: 'L'.repeat(300), market_total_value: 3_000_000_000, wetlands_percent: 0.1 },
};

export function fixtureEngine(): Engine {
  const home = openFixtureHome({ keepsIndexes: false });
  onTestFinished(() => home.close());
  for (const [id, values] of Object.entries(hardTexts)) {
    for (const [column, value] of Object.entries(values)) {
      home.engine.land.file.run(`UPDATE parcels SET "${column}" = ? WHERE property_id = ?`, value, Number(id));
    }
  }
  return home.engine;
}

export function scratchFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-export-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Exported {
  readonly file: string;
  readonly notes: readonly string[];
}

export async function exported(engine: Engine, format: string, wish: Partial<ExportWish> = {}): Promise<Exported> {
  const source = openExportSource(engine.home, {
    ...{ title: 'Alder lots', ids: allIds, now: madeAt, plane: planeOfCode(26_914) },
    ...wish,
  });
  const file = path.join(scratchFolder(), `lots.${exportFormat(format).ending}`);
  try {
    return { file, notes: await writeExport(source, exportFormat(format), file) };
  } finally {
    source.close();
  }
}

export interface OgrFeature {
  readonly properties: Record<string, unknown>;
  readonly geometry: { readonly type: string; readonly coordinates: unknown } | null;
}

/** Every feature of a layer as GDAL reads it. */
export function ogrFeatures(file: string, layer: string): OgrFeature[] {
  const text = execFileSync(
    'ogr2ogr',
    ['-f', 'GeoJSON', '-lco', 'COORDINATE_PRECISION=15', '-lco', 'WRITE_NAME=NO', '/vsistdout/', file, layer],
    { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  return (JSON.parse(text) as { features: OgrFeature[] }).features;
}

export const ogrSummary = (file: string, layer: string): string =>
  execFileSync('ogrinfo', ['-so', file, layer], { encoding: 'utf8' });

/** The stored rings of a parcel, each turned so that only the points matter. */
export function pointsOf(geometry: OgrFeature['geometry']): string[] {
  const points: string[] = [];
  const walk = (value: unknown): void => {
    if (!Array.isArray(value)) return;
    if (typeof value[0] === 'number')
      points.push(`${(value[0] as number).toFixed(12)} ${(value[1] as number).toFixed(12)}`);
    else for (const each of value) walk(each);
  };
  walk(geometry?.coordinates);
  return [...new Set(points)].sort();
}
