/** Search: the one button of Explore that charges. One press is one action, however often it has to be sent. */
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
  /** What the last press asked for: its error is of this filter, and of no other. */
  readonly filter: FilterBody;
  readonly error: ClientError | null;
  /** Kept while the press has failed, so that trying again is the same press. */
  readonly action: string | null;
}

const run = createStore<SearchRun>(null, { isRunning: false, filter: {}, error: null, action: null });

export interface Search {
  readonly isRunning: boolean;
  /** A field whose text cannot be used, in words: nothing is paid for the filter without it. */
  readonly refused: string | null;
  /** Why the last press for the filter as it stands failed. */
  readonly error: ClientError | null;
  /** The most that it costs, as the engine's price table says; null while that is not known. */
  readonly price: number | null;
  /** After an error it is the same press again, as long as the filter is the same. */
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

/** The rows and the count as they are shown. */
const rowReads = ['result_page', 'index', 'count_properties'];

async function search(client: EngineClient, queries: QueryClient): Promise<void> {
  const before = run.get();
  // A click leaves the field first, which may only then be refused.
  if (before.isRunning || refusal() !== null) return;
  const filter = askableBody(explore.get().filter);
  const action = (isSameFilter(before.filter, filter) && before.action) || newAction();
  run.set({ isRunning: true, filter, error: null, action });
  // Another window may have starred, tagged or listed since these were read, or taken the list away.
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
 * Of what the public operation gives a part may be asked alone: the part is counted, and the operation paid. The count
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
