/** Rows of the last search. */
import type { LiveFilter } from '../../engine/query/live-request.ts';
import { usePagedRows } from '../parts/use-paged-rows.ts';
import { readKey, useClient } from '../state/client-context.tsx';
import type { LastSearch } from './explore-state.ts';
import type { TableColumn, TableRow } from './table-columns.tsx';

/** @param shown index of the first visible row, and of the last */
export function useRows(
  search: LastSearch,
  ordering: string | null,
  columns: readonly TableColumn[],
  shown: readonly [first: number, last: number],
) {
  const client = useClient();
  const reads = [...new Set(columns.flatMap((column) => column.reads))].sort();
  const input = (columns: readonly string[], offset: number, limit: number) => ({
    filter: search.filter as LiveFilter,
    columns,
    ...(ordering === null ? {} : { ordering }),
    offset,
    limit,
  });
  return usePagedRows<TableRow>({
    count: search.count,
    shown,
    page: (offset, limit) => {
      const asked = input(reads, offset, limit);
      return {
        queryKey: readKey('result_page', asked),
        queryFn: async ({ signal }) => {
          const { rows } = await client.read('result_page', asked, { signal });
          return { rows: rows as readonly TableRow[] };
        },
      };
    },
    readIds: async (offset, limit) => {
      const { rows } = await client.read('result_page', input(['apn'], offset, limit));
      return rows.map(({ property_id: id }) => id as number);
    },
  });
}
