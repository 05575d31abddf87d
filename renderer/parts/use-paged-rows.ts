/** Rows of a long table, loaded page by page as the table shows them. */
import { type QueryKey, useQueries } from '@tanstack/react-query';

const pageRows = 100;
/** Rows loaded beyond the visible ones: scrolling meets no empty rows. */
const aheadRows = 60;
/** The limit of result_page and list_page per answer. */
const mostRows = 1000;

interface PageQuery<Row> {
  readonly queryKey: QueryKey;
  readonly queryFn: (context: { signal: AbortSignal }) => Promise<{ readonly rows: readonly Row[] }>;
}

interface PagedRows<Row> {
  readonly count: number;
  /** Index of the first visible row, and of the last. */
  readonly shown: readonly [first: number, last: number];
  readonly page: (offset: number, limit: number) => PageQuery<Row>;
  readonly readIds: (offset: number, limit: number) => Promise<number[]>;
}

interface Rows<Row> {
  /** Undefined while the row is loading. */
  readonly at: (index: number) => Row | undefined;
  /** Ids of rows `first` to `end`, inclusive, visible or not. */
  readonly readIds: (first: number, end: number) => Promise<number[]>;
  readonly error: Error | null;
  readonly retry: () => void;
}

export function usePagedRows<Row>({ count, shown: [first, last], page, readIds }: PagedRows<Row>): Rows<Row> {
  const pages: number[] = [];
  const pageOf = (index: number) => Math.floor(Math.min(Math.max(index, 0), Math.max(count - 1, 0)) / pageRows);
  for (let at = pageOf(first - aheadRows); at <= pageOf(last + aheadRows); at++) pages.push(at);
  const answers = useQueries({
    queries: pages.map((at) => ({ ...page(at * pageRows, pageRows), staleTime: Number.POSITIVE_INFINITY })),
  });
  return {
    at: (index) => answers[pages.indexOf(Math.floor(index / pageRows))]?.data?.rows[index % pageRows],
    readIds: async (first, end) => {
      const ids: number[] = [];
      for (let offset = first; offset <= end; offset += mostRows)
        ids.push(...(await readIds(offset, Math.min(mostRows, end - offset + 1))));
      return ids;
    },
    error: answers.find(({ error }) => error)?.error ?? null,
    retry: () => {
      for (const answer of answers) if (answer.error) void answer.refetch();
    },
  };
}
