/** The parcels of a list: virtualized, sorted free, one or several selected, all by keyboard. */
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ReadInputOf } from '../../engine/reads/index.ts';
import { explore } from '../explore/explore-state.ts';
import { gridColumns } from '../explore/table-columns.tsx';
import { mostRows, pageRows } from '../explore/use-rows.ts';
import { directionIn, GridHead, GridRow, RowGrid, useRowScroller } from '../parts/row-grid.tsx';
import { ErrorState } from '../parts/states.tsx';
import { useApnWidth } from '../parts/use-apn-width.ts';
import { type RowChoosing, useRowChoosing } from '../parts/use-row-choosing.ts';
import { useIsWide } from '../parts/use-window-width.ts';
import { readKey, useClient } from '../state/client-context.tsx';
import { goTo } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';
import { type ListColumn, leastApnRem, listReads } from './list-columns.tsx';
import { chooseRows, chosenRows, listView, orderListBy } from './list-state.ts';
import type { ListRow } from './types.ts';

type Of = ReadInputOf<'list_page'>['of'];

/** Rows loaded page by page as the table shows them. */
function useListRows(of: Of, ordering: string | null, first: number, last: number) {
  const client = useClient();
  const pages: number[] = [];
  for (let page = Math.floor(first / pageRows); page <= Math.floor(last / pageRows); page++) pages.push(page);
  const asked = (offset: number, limit: number): ReadInputOf<'list_page'> => ({
    of,
    columns: listReads,
    ...(ordering === null ? {} : { ordering }),
    offset,
    limit,
  });
  const answers = useQueries({
    queries: pages.map((page) => {
      const input = asked(page * pageRows, pageRows);
      return {
        queryKey: readKey('list_page', input),
        queryFn: ({ signal }: { signal: AbortSignal }) => client.read('list_page', input, { signal }),
        staleTime: Number.POSITIVE_INFINITY,
      };
    }),
  });
  return {
    at: (index: number): ListRow | undefined =>
      answers[pages.indexOf(Math.floor(index / pageRows))]?.data?.rows[index % pageRows],
    /** Ids of rows `first` to `end`, inclusive, visible or not. */
    readIds: async (first: number, end: number): Promise<number[]> => {
      const ids: number[] = [];
      for (let offset = first; offset <= end; offset += mostRows) {
        const page = await client.read('list_page', asked(offset, Math.min(mostRows, end - offset + 1)));
        ids.push(...page.rows.map(({ property_id: id }) => id));
      }
      return ids;
    },
    error: answers.find(({ error }) => error)?.error ?? null,
    retry: () => {
      for (const answer of answers) if (answer.error) void answer.refetch();
    },
  };
}

export const openInExplore = (id: number, detailTab = 'parcel'): void => {
  explore.set({ selected: id, selectedMany: [], detailTab });
  goTo('explore');
};

export interface ListTableProps {
  readonly label: string;
  readonly of: Of;
  readonly count: number;
  readonly columns: readonly ListColumn[];
}

export function ListTable({ label, of, count, columns: all }: ListTableProps) {
  const isWide = useIsWide();
  const columns = all.filter((column) => isWide || !column.isForWide);
  const { ordering, selected } = useStore(listView);
  const list = useRowScroller(count);
  const { scroller } = list;
  const items = scroller.getVirtualItems();
  const rows = useListRows(of, ordering, items[0]?.index ?? 0, items.at(-1)?.index ?? 0);
  const shownApns = items.map(({ index }) => rows.at(index)?.apn);
  const apnRem = useApnWidth(JSON.stringify(of), shownApns, leastApnRem);
  const last = selected.at(-1);
  const chosen = useMemo(() => new Set(selected), [selected]);
  const choosing = useRowChoosing({
    count,
    order: JSON.stringify([of, ordering]),
    index: null,
    idAt: (index) => rows.at(index)?.property_id,
    readIds: rows.readIds,
    choice: chosenRows,
    choose: chooseRows,
    scrollTo: (to) => scroller.scrollToIndex(to, { align: 'auto' }),
    onEnter: () => last !== undefined && openInExplore(last),
  });
  if (rows.error) return <ErrorState title="The list could not be read" error={rows.error} onRetry={rows.retry} />;
  return (
    <RowGrid
      {...list}
      label={label}
      className="list-grid"
      place="table"
      columns={gridColumns(columns, apnRem)}
      count={count}
      hasMany
      active={last === undefined ? undefined : `row-${last}`}
      onKeyDown={choosing.onKeyDown}
      head={
        <GridHead
          columns={columns}
          directionOf={directionIn(ordering)}
          onSort={(column) => column.ordering && orderListBy(column.ordering, column.isNumber)}
        />
      }
    >
      {({ index, start }) => (
        <Row
          key={index}
          index={index}
          top={start}
          row={rows.at(index)}
          columns={columns}
          chosen={chosen}
          onPress={choosing.onPress}
        />
      )}
    </RowGrid>
  );
}

interface RowProps {
  readonly index: number;
  readonly top: number;
  readonly row: ListRow | undefined;
  readonly columns: readonly ListColumn[];
  readonly chosen: ReadonlySet<number>;
  readonly onPress: RowChoosing['onPress'];
}

function Row({ index, top, row, columns, chosen, onPress }: RowProps) {
  const id = row?.property_id;
  return (
    <GridRow
      columns={columns}
      index={index}
      top={top}
      id={id === undefined ? undefined : `row-${id}`}
      aria-selected={id !== undefined && chosen.has(id)}
      data-gone={row?.is_gone === true}
      onClick={(event) => id !== undefined && onPress(event, id, index)}
      onDoubleClick={() => id !== undefined && openInExplore(id)}
      classOf={cellClass}
      cellOf={(column) => (row ? column.cell(row) : <span className="waiting" />)}
    />
  );
}

const cellClass = ({ id, isNumber }: ListColumn): string =>
  isNumber ? 'n' : id === 'owner' ? 'line owner-cell' : 'ellipsis';
