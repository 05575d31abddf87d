/** Search: the only button of Explore that charges. One press is one action, however often it is sent. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { InputOf } from '../../engine/operations/index.ts';
import { type ClientError, type EngineClient, newAction } from '../client/engine-client.ts';
import { followResults } from '../map/camera.ts';
import { refusal, useRefusal } from '../parts/refused-fields.ts';
import { useTypedField } from '../parts/typing.ts';
import { useClient } from '../state/client-context.tsx';
import { asClientError, usePrice } from '../state/priced-call.ts';
import { createStore, useStore } from '../state/store.ts';
import { explore, keepPaid, paidSearch, view } from './explore-state.ts';
import { askableBody, asksForWork, type FilterBody, isPartOfPublic, isSameFilter, publicBody } from './filter-body.ts';
import { noteRun } from './saved-searches.tsx';

interface SearchRun {
  readonly isRunning: boolean;
  /** The filter of the last press: its error belongs only to this filter. */
  readonly filter: FilterBody;
  readonly error: ClientError | null;
  /** Kept after a failed press, so that a retry is the same press. */
  readonly action: string | null;
  /** The last press found nothing; the table keeps the result before it. */
  readonly isEmpty: boolean;
}

const run = createStore<SearchRun>(null, { isRunning: false, filter: {}, error: null, action: null, isEmpty: false });

export interface Search {
  readonly isRunning: boolean;
  /** A field with unusable text, in words: a filter without it must not be paid for. */
  readonly refused: string | null;
  /** Why the last press failed, if it was for the current filter. */
  readonly error: ClientError | null;
  /** Its maximum price, from the engine's price table, or 0 for a filter that was paid for; null while unknown. */
  readonly price: number | null;
  /** After an error a retry of the same press, as long as the filter is the same. */
  readonly press: () => void;
  /** Whether the last press, with the current filter, found nothing. */
  readonly isEmpty: boolean;
  /** Shows the result before it. */
  readonly leaveEmpty: () => void;
}

export function useSearch(): Search {
  const client = useClient();
  const queries = useQueryClient();
  const { isRunning, filter, error, isEmpty } = useStore(run);
  const state = useStore(explore);
  const isOfNow = isSameFilter(filter, state.filter);
  const refused = useRefusal();
  const isTyping = useTypedField() !== null;
  const price = usePrice('filter_properties');
  return {
    isRunning,
    refused: isTyping ? null : refused,
    error: isOfNow ? error : null,
    price: paidSearch(state, state.filter) ? 0 : price,
    press: () => void search(client, queries).finally(() => queries.invalidateQueries({ queryKey: ['home'] })),
    isEmpty: isOfNow && isEmpty,
    leaveEmpty: () => run.set({ isEmpty: false }),
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
  run.set({ isRunning: true, filter, error: null, action, isEmpty: false });
  // Another window may have starred, tagged or listed since these were loaded, or deleted the list.
  if (asksForWork(filter)) for (const name of rowReads) void queries.invalidateQueries({ queryKey: [name] });
  try {
    const { count, tokens } = await paid(client, filter, action);
    if (count > 0) {
      const search = { filter, count, at: new Date().toISOString(), tokens };
      explore.set({ search, outdatedAt: null, selected: null, selectedMany: [] });
      keepPaid(search);
      // A map that stays is no fault of the search.
      followResults(client, filter).catch(() => {});
    }
    view.set({ isPanelOpen: false });
    run.set({ isRunning: false, action: null, isEmpty: count === 0 });
    void noteRun(client, filter);
  } catch (error) {
    run.set({ isRunning: false, error: asClientError(error) });
  }
}

/**
 * A filter that was paid for is only counted. If only a part of the public operation's result is wanted, the part is
 * counted, and the operation paid for. The count comes first: a part that is empty, or cannot be counted, costs nothing.
 */
async function paid(
  client: EngineClient,
  filter: FilterBody,
  action: string,
): Promise<{ count: number; tokens: number }> {
  const isPaid = paidSearch(explore.get(), filter) !== undefined;
  const part = isPaid || isPartOfPublic(filter) ? await client.read('count_properties', { filter }) : null;
  if (part && (isPaid || part.count === 0)) return { count: part.count, tokens: 0 };
  const input = { ...publicBody(filter), page_size: 1 } as InputOf<'filter_properties'>;
  const { data, tokens } = await client.call('filter_properties', input, { action });
  return { count: part?.count ?? data.count, tokens };
}
