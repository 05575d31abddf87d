/** Search: the one button of Explore that charges. One press is one action, however often it has to be sent. */
import { useQueryClient } from '@tanstack/react-query';

import type { InputOf } from '../../engine/operations/index.ts';
import { ClientError, type EngineClient, newAction } from '../client/engine-client.ts';
import { useClient, useRead } from '../state/client-context.tsx';
import { createStore, useStore } from '../state/store.ts';
import { explore, view } from './explore-state.ts';
import { askableBody, type FilterBody, isPartOfPublic, publicBody } from './filter-body.ts';
import { noteRun } from './saved-searches.tsx';
import type { LiveCount } from './use-count.ts';

interface SearchRun {
  readonly isRunning: boolean;
  readonly error: ClientError | null;
  /** Kept while a press has failed, so that trying again is the same press. */
  readonly action: string | null;
}

const run = createStore<SearchRun>(null, { isRunning: false, error: null, action: null });

export interface Search extends SearchRun {
  /** The most that it costs, as the engine's price table says; null while that is not known. */
  readonly price: number | null;
  readonly press: () => void;
  readonly retry: () => void;
}

export function useSearch(live: LiveCount): Search {
  const client = useClient();
  const queries = useQueryClient();
  const { data: home } = useRead('home', {}, { isLasting: true });
  const state = useStore(run);
  const price = home?.prices.find(({ operation }) => operation === 'filter_properties')?.tokens ?? null;
  const start = (action: string) => {
    void search(client, live, action).finally(() => queries.invalidateQueries({ queryKey: ['home'] }));
  };
  return {
    ...state,
    price,
    press: () => start(newAction()),
    retry: () => start(run.get().action ?? newAction()),
  };
}

async function search(client: EngineClient, live: LiveCount, action: string): Promise<void> {
  if (run.get().isRunning) return;
  const filter = askableBody(explore.get().filter);
  run.set({ isRunning: true, error: null, action });
  try {
    const { count, tokens } = await paid(client, filter, live, action);
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
    run.set({
      isRunning: false,
      error: error instanceof ClientError ? error : new ClientError('internal_error', String(error)),
    });
  }
}

/** Of what the public operation gives a part may be asked alone: the operation is paid, and the part is counted. */
async function paid(
  client: EngineClient,
  filter: FilterBody,
  { answer, isCurrent }: LiveCount,
  action: string,
): Promise<{ count: number; tokens: number }> {
  const isPart = isPartOfPublic(filter);
  if (isPart && isCurrent && answer?.count === 0) return { count: 0, tokens: 0 };
  const input = { ...publicBody(filter), page_size: 1 } as InputOf<'filter_properties'>;
  const { data, tokens } = await client.call('filter_properties', input, { action });
  if (!isPart) return { count: data.count, tokens };
  const { count } = await client.read('count_properties', { filter });
  return { count, tokens };
}
