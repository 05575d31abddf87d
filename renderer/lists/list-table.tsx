/** The parcels of a list: virtualized, sorted free, one or several selected, all by keyboard. */
import { useMemo } from 'react';
import type { ReadInputOf } from '../../engine/reads/index.ts';
import { explore } from '../explore/explore-state.ts';
import { gridColumns } from '../explore/table-columns.tsx';
import { directionIn, GridHead, GridRow, RowGrid, useRowScroller } from '../parts/row-grid.tsx';
import { ErrorState } from '../parts/states.tsx';
import { useApnWidth } from '../parts/use-apn-width.ts';
import { usePagedRows } from '../parts/use-paged-rows.ts';
import { type RowChoosing, useRowChoosing } from '../parts/use-row-choosing.ts';
import { useWidthInRem } from '../parts/use-width.ts';
import { readKey, useClient } from '../state/client-context.tsx';
import { goTo } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';
import { type ListColumn, leastApnRem, listColumnsThatFit, listReads } from './list-columns.tsx';
import { chooseRows, chosenRows, listView, orderListBy } from './list-state.ts';
import type { ListRow } from './types.ts';

type Of = ReadInputOf<'list_page'>['of'];

/** @param shown index of the first visible row, and of the last */
function useListRows(of: Of, count: number, ordering: string | null, shown: readonly [first: number, last: number]) {
  const client = useClient();
  const input = (offset: number, limit: number): ReadInputOf<'list_page'> => ({
    of,
    columns: listReads,
    ...(ordering === null ? {} : { ordering }),
    offset,
    limit,
  });
  return usePagedRows<ListRow>({
    count,
    shown,
    page: (offset, limit) => {
      const asked = input(offset, limit);
      return {
        queryKey: readKey('list_page', asked),
        queryFn: ({ signal }) => client.read('list_page', asked, { signal }),
      };
    },
    readIds: async (offset, limit) => {
      const { rows } = await client.read('list_page', input(offset, limit));
      return rows.map(({ property_id: id }) => id);
    },
  });
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
  const { ordering, selected } = useStore(listView);
  const list = useRowScroller(count);
  const { scroll, scroller } = list;
  const items = scroller.getVirtualItems();
  const rows = useListRows(of, count, ordering, [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]);
  const shownApns = items.map(({ index }) => rows.at(index)?.apn);
  const apnRem = useApnWidth(JSON.stringify(of), shownApns, leastApnRem);
  const columns = listColumnsThatFit(all, apnRem, useWidthInRem(scroll));
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
