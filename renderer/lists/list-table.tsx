/** The parcels of a list: virtualized, sorted free, one or several selected, all by keyboard. */
import { useQueries } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import type { ReadInputOf } from '../../engine/reads/index.ts';
import { explore } from '../explore/explore-state.ts';
import { gridColumns } from '../explore/table-columns.tsx';
import { useRowHeight } from '../explore/use-row-height.ts';
import { mostRows, pageRows } from '../explore/use-rows.ts';
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
  const rowHeight = useRowHeight();
  const scroll = useRef<HTMLDivElement>(null);
  const scroller = useVirtualizer({
    count,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollPaddingStart: 32,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the height requires new measures
  useEffect(() => scroller.measure(), [rowHeight]);
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
    // biome-ignore lint/a11y/useSemanticElements: a virtualized grid renders only some of its rows
    <div
      ref={scroll}
      className="grid list-grid"
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={count + 1}
      aria-multiselectable
      aria-activedescendant={last === undefined ? undefined : `row-${last}`}
      data-focus="table"
      style={
        { '--grid-columns': gridColumns(columns, apnRem), '--row-height': `${rowHeight}px` } as React.CSSProperties
      }
      onKeyDown={choosing.onKeyDown}
    >
      <Head columns={columns} ordering={ordering} />
      {/* biome-ignore lint/a11y/useSemanticElements: as the grid */}
      <div className="grid-body" role="rowgroup" style={{ height: scroller.getTotalSize() }}>
        {items.map(({ index, start }) => (
          <Row
            key={index}
            index={index}
            top={start}
            row={rows.at(index)}
            columns={columns}
            chosen={chosen}
            onPress={choosing.onPress}
          />
        ))}
      </div>
    </div>
  );
}

function Head({ columns, ordering }: { columns: readonly ListColumn[]; ordering: string | null }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the heading of a virtualized grid
    <div role="rowgroup" className="grid-head">
      {/* biome-ignore lint/a11y/useSemanticElements: as the rowgroup */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: its buttons are focused */}
      <div className="grid-row" role="row" aria-rowindex={1}>
        {columns.map((column) => (
          <HeadCell key={column.id} column={column} ordering={ordering} />
        ))}
      </div>
    </div>
  );
}

function HeadCell({ column, ordering }: { column: ListColumn; ordering: string | null }) {
  const { ordering: own, isNumber, label } = column;
  const isDown = own !== null && ordering === `-${own}`;
  const isUp = own !== null && ordering === own;
  return (
    // biome-ignore lint/a11y/useSemanticElements: as the row
    // biome-ignore lint/a11y/useFocusableInteractive: as the row
    <div
      role="columnheader"
      className={isNumber ? 'n' : ''}
      aria-sort={isDown ? 'descending' : isUp ? 'ascending' : 'none'}
    >
      {own === null ? (
        <span className={column.isQuiet ? 'sr' : 'head-text'}>{label}</span>
      ) : (
        <button type="button" onClick={() => orderListBy(own, isNumber)}>
          {isDown ? <ArrowDown aria-hidden className="small" /> : null}
          {isUp ? <ArrowUp aria-hidden className="small" /> : null}
          {label}
        </button>
      )}
    </div>
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
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys of all rows
    // biome-ignore lint/a11y/useFocusableInteractive: the grid is focused, and names its row
    // biome-ignore lint/a11y/useSemanticElements: as the grid
    <div
      role="row"
      id={id === undefined ? undefined : `row-${id}`}
      className="grid-row"
      aria-rowindex={index + 2}
      aria-selected={id !== undefined && chosen.has(id)}
      data-gone={row?.is_gone === true}
      style={{ transform: `translateY(${top}px)` }}
      onClick={(event) => id !== undefined && onPress(event, id, index)}
      // Shift would select text.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onDoubleClick={() => id !== undefined && openInExplore(id)}
    >
      {columns.map((column) => (
        // biome-ignore lint/a11y/useSemanticElements: as the grid
        // biome-ignore lint/a11y/useFocusableInteractive: as the row
        <div key={column.id} role="gridcell" className={cellClass(column)}>
          {row ? column.cell(row) : <span className="waiting" />}
        </div>
      ))}
    </div>
  );
}

const cellClass = ({ id, isNumber }: ListColumn): string =>
  isNumber ? 'n' : id === 'owner' ? 'line owner-cell' : 'ellipsis';
