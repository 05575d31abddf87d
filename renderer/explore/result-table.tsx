/** The results: virtualized rows, one selection, all by keyboard. The table is fully equivalent to the map. */
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { ErrorState } from '../parts/states.tsx';
import { useApnWidth } from '../parts/use-apn-width.ts';
import { type RowChoosing, useRowChoosing } from '../parts/use-row-choosing.ts';
import { useWidthInRem } from '../parts/use-width.ts';
import { useIsWide } from '../parts/use-window-width.ts';
import { focusNow } from '../state/focus-place.ts';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { chooseParcels, chosenParcels, explore, hover, type LastSearch, view } from './explore-state.ts';
import {
  chosenColumns,
  columnsThatFit,
  gridColumns,
  leastApnRem,
  type TableColumn,
  type TableRow,
} from './table-columns.tsx';
import { TableHead } from './table-head.tsx';
import { useIndexOf } from './use-index-of.ts';
import { useRowHeight } from './use-row-height.ts';
import { useRows } from './use-rows.ts';

type Scroller = Virtualizer<HTMLDivElement, Element>;

const apnsOf = (rows: readonly (TableRow | undefined)[]) => rows.map((row) => row?.apn);

export function ResultTable({ search }: { search: LastSearch }) {
  const { columns: ids, theme } = useStore(settings);
  const { selected, selectedMany, ordering } = useStore(explore);
  const chosen = useMemo(() => new Set(selectedMany.length > 0 ? selectedMany : [selected]), [selectedMany, selected]);
  // The outdoor theme has larger text.
  const isRoomy = useIsWide() && theme !== 'outdoor';
  const all = chosenColumns(ids);
  const rowHeight = useRowHeight();
  const scroll = useRef<HTMLDivElement>(null);
  const scroller: Scroller = useVirtualizer({
    count: search.count,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    // The heading row covers the top of the list.
    scrollPaddingStart: 32,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the height requires new measures
  useEffect(() => scroller.measure(), [rowHeight]);
  const items = scroller.getVirtualItems();
  const rows = useRows(search, ordering, all, items[0]?.index ?? 0, items.at(-1)?.index ?? 0);
  const shown = items.map((item) => rows.at(item.index));
  const badged = shown.filter((row) => row?.has_shape === false);
  const apnRem = useApnWidth(search, apnsOf(shown), leastApnRem, apnsOf(badged));
  const tableRem = useWidthInRem(scroll);
  const columns = columnsThatFit(all, apnRem, isRoomy ? tableRem : null);
  const index = useIndexOf(search, ordering, selected);
  useEffect(() => {
    if (index !== null && index >= 0) scroller.scrollToIndex(index, { align: 'auto' });
  }, [index, scroller]);
  const choosing = useRowChoosing({
    count: search.count,
    order: ordering ?? '',
    index,
    idAt: (place) => rows.at(place)?.property_id,
    readIds: rows.readIds,
    choice: chosenParcels,
    choose: chooseParcels,
    scrollTo: (to) => scroller.scrollToIndex(to, { align: 'auto' }),
    onEnter: () => focusNow('detail'),
  });
  if (rows.error) return <ErrorState title="The table could not be read" error={rows.error} onRetry={rows.retry} />;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a virtualized grid renders only some of its rows
    <div
      ref={scroll}
      className="grid"
      role="grid"
      tabIndex={0}
      aria-label="Parcels found"
      aria-rowcount={search.count + 1}
      aria-multiselectable
      aria-activedescendant={selected === null ? undefined : `row-${selected}`}
      data-focus="table"
      style={
        { '--grid-columns': gridColumns(columns, apnRem), '--row-height': `${rowHeight}px` } as React.CSSProperties
      }
      onKeyDown={choosing.onKeyDown}
    >
      <TableHead columns={columns} />
      {/* biome-ignore lint/a11y/useSemanticElements: as the grid */}
      <div className="grid-body" role="rowgroup" style={{ height: scroller.getTotalSize() }}>
        {items.map((item) => (
          <Row
            key={item.index}
            index={item.index}
            top={item.start}
            row={rows.at(item.index)}
            columns={columns}
            chosen={chosen}
            onPress={choosing.onPress}
          />
        ))}
      </div>
    </div>
  );
}

function Row({
  index,
  top,
  row,
  columns,
  chosen,
  onPress,
}: {
  index: number;
  top: number;
  row: TableRow | undefined;
  columns: readonly TableColumn[];
  chosen: ReadonlySet<number | null>;
  onPress: RowChoosing['onPress'];
}) {
  const { selected } = useStore(explore);
  const { hovered } = useStore(view);
  const id = row?.property_id;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys of all rows
    // biome-ignore lint/a11y/useFocusableInteractive: the grid is focused, and names its row
    // biome-ignore lint/a11y/useSemanticElements: as the grid
    <div
      role="row"
      id={id === undefined ? undefined : `row-${id}`}
      className="grid-row"
      aria-rowindex={index + 2}
      aria-selected={id !== undefined && chosen.has(id)}
      data-shown={id !== undefined && id === selected}
      data-hovered={id !== undefined && id === hovered}
      style={{ transform: `translateY(${top}px)` }}
      onClick={(event) => id !== undefined && onPress(event, id, index)}
      // Shift would select text.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onPointerEnter={() => id !== undefined && hover(id)}
      onPointerLeave={() => hover(null)}
    >
      {columns.map((column) => (
        // biome-ignore lint/a11y/useSemanticElements: as the grid
        // biome-ignore lint/a11y/useFocusableInteractive: as the row
        <div
          key={column.id}
          role="gridcell"
          className={column.isNumber ? 'n' : 'ellipsis'}
          title={titleOf(row, column)}
        >
          {row ? column.cell(row) : <span className="waiting" />}
        </div>
      ))}
    </div>
  );
}

/** The full text of a cell that may be cut off. */
function titleOf(row: TableRow | undefined, column: TableColumn): string | undefined {
  if (column.id === 'apn') return typeof row?.apn === 'string' ? row.apn : undefined;
  const cell = row && !column.isNumber ? column.cell(row) : undefined;
  return typeof cell === 'string' ? cell : undefined;
}
