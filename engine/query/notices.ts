/**
 * What an answer does not show by itself: a county that is not loaded, or a filter on a column that is empty in the whole
 * place, gives 0 parcels as if there were none.
 */
import { EngineError } from '../spec/errors.ts';
import { filterKinds } from '../spec/filter-kinds.ts';
import type { LandStore } from '../store/land-store.ts';
import { hasComps } from './comp-query.ts';
import type { FilterRequest } from './filter-request.ts';
import { type Coverage, liveCoverage } from './live-facet.ts';
import type { LiveRequest } from './live-request.ts';
import type { ParcelPage } from './parcel-query.ts';
import { hasParcels } from './region-query.ts';

/** `Sullivan County, NH (33019)` */
const countyWords = (land: LandStore, fips: string): string => {
  const county = land.county(fips);
  return county ? `${county.name}, ${county.state} (${fips})` : `a county with the FIPS code ${fips}`;
};

/** Counties that have no parcels here. */
export function parcelNotices(land: LandStore, counties: readonly string[]): string[] {
  const missing = counties.filter((fips) => !hasParcels(land, fips));
  return missing.length === 0
    ? []
    : [`No parcels are loaded for ${missing.map((fips) => countyWords(land, fips)).join('; ')}.`];
}

/** Parcels of an APN search that were left out, because another is written as asked. */
export function alikeNotices(alike: readonly string[]): string[] {
  if (alike.length === 0) return [];
  const one = alike.length === 1 ? 'One other APN has' : `${alike.length} other APNs have`;
  return [`${one} the same letters and digits: ${alike.slice(0, 5).join(', ')}${alike.length > 5 ? ', …' : ''}.`];
}

/** A county without comps; without a county, a home without any. */
export function compNotices(land: LandStore, fips: string | undefined): string[] {
  if (fips !== undefined) return hasComps(land, fips) ? [] : [`No comps are loaded for ${countyWords(land, fips)}.`];
  return land.file.get('SELECT 1 FROM comps LIMIT 1') ? [] : ['No comps are loaded.'];
}

/**
 * Why a filter found what it found: counties that are not loaded; parcels that a filter keeps because their value is
 * unknown; and, where nothing was found, filters whose column is empty in the whole place.
 */
export function filterNotices(
  land: LandStore,
  request: FilterRequest,
  { count, keptUnknown }: Pick<ParcelPage, 'count' | 'keptUnknown'>,
): string[] {
  const counties = request.criteria.flatMap(({ row, criterion }) =>
    (row.kind === 'county' || row.kind === 'counties') && criterion.type === 'values' ? criterion.values : [],
  );
  const kept = keptUnknown.map(
    ({ filter, parcels }) => `${parcels} of the ${count} parcels found have no data for ${filter}, which keeps them.`,
  );
  const notices = [...parcelNotices(land, counties), ...kept];
  return count === 0 && notices.length === 0 ? emptyColumns(land, request) : notices;
}

function emptyColumns(land: LandStore, request: FilterRequest): string[] {
  const asked = request.criteria
    .filter(({ row }) => filterKinds[row.kind].unknown === 'drop' && !request.includeUnknown.has(row.name))
    .map(({ row }) => row.name);
  if (asked.length === 0) return [];
  const owner = request.criteria.find(({ row }) => row.name === 'owner_parcel_id')?.criterion;
  const ownerParcelId = owner?.type === 'number' ? owner.number : undefined;
  const found = coverageInTime(land, { ...request, onlyUnknown: new Set(), ownerParcelId, work: [] });
  if (found === null) return ['Whether the columns of these filters are filled could not be told in time.'];
  const { parcels, filters } = found;
  if (parcels === 0) return [];
  const empty = filters.filter(({ name, known }) => known === 0 && asked.includes(name)).map(({ name }) => name);
  return empty.length === 0
    ? []
    : [`None of the ${parcels} parcels asked for has data for ${empty.join(', ')}, so none can match.`];
}

/** Null if it takes too long, as on a large county whose index is being rebuilt: the answer itself remains valid. */
function coverageInTime(land: LandStore, request: LiveRequest): Coverage | null {
  try {
    return liveCoverage(land, request);
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}
