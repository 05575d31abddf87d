/** The list of comps: virtualized rows, sorted by headings, one selected, all by keyboard. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import { gridColumns } from '../explore/table-columns.tsx';
import { placeFor } from '../parts/row-keys.ts';
import { useApnWidth } from '../parts/use-apn-width.ts';
import { useWidthInRem } from '../parts/use-width.ts';
import { useStore } from '../state/store.ts';
import { type CompColumn, compColumns, leastApnRem, sortedComps } from './comps-columns.tsx';
import type { Place } from './comps-query.ts';
import { compsView, type ListedComp, selectComp } from './comps-state.ts';
import { highlightComp, highlightedComp } from './highlighted-comp.ts';

/** As shown in the table: within the price range, in the heading's order. The same array while unchanged. */
export function useSortedComps(rows: readonly ListedComp[], center: Place | null): readonly ListedComp[] {
  const { sort, isDescending, priceMin, priceMax } = useStore(compsView);
  const { longitude, latitude } = center ?? {};
  return useMemo(() => {
    const within = rows.filter(
      ({ price }) => (priceMin === null || price >= priceMin) && (priceMax === null || price <= priceMax),
    );
    const from = longitude === undefined || latitude === undefined ? null : { longitude, latitude, name: '' };
    const column = compColumns(from).find(({ id }) => id === sort);
    return sortedComps(within, column, isDescending);
  }, [rows, longitude, latitude, sort, isDescending, priceMin, priceMax]);
}

/** From this width on every column fits, relative to the text size. */
const wideRem = 62;

export function CompsTable({ rows, center }: { rows: readonly ListedComp[]; center: Place | null }) {
  const { selected } = useStore(compsView);
  const scroll = useRef<HTMLDivElement>(null);
  const isWide = useWidthInRem(scroll) >= wideRem;
  const columns = compColumns(center).filter((column) => isWide || !column.isForWide);
  const style = getComputedStyle(document.documentElement);
  const text = (Number.parseFloat(style.fontSize) || 16) * 1.5;
  const rowHeight = Math.max(Number.parseFloat(style.getPropertyValue('--row')) || 32, text);
  const scroller = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollPaddingStart: 32,
  });
  const items = scroller.getVirtualItems();
  const shownApns = items.map((item) => rows[item.index]?.apn);
  const apnRem = useApnWidth(rows, shownApns, leastApnRem);
  const index = rows.findIndex(({ id }) => id === selected);
  useEffect(() => {
    if (index >= 0) scroller.scrollToIndex(index, { align: 'auto' });
  }, [index, scroller]);
  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const wanted = placeFor(event.key, index, rows.length);
    if (wanted === null) return;
    event.preventDefault();
    selectComp(rows[wanted]?.id ?? null);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a virtualized grid renders only some of its rows
    <div
      ref={scroll}
      className="grid"
      role="grid"
      tabIndex={0}
      aria-label="Comps"
      aria-rowcount={rows.length + 1}
      aria-activedescendant={index < 0 ? undefined : `comp-${selected}`}
      data-focus="comps-table"
      style={
        { '--grid-columns': gridColumns(columns, apnRem), '--row-height': `${rowHeight}px` } as React.CSSProperties
      }
      onKeyDown={press}
    >
      <Head columns={columns} />
      {/* biome-ignore lint/a11y/useSemanticElements: as the grid */}
      <div className="grid-body" role="rowgroup" style={{ height: scroller.getTotalSize() }}>
        {items.map((item) => {
          const comp = rows[item.index];
          return comp ? <Row key={comp.id} comp={comp} index={item.index} top={item.start} columns={columns} /> : null;
        })}
      </div>
    </div>
  );
}

/** A second click on a heading reverses the order; a third restores the engine's. Numbers start with the largest. */
function sortBy({ id, isNumber }: CompColumn): void {
  compsView.set(({ sort, isDescending }) => {
    if (sort !== id) return { sort: id, isDescending: isNumber };
    return isDescending === isNumber ? { isDescending: !isDescending } : { sort: null };
  });
}

function Head({ columns }: { columns: readonly CompColumn[] }) {
  const { sort, isDescending } = useStore(compsView);
  return (
    // biome-ignore lint/a11y/useSemanticElements: the heading of a virtualized grid
    <div role="rowgroup" className="grid-head">
      {/* biome-ignore lint/a11y/useSemanticElements: the heading of a virtualised grid */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: its buttons are focused */}
      <div className="grid-row" role="row" aria-rowindex={1}>
        {columns.map((column) => {
          const isSorted = sort === column.id;
          const Arrow = isDescending ? ArrowDown : ArrowUp;
          return (
            // biome-ignore lint/a11y/useSemanticElements: as the row
            // biome-ignore lint/a11y/useFocusableInteractive: as the row
            <div
              key={column.id}
              role="columnheader"
              className={column.isNumber ? 'n' : ''}
              aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : 'none'}
            >
              <button type="button" onClick={() => sortBy(column)}>
                {isSorted ? <Arrow aria-hidden className="small" /> : null}
                {column.label}
              </button>
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Row({
  comp,
  index,
  top,
  columns,
}: {
  comp: ListedComp;
  index: number;
  top: number;
  columns: readonly CompColumn[];
}) {
  const { selected } = useStore(compsView);
  const { id } = useStore(highlightedComp);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys of all rows
    // biome-ignore lint/a11y/useFocusableInteractive: the grid is focused, and names its row
    // biome-ignore lint/a11y/useSemanticElements: as the grid
    <div
      role="row"
      id={`comp-${comp.id}`}
      className="grid-row"
      aria-rowindex={index + 2}
      aria-selected={comp.id === selected}
      data-hovered={comp.id === id}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => selectComp(comp.id)}
      onPointerEnter={() => highlightComp(comp.id)}
      onPointerLeave={() => highlightComp(null)}
    >
      {columns.map((column) => (
        // biome-ignore lint/a11y/useSemanticElements: as the grid
        // biome-ignore lint/a11y/useFocusableInteractive: as the row
        <div key={column.id} role="gridcell" className={column.isNumber ? 'n' : 'ellipsis'}>
          {column.cell(comp)}
        </div>
      ))}
    </div>
  );
}
