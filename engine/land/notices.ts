/**
 * What an answer does not show by itself: a county that is not loaded, or a filter on a column that is empty in the whole
 * place, gives 0 parcels as if there were none.
 */
import { holdingColumnNames } from '../owners/holding-columns.ts';
import type { FilterRequest } from '../query/filter-request.ts';
import type { ParcelPage } from '../query/parcel-query.ts';
import { counted, firstOf, grouped } from '../spec/counted.ts';
import { countyWords, notLoaded } from '../spec/county-words.ts';
import { type Criterion, filterKinds } from '../spec/filter-kinds.ts';
import { type FilterRow, filters } from '../spec/filters.ts';
import { type Answered, andThen, eachInTurn } from './answered.ts';
import type { CountyState, LandReader } from './land-reader.ts';

/** Counties that a filter names and that have no parcels here. */
export const unloadedNotices = (land: LandReader, { criteria }: FilterRequest): Answered<string[]> =>
  parcelNotices(
    land,
    criteria.flatMap(({ row, criterion }) =>
      (row.kind === 'county' || row.kind === 'counties') && criterion.type === 'values' ? criterion.values : [],
    ),
  );

/** Counties that have no parcels here. */
export const parcelNotices = (land: LandReader, codes: readonly string[]): Answered<string[]> =>
  codes.length === 0 ? [] : andThen(land.counties(codes), (counties) => missingParcels(codes, counties));

function missingParcels(codes: readonly string[], counties: readonly CountyState[]): string[] {
  const byFips = new Map(counties.map((county) => [county.fips, county]));
  const missing = codes.filter((fips) => !byFips.get(fips)?.hasParcels);
  return missing.length === 0 ? [] : [`${notLoaded(missing.map((fips) => ({ fips, county: byFips.get(fips) })))}.`];
}

/** Parcels of an APN search that were left out, because another is written as asked. */
export function alikeNotices(alike: readonly string[]): string[] {
  if (alike.length === 0) return [];
  const one = alike.length === 1 ? 'One other APN has' : `${alike.length} other APNs have`;
  return [`${one} the same letters and digits: ${alike.slice(0, 5).join(', ')}${alike.length > 5 ? ', …' : ''}.`];
}

/** A county without comps; without a county, land without any. */
export const compNotices = (land: LandReader, fips: string | undefined): Answered<string[]> =>
  fips === undefined
    ? andThen(land.hasComps(), (has) => (has ? [] : ['No comps are loaded.']))
    : andThen(land.counties([fips]), ([county]) =>
        county?.hasComps ? [] : [`No comps are loaded for ${countyWords({ fips, county })}.`],
      );

/**
 * Why a filter found what it found: counties that are not loaded; filters on columns that many parcels lack; parcels that
 * a filter keeps because their value is unknown; values of its lists that no parcel has; and, where nothing was found,
 * filters whose column is empty in the whole place, and what no parcel matches.
 */
export function filterNotices(
  land: LandReader,
  request: FilterRequest,
  { count, keptUnknown, absent, thin }: Pick<ParcelPage, 'count' | 'keptUnknown' | 'absent' | 'thin'>,
): Answered<string[]> {
  const kept = keptUnknown.map(
    ({ filter, parcels }) =>
      `${grouped(parcels)} of the ${counted(count, 'parcel', 'parcels')} found ${parcels === 1 ? 'has' : 'have'} no data for ${filter}, which keeps ${parcels === 1 ? 'it' : 'them'}.`,
  );
  return andThen(ownerNotices(land, request), (owners) =>
    andThen(unloadedNotices(land, request), (missing) => {
      const notices = [...missing, ...owners, ...thinNotices(request, thin), ...kept, ...idleNotices(request)];
      if (count > 0) return [...notices, ...unmatchedAt(request, absent).map(unmatchedNotice(request))];
      if (missing.length > 0) return notices;
      return andThen(emptyColumns(land, request), (empty) =>
        empty.length > 0
          ? [...notices, ...empty]
          : andThen(unmatched(land, request), (found) => [...notices, ...found.map(unmatchedNotice(request))]),
      );
    }),
  );
}

/** Filters on owners and holdings, while these are of before a change of parcels. */
function ownerNotices(land: LandReader, { criteria }: FilterRequest): Answered<string[]> {
  const asked = criteria.flatMap(({ row }) => (isOfOwners(row.name) ? [row.name] : []));
  if (asked.length === 0) return [];
  return andThen(land.hasStaleOwners(), (isStale) =>
    andThen(land.knownNeighbours(), (share) => [
      ...(isStale
        ? [
            `Owners and holdings are being worked out: ${asked.join(', ')} ${asked.length === 1 ? 'is' : 'are'} as before the last change of parcels, or unknown.`,
          ]
        : []),
      // Rounded down: 100 % is all of them.
      ...(share < 1 ? [`Neighbours are known for ${Math.floor(100 * share)} % of the parcels yet.`] : []),
    ]),
  );
}

const isOfOwners = (name: string): boolean => (holdingColumnNames as readonly string[]).includes(name);

/** A filter without any value is named where nothing was found (`emptyColumns`). */
const thinNotices = ({ includeUnknown }: FilterRequest, thin: ParcelPage['thin']): string[] =>
  thin
    .filter(({ filter, known }) => known > 0 || includeUnknown.has(filter))
    .map(
      ({ filter, known, parcels }) =>
        `${filter} is known for ${grouped(known)} of the ${grouped(parcels)} parcels in the counties searched; the others are ${includeUnknown.has(filter) ? 'kept, as include_unknown says' : 'left out'}.`,
    );

/** What a request says in vain: unknown values of filters that it lacks, types of a road frontage without bounds. */
function idleNotices({ criteria, includeUnknown }: FilterRequest): string[] {
  const asked = new Set(criteria.map(({ row }) => row.name));
  const unasked = [...includeUnknown].filter((name) => !asked.has(name));
  const frontage = filters.find(({ kind }) => kind === 'frontage');
  const types = criteria.filter(({ row }) => row.kind === 'frontage_type').map(({ row }) => row.name);
  return [
    ...(unasked.length === 0
      ? []
      : [`include_unknown has no effect for ${unasked.join(', ')}: this search asks nothing of them.`]),
    ...(types.length === 0 || !frontage || asked.has(frontage.name)
      ? []
      : [
          `${types.join(', ')} ${types.length === 1 ? 'asks' : 'ask'} nothing without ${frontage.name}_min or ${frontage.name}_max.`,
        ]),
  ];
}

/** A header holds them all. */
const [mostValues, mostLetters] = [5, 40];

const shortened = (value: string): string =>
  JSON.stringify(value.length > mostLetters ? `${value.slice(0, mostLetters)}…` : value);

const unmatchedNotice =
  ({ criteria }: FilterRequest) =>
  ({ row, values, lacksSections }: Unmatched): string => {
    const words = firstOf(values.map(shortened), mostValues);
    const place = criteria.some(({ row: { kind } }) => kind === 'county' || kind === 'counties');
    if (lacksSections)
      return `The parcels of ${words} have a township and no section, so none can match: a survey layer with sections gives them.`;
    return `No parcel ${place ? 'of the counties asked for' : 'loaded'} matches ${row.name}${words === '' ? '' : ` ${words}`}, whatever the other filters.`;
  };

function emptyColumns(land: LandReader, request: FilterRequest): Answered<string[]> {
  const asked = request.criteria
    .filter(({ row }) => filterKinds[row.kind].unknown === 'drop' && !request.includeUnknown.has(row.name))
    .map(({ row }) => row.name);
  if (asked.length === 0) return [];
  return andThen(land.coverage(request), (found) => {
    if (found === null) return ['Whether the columns of these filters are filled could not be told in time.'];
    const { parcels, filters } = found;
    if (parcels === 0) return [];
    const empty = filters.filter(({ name, known }) => known === 0 && asked.includes(name)).map(({ name }) => name);
    return empty.length === 0
      ? []
      : [`None of the ${grouped(parcels)} parcels asked for has data for ${empty.join(', ')}, so none can match.`];
  });
}

/**
 * What a filter names and no parcel has: a ZIP code, a name or an area with nothing in it, whatever the other filters.
 */
interface Unmatched {
  readonly row: FilterRow;
  /** The values that no parcel has, as they were asked for; empty for an area. */
  readonly values: readonly string[];
  /** Parcels there have their township and no section: the survey layer holds no sections. */
  readonly lacksSections?: boolean;
}

/** Values of a longer list are not looked up one by one. */
const mostLooked = 20;

const isCounty = ({ kind }: FilterRow): boolean => kind === 'county' || kind === 'counties';

/** Ranges and ticks name nothing that could be misspelt; what excludes keeps all if it matches nothing. */
const isNaming = ({ row, criterion }: FilterRequest['criteria'][number]): boolean =>
  !isCounty(row) &&
  filterKinds[row.kind].unknown !== 'keep' &&
  (criterion.type === 'values' || criterion.type === 'text' || criterion.type === 'number');

/** The values at these positions of the filters' lists, as they were asked for. */
export const unmatchedAt = ({ criteria }: FilterRequest, absent: ParcelPage['absent']): Unmatched[] =>
  absent.flatMap(({ filter, at }) => {
    const asked = criteria.find(({ row }) => row.name === filter);
    const values = asked ? valuesOf(asked.row, asked.criterion) : [];
    const named = at.flatMap((one) => values[one] ?? []);
    return asked && named.length > 0 ? [{ row: asked.row, values: named }] : [];
  });

/** In the counties of the request, or in all that is loaded, where nothing is found: by questions for each value. */
export const unmatched = (land: LandReader, request: FilterRequest): Answered<Unmatched[]> =>
  eachInTurn(request.criteria.filter(isNaming), ({ row, criterion }) => unmatchedBy(land, request, row, criterion));

const unmatchedBy = (
  land: LandReader,
  request: FilterRequest,
  row: FilterRow,
  criterion: Criterion,
): Answered<Unmatched[]> =>
  andThen(matches(land, request, row, criterion), (isMatched) => {
    const values = valuesOf(row, criterion);
    if (!isMatched)
      return andThen(lacksSections(land, request, row, values), (lacks) => [{ row, values, lacksSections: lacks }]);
    if (values.length < 2 || values.length > mostLooked) return [];
    return andThen(withoutMatch(land, request, row, values), (missing) =>
      missing.length === 0 ? [] : [{ row, values: missing }],
    );
  });

const withoutMatch = (
  land: LandReader,
  request: FilterRequest,
  row: FilterRow,
  values: readonly string[],
): Answered<string[]> =>
  eachInTurn(values, (value) =>
    andThen(matches(land, request, row, { type: 'values', values: [value] }), (isMatched) =>
      isMatched ? [] : [value],
    ),
  );

const section = filters.find(({ name }) => name === 'section');

/** Whether the townships of sections have parcels, and none of these has a section. */
function lacksSections(
  land: LandReader,
  request: FilterRequest,
  row: FilterRow,
  values: readonly string[],
): Answered<boolean> {
  if (row.kind !== 'plss' || section === undefined || !values.every((value) => / S\d+$/.test(value))) return false;
  const townships = { type: 'values', values: values.map((value) => value.replace(/ S\d+$/, '')) } as const;
  const known = { row: section, criterion: { type: 'range', min: 1 } } as const;
  return andThen(matches(land, request, row, townships), (isThere) =>
    isThere ? andThen(matches(land, request, row, townships, [known]), (hasSections) => !hasSections) : false,
  );
}

/** Whether any parcel meets this alone; true where that could not be told in time. */
function matches(
  land: LandReader,
  request: FilterRequest,
  row: FilterRow,
  criterion: Criterion,
  more: FilterRequest['criteria'] = [],
): Answered<boolean> {
  const criteria = [...request.criteria.filter((one) => isCounty(one.row)), { row, criterion }, ...more];
  const alone = { ...request, criteria, area: row.kind === 'geometry' ? request.area : null };
  return andThen(land.hasMatch(alone), (found) => found !== false);
}

function valuesOf({ kind }: FilterRow, criterion: Criterion): string[] {
  if (criterion.type === 'values') return [...criterion.values];
  if (criterion.type === 'number') return [String(criterion.number)];
  return criterion.type === 'text' && kind !== 'geometry' ? [criterion.text] : [];
}
