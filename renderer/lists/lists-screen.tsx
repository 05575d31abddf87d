/** Lists: live searches and frozen selections on the left, the parcels of one of them on the right. */
import { ListChecks } from 'lucide-react';
import { useEffect } from 'react';
import type { Mailings } from '../mailings/mailing-state.ts';
import { MailingView } from '../mailings/mailing-view.tsx';
import { EmptyState, ErrorState, Skeleton } from '../parts/states.tsx';
import { useLate, useRead } from '../state/client-context.tsx';
import { goTo } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';
import { ChangedOwners } from './changed-owners.tsx';
import { DoNotMailView } from './do-not-mail-view.tsx';
import { isSameList, listView, type Shown, showList } from './list-state.ts';
import { ListView, StarredView } from './list-view.tsx';
import { ListsSide } from './lists-side.tsx';
import { SearchView } from './search-view.tsx';
import type { Lists, Searches } from './types.ts';

export function ListsScreen() {
  const searches = useRead('saved_searches', {}, { isLasting: true });
  const lists = useRead('lists', {}, { isLasting: true });
  const mailings = useRead('mailings', {}, { isLasting: true });
  const { shown } = useStore(listView);
  const letters = mailings.data?.mailings;
  const open = searches.data && lists.data && letters ? openList(shown, searches.data, lists.data, letters) : null;
  // Keys act on the shown list, even if the user has not chosen it.
  useEffect(() => {
    if (open && !(shown && isSameList(open, shown))) showList(open);
  }, [open, shown]);
  const isSlow = useLate(searches.isPending || lists.isPending || mailings.isPending);
  const error = searches.error ?? lists.error ?? mailings.error;
  if (error) {
    const retry = () => void Promise.all([searches.refetch(), lists.refetch(), mailings.refetch()]);
    return <ErrorState title="The lists could not be read" error={error} onRetry={retry} />;
  }
  if (!searches.data || !lists.data || !letters) return isSlow ? <Skeleton label="Reading the lists" /> : null;
  if (open?.kind === 'mailing') return <MailingView key={open.id} id={open.id} mailings={letters} />;
  return (
    <div className="lists">
      <ListsSide searches={searches.data} lists={lists.data} mailings={letters} open={open} />
      {open ? (
        <Content key={JSON.stringify(open)} open={open} searches={searches.data} lists={lists.data} />
      ) : (
        <NoLists />
      )}
    </div>
  );
}

/** The last shown list if it still exists, else the first; null if there are none. */
function openList(
  shown: Shown | null,
  searches: Searches,
  { lists, starred, do_not_mail: blocked }: Lists,
  mailings: Mailings,
): Shown | null {
  const there: Shown[] = [
    ...lists.map(({ list_id: id }): Shown => ({ kind: 'list', id })),
    ...mailings.map(({ mailing_id: id, list_id: list }): Shown => ({ kind: 'mailing', id, list })),
    ...searches.map(({ search_id: id }): Shown => ({ kind: 'search', id })),
    ...(starred > 0 ? [{ kind: 'starred' } as const, { kind: 'changed' } as const] : []),
    ...(blocked > 0 ? [{ kind: 'do_not_mail' } as const] : []),
  ];
  if (shown && (there.some((one) => isSameList(one, shown)) || !('id' in shown))) return shown;
  return there[0] ?? null;
}

function Content({ open, searches, lists }: { open: Shown; searches: Searches; lists: Lists }) {
  if (open.kind === 'starred') return <StarredView count={lists.starred} />;
  if (open.kind === 'changed') return <ChangedOwners />;
  if (open.kind === 'do_not_mail') return <DoNotMailView />;
  if (open.kind === 'search') {
    const search = searches.find(({ search_id: id }) => id === open.id);
    return search ? <SearchView search={search} /> : null;
  }
  const list = open.kind === 'list' ? lists.lists.find(({ list_id: id }) => id === open.id) : undefined;
  return list ? <ListView list={list} /> : null;
}

const NoLists = () => (
  <section className="page" aria-label="Lists">
    <EmptyState
      icon={<ListChecks aria-hidden />}
      title="No lists yet"
      text="Save a search in Explore to see its current count here. Or select parcels there and add them to a fixed list, for letters and calls."
    >
      <button type="button" className="button primary" onClick={() => goTo('explore')}>
        Go to Explore
      </button>
    </EmptyState>
  </section>
);
