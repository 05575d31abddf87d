/** The open deals as columns by stage, soonest first. A card is moved by dragging, or by M and a letter. */
import { type DragEvent, type KeyboardEvent, useState } from 'react';
import { type DealStage, openStages, stageLabel, stagesByValue } from '../../engine/spec/deals.ts';
import { noBreak } from '../../engine/spec/number-words.ts';
import { formatNumber } from '../parts/format.ts';
import { useClient, useRead } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { NextStep } from './deal-table.tsx';
import { chooseDeals, type Deal, type Deals, desk, moveTo, shownDeals, showPart, together } from './desk-state.ts';
import { offerWords, rangeWords, sumWords } from './money-words.ts';
import { localDay } from './next-date.ts';
import { StageMark } from './stage-mark.tsx';

const mostCards = 200;

export function DealBoard({ counts }: { counts: Deals['desk'] }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the cards in it have the focus
    <div className="deal-board" onKeyDown={moveFocus}>
      {openStages.map((stage) => (
        <Column key={stage} stage={stage} sum={counts.stages.find((one) => one.stage === stage)?.sum ?? 0} />
      ))}
      <div className="deal-ends">
        {(['closed', 'dropped'] as const).map((stage) => (
          <End key={stage} stage={stage} deals={counts.stages.find((one) => one.stage === stage)?.deals ?? 0} />
        ))}
      </div>
    </div>
  );
}

/** Arrows go through the cards of a column, and to the same place in the next one. */
function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const card = (event.target as HTMLElement).closest<HTMLElement>('.deal');
  if (!card || event.target !== card) return;
  const own = [...(card.parentElement?.children ?? [])];
  const at = own.indexOf(card);
  const columns = [...event.currentTarget.querySelectorAll('.deal-column ul')].filter((one) => one.children.length > 0);
  const beside = (by: number) => {
    const cards = columns[columns.indexOf(card.parentElement as Element) + by]?.children;
    return cards?.[Math.min(at, cards.length - 1)];
  };
  const to = { ArrowDown: own[at + 1], ArrowUp: own[at - 1], ArrowRight: beside(1), ArrowLeft: beside(-1) }[event.key];
  if (!(to instanceof HTMLElement)) return;
  event.preventDefault();
  to.focus();
}

const dropType = 'text/plain';

function useDrop(stage: DealStage) {
  const client = useClient();
  const [isOver, setOver] = useState(false);
  return {
    'data-drop': isOver,
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      const id = Number(event.dataTransfer.getData(dropType));
      if (id > 0) void moveTo(client, together(id), stage);
    },
  };
}

function Column({ stage, sum }: { stage: DealStage; sum: number }) {
  const { due, words } = useStore(desk);
  const { data } = useRead('deals', { ...shownDeals({ due, words, stage }), page_size: mostCards });
  const drop = useDrop(stage);
  const [count, cards] = [data?.count ?? 0, data?.results ?? []];
  return (
    <section className="deal-column" aria-label={stageLabel(stage)} {...drop}>
      <header>
        <h2>
          <StageMark stage={stage} />
          {stageLabel(stage)} <span className="quieter num">{formatNumber(count)}</span>
        </h2>
        <p className="quieter num" title={stagesByValue.includes(stage) ? 'Middle of the values' : 'Offers'}>
          {sum === 0 ? noBreak : sumWords(sum)}
        </p>
      </header>
      <ul aria-label={`Deals under ${stageLabel(stage)}`}>
        {cards.map((deal) => (
          <Card key={deal.property_id} deal={deal} />
        ))}
      </ul>
      {count > cards.length && data ? (
        <p className="quieter num deal-more">
          The soonest {formatNumber(cards.length)} of {formatNumber(count)}
        </p>
      ) : null}
    </section>
  );
}

function Card({ deal }: { deal: Deal }) {
  const { selected } = useStore(desk);
  const { property_id: id } = deal;
  const choose = () => desk.get().selected.at(-1) !== id && chooseDeals({ ids: [id], shown: id });
  return (
    <li
      className="deal"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys act on the card that has the focus
      tabIndex={0}
      aria-current={selected.includes(id) ? 'true' : undefined}
      draggable
      onDragStart={(event) => event.dataTransfer.setData(dropType, String(id))}
      onFocus={choose}
      onClick={choose}
      onDoubleClick={() => desk.set({ isCardOpen: true })}
      onKeyDown={(event) => event.key === 'Enter' && desk.set({ isCardOpen: true })}
    >
      <p className="line">
        <span className="apn grow">{deal.apn || 'no APN'}</span>
        <span className="quieter num">{deal.acres === null ? '' : `${formatNumber(deal.acres, 1)} ac`}</span>
      </p>
      <p className="medium ellipsis">{deal.owner_name ?? 'owner not published'}</p>
      <p className="small-text">{moneyOf(deal)}</p>
      {deal.next_on === null && deal.next_what === null ? null : (
        <p className="deal-next small-text">
          <NextStep deal={deal} today={localDay()} />
        </p>
      )}
    </li>
  );
}

function moneyOf(deal: Deal) {
  if (deal.offer !== null) return <>offer {offerWords(deal.offer)}</>;
  const range = rangeWords(deal);
  return range === null ? <span className="null">no value yet</span> : <>value ${range}</>;
}

const End = ({ stage, deals }: { stage: 'closed' | 'dropped'; deals: number }) => (
  <button type="button" className="deal-end" {...useDrop(stage)} onClick={() => showPart({ stage, isBoard: false })}>
    <StageMark stage={stage} />
    {stageLabel(stage)} <span className="num">{formatNumber(deals)}</span>
  </button>
);
