/** The last search as a narrow list, while one parcel fills the rest of the screen. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { formatNumber, plural } from '../../parts/format.ts';
import { useRowInView } from '../../parts/use-row-in-view.ts';
import { useClient } from '../../state/client-context.tsx';
import { useShownTheme } from '../../state/settings.ts';
import { useStore } from '../../state/store.ts';
import { explore, type LastSearch, select } from '../explore-state.ts';
import { chosenColumns, type TableRow } from '../table-columns.tsx';
import { step, useIndexOf } from '../use-index-of.ts';
import { useRows } from '../use-rows.ts';

const columns = chosenColumns(['apn', 'owner', 'effective_acres']);

export function ResultList() {
  const { search } = useStore(explore);
  if (!search || search.count === 0) return null;
  return (
    <nav className="pane result-list" aria-label="Results">
      <div className="pane-head">
        <h2 className="num">{plural(search.count, 'parcel', 'parcels')}</h2>
      </div>
      <List key={search.at} search={search} />
    </nav>
  );
}

function List({ search }: { search: LastSearch }) {
  const { ordering, selected } = useStore(explore);
  const client = useClient();
  // The outdoor theme has larger text.
  useShownTheme();
  const scroll = useRef<HTMLDivElement>(null);
  const rowHeight = 3.0625 * (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16);
  const scroller = useVirtualizer({
    count: search.count,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the height requires new measures
  useEffect(() => scroller.measure(), [rowHeight]);
  const items = scroller.getVirtualItems();
  const rows = useRows(search, ordering, columns, [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]);
  const index = useIndexOf(search, ordering, selected);
  useRowInView(scroller, index);
  const press = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : null;
    if (by === null) return;
    event.preventDefault();
    void step(client, by);
  };
  return (
    <div
      ref={scroll}
      className="scroll"
      role="listbox"
      tabIndex={0}
      aria-label="Parcels found"
      aria-activedescendant={selected === null ? undefined : `result-${selected}`}
      onKeyDown={press}
    >
      <div className="result-items" role="presentation" style={{ height: scroller.getTotalSize() }}>
        {items.map((item) => (
          <Item key={item.index} row={rows.at(item.index)} top={item.start} height={rowHeight} selected={selected} />
        ))}
      </div>
    </div>
  );
}

function Item({
  row,
  top,
  height,
  selected,
}: {
  row: TableRow | undefined;
  top: number;
  height: number;
  selected: number | null;
}) {
  if (!row) return null;
  const acres = row.effective_acres as number | null;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys of all items
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and names its item
    <div
      id={`result-${row.property_id}`}
      role="option"
      className="result-item"
      data-long={((row.apn as string | null)?.length ?? 0) > 12}
      aria-selected={row.property_id === selected}
      style={{ transform: `translateY(${top}px)`, height }}
      onClick={() => select(row.property_id)}
    >
      <span className="apn ellipsis">{(row.apn as string | null) || 'no APN'}</span>
      <span className="num quieter">{acres === null ? 'unknown' : `${formatNumber(acres, 2)} ac`}</span>
      <span className="small-text quietest ellipsis">{(row.owner_name as string | null) || 'owner not published'}</span>
    </div>
  );
}
