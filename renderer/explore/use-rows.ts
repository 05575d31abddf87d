/** Rows of the last search, page by page as the table shows them. */
import { useQueries, useQueryClient } from '@tanstack/react-query';
import type { LiveFilter } from '../../engine/query/live-request.ts';
import { readKey, useClient } from '../state/client-context.tsx';
import type { LastSearch } from './explore-state.ts';
import type { TableColumn, TableRow } from './table-columns.tsx';

export const pageRows = 100;

export interface Rows {
  /** Undefined while the row is on its way. */
  readonly at: (index: number) => TableRow | undefined;
  /** The same, asked for when it is not there. */
  readonly read: (index: number) => Promise<TableRow | undefined>;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** @param first index of the first row shown; @param last of the last one */
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
  for (let page = Math.floor(first / pageRows); page <= Math.floor(last / pageRows); page++) pages.push(page);
  const queries = useQueryClient();
  const query = (page: number) => {
    const input = {
      filter: search.filter as LiveFilter,
      columns: reads,
      ...(ordering === null ? {} : { ordering }),
      offset: page * pageRows,
      limit: pageRows,
    };
    return {
      queryKey: readKey('result_page', input),
      queryFn: ({ signal }: { signal: AbortSignal }) => client.read('result_page', input, { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    };
  };
  const answers = useQueries({ queries: pages.map(query) });
  return {
    at: (index) => {
      const page = pages.indexOf(Math.floor(index / pageRows));
      return answers[page]?.data?.rows[index % pageRows] as TableRow | undefined;
    },
    read: async (index) => {
      const { rows } = await queries.fetchQuery(query(Math.floor(index / pageRows)));
      return rows[index % pageRows] as TableRow | undefined;
    },
    error: answers.find((answer) => answer.error)?.error ?? null,
    retry: () => {
      for (const answer of answers) if (answer.error) void answer.refetch();
    },
  };
}
