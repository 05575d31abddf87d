/**
 * Enriches a county again from the layers stored in the land file, after an import, so that new and changed parcels are
 * complete. Rasters are not stored: they are read again if the same file is still in its place.
 */
import { layerShapes } from '../spec/layer-files.ts';
import { waitingByLayer } from '../store/computed-values.ts';
import type { LandStore } from '../store/land-store.ts';
import { countyParcels } from './county-parcels.ts';
import { alone, computeFindings } from './enrich.ts';
import type { EnrichReport, RunOptions } from './enrich-options.ts';
import { rasterAgain } from './enrich-raster.ts';
import { layersOf, type StoredLayer } from './layer-rows.ts';
import { keepGround } from './store-ground.ts';
import { storeLayer } from './store-layer.ts';
import { packStoredLayer } from './stored-layer.ts';
import { listWaiting, type Waiting } from './waiting.ts';

interface EnrichAgainReport {
  readonly reports: readonly EnrichReport[];
  /** Layers whose file the user must give again. */
  readonly left_out: readonly Waiting[];
}

/** Each layer has its own transaction: cancelling one keeps those before it. */
export function enrichAgain(land: LandStore, fips: string, options: RunOptions): Promise<EnrichAgainReport> {
  return alone(land, async () => {
    const reports: EnrichReport[] = [];
    // A new parcel may landlock its neighbors, so layers of features are computed for all parcels; rasters only for new ones.
    const waiting = new Set(waitingByLayer(land.file, fips).map(({ layer_id: id }) => id));
    for (const layer of layersOf(land.file, fips)) {
      if (layerShapes[layer.kind] !== 'raster') reports.push(await computeAgain(land, layer, options));
      else if (waiting.has(layer.layer_id)) reports.push(...(await rasterAgain(land, layer, options)));
    }
    await keepGround(land, fips, options);
    return { reports, left_out: listWaiting(land, fips) };
  });
}

async function computeAgain(land: LandStore, layer: StoredLayer, options: RunOptions): Promise<EnrichReport> {
  const started = options.now();
  const parcels = countyParcels(land, layer.fips);
  const context = packStoredLayer(land.file, layer);
  const { findings, threads } = await computeFindings(land, context, parcels, options);
  const { fips, kind, title, coverage, source_name: source, source_date: date } = layer;
  return storeLayer(
    land,
    { layer, features: null, isAgain: true, parcels, findings, run: null },
    { kind, title, fips, source, date, reading: null, coverage, parcels: parcels.ids.length, notes: [], threads },
    { options, started },
  );
}
