/** The pages of the book as it is chosen; asked for again as choices change. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import type { ClientError } from '../client/engine-client.ts';
import { useClient, useRested } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { windowId } from '../state/window-id.ts';
import { book, planInput } from './book-state.ts';
import type { BookSource } from './use-book-sources.ts';

export type BookPlan = ReadOutputOf<'book_plan'>;

export interface UsedPlan {
  /** The plan for the previous choices, until the current ones are answered. */
  readonly plan: BookPlan | null;
  readonly error: ClientError | null;
  readonly isCurrent: boolean;
  readonly retry: () => void;
}

/** A newer plan of this window stops the older one. */
const asker = `book ${windowId}`;

export function useBookPlan(source: BookSource | null): UsedPlan {
  const client = useClient();
  const choices = useStore(book);
  const input = planInput(source?.what ?? { filter: {} }, choices);
  const key = JSON.stringify(input);
  const rested = useRested(key, 150);
  const isRested = source !== null && rested === key;
  const { data, error, isPlaceholderData, isSuccess, refetch } = useQuery<BookPlan, ClientError>({
    queryKey: ['book_plan', input],
    queryFn: ({ signal }) => client.read('book_plan', { ...input, asker }, { signal }),
    enabled: isRested,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  return {
    plan: error ? null : (data ?? null),
    error,
    isCurrent: isRested && isSuccess && !isPlaceholderData,
    retry: () => void refetch(),
  };
}
