/** The results: virtualised rows, one selection, all by keyboard. The table is the map's full equivalent. */
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { ErrorState } from '../parts/states.tsx';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { explore, hover, type LastSearch, select, view } from './explore-state.ts';
import { chosenColumns, gridColumns, type TableColumn, type TableRow } from './table-columns.tsx';
import { TableHead } from './table-head.tsx';
import { useIndexOf } from './use-index-of.ts';
import { useIsNarrow } from './use-is-narrow.ts';
import { type Rows, useRows } from './use-rows.ts';

/** Height of a row in pixels: the token's, grown with the text. */
function useRowHeight(): number {
  const { theme, density } = useStore(settings);
  const [height, setHeight] = useState(32);
  useEffect(() => {
    const style = getComputedStyle(document.documentElement);
    const text = Number.parseFloat(style.fontSize) * 1.5;
    void [theme, density];
    setHeight(Math.max(Number.parseFloat(style.getPropertyValue('--row')) || 32, text));
  }, [theme, density]);
  return height;
}

type Scroller = Virtualizer<HTMLDivElement, Element>;

export function ResultTable({ search }: { search: LastSearch }) {
  const { columns: ids, theme } = useStore(settings);
  const { selected, ordering } = useStore(explore);
  // Outdoors the text is larger.
  const isNarrow = useIsNarrow() || theme === 'outdoor';
  const columns = chosenColumns(ids).filter((column) => !isNarrow || !column.isForWide);
  const rowHeight = useRowHeight();
  const scroll = useRef<HTMLDivElement>(null);
  const scroller: Scroller = useVirtualizer({
    count: search.count,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    // The heading row stays on top of the list.
    scrollPaddingStart: 32,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height alone asks for new measures
  useEffect(() => scroller.measure(), [rowHeight]);
  const items = scroller.getVirtualItems();
  const rows = useRows(search, ordering, columns, items[0]?.index ?? 0, items.at(-1)?.index ?? 0);
  const index = useIndexOf(search, ordering, selected);
  useEffect(() => {
    if (index !== null && index >= 0) scroller.scrollToIndex(index, { align: 'auto' });
  }, [index, scroller]);
  const onKeyDown = useRowKeys(search.count, index, rows, scroller);
  if (rows.error) return <ErrorState title="The table could not be read" error={rows.error} onRetry={rows.retry} />;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a virtualised grid holds a few of its rows only
    <div
      ref={scroll}
      className="grid"
      role="grid"
      tabIndex={0}
      aria-label="Parcels found"
      aria-rowcount={search.count + 1}
      aria-activedescendant={selected === null ? undefined : `row-${selected}`}
      data-focus="table"
      style={{ '--grid-columns': gridColumns(columns), '--row-height': `${rowHeight}px` } as React.CSSProperties}
      onKeyDown={onKeyDown}
    >
      <TableHead columns={columns} />
      {/* biome-ignore lint/a11y/useSemanticElements: as the grid */}
      <div className="grid-body" role="rowgroup" style={{ height: scroller.getTotalSize() }}>
        {items.map((item) => (
          <Row key={item.index} index={item.index} top={item.start} row={rows.at(item.index)} columns={columns} />
        ))}
      </div>
    </div>
  );
}

/** The place that the keyboard has reached, good for as long as nothing else selects. */
interface KeyedRow {
  readonly selected: number | null;
  readonly index: number;
}

/** Up, down, page, ends; Enter goes to the detail. */
function useRowKeys(count: number, index: number | null, rows: Rows, scroller: Scroller) {
  // Where the last key went: the next one may come before that row, or the answer to where it stands.
  const last = useRef<KeyedRow | null>(null);
  const go = (to: number) => {
    scroller.scrollToIndex(to, { align: 'auto' });
    const take = ({ property_id: id }: TableRow) => {
      last.current = { selected: id, index: to };
      select(id);
    };
    const row = rows.at(to);
    if (row) return take(row);
    const waiting = { selected: explore.get().selected, index: to };
    last.current = waiting;
    void rows.read(to).then((read) => read && last.current === waiting && take(read));
  };
  return (event: KeyboardEvent) => {
    // Buttons of the heading have keys of their own.
    if (event.target !== event.currentTarget) return;
    if (event.key === 'Enter') {
      document.querySelector<HTMLElement>('[data-focus="detail"]')?.focus();
      return;
    }
    const from = last.current?.selected === explore.get().selected ? last.current.index : (index ?? -1);
    const steps: Record<string, number> = {
      ArrowDown: from + 1,
      ArrowUp: from - 1,
      PageDown: from + 10,
      PageUp: from - 10,
      Home: 0,
      End: count - 1,
    };
    const wanted = steps[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    go(Math.max(0, Math.min(count - 1, wanted)));
  };
}

function Row({
  index,
  top,
  row,
  columns,
}: {
  index: number;
  top: number;
  row: TableRow | undefined;
  columns: readonly TableColumn[];
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
      aria-selected={id !== undefined && id === selected}
      data-hovered={id !== undefined && id === hovered}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => id !== undefined && select(id)}
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

/** The whole text of a cell that may be cut. */
function titleOf(row: TableRow | undefined, column: TableColumn): string | undefined {
  const cell = row && !column.isNumber ? column.cell(row) : undefined;
  return typeof cell === 'string' ? cell : undefined;
}
