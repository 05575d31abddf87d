/** The pages of the book as it is chosen; asked for again as choices change. */
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import type { ClientError } from '../client/engine-client.ts';
import { useRead, useRested } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { bookChoices, planInput } from './book-state.ts';
import type { BookSource } from './use-book-sources.ts';

export type BookPlan = ReadOutputOf<'book_plan'>;

export interface UsedPlan {
  /** Of the choices before, until those of now are answered. */
  readonly plan: BookPlan | null;
  readonly error: ClientError | null;
  readonly isCurrent: boolean;
  readonly retry: () => void;
}

export function useBookPlan(source: BookSource | null): UsedPlan {
  const choices = useStore(bookChoices);
  const input = planInput(source?.what ?? { filter: {} }, choices);
  const key = JSON.stringify(input);
  const rested = useRested(key, 150);
  const isRested = source !== null && rested === key;
  const { data, error, isPlaceholderData, isSuccess, refetch } = useRead('book_plan', input, { when: isRested });
  return {
    plan: error ? null : (data ?? null),
    error,
    isCurrent: isRested && isSuccess && !isPlaceholderData,
    retry: () => void refetch(),
  };
}
