/** Removes a layer with its features and computed values. Values of the publisher stay. */
import path from 'node:path';
import { indexCounty } from '../columns/update-index.ts';
import { announceChange, dropTriggersAndIndexes } from '../importing/merge/layer-upkeep.ts';
import { EngineError } from '../spec/errors.ts';
import { isMapOnly } from '../spec/layer-titles.ts';
import { withdrawLayer } from '../store/computed-values.ts';
import type { LandStore } from '../store/land-store.ts';
import { dropHeights } from '../terrain/store-heights.ts';
import { deleteLayer, findLayerById } from './layer-rows.ts';

interface UnenrichReport {
  /** Parcels that lost a computed value. */
  readonly changed: number;
}

/** One transaction; the heights for the map follow it. @throws EngineError not_found */
export function unenrich({ file }: LandStore, layerId: number): UnenrichReport {
  const removed = file.transaction(() => {
    const layer = findLayerById(file, layerId);
    if (layer === null) throw new EngineError('not_found', `There is no layer ${layerId}.`);
    if (isMapOnly(layer.kind)) {
      deleteLayer(file, layerId);
      return { layer, changed: 0 };
    }
    const restore = dropTriggersAndIndexes(file, false);
    const changed = withdrawLayer(file, layerId);
    deleteLayer(file, layerId);
    restore();
    const any = file.get<{ id: number }>('SELECT property_id AS id FROM parcels WHERE fips = ? LIMIT 1', layer.fips);
    announceChange(file, any?.id ?? null);
    indexCounty(file, layer.fips);
    return { layer, changed };
  });
  if (removed.layer.kind === 'slope') dropHeights(path.dirname(file.path), removed.layer.fips);
  return { changed: removed.changed };
}
