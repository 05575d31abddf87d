/** What to try where a search finds nothing: which criterion leaves most out, and the code that was probably meant. */
import type { CompQuery } from '../query/comp-query.ts';
import { countiesOf, type FilterRequest } from '../query/filter-request.ts';
import { facetColumns } from '../query/live-values.ts';
import type { ParcelPage } from '../query/parcel-query.ts';
import { counted, firstOf, grouped } from '../spec/counted.ts';
import { type Criterion, filterKinds } from '../spec/filter-kinds.ts';
import type { FilterRow } from '../spec/filters.ts';
import { nearNames } from '../spec/validate.ts';
import { type Answered, andThen, eachInTurn } from './answered.ts';
import type { CountyState, LandReader, ParcelSearch } from './land-reader.ts';
import { unmatched, unmatchedAt } from './notices.ts';

/** Something of a search that may be left out or widened, and how many match then; null if that takes too long. */
interface Relaxed {
  readonly words: string;
  readonly count: () => Answered<number | null>;
}

const mostShown = 3;

/** Each criterion is another search. */
const mostRelaxed = 10;

/** `Without acres_min, 12 parcels match; without zoning_codes, 3.` */
function relaxing(relaxed: readonly Relaxed[], one: string, many: string): Answered<string[]> {
  const asked = relaxed.slice(0, mostRelaxed);
  const counts = eachInTurn(asked, ({ words, count }) => andThen(count(), (found) => [{ words, found }]));
  return andThen(counts, (found) => {
    const helping = found.flatMap((each) => (each.found ? [{ words: each.words, found: each.found }] : []));
    const shown = helping.toSorted((a, b) => b.found - a.found).slice(0, mostShown);
    const [first, ...rest] = shown;
    if (!first) {
      const isTold = found.length > 1 && found.length === relaxed.length && found.every((each) => each.found === 0);
      return isTold ? ['Leaving out one criterion alone finds nothing either: leave out two or more.'] : [];
    }
    const others = rest.map((each) => `; ${each.words}, ${grouped(each.found)}`).join('');
    const sentence = `${first.words}, ${counted(first.found, one, many)} ${first.found === 1 ? 'matches' : 'match'}${others}.`;
    return [sentence.charAt(0).toUpperCase() + sentence.slice(1)];
  });
}

/** The fields of a criterion as they were asked for: `acres_min`, `zoning_codes`. */
function fieldsOf(row: FilterRow, criterion: Criterion): string[] {
  const fields = Object.keys(filterKinds[row.kind].fields(row));
  if (criterion.type !== 'range') return fields;
  const { min, max } = criterion;
  return fields.filter((name) => (name.endsWith('_min') ? min : max) !== undefined);
}

/** Names the counties that are loaded, where one that is asked for is not; empty where all are. */
export const loadedHints = (
  land: LandReader,
  codes: readonly string[],
  isThere: (county: CountyState) => boolean = ({ hasParcels }) => hasParcels,
): Answered<string[]> =>
  codes.length === 0
    ? []
    : andThen(land.counties(codes), (asked) => {
        if (codes.every((fips) => asked.some((one) => one.fips === fips && isThere(one)))) return [];
        return andThen(land.datasets(), ({ datasets }) => {
          const names = [
            ...new Set(datasets.map((one) => `${one.fips} (${one.county_name ?? 'no name'}, ${one.state})`)),
          ];
          return names.length === 0 ? [] : [`Loaded: ${firstOf(names, mostCounties)}.`];
        });
      });

const mostCounties = 5;

/** Hints on a filter: codes that no parcel has, and, where nothing is found, the criteria that leave most out. */
export function filterHints(
  land: LandReader,
  request: FilterRequest,
  { count, absent }: Pick<ParcelPage, 'count' | 'absent'>,
): Answered<string[]> {
  return andThen(count > 0 ? [] : loadedHints(land, countiesOf(request)), (loaded) => {
    if (loaded.length > 0) return loaded;
    const missing = count > 0 ? unmatchedAt(request, absent) : unmatched(land, request);
    return andThen(missing, (found) =>
      andThen(
        eachInTurn(found, ({ row, values }) => codeHints(land, request, row, values)),
        (codes) =>
          count > 0
            ? codes
            : andThen(relaxing(withoutOne(land, request), 'parcel', 'parcels'), (counts) => [...codes, ...counts]),
      ),
    );
  });
}

const withoutOne = (land: LandReader, request: FilterRequest): Relaxed[] =>
  request.criteria
    .filter(({ row }) => !row.scope)
    .map((one) => ({
      words: `without ${fieldsOf(one.row, one.criterion).join(' and ')}`,
      count: () => land.countMatches({ ...request, criteria: request.criteria.filter((other) => other !== one) }),
    }));

/** Values of a column that are looked through for a near one. */
const mostCodes = 1000;

function codeHints(
  land: LandReader,
  request: FilterRequest,
  row: FilterRow,
  values: readonly string[],
): Answered<string[]> {
  const column = facetColumns.get(row.name);
  const [fips, ...others] = countiesOf(request);
  if (column === undefined || fips === undefined || others.length > 0) return [];
  return andThen(land.values(fips, column, mostCodes), ({ values: known }) =>
    values.slice(0, mostShown).map((value) => {
      const byFold = new Map(known.map((one) => [one.value.toLowerCase(), one.value]));
      const near = nearNames(value.toLowerCase(), [...byFold.keys()]).map((one) => JSON.stringify(byFold.get(one)));
      return near.length > 0
        ? `${row.name}: no parcel has ${JSON.stringify(value)}; did you mean ${near.join(' or ')}?`
        : `${row.name}: no parcel has ${JSON.stringify(value)}; list_values with column ${JSON.stringify(column)} gives the values.`;
    }),
  );
}

/** Hints where a search finds no parcel. */
export const searchHints = (land: LandReader, { fips, ownerName, apn }: ParcelSearch): Answered<string[]> =>
  andThen(loadedHints(land, [fips]), (loaded) => [
    ...loaded,
    ...(ownerName === null
      ? []
      : ['owner_name: every word must occur; owner_name_include_words of filter_properties finds any of several.']),
    ...(apn === null ? [] : ['apn: the whole number is compared; filter_properties finds parcels by other criteria.']),
  ]);

/** Hints where no comp is found. */
export function compHints(land: LandReader, query: Omit<CompQuery, 'page'>, mostMeters: number): Answered<string[]> {
  const count = (asked: Omit<CompQuery, 'page'>) => () =>
    andThen(land.comps({ ...asked, page: { number: 1, size: 1, offset: 0 } }), (found) => found.count);
  const { statuses, ...anyStatus } = query;
  const { soldFrom, soldUntil: _, ...anyAge } = query;
  const { acresMin, acresMax, ...anyAcres } = query;
  const wider = query.circle && { ...query.circle, meters: Math.min(10 * query.circle.meters, mostMeters) };
  const relaxed = [
    ...(statuses ? [{ words: 'without status', count: count(anyStatus) }] : []),
    ...(soldFrom === undefined ? [] : [{ words: 'without age', count: count(anyAge) }]),
    ...(acresMin === undefined && acresMax === undefined
      ? []
      : [{ words: 'without acres_min and acres_max', count: count(anyAcres) }]),
    ...(wider ? [{ words: `with dist ${wider.meters}`, count: count({ ...query, circle: wider }) }] : []),
  ];
  return andThen(
    loadedHints(land, query.fips === undefined ? [] : [query.fips], ({ hasComps }) => hasComps),
    (loaded) => (loaded.length > 0 ? loaded : relaxing(relaxed, 'comp', 'comps')),
  );
}
