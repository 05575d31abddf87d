/** The list of comps: virtualized rows, sorted by headings, one selected, all by keyboard. */
import { type KeyboardEvent, useMemo } from 'react';
import { gridColumns } from '../explore/table-columns.tsx';
import { GridHead, GridRow, RowGrid, useRowScroller } from '../parts/row-grid.tsx';
import { placeFor } from '../parts/row-keys.ts';
import { useApnWidth } from '../parts/use-apn-width.ts';
import { useRowInView } from '../parts/use-row-in-view.ts';
import { useWidthInRem } from '../parts/use-width.ts';
import { useStore } from '../state/store.ts';
import { type CompColumn, compColumns, leastApnRem, sortedComps } from './comps-columns.tsx';
import type { Place } from './comps-query.ts';
import { compsView, highlightComp, type ListedComp, selectComp } from './comps-state.ts';

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
  const { selected, sort, isDescending } = useStore(compsView);
  const list = useRowScroller(rows.length);
  const { scroll, scroller } = list;
  const isWide = useWidthInRem(scroll) >= wideRem;
  const columns = compColumns(center).filter((column) => isWide || !column.isForWide);
  const items = scroller.getVirtualItems();
  const shownApns = items.map((item) => rows[item.index]?.apn);
  const apnRem = useApnWidth(rows, shownApns, leastApnRem);
  const index = rows.findIndex(({ id }) => id === selected);
  useRowInView(scroller, index);
  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const wanted = placeFor(event.key, index, rows.length);
    if (wanted === null) return;
    event.preventDefault();
    selectComp(rows[wanted]?.id ?? null);
  };
  const direction = isDescending ? 'descending' : 'ascending';
  return (
    <RowGrid
      {...list}
      label="Comps"
      place="comps-table"
      columns={gridColumns(columns, apnRem)}
      count={rows.length}
      active={index < 0 ? undefined : `comp-${selected}`}
      onKeyDown={press}
      head={<GridHead columns={columns} directionOf={({ id }) => (sort === id ? direction : 'none')} onSort={sortBy} />}
    >
      {(item) => {
        const comp = rows[item.index];
        return comp ? <Row key={comp.id} comp={comp} index={item.index} top={item.start} columns={columns} /> : null;
      }}
    </RowGrid>
  );
}

/** A second click on a heading reverses the order; a third restores the engine's. Numbers start with the largest. */
function sortBy({ id, isNumber }: CompColumn): void {
  compsView.set(({ sort, isDescending }) => {
    if (sort !== id) return { sort: id, isDescending: isNumber };
    return isDescending === isNumber ? { isDescending: !isDescending } : { sort: null };
  });
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
  const { selected, highlighted } = useStore(compsView);
  return (
    <GridRow
      columns={columns}
      index={index}
      top={top}
      id={`comp-${comp.id}`}
      aria-selected={comp.id === selected}
      data-hovered={comp.id === highlighted}
      onClick={() => selectComp(comp.id)}
      onPointerEnter={() => highlightComp(comp.id)}
      onPointerLeave={() => highlightComp(null)}
      cellOf={(column) => column.cell(comp)}
    />
  );
}
