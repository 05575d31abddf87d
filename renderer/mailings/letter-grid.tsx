/** A table of letters: the ones to look at, all of them, or the parcels that get none. */
import type { ReactNode } from 'react';
import { gridColumns } from '../explore/table-columns.tsx';
import { chooseRows, chosenRows, listView } from '../lists/list-state.ts';
import { openInExplore } from '../lists/list-table.tsx';
import { directionIn, GridHead, GridRow, RowGrid, useRowScroller } from '../parts/row-grid.tsx';
import { useApnWidth } from '../parts/use-apn-width.ts';
import { useRowChoosing } from '../parts/use-row-choosing.ts';
import { useStore } from '../state/store.ts';

export interface Column<Row> {
  readonly id: string;
  readonly label: string;
  readonly isNumber: boolean;
  readonly isQuiet?: true;
  readonly width: readonly [rem: number, share?: number];
  /** Least width of the table in rem. */
  readonly from?: number;
  /** Null: cannot be sorted by. */
  readonly ordering: string | null;
  readonly title?: (row: Row) => string | undefined;
  readonly cell: (row: Row) => ReactNode;
}

interface GridProps<Row> {
  readonly label: string;
  /** Where keys and the palette put the focus; it also tells the rows of two tables apart. */
  readonly place: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly heightOf?: (row: Row) => number;
  readonly ordering?: string | null;
  readonly onSort?: (column: Column<Row>) => void;
  /** A press opens the parcel. */
  readonly isPhone?: boolean;
}

const leastApnRem = 4.75;

export function LetterGrid<Row extends { readonly property_id: number; readonly apn?: string | null }>({
  label,
  place,
  rows,
  columns,
  heightOf,
  ordering = null,
  onSort,
  isPhone = false,
}: GridProps<Row>) {
  const { selected } = useStore(listView);
  const list = useRowScroller(rows.length, (index, usual) => {
    const row = rows[index];
    return row && heightOf ? heightOf(row) : usual;
  });
  const { scroller } = list;
  const drawn = scroller.getVirtualItems();
  const apns = drawn.map(({ index }) => rows[index]?.apn);
  const apnRem = useApnWidth(label, apns, leastApnRem);
  const last = selected.at(-1);
  const lastIndex = last === undefined ? -1 : rows.findIndex(({ property_id: id }) => id === last);
  const choosing = useRowChoosing({
    count: rows.length,
    order: `${place} ${ordering} ${rows.length}`,
    index: lastIndex,
    idAt: (index) => rows[index]?.property_id,
    readIds: async () => [],
    choice: chosenRows,
    choose: chooseRows,
    scrollTo: (to) => scroller.scrollToIndex(to, { align: 'auto' }),
    onEnter: () => last !== undefined && openInExplore(last),
  });
  return (
    <RowGrid
      {...list}
      label={label}
      className={`list-grid letter-grid ${isPhone ? 'phone' : ''}`}
      place={place}
      columns={isPhone ? 'minmax(0, 1fr)' : gridColumns(columns as never, apnRem)}
      count={rows.length}
      hasMany
      active={lastIndex < 0 ? undefined : `${place}-${last}`}
      onKeyDown={choosing.onKeyDown}
      head={
        isPhone ? null : (
          <GridHead
            columns={columns}
            directionOf={onSort ? directionIn(ordering) : () => null}
            onSort={(column) => onSort?.(column)}
          />
        )
      }
    >
      {({ index, start }) => {
        const row = rows[index];
        if (!row) return null;
        const { property_id: id } = row;
        return (
          <GridRow
            key={index}
            columns={columns}
            index={index}
            top={start}
            id={`${place}-${id}`}
            aria-selected={selected.includes(id)}
            onClick={(event) => (isPhone ? openInExplore(id) : choosing.onPress(event, id, index))}
            onDoubleClick={() => openInExplore(id)}
            classOf={({ id: name, isNumber }) => (isNumber ? 'n' : `ellipsis cell-${name}`)}
            titleOf={({ title }) => title?.(row)}
            cellOf={({ cell }) => cell(row)}
            {...(isPhone && heightOf ? { 'data-phone': heightOf(row) } : {})}
          />
        );
      }}
    </RowGrid>
  );
}
