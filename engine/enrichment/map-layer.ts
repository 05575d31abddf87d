/** Keeps a layer that is only drawn: parcels and their columns stay as they are. */
import path from 'node:path';
import { EngineError } from '../spec/errors.ts';
import { contentOf, contentWords } from '../spec/layer-likeness.ts';
import { isLayerLook, type LayerLook, layerLooks, layerTitle } from '../spec/layer-titles.ts';
import type { LandStore } from '../store/land-store.ts';
import { type EnrichOptions, type EnrichReport, progressOf } from './enrich-options.ts';
import { deleteLayer, findLayer, insertLayer, type LayerPlan, reportOf, StagedFeatures } from './layer-rows.ts';
import type { ReadLayer } from './read-layer.ts';
import { stageLayer } from './stage-layer.ts';

/** A layer of the same title in the county is replaced. @throws EngineError import_refused */
export async function keepMapLayer(land: LandStore, plan: LayerPlan, options: EnrichOptions): Promise<EnrichReport> {
  const started = options.now();
  const staged = new StagedFeatures(land.file);
  try {
    const read = await stageLayer(land, plan, options, staged);
    const { features_kept: kept, features_read: all } = read.reading;
    if (kept === 0) {
      throw new EngineError(
        'import_refused',
        `${options.file}: none of its ${all} features lies near the parcels of ${plan.fips}: is it of another county?`,
      );
    }
    const look = plan.settings.look ?? guessedLook(read, options);
    return store(land, { ...plan, settings: { ...plan.settings, look } }, read, { staged, options, started });
  } finally {
    staged.drop();
  }
}

function guessedLook({ columns, shapes, usualLayer }: ReadLayer, { file, layer }: EnrichOptions): LayerLook {
  const content = contentOf({ names: [path.basename(file), layer ?? usualLayer ?? ''], columns, shapes });
  if (content !== null && isLayerLook(content)) return content;
  const instead =
    content === null
      ? ''
      : ` It looks like ${contentWords(content)}: "enrich ${content}" draws them and completes parcels.`;
  throw new EngineError(
    'import_refused',
    `${file}: its names and columns do not show how to draw it; choose (--look ${layerLooks.join(', ')}).${instead} It has the columns ${columns.join(', ')}.`,
  );
}

interface Storing {
  readonly staged: StagedFeatures;
  readonly options: EnrichOptions;
  readonly started: Date;
}

function store(
  { file }: LandStore,
  plan: LayerPlan,
  read: ReadLayer,
  { staged, options, started }: Storing,
): EnrichReport {
  const onRows = progressOf(options, 'writing', read.reading.features_kept);
  const stored = file.transaction(() => {
    onRows(0);
    const at = options.now();
    const before = findLayer(file, plan.fips, plan.kind, plan.title);
    if (before) deleteLayer(file, before.layer_id);
    const coverage = { kind: 'features' } as const;
    const layer = {
      ...{ ...plan, coverage, feature_count: read.reading.features_kept },
      loaded_at: at.toISOString(),
    };
    const layerId = insertLayer(file, layer, '{}');
    staged.copyTo(layerId);
    const report: EnrichReport = {
      layer_id: layerId,
      ...reportOf(plan),
      reading: read.reading,
      coverage,
      parcels: 0,
      notes: notesOf(plan, read, before?.source_name ?? null),
      threads: 1,
      ...{ computed: 0, written: 0, unknown: {}, published_kept: {} },
      complete_at: at.toISOString(),
      seconds: (options.now().getTime() - started.getTime()) / 1000,
    };
    file.run('UPDATE layers SET report = ? WHERE layer_id = ?', JSON.stringify(report), layerId);
    options.onStoring?.(report);
    return report;
  });
  options.onStored?.(stored);
  return stored;
}

function notesOf({ settings, title }: LayerPlan, read: ReadLayer, replaced: string | null): string[] {
  const { features_read: all, features_kept: kept, refused, without_geometry: empty } = read.reading;
  const elsewhere = all - kept - refused.count - empty;
  const [first] = refused.first;
  const look = layerLookWords(settings.look);
  return [
    `Drawn as ${look}; ${read.nameColumn === null ? 'no column of names was found' : `names are read from ${read.nameColumn}`}.`,
    ...(replaced === null ? [] : [`It replaces the layer ${JSON.stringify(title)} from ${replaced}.`]),
    ...(elsewhere > 0 ? [`${elsewhere} of its ${all} features lie elsewhere and were left out.`] : []),
    ...(first
      ? [`${refused.count} of its ${all} features could not be used. The first, row ${first.row}: ${first.reason}`]
      : []),
    ...(empty > 0 ? [`${empty} of its ${all} features have no shape.`] : []),
  ];
}

const layerLookWords = (look: LayerLook | null): string => (look === null ? layerTitle('other') : contentWords(look));
