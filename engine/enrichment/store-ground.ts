/**
 * Keeps the heights of a county's rasters for the map's contours and relief. Call it after every change of the layer or of
 * the parcels: it reads only rasters that are new, read otherwise, or cover more of the county than before.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Bounds } from '../geo/geometry.ts';
import { EngineError } from '../spec/errors.ts';
import type { LandStore } from '../store/land-store.ts';
import { removeTerrain } from '../store/terrain-store.ts';
import { keepHeights, keptContents } from '../terrain/store-heights.ts';
import { ElevationRaster } from './elevation-raster.ts';
import { progressOf, type RunOptions } from './enrich-options.ts';
import { type LayerRaster, rastersOf } from './layer-rasters.ts';
import { findLayer } from './layer-rows.ts';
import type { ReadableRaster } from './slope.ts';
import { isStanding, isUnchanged } from './stored-raster.ts';

/** Degrees around a county's parcels, so that contours reach the county line; and the steps in which it grows. */
const margin = 0.02;
const step = 0.05;

const boxSql = `SELECT min(i.xmin) AS minX, min(i.ymin) AS minY, max(i.xmax) AS maxX, max(i.ymax) AS maxY
  FROM parcels p JOIN idx_parcels_geom i ON i.pkid = p.property_id WHERE p.fips = ? AND p.status = 'current'`;

export async function keepGround(land: LandStore, fips: string, options: RunOptions): Promise<void> {
  const home = path.dirname(land.file.path);
  try {
    await keepRasters(land, home, fips, options);
  } catch (error) {
    if (!(error instanceof EngineError) || !unreadable.has(error.code)) throw error;
    // The file is derived: a damaged or foreign one is made again.
    removeTerrain(home);
    await keepRasters(land, home, fips, options);
  }
}

const unreadable: ReadonlySet<string> = new Set([
  'file_empty',
  'file_not_sqlite',
  'file_foreign',
  'file_from_future',
  'file_damaged',
  'file_suspicious',
]);

async function keepRasters(land: LandStore, home: string, fips: string, options: RunOptions): Promise<void> {
  const layer = findLayer(land.file, fips, 'slope');
  const box = layer && boxOf(land, fips);
  if (!layer || !box) return;
  const kept = new Set(keptContents(home, fips));
  const standing = rastersOf(land.file, layer).filter(isReadable);
  for (const raster of standing) {
    const attribution = `${raster.source}, ${raster.date}`;
    const content = contentOf(raster, [attribution, box]);
    if (kept.has(content) || !(await isUnchanged(raster.file))) continue;
    const open = await ElevationRaster.open(raster.file.path, raster.settings);
    try {
      await keepHeights(home, open, {
        ...{ fips, box, content, attribution },
        onTile: progressOf(options, 'keeping heights', null),
      });
    } finally {
      await open.close();
    }
  }
}

const isReadable = (raster: LayerRaster): raster is ReadableRaster => raster.file !== null && isStanding(raster.file);

function boxOf({ file }: LandStore, fips: string): Bounds | null {
  const box = file.get<Record<keyof Bounds, number | null>>(boxSql, fips);
  if (!box || box.minX === null || box.minY === null || box.maxX === null || box.maxY === null) return null;
  const least = (degrees: number) => Math.floor((degrees - margin) / step) * step;
  const most = (degrees: number) => Math.ceil((degrees + margin) / step) * step;
  return { minX: least(box.minX), minY: least(box.minY), maxX: most(box.maxX), maxY: most(box.maxY) };
}

/** The file, then how and how much of it is read, and its words. */
function contentOf({ file, settings }: ReadableRaster, rest: readonly unknown[]): string {
  const reading = JSON.stringify([settings.elevationUnit, settings.rasterSystem, ...rest]);
  return `${file.sha256.slice(0, 16)}-${createHash('sha256').update(reading).digest('hex').slice(0, 16)}`;
}
