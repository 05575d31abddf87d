/** Saved searches in Explore: the menu in the panel's head, and the bookmark that saves the current filter. */
import { Bookmark } from 'lucide-react';
import type { LiveFilter } from '../../engine/query/live-request.ts';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { sentenceOf } from '../../engine/spec/filter-sentence.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { showList } from '../lists/list-state.ts';
import { formatDate } from '../parts/format.ts';
import { IconButton } from '../parts/hint.tsx';
import { Menu, MenuCaption, MenuItem, MenuSeparator } from '../parts/menu.tsx';
import { useClient, useRead } from '../state/client-context.tsx';
import { goTo } from '../state/navigation.ts';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { makeChange, refreshWork } from '../work/make-change.ts';
import { askName } from '../work/name-dialog.tsx';
import { explore, keepPaid, replaceFilter } from './explore-state.ts';
import { askableBody, type FilterBody, hasScope, isSameFilter } from './filter-body.ts';
import { useWords } from './use-words.ts';

type SavedSearch = ReadOutputOf<'saved_searches'>[number];

/** Loads the search into Explore; shows paid results at once if they still match the county's file. */
export async function openSearch(client: EngineClient, saved: SavedSearch): Promise<void> {
  replaceFilter(saved.filter as FilterBody);
  explore.set({ ordering: saved.ordering, selected: null, selectedMany: [] });
  if (saved.columns.length > 0) settings.set({ columns: saved.columns });
  if (!saved.is_paid || saved.last_run_at === null) return;
  const { count } = await client.read('count_properties', { filter: saved.filter });
  const search = { filter: saved.filter as FilterBody, count, at: saved.last_run_at, tokens: 0 };
  explore.set({ search, outdatedAt: null });
  keepPaid(search);
}

export function SavedMenu() {
  const client = useClient();
  const { data } = useRead('saved_searches', {}, { isLasting: true });
  return (
    <Menu face="Saved" button="quiet" align="start" className="saved-menu">
      <MenuCaption>Saved searches</MenuCaption>
      {(data ?? []).map((saved) => (
        <MenuItem key={saved.search_id} onSelect={() => void openSearch(client, saved)}>
          <span className="ellipsis">{saved.name}</span>
          <span className="end">{saved.last_run_at === null ? 'not run yet' : formatDate(saved.last_run_at)}</span>
        </MenuItem>
      ))}
      {data?.length === 0 ? (
        <p className="menu-caption">None yet. The bookmark above the map saves these filters under a name.</p>
      ) : null}
      <MenuSeparator />
      <MenuItem onSelect={() => goTo('lists')}>Rename and delete in Lists</MenuItem>
    </Menu>
  );
}

const longestName = 80;

export function SaveSearchButton() {
  const client = useClient();
  const { filter } = useStore(explore);
  const words = useWords();
  const sentence = sentenceOf(filter, words).trim();
  const name = sentence.length > longestName ? `${sentence.slice(0, longestName).trim()} …` : sentence;
  const save = async (given: string): Promise<boolean> => {
    const { search, ordering } = explore.get();
    const body = askableBody(filter);
    const ranAt = search && isSameFilter(search.filter, body) ? search.at : null;
    const input = {
      name: given,
      filter: body as LiveFilter,
      ordering,
      columns: settings.get().columns,
      last_run_at: ranAt,
    };
    const made = await makeChange(client, 'save_search', input);
    if (made) showList({ kind: 'search', id: made.data.search_id });
    return made !== null;
  };
  return (
    <IconButton
      label="Save this search"
      disabled={!hasScope(filter)}
      onPress={() =>
        askName({ title: 'Save this search', label: 'Name of the search', value: name, button: 'Save', done: save })
      }
    >
      <Bookmark aria-hidden />
    </IconButton>
  );
}

/** Records that a paid search saved under a name ran just now. */
export async function noteRun(client: EngineClient, filter: FilterBody): Promise<void> {
  const saved = await client.read('saved_searches', {});
  const same = saved.filter((one) => isSameFilter(one.filter as FilterBody, filter));
  for (const { search_id: id } of same) await client.change('note_search_run', { search_id: id });
  if (same.length > 0) await refreshWork();
}
