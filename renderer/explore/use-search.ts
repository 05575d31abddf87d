/** Search: the only button of Explore that charges. One press is one action, however often it is sent. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { InputOf } from '../../engine/operations/index.ts';
import { type ClientError, type EngineClient, newAction } from '../client/engine-client.ts';
import { refusal, useRefusal } from '../parts/refused-fields.ts';
import { useClient } from '../state/client-context.tsx';
import { asClientError, usePrice } from '../state/priced-call.ts';
import { createStore, useStore } from '../state/store.ts';
import { explore, view } from './explore-state.ts';
import { askableBody, asksForWork, type FilterBody, isPartOfPublic, isSameFilter, publicBody } from './filter-body.ts';
import { noteRun } from './saved-searches.tsx';

interface SearchRun {
  readonly isRunning: boolean;
  /** The filter of the last press: its error belongs only to this filter. */
  readonly filter: FilterBody;
  readonly error: ClientError | null;
  /** Kept after a failed press, so that a retry is the same press. */
  readonly action: string | null;
}

const run = createStore<SearchRun>(null, { isRunning: false, filter: {}, error: null, action: null });

export interface Search {
  readonly isRunning: boolean;
  /** A field with unusable text, in words: a filter without it must not be paid for. */
  readonly refused: string | null;
  /** Why the last press failed, if it was for the current filter. */
  readonly error: ClientError | null;
  /** Its maximum price, from the engine's price table; null while unknown. */
  readonly price: number | null;
  /** After an error a retry of the same press, as long as the filter is the same. */
  readonly press: () => void;
}

export function useSearch(): Search {
  const client = useClient();
  const queries = useQueryClient();
  const { isRunning, filter, error } = useStore(run);
  const { filter: now } = useStore(explore);
  return {
    isRunning,
    refused: useRefusal(),
    error: isSameFilter(filter, now) ? error : null,
    price: usePrice('filter_properties'),
    press: () => void search(client, queries).finally(() => queries.invalidateQueries({ queryKey: ['home'] })),
  };
}

/** The displayed rows and count. */
const rowReads = ['result_page', 'index', 'count_properties'];

async function search(client: EngineClient, queries: QueryClient): Promise<void> {
  const before = run.get();
  // A click first leaves the field, which may only then become invalid.
  if (before.isRunning || refusal() !== null) return;
  const filter = askableBody(explore.get().filter);
  const action = (isSameFilter(before.filter, filter) && before.action) || newAction();
  run.set({ isRunning: true, filter, error: null, action });
  // Another window may have starred, tagged or listed since these were loaded, or deleted the list.
  if (asksForWork(filter)) for (const name of rowReads) void queries.invalidateQueries({ queryKey: [name] });
  try {
    const { count, tokens } = await paid(client, filter, action);
    explore.set({
      search: { filter, count, at: new Date().toISOString(), tokens },
      outdatedAt: null,
      selected: null,
      selectedMany: [],
    });
    view.set({ isPanelOpen: false });
    run.set({ isRunning: false, action: null });
    void noteRun(client, filter);
  } catch (error) {
    run.set({ isRunning: false, error: asClientError(error) });
  }
}

/**
 * If only a part of the public operation's result is wanted, the part is counted, and the operation paid for. The count
 * comes first: a part that is empty, or cannot be counted, costs nothing.
 */
async function paid(
  client: EngineClient,
  filter: FilterBody,
  action: string,
): Promise<{ count: number; tokens: number }> {
  const part = isPartOfPublic(filter) ? await client.read('count_properties', { filter }) : null;
  if (part?.count === 0) return { count: 0, tokens: 0 };
  const input = { ...publicBody(filter), page_size: 1 } as InputOf<'filter_properties'>;
  const { data, tokens } = await client.call('filter_properties', input, { action });
  return { count: part?.count ?? data.count, tokens };
}
