/** The deals as rows by when they are due, edited in place; on a phone as a list of two lines each. */
import { type ReactNode, useEffect, useMemo } from 'react';
import { type Due, dueGroups, stageLabel } from '../../engine/spec/deals.ts';
import { gridColumns } from '../explore/table-columns.tsx';
import { formatNumber } from '../parts/format.ts';
import { GridHead, GridRow, RowGrid, useRowScroller } from '../parts/row-grid.tsx';
import { ErrorState } from '../parts/states.tsx';
import { useApnWidth } from '../parts/use-apn-width.ts';
import { usePagedRows } from '../parts/use-paged-rows.ts';
import { type RowChoosing, useRowChoosing } from '../parts/use-row-choosing.ts';
import { useClient } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { NextCell, OfferCell } from './cell-editor.tsx';
import { chooseDeals, chosenDeals, type Deal, type Deals, desk, editCell, shownDeals, together } from './desk-state.ts';
import { rangeWords } from './money-words.ts';
import { dayWords, nextWords, shortDay } from './next-date.ts';
import { StageMenu, StageWord } from './stage-mark.tsx';

const groupWords: Readonly<Record<Due, string>> = {
  overdue: 'Overdue',
  today: 'Today',
  week: 'This week',
  later: 'Later',
  none: 'No next step',
};

type Item = { readonly due: Due; readonly count: number } | number;

/** A line for each group that has deals, then its deals by their index. */
function itemsOf(groups: Deals['groups']): Item[] {
  const items: Item[] = [];
  let index = 0;
  for (const due of dueGroups) {
    const count = groups[due];
    if (count > 0) items.push({ due, count });
    for (let i = 0; i < count; i++) items.push(index++);
  }
  return items;
}

const pageSize = 1000;

function useDealRows(input: ReturnType<typeof shownDeals>, count: number, shown: readonly [number, number]) {
  const client = useClient();
  const read = (page: number, size: number, signal?: AbortSignal) =>
    client.read('deals', { ...input, page, page_size: size }, signal ? { signal } : {});
  return usePagedRows<Deal>({
    count,
    shown,
    page: (offset, limit) => ({
      queryKey: ['deals', { ...input, offset, limit }, 'rows'],
      queryFn: async ({ signal }) => ({ rows: (await read(offset / limit + 1, limit, signal)).results }),
    }),
    readIds: async (offset, limit) => {
      const first = Math.floor(offset / pageSize);
      const ids: number[] = [];
      for (let page = first; page * pageSize < offset + limit; page++)
        ids.push(...(await read(page + 1, pageSize)).results.map(({ property_id: id }) => id));
      return ids.slice(offset - first * pageSize, offset - first * pageSize + limit);
    },
  });
}

interface Column {
  readonly id: string;
  readonly label: string;
  readonly isNumber: boolean;
  readonly width: readonly [rem: number, share?: number];
  /** Least width of the table in rem. */
  readonly from?: number;
  readonly ordering: null;
}

const column = (id: string, label: string, width: Column['width'], more: Partial<Column> = {}): Column => ({
  ...{ id, label, width, isNumber: false, ordering: null },
  ...more,
});

const columns: readonly Column[] = [
  column('apn', 'APN', [5]),
  column('owner', 'Owner', [6.5, 1.2]),
  column('acres', 'Acres', [3.75], { isNumber: true, from: 44 }),
  column('value', 'Value, $', [6], { isNumber: true, from: 50 }),
  column('stage', 'Stage', [8.75]),
  column('offer', 'Offer, $', [4.75], { isNumber: true }),
  column('next', 'Next step', [10, 2]),
  column('touched', 'Touched', [4.5], { isNumber: true, from: 47 }),
];
const phone: readonly Column[] = [column('deal', 'Deal', [10, 1])];

/** Two lines of text, and room for a thumb; in pixels. */
const phoneRow = 68;

function useItemScroller(items: readonly Item[], isPhone: boolean) {
  const list = useRowScroller(items.length, (index, usual) =>
    isPhone && typeof items[index] === 'number' ? phoneRow : usual,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another order has its lines of groups elsewhere
  useEffect(() => list.scroller.measure(), [items, isPhone]);
  return list;
}

interface DealTableProps {
  readonly deals: Deals;
  readonly isPhone: boolean;
  readonly widthRem: number;
}

export function DealTable({ deals, isPhone, widthRem }: DealTableProps) {
  const view = useStore(desk);
  const input = shownDeals(view);
  const { groups, count } = deals;
  const items = useMemo(() => itemsOf(groups), [groups]);
  const list = useItemScroller(items, isPhone);
  const { scroller } = list;
  const drawn = scroller.getVirtualItems();
  const indexes = drawn.map(({ index }) => items[index]).filter((one) => typeof one === 'number');
  const rows = useDealRows(input, count, [indexes[0] ?? 0, indexes.at(-1) ?? 0]);
  const apnRem = useApnWidth(
    JSON.stringify(input),
    indexes.map((index) => rows.at(index)?.apn),
    5,
  );
  const shown = isPhone ? phone : columns.filter(({ from = 0 }) => widthRem >= from);
  const chosen = useMemo(() => new Set(view.selected), [view.selected]);
  const last = view.selected.at(-1);
  const choosing = useRowChoosing({
    count,
    order: JSON.stringify(input),
    index: null,
    idAt: (index) => rows.at(index)?.property_id,
    readIds: rows.readIds,
    choice: chosenDeals,
    choose: chooseDeals,
    scrollTo: (to) => scroller.scrollToIndex(items.indexOf(to), { align: 'auto' }),
    onEnter: () => last !== undefined && desk.set({ isCardOpen: true }),
  });
  if (rows.error) return <ErrorState title="The desk could not be read" error={rows.error} onRetry={rows.retry} />;
  const today = input.today ?? '';
  return (
    <RowGrid
      {...list}
      label="Deals, soonest first"
      className={`list-grid desk-grid ${isPhone ? 'phone' : ''}`}
      place="table"
      columns={isPhone ? 'minmax(0, 1fr)' : gridColumns(shown as never, Math.max(apnRem, 5))}
      count={items.length}
      hasMany
      active={last === undefined ? undefined : `deal-${last}`}
      onKeyDown={choosing.onKeyDown}
      head={isPhone ? null : <GridHead columns={shown} directionOf={() => null} onSort={() => {}} />}
    >
      {({ index, start }) => {
        const item = items[index] ?? 0;
        return typeof item !== 'number' ? (
          <GroupLine key={item.due} top={start} index={index} today={today} {...item} />
        ) : (
          <Row
            key={index}
            columns={shown}
            index={index}
            row={item}
            top={start}
            deal={rows.at(item)}
            chosen={chosen}
            isPhone={isPhone}
            today={today}
            onPress={choosing.onPress}
          />
        );
      }}
    </RowGrid>
  );
}

interface GroupLineProps {
  readonly due: Due;
  readonly count: number;
  readonly top: number;
  readonly index: number;
  readonly today: string;
}

const GroupLine = ({ due, count, top, index, today }: GroupLineProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a line of a virtualized grid
  // biome-ignore lint/a11y/useFocusableInteractive: the grid is focused
  <div
    role="row"
    className="grid-row group-line"
    data-due={due}
    aria-rowindex={index + 2}
    style={{ transform: `translateY(${top}px)` }}
  >
    {/* biome-ignore lint/a11y/useSemanticElements: as the row */}
    {/* biome-ignore lint/a11y/useFocusableInteractive: as the row */}
    <div role="gridcell" className="num">
      {groupWords[due]} {formatNumber(count)}
      {due === 'today' ? ` · ${dayWords(today, today)}` : ''}
    </div>
  </div>
);

interface RowProps {
  readonly columns: readonly Column[];
  readonly index: number;
  /** Index among the deals, without the lines of groups. */
  readonly row: number;
  readonly top: number;
  readonly deal: Deal | undefined;
  readonly chosen: ReadonlySet<number>;
  readonly isPhone: boolean;
  readonly today: string;
  readonly onPress: RowChoosing['onPress'];
}

function Row({ columns: shown, index, row, top, deal, chosen, isPhone, today, onPress }: RowProps) {
  const id = deal?.property_id;
  const open = () => {
    if (id === undefined) return;
    chooseDeals({ ids: [id], shown: id });
    desk.set({ isCardOpen: true });
  };
  return (
    <GridRow
      columns={shown}
      index={index}
      top={top}
      id={id === undefined ? undefined : `deal-${id}`}
      aria-selected={id !== undefined && chosen.has(id)}
      onClick={(event) => (isPhone ? open() : id !== undefined && onPress(event, id, row))}
      onDoubleClick={open}
      classOf={({ id: name, isNumber }) =>
        isNumber ? 'n' : name === 'stage' || name === 'next' || name === 'deal' ? `cell-${name}` : 'ellipsis'
      }
      titleOf={({ id: name }) => (name === 'owner' ? (deal?.owner_name ?? undefined) : undefined)}
      cellOf={({ id: name }) =>
        deal ? <DealCell name={name} deal={deal} today={today} /> : <span className="waiting" />
      }
    />
  );
}

const none = <span className="null">none</span>;

type CellOf = (props: { readonly deal: Deal; readonly today: string }) => ReactNode;

const cellsByColumn: Readonly<Record<string, CellOf>> = {
  apn: ({ deal }) => <span className="apn">{deal.apn || 'no APN'}</span>,
  owner: ({ deal }) => deal.owner_name ?? <span className="null">not published</span>,
  acres: ({ deal }) => (deal.acres === null ? <span className="null">unknown</span> : formatNumber(deal.acres, 1)),
  value: ({ deal }) => rangeWords(deal) ?? <span className="null">no value yet</span>,
  stage: ({ deal }) => <StageCell deal={deal} />,
  offer: ({ deal }) => <OfferCell deal={deal}>{deal.offer === null ? none : formatNumber(deal.offer)}</OfferCell>,
  next: ({ deal, today }) => (
    <NextCell deal={deal} today={today}>
      <NextStep deal={deal} today={today} />
    </NextCell>
  ),
  touched: ({ deal, today }) => (deal.last_touch === null ? none : shortDay(deal.last_touch, today)),
  deal: ({ deal, today }) => <PhoneLines deal={deal} today={today} />,
};

function DealCell({ name, ...props }: { name: string; deal: Deal; today: string }) {
  const Cell = cellsByColumn[name];
  return Cell ? <Cell {...props} /> : null;
}

export const NextStep = ({ deal, today }: { deal: Deal; today: string }) => (
  <>
    <span className="next-day num" data-due={deal.due}>
      {deal.next_on === null ? <span className="null">no day</span> : nextWords(deal.next_on, today)}
    </span>
    <span className="next-what">{deal.next_what ?? ''}</span>
  </>
);

function StageCell({ deal: { property_id: id, stage } }: { deal: Deal }) {
  const { editing } = useStore(desk);
  return (
    <StageMenu
      ids={together(id)}
      stage={stage}
      isOpen={editing?.id === id && editing.cell === 'stage'}
      onOpenChange={(isOpen) => editCell(id, isOpen ? 'stage' : null)}
      onClosed={() => document.querySelector<HTMLElement>('[data-focus=table]')?.focus()}
    />
  );
}

const PhoneLines = ({ deal, today }: { deal: Deal; today: string }) => (
  <>
    <span className="phone-next">
      <NextStep deal={deal} today={today} />
    </span>
    <span className="phone-who">
      <span className="apn">{deal.apn || 'no APN'}</span>
      <span className="grow ellipsis">{deal.owner_name ?? 'owner not published'}</span>
      <span className="stage-pill" title={stageLabel(deal.stage)}>
        <StageWord stage={deal.stage} />
      </span>
    </span>
  </>
);
