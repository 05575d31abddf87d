/** A live search: its current count, free, and its parcels once the search is paid for on this data. */
import { Ellipsis, Search as SearchIcon } from 'lucide-react';
import { useEffect } from 'react';
import { sentenceOf } from '../../engine/spec/filter-sentence.ts';
import { explore, type LastSearch } from '../explore/explore-state.ts';
import { type FilterBody, isSameFilter } from '../explore/filter-body.ts';
import { ResultTable } from '../explore/result-table.tsx';
import { openSearch } from '../explore/saved-searches.tsx';
import { useWords } from '../explore/use-words.ts';
import { useWorkWords } from '../explore/work-section.tsx';
import { ExportSearch } from '../export/export-search.tsx';
import { formatDate, formatNumber, plural } from '../parts/format.ts';
import { LaterItem, Menu, MenuItem } from '../parts/menu.tsx';
import { EmptyState, ErrorState } from '../parts/states.tsx';
import { useClient, useRead } from '../state/client-context.tsx';
import { goTo } from '../state/navigation.ts';
import { makeChange } from '../work/make-change.ts';
import { askName } from '../work/name-dialog.tsx';
import { showList } from './list-state.ts';
import type { Search } from './types.ts';

/**
 * Its table has its own selection, separate from another search's and from Explore's: exports, letters and tags must
 * not go to parcels the user does not see.
 */
function useOwnSelection(filter: FilterBody): void {
  useEffect(() => {
    const begin = () => {
      const { search, selectedMany } = explore.get();
      const isOfExplore = search !== null && isSameFilter(search.filter, filter);
      if (!isOfExplore && selectedMany.length > 0) explore.set({ selectedMany: [] });
    };
    begin();
    return begin;
  }, [filter]);
}

export function SearchView({ search }: { search: Search }) {
  useOwnSelection(search.filter as FilterBody);
  const { data, error, isPlaceholderData, refetch } = useRead('count_properties', { filter: search.filter });
  const words = useWords();
  const count = data && !isPlaceholderData ? data.count : null;
  const work = useWorkWords(search.filter as FilterBody);
  return (
    <section className="page" aria-label={search.name}>
      <Head search={search} count={count} />
      <p className="search-words">
        Parcels{sentenceOf(search.filter as FilterBody, words)}
        {work}
      </p>
      {error ? (
        <ErrorState title="The search cannot be counted" error={error} onRetry={() => void refetch()} />
      ) : (
        <Parcels search={search} count={count} />
      )}
    </section>
  );
}

function Head({ search, count }: { search: Search; count: number | null }) {
  const client = useClient();
  const open = () => void openSearch(client, search).then(() => goTo('explore'));
  const freeze = () =>
    askName({
      title: `Freeze ${plural(count ?? 0, 'parcel', 'parcels')} as a list`,
      label: 'Name of the list',
      value: search.name,
      button: 'Make the list',
      done: async (name) => {
        const of = { filter: search.filter, ordering: search.ordering };
        const made = await makeChange(client, 'make_list', { name, of });
        if (made) showList({ kind: 'list', id: made.data.list_id });
        return made !== null;
      },
    });
  return (
    <header className="page-head list-head">
      <h1 className="ellipsis" title={search.name}>
        {search.name}
      </h1>
      <span className="quieter num nowrap at-medium">{count === null ? '' : `${formatNumber(count)} match today`}</span>
      <span className="grow" />
      {search.is_paid && count !== null && count > 0 ? (
        <button type="button" className="button" onClick={freeze}>
          Freeze as a list
        </button>
      ) : null}
      {search.is_paid && search.last_run_at !== null && count !== null ? (
        <ExportSearch search={lastSearch(search, count, search.last_run_at)} title={search.name} />
      ) : null}
      <button type="button" className="button" onClick={open}>
        <SearchIcon aria-hidden />
        Open in Explore
      </button>
      <SearchMenu search={search} />
    </header>
  );
}

const lastSearch = ({ filter }: Search, count: number, at: string): LastSearch => ({
  filter: filter as FilterBody,
  count,
  at,
  tokens: 0,
});

/** Shows only what was paid for on the current data; the count above is free. */
function Parcels({ search, count }: { search: Search; count: number | null }) {
  const { is_paid: isPaid, last_run_at: ranAt } = search;
  if (count === null) return null;
  if (count === 0) {
    return (
      <EmptyState
        icon={<SearchIcon aria-hidden />}
        title="Nothing matches today"
        text="The search stays live: the count here includes later imports."
      />
    );
  }
  if (isPaid && ranAt !== null) return <ResultTable search={lastSearch(search, count, ranAt)} />;
  const before = ranAt === null ? '' : `It was run on ${formatDate(ranAt)}, before the last import. `;
  return (
    <EmptyState
      icon={<SearchIcon aria-hidden />}
      title="Not searched with this data yet"
      text={`Counting is free. ${before}Open it in Explore and press Search to list the parcels.`}
    />
  );
}

function SearchMenu({ search: { search_id: id, name } }: { search: Search }) {
  const client = useClient();
  const rename = () =>
    askName({
      title: 'Rename the search',
      label: 'Name of the search',
      value: name,
      button: 'Rename',
      done: async (given) => (await makeChange(client, 'rename_search', { search_id: id, name: given })) !== null,
    });
  return (
    <Menu label="More to do with the search" face={<Ellipsis aria-hidden />}>
      <LaterItem onSelect={rename}>Rename</LaterItem>
      <MenuItem onSelect={() => void makeChange(client, 'delete_search', { search_id: id })}>
        Delete the search
      </MenuItem>
    </Menu>
  );
}
