/** Writes a layer with its features and computed values in the one transaction of an enrichment. */
import { indexCounty } from '../columns/update-index.ts';
import { announceChange, dropTriggersAndIndexes } from '../importing/merge/layer-upkeep.ts';
import type { LandStore } from '../store/land-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { type CountyParcels, expectUnchanged } from './county-parcels.ts';
import { type EnrichReport, progressOf, type RunOptions } from './enrich-options.ts';
import type { Finding } from './layer-kinds.ts';
import { type LayerRaster, type RasterRun, readNumbers, sourceOf } from './layer-rasters.ts';
import {
  deleteLayer,
  findLayer,
  insertLayer,
  type StagedFeatures,
  type StoredLayer,
  updateLayer,
} from './layer-rows.ts';
import { FindingStore } from './store-findings.ts';

interface LayerToStore {
  readonly layer: Omit<StoredLayer, 'layer_id' | 'loaded_at'>;
  /** Null: the stored features stay and only values are computed again, or the layer is a raster. */
  readonly features: StagedFeatures | null;
  /** Whether the stored layer is computed again, instead of being replaced. */
  readonly isAgain: boolean;
  readonly parcels: CountyParcels;
  /** One per parcel, in their order. */
  readonly findings: readonly Finding[];
  /** For rasters: which ones, and what happens to stored values; null: all values are written. */
  readonly run: RasterRun | null;
}

/** @param report completed here. @throws the error of progress or the signal */
export function storeLayer(
  land: LandStore,
  toStore: LayerToStore,
  report: Omit<
    EnrichReport,
    'layer_id' | 'seconds' | 'complete_at' | 'computed' | 'written' | 'unknown' | 'published_kept'
  >,
  { options, started }: { readonly options: RunOptions; readonly started: Date },
): EnrichReport {
  const { file } = land;
  const { layer, parcels, findings, run } = toStore;
  const stored = file.transaction(() => {
    expectUnchanged(land, parcels);
    const onRows = progressOf(options, 'writing', parcels.ids.length);
    onRows(0);
    const at = options.now();
    const before = findLayer(file, layer.fips, layer.kind);
    const restore = dropTriggersAndIndexes(file, false);
    const store = new FindingStore(file, layer.kind, before?.layer_id ?? null, run);
    const layerId = placeLayer(file, toStore, before, at);
    store.write(layerId, parcels, findings, at, onRows);
    restore();
    announceChange(file, parcels.ids[0] ?? null);
    indexCounty(file, layer.fips);
    const seconds = (options.now().getTime() - started.getTime()) / 1000;
    const whole: EnrichReport = {
      layer_id: layerId,
      ...report,
      ...store.counts,
      complete_at: store.hasWaiting ? '' : at.toISOString(),
      seconds,
      ...(run ? { rasters: nameRasters(file, layerId, run) } : {}),
    };
    file.run('UPDATE layers SET report = ? WHERE layer_id = ?', JSON.stringify(whole), layerId);
    options.onStoring?.(whole);
    return whole;
  });
  options.onStored?.(stored);
  return stored;
}

/** @returns the layer_id of a new layer, or of the stored one, updated */
function placeLayer(
  file: SqliteFile,
  { layer, features, isAgain, run }: LayerToStore,
  before: StoredLayer | null,
  at: Date,
): number {
  const loaded = { ...layer, loaded_at: at.toISOString() };
  if (before && run) {
    if (!isAgain) updateLayer(file, before.layer_id, loaded);
    return before.layer_id;
  }
  if (before && isAgain) {
    file.run('DELETE FROM computed_values WHERE layer_id = ?', before.layer_id);
    return before.layer_id;
  }
  if (before) deleteLayer(file, before.layer_id);
  const layerId = insertLayer(file, loaded, '{}');
  features?.copyTo(layerId);
  return layerId;
}

/** Names the layer after the rasters that parcels were computed from, else the last one; returns these rasters. */
function nameRasters(file: SqliteFile, layerId: number, { rasters }: RasterRun): readonly LayerRaster[] {
  const rested = file.column<string | null>(
    'SELECT DISTINCT rasters FROM computed_values WHERE layer_id = ? AND reason IS NULL',
    layerId,
  );
  const numbers = new Set(rested.flatMap(readNumbers));
  const used = rasters.filter(({ number }) => numbers.has(number));
  const kept = used.length > 0 ? used : rasters.slice(-1);
  const { source, date } = sourceOf(kept);
  file.run('UPDATE layers SET source_name = ?, source_date = ? WHERE layer_id = ?', source, date, layerId);
  return kept;
}
