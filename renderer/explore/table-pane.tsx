/** The table below the map, with its title and its states. */
import { Search, SearchX } from 'lucide-react';
import { useEffect } from 'react';
import type { LiveFilter } from '../../engine/query/live-request.ts';
import { ExportSearch } from '../export/export-search.tsx';
import { formatTime, plural } from '../parts/format.ts';
import { EmptyState } from '../parts/states.tsx';
import { useRead } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { ColumnChooser } from './column-chooser.tsx';
import { explore, type LastSearch } from './explore-state.ts';
import { asksForWork, isSameFilter } from './filter-body.ts';
import { NothingFound } from './nothing-found.tsx';
import { ResultTable } from './result-table.tsx';
import { SelectionBar } from './selection-bar.tsx';
import type { LiveCount } from './use-count.ts';
import { useSearch } from './use-search.ts';

export function TablePane({ live }: { live: LiveCount }) {
  const { search, filter, selectedMany, outdatedAt } = useStore(explore);
  const { isEmpty, leaveEmpty } = useSearch();
  useFreshCount(search);
  const isEmptyNow = live.hasPlace && live.isCurrent && live.answer?.count === 0;
  if (!search && isEmptyNow) return <Pane title="Parcels found">{<NothingFound live={live} />}</Pane>;
  if (!search) {
    return (
      <Pane title="Parcels found">
        <EmptyState
          icon={<Search aria-hidden />}
          title={outdatedAt === null ? 'No search yet' : 'Not searched with this data yet'}
          text={
            outdatedAt === null
              ? 'Choose what the land must be like: the count updates at once and is free. Search then lists the parcels here.'
              : `The last search, ${formatTime(outdatedAt)}, was before the last import. The count is up to date, and free; Search lists the parcels.`
          }
        />
      </Pane>
    );
  }
  if (isEmpty && search.count > 0) {
    return (
      <Pane title="Parcels found">
        <NothingFound live={live} />
        <div className="pane-foot">
          <button type="button" className="button" onClick={leaveEmpty}>
            Show the {plural(search.count, 'parcel', 'parcels')} of {formatTime(search.at)} again
          </button>
        </div>
      </Pane>
    );
  }
  const isOutdated = !isSameFilter(search.filter, filter);
  return (
    <Pane title="Parcels found">
      <div className="table-title">
        <b>{plural(search.count, 'parcel', 'parcels')}</b>
        {selectedMany.length > 1 ? (
          <SelectionBar ids={selectedMany} />
        ) : (
          <>
            <span className="small-text quieter">last search, {formatTime(search.at)}</span>
            {isOutdated ? (
              <span className="small-text quieter at-wide outdated">
                Filters have changed: Search brings the table up to date.
              </span>
            ) : null}
          </>
        )}
        <span className="grow" />
        <ColumnChooser />
        <ExportSearch search={search} />
      </div>
      {search.count === 0 ? (
        <NothingThen live={live} isOutdated={isOutdated} />
      ) : (
        <ResultTable key={search.at} search={search} />
      )}
    </Pane>
  );
}

const Pane = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <section className="pane table-pane" aria-label={title}>
    {children}
  </section>
);

/** When none of its parcels meets the filters any more: the reason while they are unchanged; else the next step. */
const NothingThen = ({ live, isOutdated }: { live: LiveCount; isOutdated: boolean }) =>
  isOutdated ? (
    <EmptyState
      icon={<SearchX aria-hidden />}
      title="Nothing found"
      text="No parcel of the last search meets its filters any more. The filters have changed since: Search again."
    />
  ) : (
    <NothingFound live={live} />
  );

/**
 * Keeps the count of the search in step with its rows, which are reloaded after each change; the title and exports show
 * it.
 */
function useFreshCount(search: LastSearch | null): void {
  const isAsked = search !== null && asksForWork(search.filter);
  const first = { filter: (search?.filter ?? {}) as LiveFilter, columns: ['apn'], limit: 1 };
  const { data, isPlaceholderData } = useRead('result_page', first, { when: isAsked, isLasting: true });
  const count = isAsked && !isPlaceholderData ? data?.count : undefined;
  useEffect(() => {
    if (search !== null && count !== undefined && count !== search.count) explore.set({ search: { ...search, count } });
  }, [search, count]);
}
