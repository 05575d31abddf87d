/**
 * After an import: computes the county's parcels again from the layers that the land file keeps, so that new and changed
 * parcels are complete. Of a raster only its place is kept: it is read again while the very same file is there.
 */
import { layerShapes } from '../spec/layer-files.ts';
import { waitingByLayer } from '../store/computed-values.ts';
import type { LandStore } from '../store/land-store.ts';
import { countyParcels } from './county-parcels.ts';
import { alone, computeFindings } from './enrich.ts';
import type { EnrichReport, RunOptions } from './enrich-options.ts';
import { rasterAgain } from './enrich-raster.ts';
import { layersOf, type StoredLayer } from './layer-rows.ts';
import { storeLayer } from './store-layer.ts';
import { packStoredLayer } from './stored-layer.ts';
import { listWaiting, type Waiting } from './waiting.ts';

export interface EnrichAgainReport {
  readonly reports: readonly EnrichReport[];
  /** Layers that must be given again. */
  readonly left_out: readonly Waiting[];
}

/** Each layer in a transaction of its own: one that is cancelled leaves those before it done. */
export function enrichAgain(land: LandStore, fips: string, options: RunOptions): Promise<EnrichAgainReport> {
  return alone(land, async () => {
    const reports: EnrichReport[] = [];
    // Neighbours of a new parcel may be landlocked by it: layers of features are computed for all. A raster is not.
    const waiting = new Set(waitingByLayer(land.file, fips).map(({ layer_id: id }) => id));
    for (const layer of layersOf(land.file, fips)) {
      if (layerShapes[layer.kind] !== 'raster') reports.push(await computeAgain(land, layer, options));
      else if (waiting.has(layer.layer_id)) reports.push(...(await rasterAgain(land, layer, options)));
    }
    return { reports, left_out: listWaiting(land, fips) };
  });
}

async function computeAgain(land: LandStore, layer: StoredLayer, options: RunOptions): Promise<EnrichReport> {
  const started = options.now();
  const parcels = countyParcels(land, layer.fips);
  const context = packStoredLayer(land.file, layer);
  const { findings, threads } = await computeFindings(land, context, parcels, options);
  const { fips, kind, coverage, source_name: source, source_date: date } = layer;
  return storeLayer(
    land,
    { layer, features: null, isAgain: true, parcels, findings, run: null },
    { kind, fips, source, date, reading: null, coverage, parcels: parcels.ids.length, notes: [], threads },
    { options, started },
  );
}
