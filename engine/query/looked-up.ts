/** What a filter request asks of single parcels, looked up before its condition is built. */
import { validationError } from '../spec/errors.ts';
import type { LandStore } from '../store/land-store.ts';
import type { FilterRequest } from './filter-request.ts';
import { type FoundNeighbours, findNeighbours } from './neighbours.ts';
import { portfolioKey } from './parcel-query.ts';

export interface LookedUp {
  /** The normalized mailing address for `owner_parcel_id`; null: not requested. */
  readonly mailingKey: string | null;
  /** The parcels around that of `neighbour_of`; null: not requested. */
  readonly around: readonly number[] | null;
}

export const nothingLookedUp: LookedUp = { mailingKey: null, around: null };

type Criteria = Pick<FilterRequest, 'criteria'>;

/** The parcel of `owner_parcel_id`; undefined when not requested. */
export function ownerParcelOf({ criteria }: Criteria): number | undefined {
  const owner = criteria.find(({ row }) => row.kind === 'portfolio')?.criterion;
  return owner?.type === 'number' ? owner.number : undefined;
}

/** The parcel of `neighbour_of` and the feet around it; undefined when not requested. */
export function aroundOf({ criteria }: Criteria): { readonly id: number; readonly feet: number | null } | undefined {
  const around = criteria.find(({ row }) => row.kind === 'around')?.criterion;
  return around?.type === 'around' ? around : undefined;
}

/** @throws EngineError validation_error if a parcel that the request names is unknown or cannot tell */
export const lookUp = (land: LandStore, request: Criteria): LookedUp => ({
  mailingKey: portfolioKey(land, ownerParcelOf(request)),
  around: parcelsAround(land, request),
});

/** The latest of each file: a slider beside this filter asks for the same parcels sixty times a second. */
const latest = new WeakMap<LandStore, { readonly key: string; readonly ids: readonly number[] }>();

function parcelsAround(land: LandStore, request: Criteria): readonly number[] | null {
  const around = aroundOf(request);
  if (!around) return null;
  const { id, feet } = around;
  const key = `${id} ${feet} ${land.file.writesSeen()}`;
  const known = latest.get(land);
  if (known?.key === key) return known.ids;
  const ids = idsAround(id, findNeighbours(land, id, feet));
  // An open transaction may roll back.
  if (!land.file.inTransaction) latest.set(land, { key, ids });
  return ids;
}

/** @throws EngineError validation_error without such a parcel, or without a shape of it */
export function idsAround(id: number, found: FoundNeighbours | null): number[] {
  if (!found) throw validationError({ neighbour_of: [`there is no parcel ${id}`] });
  const { neighbours, notices } = found;
  const [why] = notices;
  if (neighbours.length === 0 && why !== undefined) throw validationError({ neighbour_of: [why] });
  return neighbours.map(({ property_id: one }) => one);
}
