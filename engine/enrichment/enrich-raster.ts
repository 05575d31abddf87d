/**
 * Computes elevations and slopes from the rasters of a county. A newer file has priority; parcels that it does not cover
 * keep earlier values. Only the paths of rasters are stored: they are read again while the files are in place.
 */

import { lookAtFile } from '../importing/formats/bytes/byte-window.ts';
import { readingOf } from '../importing/formats/parcel-source.ts';
import { EngineError } from '../spec/errors.ts';
import type { LandStore } from '../store/land-store.ts';
import { type CountyParcels, countyParcels } from './county-parcels.ts';
import type { Coverage } from './coverage.ts';
import { type EnrichOptions, type EnrichReport, progressOf, type RunOptions } from './enrich-options.ts';
import {
  type LayerRaster,
  type RasterRun,
  rastersOf,
  type StoodFinding,
  stillStands,
  stoodFindings,
  withRaster,
} from './layer-rasters.ts';
import { findLayer, type LayerPlan, reportOf, type StoredLayer } from './layer-rows.ts';
import { computeSlope, type ReadableRaster, type SlopeTask } from './slope.ts';
import { keepGround } from './store-ground.ts';
import { storeLayer } from './store-layer.ts';
import { isUnchanged, recordRaster } from './stored-raster.ts';

/** Adds a raster to those of the county. */
export async function enrichFromRaster(
  land: LandStore,
  plan: LayerPlan,
  options: EnrichOptions,
): Promise<EnrichReport> {
  if (Object.keys(readingOf(options)).length > 0) {
    throw new EngineError(
      'import_refused',
      `${options.file}: expected elevation without a layer or a coordinate system, found one named. A GeoTIFF is one layer and says its system itself: leave them out.`,
    );
  }
  const file = await recordRaster(lookAtFile(options.file).realPath);
  const layer = findLayer(land.file, plan.fips, 'slope');
  const { source_name: source, source_date: date, settings } = plan;
  const rasters = withRaster(layer ? rastersOf(land.file, layer) : [], { source, date, settings, file });
  const own = { ...(rasters.at(-1) as LayerRaster), file };
  const run: RasterRun = { rasters, read: new Set([own.number]), isAgain: false };
  const parcels = countyParcels(land, plan.fips);
  const stood = layer ? stoodFindings(land.file, layer.layer_id) : new Map<number, StoodFinding>();
  const standing = standingIn(parcels, stood, run);
  const task: SlopeTask = {
    rasters: [own],
    wanted: new Set(parcels.ids),
    across: async (parts) => {
      const wanted = new Set(parts.filter((id) => !standing.has(id) || stood.get(id)?.reason !== null));
      const earlier = wanted.size === 0 ? [] : await readable(rasters.slice(0, -1));
      return { wanted, rasters: [own, ...earlier] };
    },
  };
  const report = await computeAndStore(land, { plan, parcels, run, task }, options);
  await keepGround(land, plan.fips, options);
  return report;
}

/** Computes new and redrawn parcels. No reports if every raster is gone or changed. */
export async function rasterAgain(land: LandStore, layer: StoredLayer, options: RunOptions): Promise<EnrichReport[]> {
  const rasters = rastersOf(land.file, layer);
  const newestFirst = await readable(rasters);
  if (newestFirst.length === 0) return [];
  const run: RasterRun = { rasters, read: new Set(newestFirst.map(({ number }) => number)), isAgain: true };
  const parcels = countyParcels(land, layer.fips);
  const standing = standingIn(parcels, stoodFindings(land.file, layer.layer_id), run);
  const task: SlopeTask = {
    rasters: newestFirst,
    wanted: new Set(parcels.ids.filter((id) => !standing.has(id))),
    across: async (parts) => ({ wanted: new Set(parts), rasters: newestFirst }),
  };
  return [await computeAndStore(land, { plan: layer, parcels, run, task }, options)];
}

/** The rasters whose file is unchanged, newest first. */
async function readable(rasters: readonly LayerRaster[]): Promise<ReadableRaster[]> {
  const found: ReadableRaster[] = [];
  for (const raster of rasters.toReversed()) {
    if (raster.file !== null && (await isUnchanged(raster.file))) found.push({ ...raster, file: raster.file });
  }
  return found;
}

const standingIn = (
  { ids, hashes }: CountyParcels,
  stood: ReadonlyMap<number, StoodFinding>,
  run: RasterRun,
): ReadonlySet<number> => new Set(ids.filter((id, index) => stillStands(stood.get(id), hashes[index] ?? null, run)));

interface RasterWork {
  readonly plan: LayerPlan;
  readonly parcels: CountyParcels;
  readonly run: RasterRun;
  readonly task: SlopeTask;
}

async function computeAndStore(
  land: LandStore,
  { plan, parcels, run, task }: RasterWork,
  options: RunOptions,
): Promise<EnrichReport> {
  const started = options.now();
  const { findings, notes } = await computeSlope(
    land,
    parcels,
    task,
    progressOf(options, 'computing', parcels.ids.length),
  );
  const coverage: Coverage = { kind: 'features' };
  const { fips, kind, title, source_name, source_date, settings } = plan;
  const layer = { fips, kind, title, source_name, source_date, settings, coverage, feature_count: 0 };
  const raster = task.rasters[0]?.file;
  return storeLayer(
    land,
    { layer, features: null, isAgain: run.isAgain, parcels, findings, run },
    {
      ...{ ...reportOf(plan), reading: null, ...(raster ? { raster } : {}), coverage, parcels: parcels.ids.length },
      ...{ notes, threads: 1 },
    },
    { options, started },
  );
}
