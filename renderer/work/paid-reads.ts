/**
 * Reads to refresh after paying for a parcel, in its tab or in a run of a list: both places show the result and the
 * tokens.
 */
import type { QueryClient } from '@tanstack/react-query';

const paidReads = ['home', 'stored_value', 'stored_trace', 'list_page', 'list_quote', 'lists'] as const;

export const paidKeys = paidReads.map((name) => [name] as const);

export const refreshPaid = (queries: QueryClient): void => {
  for (const queryKey of paidKeys) void queries.invalidateQueries({ queryKey });
};
