/** What a book can show: a county, what Explore shows, a list, a market. */
import { useMemo } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { sentenceOf, type Words } from '../../engine/spec/filter-sentence.ts';
import { type ExploreState, explore } from '../explore/explore-state.ts';
import { askableBody, hasScope } from '../explore/filter-body.ts';
import { useWords } from '../explore/use-words.ts';
import type { ExportWhat } from '../export/export-state.ts';
import { plural } from '../parts/format.ts';
import { useRead } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { book } from './book-state.ts';

export interface BookSource {
  readonly key: string;
  readonly label: string;
  readonly what: ExportWhat;
}

export interface SourceGroup {
  readonly label: string;
  readonly sources: readonly BookSource[];
}

export const starredKey = 'starred';
export const exploreKey = 'explore';
export const countyKey = (fips: string): string => `county ${fips}`;
export const listKey = (id: number): string => `list ${id}`;

type Home = ReadOutputOf<'home'>;

const countiesOf = (counties: Home['counties']): BookSource[] => [
  ...counties.map(({ fips, name }) => ({
    ...{ key: countyKey(fips), label: `${name} ${fips}`, what: { filter: { county: fips } } },
  })),
  ...(counties.length > 1
    ? [
        {
          ...{ key: 'counties', label: `All ${counties.length} counties` },
          what: { filter: { counties: counties.map(({ fips }) => fips) } },
        },
      ]
    : []),
];

/** The filter, unless it is a county alone, and the selection. */
export function ofExplore(
  { filter, selectedMany }: Pick<ExploreState, 'filter' | 'selectedMany'>,
  words: Words,
): BookSource[] {
  const body = askableBody(filter);
  const isFilter = hasScope(body) && Object.keys(body).some((field) => field !== 'county');
  const selected = plural(selectedMany.length, 'selected parcel', 'selected parcels');
  return [
    ...(isFilter
      ? [{ key: exploreKey, label: `The filter: ${sentenceOf(body, words).trim()}`, what: { filter: body } }]
      : []),
    ...(selectedMany.length > 0
      ? [{ key: 'selected', label: `The ${selected}`, what: { ids: [...selectedMany] } }]
      : []),
  ];
}

function listsOf({ lists, starred }: Pick<ReadOutputOf<'lists'>, 'lists' | 'starred'>): BookSource[] {
  const sized = (name: string, parcels: number) => `${name}, ${plural(parcels, 'parcel', 'parcels')}`;
  return [
    ...lists
      .filter(({ parcels }) => parcels > 0)
      .map(({ list_id: id, name, parcels }) => ({
        ...{ key: listKey(id), label: sized(name, parcels), what: { list_id: id } },
      })),
    ...(starred > 0 ? [{ key: starredKey, label: sized('Starred', starred), what: { starred: true as const } }] : []),
  ];
}

/** Those whose county the home has. */
const marketsOf = (markets: ReadOutputOf<'market_board'>['markets'], counties: Home['counties']): BookSource[] =>
  markets
    .filter(({ region }) => counties.some(({ fips }) => fips === region.fips))
    .map(({ id, region: { type, name, county_name: county, fips } }) =>
      type === 'zip'
        ? { key: `market ${id}`, label: `ZIP ${name}, ${county}`, what: { filter: { zips_include: [name] } } }
        : { key: `market ${id}`, label: name, what: { filter: { county: fips } } },
    );

/** Groups with something in them, and the chosen source; null while the home is not known. */
export function useBookSources(): { readonly groups: readonly SourceGroup[]; readonly chosen: BookSource | null } {
  const { data: home } = useRead('home', {}, { isLasting: true });
  const { data: kept } = useRead('lists', {});
  const { data: board } = useRead('market_board', {});
  const { filter, selectedMany } = useStore(explore);
  const { source } = useStore(book);
  const words = useWords();
  const groups = useMemo(() => {
    const counties = home?.counties ?? [];
    return [
      { label: 'A county', sources: countiesOf(counties) },
      { label: 'From Explore', sources: ofExplore({ filter, selectedMany }, words) },
      { label: 'A list', sources: kept ? listsOf(kept) : [] },
      { label: 'A market', sources: marketsOf(board?.markets ?? [], counties) },
    ].filter(({ sources }) => sources.length > 0);
  }, [home, kept, board, filter, selectedMany, words]);
  const sources = groups.flatMap((group) => group.sources);
  const find = (key: string) => sources.find((one) => one.key === key);
  return { groups, chosen: find(source) ?? find(countyKey(String(filter.county))) ?? sources[0] ?? null };
}
