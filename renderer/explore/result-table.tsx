/** The results: virtualized rows, one selection, all by keyboard. The table is fully equivalent to the map. */
import { useMemo } from 'react';
import type { EngineClient } from '../client/engine-client.ts';
import { showSelected } from '../map/camera.ts';
import { directionIn, GridHead, GridRow, RowGrid, useRowScroller } from '../parts/row-grid.tsx';
import { ErrorState } from '../parts/states.tsx';
import { useApnWidth } from '../parts/use-apn-width.ts';
import { type RowChoosing, useRowChoosing } from '../parts/use-row-choosing.ts';
import { useRowInView } from '../parts/use-row-in-view.ts';
import { useWidthInRem } from '../parts/use-width.ts';
import { useClient } from '../state/client-context.tsx';
import { focusNow } from '../state/focus-place.ts';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { chooseParcels, chosenParcels, explore, hover, type LastSearch, orderBy, view } from './explore-state.ts';
import {
  chosenColumns,
  columnsThatFit,
  gridColumns,
  leastApnRem,
  type TableColumn,
  type TableRow,
} from './table-columns.tsx';
import { useIndexOf } from './use-index-of.ts';
import { useRows } from './use-rows.ts';

const apnsOf = (rows: readonly (TableRow | undefined)[]) => rows.map((row) => row?.apn);

function enter(client: EngineClient): void {
  focusNow('detail');
  showSelected(client);
}

export function ResultTable({ search }: { search: LastSearch }) {
  const client = useClient();
  const { columns: ids } = useStore(settings);
  const { selected, selectedMany, ordering } = useStore(explore);
  const chosen = useMemo(() => new Set(selectedMany.length > 0 ? selectedMany : [selected]), [selectedMany, selected]);
  const all = chosenColumns(ids);
  const list = useRowScroller(search.count);
  const { scroll, scroller } = list;
  const items = scroller.getVirtualItems();
  const rows = useRows(search, ordering, all, [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]);
  const shown = items.map((item) => rows.at(item.index));
  const badged = shown.filter((row) => row?.has_shape === false);
  const apnRem = useApnWidth(search, apnsOf(shown), leastApnRem, apnsOf(badged));
  const tableRem = useWidthInRem(scroll);
  const columns = columnsThatFit(all, apnRem, tableRem);
  const index = useIndexOf(search, ordering, selected);
  useRowInView(scroller, index);
  const choosing = useRowChoosing({
    count: search.count,
    order: ordering ?? '',
    index,
    idAt: (place) => rows.at(place)?.property_id,
    readIds: rows.readIds,
    choice: chosenParcels,
    choose: chooseParcels,
    scrollTo: (to) => scroller.scrollToIndex(to, { align: 'auto' }),
    onEnter: () => enter(client),
  });
  if (rows.error) return <ErrorState title="The table could not be read" error={rows.error} onRetry={rows.retry} />;
  return (
    <RowGrid
      {...list}
      label="Parcels found"
      place="table"
      columns={gridColumns(columns, apnRem)}
      count={search.count}
      hasMany
      active={selected === null ? undefined : `row-${selected}`}
      onKeyDown={choosing.onKeyDown}
      head={
        <GridHead
          columns={columns}
          directionOf={directionIn(ordering)}
          onSort={(column) => column.ordering && orderBy(column.ordering, column.isNumber)}
        />
      }
    >
      {(item) => (
        <Row
          key={item.index}
          index={item.index}
          top={item.start}
          row={rows.at(item.index)}
          columns={columns}
          chosen={chosen}
          onPress={choosing.onPress}
        />
      )}
    </RowGrid>
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
  const client = useClient();
  const { selected } = useStore(explore);
  const { hovered } = useStore(view);
  const id = row?.property_id;
  return (
    <GridRow
      columns={columns}
      index={index}
      top={top}
      id={id === undefined ? undefined : `row-${id}`}
      aria-selected={id !== undefined && chosen.has(id)}
      data-shown={id !== undefined && id === selected}
      data-hovered={id !== undefined && id === hovered}
      onClick={(event) => id !== undefined && onPress(event, id, index)}
      onDoubleClick={() => showSelected(client)}
      onPointerEnter={() => id !== undefined && hover(id)}
      onPointerLeave={() => hover(null)}
      titleOf={(column) => titleOf(row, column)}
      cellOf={(column) => (row ? column.cell(row) : <span className="waiting" />)}
    />
  );
}

/** The full text of a cell that may be cut off. */
function titleOf(row: TableRow | undefined, column: TableColumn): string | undefined {
  if (column.id === 'apn') return typeof row?.apn === 'string' ? row.apn : undefined;
  const cell = row && !column.isNumber ? column.cell(row) : undefined;
  return typeof cell === 'string' ? cell : undefined;
}
