/** Rows of the last search, loaded page by page as the table shows them. */
import { useQueries } from '@tanstack/react-query';
import type { LiveFilter } from '../../engine/query/live-request.ts';
import { readKey, useClient } from '../state/client-context.tsx';
import type { LastSearch } from './explore-state.ts';
import type { TableColumn, TableRow } from './table-columns.tsx';

export const pageRows = 100;
/** Rows loaded beyond the visible ones: scrolling meets no empty rows. */
const aheadRows = 60;
/** The limit of result_page and list_page per answer. */
export const mostRows = 1000;

interface Rows {
  /** Undefined while the row is loading. */
  readonly at: (index: number) => TableRow | undefined;
  /** Ids of rows `first` to `end`, inclusive, visible or not. */
  readonly readIds: (first: number, end: number) => Promise<number[]>;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** @param first index of the first visible row @param last index of the last */
export function useRows(
  search: LastSearch,
  ordering: string | null,
  columns: readonly TableColumn[],
  first: number,
  last: number,
): Rows {
  const client = useClient();
  const reads = [...new Set(columns.flatMap((column) => column.reads))].sort();
  const pages: number[] = [];
  const pageOf = (index: number) => Math.floor(Math.min(Math.max(index, 0), Math.max(search.count - 1, 0)) / pageRows);
  for (let page = pageOf(first - aheadRows); page <= pageOf(last + aheadRows); page++) pages.push(page);
  const input = (columns: readonly string[]) => ({
    filter: search.filter as LiveFilter,
    columns,
    ...(ordering === null ? {} : { ordering }),
  });
  const query = (page: number) => {
    const asked = { ...input(reads), offset: page * pageRows, limit: pageRows };
    return {
      queryKey: readKey('result_page', asked),
      queryFn: ({ signal }: { signal: AbortSignal }) => client.read('result_page', asked, { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    };
  };
  const answers = useQueries({ queries: pages.map(query) });
  return {
    at: (index) => {
      const page = pages.indexOf(Math.floor(index / pageRows));
      return answers[page]?.data?.rows[index % pageRows] as TableRow | undefined;
    },
    readIds: async (first, end) => {
      const ids: number[] = [];
      for (let offset = first; offset <= end; offset += mostRows) {
        const { rows } = await client.read('result_page', {
          ...input(['apn']),
          offset,
          limit: Math.min(mostRows, end - offset + 1),
        });
        ids.push(...rows.map(({ property_id: id }) => id as number));
      }
      return ids;
    },
    error: answers.find((answer) => answer.error)?.error ?? null,
    retry: () => {
      for (const answer of answers) if (answer.error) void answer.refetch();
    },
  };
}
