/** A live request for the column index: the place, and each filter separately. */
import type { FilterStep, UnknownMode } from '../columns/count-effects.ts';
import type { CountyColumns } from '../columns/county-columns.ts';
import { withAllMatches } from '../columns/evaluate.ts';
import type { CountyMatches } from '../columns/pages.ts';
import type { Step } from '../columns/steps.ts';
import { prepareGeometry } from '../geo/intersects.ts';
import type { LandStore } from '../store/land-store.ts';
import { columnSteps, countiesOf } from './column-steps.ts';
import { shrinkColumns } from './county-index.ts';
import { countiesFor, parcelTests } from './find-parcels.ts';
import { type LiveRequest, unknownMode } from './live-request.ts';
import { namedParcels } from './parcel-questions.ts';
import type { WorkTerm } from './work-terms.ts';

interface NamedFilterStep extends FilterStep {
  readonly name: string;
}

export interface LiveSteps {
  readonly counties: readonly string[] | null;
  /** The fixed conditions: ZIPs, area, portfolio. */
  readonly scope: readonly Step[];
  readonly filters: readonly NamedFilterStep[];
}

const nothingUnknown: ReadonlySet<string> = new Set();

/** @param mailingKey the normalized mailing address for `owner_parcel_id` */
export function liveSteps(land: LandStore, request: LiveRequest, mailingKey: string | null): LiveSteps {
  const { criteria, area, includeUnknown, work } = request;
  const parcels = namedParcels(land);
  const scope = { criteria: criteria.filter(({ row }) => row.scope), area: null, includeUnknown };
  const filters = criteria
    .filter(({ row }) => !row.scope && row.kind !== 'frontage_type')
    .flatMap(({ row }): NamedFilterStep[] => {
      const own = criteria.filter((one) => one.row.name === row.name || one.row.kind === 'frontage_type');
      const [step] = columnSteps({ criteria: own, area: null, includeUnknown: nothingUnknown }, null, null, parcels);
      return step ? [{ name: row.name, step, mode: unknownMode(request, row) }] : [];
    });
  return {
    counties: countiesOf(request),
    scope: columnSteps(scope, mailingKey, area ? prepareGeometry(area) : null, parcels),
    filters: [...filters, ...work.map(workStep)],
  };
}

/** These have no unknown: a parcel is starred or it is not. */
const workStep = ({ name, ids, isExcluded }: WorkTerm): NamedFilterStep => ({
  name,
  step: { type: 'ids', filter: name, ids, isExcluded },
  mode: 'drop',
});

/** Runs `work` over the counties of a request, in one snapshot; `null` where the index cannot answer. */
export function withLiveCounties<Result>(
  land: LandStore,
  { counties, scope, filters }: LiveSteps,
  columns: readonly string[],
  work: (counties: readonly CountyColumns[]) => Result,
): Result | null {
  const steps = [...scope, ...filters.map(({ step }) => step)];
  const opened = countiesFor(land, { counties, steps });
  if (!opened?.every((county) => columns.every((column) => county.has(column)))) return null;
  try {
    return work(opened);
  } finally {
    shrinkColumns(land);
  }
}

/** Lends the matches of the whole request, with unknown values treated as requested. */
export function withLiveMatches<Result>(
  land: LandStore,
  counties: readonly CountyColumns[],
  { scope, filters }: LiveSteps,
  use: (matches: readonly CountyMatches[]) => Result,
): Result {
  const steps = filters.flatMap(({ step, mode }) => modal(step, mode));
  return withAllMatches(counties, [...scope, ...steps], parcelTests(land), use);
}

/** A filter's step with its treatment of unknown values. */
function modal(step: Step, mode: UnknownMode): Step {
  if (mode === 'drop' || !('column' in step)) return step;
  return mode === 'keep' ? { ...step, passUnknown: true } : { type: 'unknown', filter: step.filter, step };
}
