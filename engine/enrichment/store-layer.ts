/** The one transaction of an enrichment: a layer with its features and all it computed, or nothing. */
import { indexCounty } from '../columns/keep-index.ts';
import { announceChange, dropTriggersAndIndexes } from '../importing/layer-upkeep.ts';
import type { LandStore } from '../store/land-store.ts';
import { type CountyParcels, expectUnchanged } from './county-parcels.ts';
import { type EnrichReport, progressOf, type RunOptions } from './enrich-options.ts';
import type { Finding } from './layer-kinds.ts';
import { deleteLayer, findLayer, insertLayer, type StagedFeatures, type StoredLayer } from './layer-rows.ts';
import { FindingStore } from './store-findings.ts';

export interface LayerToStore {
  readonly layer: Omit<StoredLayer, 'layer_id' | 'loaded_at'>;
  /** Null: the layer's rows stay, its values are computed anew (or, of a raster, there are none). */
  readonly features: StagedFeatures | null;
  /** The standing layer of the kind is the same, computed again. */
  readonly isAgain: boolean;
  readonly parcels: CountyParcels;
  /** One per parcel, in their order. */
  readonly findings: readonly Finding[];
}

/** @param report what is known before writing; completed here. @throws what progress or the signal throw */
export function storeLayer(
  land: LandStore,
  { layer, features, isAgain, parcels, findings }: LayerToStore,
  report: Omit<
    EnrichReport,
    'layer_id' | 'seconds' | 'complete_at' | 'computed' | 'written' | 'unknown' | 'published_kept'
  >,
  { options, started }: { readonly options: RunOptions; readonly started: Date },
): EnrichReport {
  const { file } = land;
  return file.transaction(() => {
    expectUnchanged(land, parcels);
    const onRows = progressOf(options, 'writing', parcels.ids.length);
    onRows(0);
    const at = options.now();
    const before = findLayer(file, layer.fips, layer.kind);
    const restore = dropTriggersAndIndexes(file, false);
    const store = new FindingStore(file, layer.kind, before?.layer_id ?? null);
    let layerId = before?.layer_id ?? 0;
    if (before && isAgain) {
      file.run('DELETE FROM computed_values WHERE layer_id = ?', layerId);
    } else {
      if (before) deleteLayer(file, before.layer_id);
      layerId = insertLayer(file, { ...layer, loaded_at: at.toISOString() }, '{}');
      features?.copyTo(layerId);
    }
    store.write(layerId, parcels, findings, at, onRows);
    restore();
    announceChange(file, parcels.ids[0] ?? null);
    indexCounty(file, layer.fips);
    const seconds = (options.now().getTime() - started.getTime()) / 1000;
    const whole: EnrichReport = {
      layer_id: layerId,
      ...report,
      ...store.counts,
      complete_at: at.toISOString(),
      seconds,
    };
    file.run('UPDATE layers SET report = ? WHERE layer_id = ?', JSON.stringify(whole), layerId);
    return whole;
  });
}
