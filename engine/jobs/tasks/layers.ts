/** The code of tasks that complete parcels from layers. */
import { enrich } from '../../enrichment/enrich.ts';
import { enrichAgain } from '../../enrichment/enrich-again.ts';
import type { EnrichProgress, EnrichReport } from '../../enrichment/enrich-options.ts';
import type { LayerKind } from '../../enrichment/layer-kinds.ts';
import { keepGround } from '../../enrichment/store-ground.ts';
import type { Waiting } from '../../enrichment/waiting.ts';
import { defined } from '../../spec/defined.ts';
import { normalFips } from '../../spec/value-schemas.ts';
import { incompleteLayers, noteComplete } from '../../store/computed-values.ts';
import { type Code, type LandTools, onLand } from './on-land.ts';

export const code: Code<'enrich' | 'enrich_again'> = {
  enrich: onLand(({ kind, county, name_field: nameField, class_column: classColumn, ...named }, context) => {
    const { land, now, threads } = context;
    return enrich(land, {
      ...named,
      ...defined({ nameField, classColumn }),
      kind: kind as LayerKind,
      fips: county,
      now,
      threads,
      onProgress: enrichProgress(context),
      onStoring: (report) => context.note(land.file, report),
      onStored: context.keep,
    });
  }),
  enrich_again: onLand(({ county }, context) => {
    const fips = normalFips(county);
    return completeAgain([fips], context, {});
  }),
};

/**
 * Recomputes the land file's layers for new and redrawn parcels.
 * @param report of what is committed already; reported again with each completed layer
 */
export async function completeAgain(
  counties: readonly string[],
  context: LandTools,
  report: object,
): Promise<{ completed: string[]; left_out: Waiting[] }> {
  const { land, now, threads, keep, note } = context;
  const completed = new Set<string>();
  const whole = () => ({ ...report, completed: [...completed], left_out: [] });
  const leftOut: Waiting[] = [];
  for (const fips of counties) {
    const onProgress = enrichProgress(context);
    if (incompleteLayers(land.file, fips).length === 0) {
      await keepGround(land, fips, { now, onProgress });
      land.file.transaction(() => noteComplete(land.file, fips, now().toISOString()));
      continue;
    }
    const onStoring = ({ kind }: EnrichReport): void => {
      completed.add(kind);
      note(land.file, whole());
    };
    const onStored = (): void => keep(whole());
    const again = await enrichAgain(land, fips, { now, threads, onProgress, onStoring, onStored });
    leftOut.push(...again.left_out);
    land.file.transaction(() => noteComplete(land.file, fips, now().toISOString()));
  }
  return { completed: [...completed], left_out: leftOut };
}

const enrichProgress =
  ({ progress }: LandTools) =>
  ({ phase, rows, total, rowsPerSecond }: EnrichProgress): void =>
    progress({ phase, rows, total, rows_per_second: Math.round(rowsPerSecond) });
