/** Refreshes the count of a search over stars, tags and lists, which changes with them; other searches do not. */
import { useEffect } from 'react';
import type { LiveFilter } from '../../engine/query/live-request.ts';
import { useRead } from '../state/client-context.tsx';
import { explore, type LastSearch } from './explore-state.ts';
import { asksForWork } from './filter-body.ts';

/**
 * Keeps the count of the search in step with its rows, which are reloaded after each change; the title and exports show
 * it.
 */
export function useFreshCount(search: LastSearch | null): void {
  const isAsked = search !== null && asksForWork(search.filter);
  const first = { filter: (search?.filter ?? {}) as LiveFilter, columns: ['apn'], limit: 1 };
  const { data, isPlaceholderData } = useRead('result_page', first, { when: isAsked, isLasting: true });
  const count = isAsked && !isPlaceholderData ? data?.count : undefined;
  useEffect(() => {
    if (search !== null && count !== undefined && count !== search.count) explore.set({ search: { ...search, count } });
  }, [search, count]);
}
