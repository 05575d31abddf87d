/** Reads a layer's file into the temporary table, with turns of the event loop in between. */
import { readingOf } from '../importing/formats/parcel-source.ts';
import type { LandStore } from '../store/land-store.ts';
import { breathe } from './compute-county.ts';
import { countyExtent } from './county-parcels.ts';
import { type EnrichOptions, progressOf } from './enrich-options.ts';
import { layerKinds } from './layer-kinds.ts';
import type { LayerPlan, StagedFeatures } from './layer-rows.ts';
import { type KeptFeature, type ReadLayer, readLayer } from './read-layer.ts';

/** Features between two turns of the event loop. */
const featuresPerTurn = 2000;

export async function stageLayer(
  land: LandStore,
  { kind, fips, settings }: LayerPlan,
  options: EnrichOptions,
  staged: StagedFeatures,
): Promise<ReadLayer> {
  const onRows = progressOf(options, 'reading layer', null);
  let waiting: KeptFeature[] = [];
  const reading = readLayer({
    kind,
    file: options.file,
    options: readingOf(options),
    settings,
    extent: countyExtent(land, fips),
    mayBeEmpty: options.coverage === 'county' && layerKinds[kind].needsCoverage,
    keep: (feature) => waiting.push(feature),
  });
  for (let next = reading.next(); ; next = reading.next()) {
    if (!next.done && next.value % featuresPerTurn !== 0) continue;
    staged.add(waiting);
    waiting = [];
    if (next.done) return next.value;
    onRows(next.value);
    await breathe();
  }
}
