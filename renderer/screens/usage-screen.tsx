/** Tokens used and included, by day and operation, the latest calls, and the prices. */
import { useQueryClient } from '@tanstack/react-query';
import { Copy, Gauge } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { copyText } from '../parts/clipboard.ts';
import { formatDate, formatNumber, plural } from '../parts/format.ts';
import { EmptyState, ErrorState, Skeleton } from '../parts/states.tsx';
import { useLate, useRead } from '../state/client-context.tsx';
import { PlanPart } from './settings/plan-part.tsx';
import { DayBars, EndpointBars } from './usage-charts.tsx';
import { actionWords, modeWords } from './usage-words.ts';

type Report = ReadOutputOf<'usage_report'>;
type Home = ReadOutputOf<'home'>;

const firstCalls = 20;
const moreCalls = 100;
const mostCalls = 1000;

export function UsageScreen() {
  const [limit, setLimit] = useState(firstCalls);
  const { data: home } = useRead('home', {}, { isLasting: true });
  const { data, error, isPending, refetch } = useRead('usage_report', { limit });
  const isSlow = useLate(isPending);
  const used = home?.usage.tokens_used;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something was charged, and at every visit
  useEffect(() => void refetch(), [used]);
  const queries = useQueryClient();
  const reported = data?.totals.tokens_used;
  // A script has made a call meanwhile: refreshes the line at the bottom to match this screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each report, against what was known then
  useEffect(() => {
    if (reported !== undefined && used !== undefined && reported !== used)
      void queries.invalidateQueries({ queryKey: ['home'] });
  }, [reported]);
  return (
    <section className="page" aria-label="Usage">
      <header className="page-head">
        <a className="link" href="#/settings">
          Settings
        </a>
        <h1>Usage</h1>
        <span className="quieter">Tokens are a counter on this computer; they cost no money.</span>
      </header>
      <div className="scroll">
        {error ? <ErrorState title="Usage could not be read" error={error} onRetry={() => void refetch()} /> : null}
        {isSlow ? <Skeleton label="Reading usage" /> : null}
        {data ? (
          <div className="page-body usage-body">
            <div className="usage-period">
              <Totals totals={data.totals} />
              <PlanPart />
              {data.breakdown.records.length === 0 ? <NoneYet /> : null}
              <DayBars report={data} />
              <EndpointBars report={data} />
            </div>
            {home ? <Prices prices={home.prices} /> : null}
            <Calls report={data} onMore={() => setLimit((before) => Math.min(mostCalls, before + moreCalls))} />
          </div>
        ) : null}
      </div>
    </section>
  );
}

function Totals({ totals }: { totals: Report['totals'] }) {
  const {
    tokens_used: used,
    tokens_included: included,
    tokens_overage: over,
    overage_amount_cents: cents,
    period_start: start,
    period_end: end,
  } = totals;
  if (start === null || end === null) {
    return (
      <div>
        <h2>No plan is active</h2>
        <p className="quieter">
          Nothing is counted, and calls that cost tokens are refused until a tier is chosen below.
        </p>
      </div>
    );
  }
  const share = included === 0 ? 100 : Math.min(100, (100 * used) / included);
  return (
    <div>
      <h2 data-testid="used">
        <span className="num">{formatNumber(used)}</span> of {formatNumber(included)} tokens used
      </h2>
      <span className="bar total-bar" data-over={over > 0}>
        <i style={{ width: `${share}%` }} />
      </span>
      <p className="quieter small-text">
        {formatDate(start)} to {formatDate(lastDay(end))}; the counter starts again on {formatDate(end)}.
      </p>
      {over > 0 ? (
        <p className="small-text over" data-testid="overage">
          {formatNumber(over)} above those included
          {cents > 0 ? `, $${formatNumber(cents / 100, 2)} at the plan’s price, never billed` : ''}.
        </p>
      ) : null}
    </div>
  );
}

/** The period ends with the first moment of the next one. */
const lastDay = (end: string): string => new Date(Date.parse(end) - 1).toISOString();

const NoneYet = () => (
  <EmptyState
    icon={<Gauge aria-hidden />}
    title="No tokens used in this period"
    text="Typing, counting, the map and opening parcels are free. The first Search, Value or Look up will appear here."
  />
);

const Prices = ({ prices }: { prices: Home['prices'] }) => (
  <section className="usage-prices" aria-label="What costs tokens">
    <h2>What costs tokens</h2>
    <table className="plain-table stacked">
      <thead>
        <tr>
          <th scope="col">Button</th>
          <th scope="col">Operation</th>
          <th scope="col">Price</th>
        </tr>
      </thead>
      <tbody>
        {prices.map(({ operation, words }) => (
          <tr key={operation}>
            <td>{actionWords(operation)}</td>
            <td className="mono small-text">{operation}</td>
            <td>{words}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <p className="quieter small-text">
      Only a button that shows its price charges. Typing, counting, the map, opening details, scrolling, sorting and
      stored results are free.
    </p>
  </section>
);

/** `2 Nov 2026, 09:42:07`, in this computer's time zone. */
const momentWords = (at: string): string => {
  const moment = new Date(at);
  const day = [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  return `${formatDate(day)}, ${moment.toLocaleTimeString('en-GB')}`;
};

function Calls({ report: { calls, call_count: count, operations }, onMore }: { report: Report; onMore: () => void }) {
  if (calls.length === 0) return null;
  return (
    <section className="usage-calls" aria-label="Last calls">
      <h2>Last calls</h2>
      <table className="plain-table stacked">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">What</th>
            <th scope="col">From</th>
            <th scope="col" className="n">
              Tokens
            </th>
            <th scope="col">Request</th>
          </tr>
        </thead>
        <tbody>
          {calls.map((call) => (
            <tr key={call.ledger_id}>
              <td className="num nowrap">{momentWords(call.charged_at)}</td>
              <td>{actionWords(operations[call.endpoint] ?? call.endpoint)}</td>
              <td className="quieter">
                {modeWords(call.mode)}
                {call.key_name === null ? '' : `, ${call.key_name}`}
              </td>
              <td className="n">{formatNumber(call.tokens)}</td>
              <td>
                <RequestId id={call.request_id} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="line quieter small-text">
        {plural(calls.length, 'charge', 'charges')} of {formatNumber(count)}, newest first; free calls are not recorded.
        {calls.length < Math.min(count, mostCalls) ? (
          <button type="button" className="button" onClick={onMore}>
            Show more
          </button>
        ) : null}
      </p>
    </section>
  );
}

const RequestId = ({ id }: { id: string | null }) =>
  id === null ? (
    <span className="null">not recorded then</span>
  ) : (
    <span className="line request-id">
      <span className="mono small-text">{id}</span>
      <button
        type="button"
        className="button icon"
        aria-label={`Copy the request id ${id}`}
        onClick={() => copyText(id, 'Request id copied')}
      >
        <Copy aria-hidden />
      </button>
    </span>
  );
