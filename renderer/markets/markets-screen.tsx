/** The market board: counties and ZIP codes by status, in the order in which the API lists them. */

import { Columns3, Plus } from 'lucide-react';
import { type CSSProperties, useState } from 'react';
import { Select } from '../parts/select.tsx';
import { EmptyState, ErrorState, Skeleton } from '../parts/states.tsx';
import { useClient, useLate, useRead } from '../state/client-context.tsx';
import { focusNow, whenThere } from '../state/focus-place.ts';
import { useStore } from '../state/store.ts';
import { makeChange } from '../work/make-change.ts';
import { AddRegion } from './add-region.tsx';
import { addColumn, ColumnHead } from './column-head.tsx';
import { type Market, MarketCard } from './market-card.tsx';
import { bucketWords, columnsOf, firstColumns, marketView } from './market-view.ts';
import { inColumn } from './placing.ts';
import { useBoard } from './use-board.ts';

const [firstColumn = ''] = firstColumns;

const focusField = () => focusNow('add-region');

export function MarketsScreen() {
  const { data, error, isPending, refetch } = useRead('market_board', {});
  const { bucket, ownColumns } = useStore(marketView);
  const [target, setTarget] = useState(firstColumn);
  const isSlow = useLate(isPending);
  const markets = data?.markets ?? [];
  const columns = columnsOf(
    ownColumns,
    markets.map(({ status }) => status),
  );
  const added = (id: number) => {
    setTarget(firstColumn);
    // The next one is typed at once.
    focusField();
    whenThere(`[data-market="${id}"]`, (place) => place.scrollIntoView({ block: 'nearest', inline: 'nearest' }));
  };
  return (
    <section className="page markets" aria-label="Markets">
      <header className="page-head">
        <h1>Markets</h1>
        <span className="quieter at-medium">your order is kept, here and in every list of markets</span>
        <span className="grow" />
        {data ? <BucketChoice bucket={bucket} buckets={data.buckets} /> : null}
        <AddRegion status={target} onAdded={added} />
      </header>
      {error ? <ErrorState title="The markets could not be read" error={error} onRetry={() => void refetch()} /> : null}
      {isSlow ? <Skeleton label="Reading the markets" /> : null}
      {data && markets.length === 0 && ownColumns.length === 0 ? <NoMarkets /> : null}
      {data && (markets.length > 0 || ownColumns.length > 0) ? (
        <Board
          markets={markets}
          columns={columns}
          bucket={bucket}
          onAddTo={(status) => {
            setTarget(status);
            focusField();
          }}
        />
      ) : null}
    </section>
  );
}

const BucketChoice = ({ bucket, buckets }: { bucket: string; buckets: readonly string[] }) => (
  <label className="line bucket">
    <span className="quieter nowrap at-medium">Lot size</span>
    <span className="field">
      <Select
        aria-label="Lot size"
        value={bucket}
        options={buckets.map((value) => ({ value, label: bucketWords(value) }))}
        onChange={(chosen) => marketView.set({ bucket: chosen })}
      />
    </span>
  </label>
);

const NoMarkets = () => (
  <EmptyState
    icon={<Columns3 aria-hidden />}
    title="No markets yet"
    text="A market is a county or ZIP code that you watch: how much sells there, how fast, at what price an acre. Add the first one; adding is free."
  >
    <button type="button" className="button primary" onClick={focusField}>
      <Plus aria-hidden />
      Add a county or ZIP
    </button>
  </EmptyState>
);

interface BoardProps {
  readonly markets: readonly Market[];
  readonly columns: readonly string[];
  readonly bucket: string;
  readonly onAddTo: (status: string) => void;
}

function Board({ markets, columns, bucket, onAddTo }: BoardProps) {
  const client = useClient();
  const board = useBoard(markets, columns);
  return (
    <>
      <div className="market-board" style={{ '--columns': columns.length } as CSSProperties}>
        {columns.map((status) => {
          const cards = inColumn(board.shown, status);
          return (
            <section key={status} className="market-column" data-column={status} aria-label={status}>
              <ColumnHead status={status} count={cards.length} columns={columns} onAdd={() => onAddTo(status)} />
              <ul aria-label={`Markets under ${status}`}>
                {cards.map((market) => (
                  <MarketCard
                    key={market.id}
                    market={market}
                    bucket={bucket}
                    columns={columns}
                    isHeld={board.heldId === market.id}
                    onKeyDown={(event) => board.press(event, market)}
                    onGrab={(event) => board.grab(event, market)}
                    onStatus={(to) => board.moveToEnd(market, to)}
                    onStep={(by) => board.step(market, by)}
                    onRemove={() => void makeChange(client, 'unsave_market', { id: market.id })}
                  />
                ))}
              </ul>
            </section>
          );
        })}
        <section className="market-column add" aria-label="New column">
          <button type="button" className="button quiet" onClick={() => addColumn(columns)}>
            <Plus aria-hidden />
            New column
          </button>
        </section>
      </div>
      <p className="market-keys" id="market-keys">
        <kbd>Space</kbd> picks a card up, <kbd>←</kbd> <kbd>→</kbd> change its status, <kbd>↑</kbd> <kbd>↓</kbd> its
        order, <kbd>Esc</kbd> puts it back
      </p>
      <p className="sr" role="status">
        {board.said}
      </p>
    </>
  );
}
