/**
 * After an import: computes the county's parcels again from the layers that the land file keeps, so that new and changed
 * parcels are complete. Nothing is read but the land file; a raster is not kept, so slopes need theirs again.
 */
import type { LandStore } from '../store/land-store.ts';
import { countyParcels } from './county-parcels.ts';
import { alone, computeFindings } from './enrich.ts';
import type { EnrichReport, RunOptions } from './enrich-options.ts';
import type { LayerKind } from './layer-kinds.ts';
import { layersOf } from './layer-rows.ts';
import { storeLayer } from './store-layer.ts';
import { packStoredLayer } from './stored-layer.ts';

export interface EnrichAgainReport {
  readonly reports: readonly EnrichReport[];
  /** Layers that must be given again. */
  readonly left_out: readonly LayerKind[];
}

/** Each layer in a transaction of its own: one that is cancelled leaves those before it done. */
export function enrichAgain(land: LandStore, fips: string, options: RunOptions): Promise<EnrichAgainReport> {
  return alone(land, async () => {
    const reports: EnrichReport[] = [];
    const layers = layersOf(land.file, fips);
    for (const layer of layers.filter(({ kind }) => kind !== 'slope')) {
      const started = options.now();
      const parcels = countyParcels(land, fips);
      const context = packStoredLayer(land.file, layer);
      const { findings, threads } = await computeFindings(land, context, parcels, options);
      const { kind, coverage, source_name: source, source_date: date } = layer;
      reports.push(
        storeLayer(
          land,
          { layer, features: null, isAgain: true, parcels, findings },
          { kind, fips, source, date, reading: null, coverage, parcels: parcels.ids.length, notes: [], threads },
          { options, started },
        ),
      );
    }
    return { reports, left_out: layers.filter(({ kind }) => kind === 'slope').map(({ kind }) => kind) };
  });
}
