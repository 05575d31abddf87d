/** Tokens used and included, and what costs how many. */

import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { formatDate, formatNumber } from '../parts/format.ts';
import { ErrorState, Skeleton } from '../parts/states.tsx';
import { useLate, useRead } from '../state/client-context.tsx';

type Home = ReadOutputOf<'home'>;

export function UsageScreen() {
  const { data, error, isPending, refetch } = useRead('home', {});
  const isSlow = useLate(isPending);
  return (
    <section className="page" aria-label="Usage">
      <header className="page-head">
        <h1>Usage</h1>
        <span className="quieter">Tokens are a counter on this computer; nobody bills you.</span>
      </header>
      <div className="scroll">
        {error ? <ErrorState title="Usage could not be read" error={error} onRetry={() => void refetch()} /> : null}
        {isSlow ? <Skeleton label="Reading usage" /> : null}
        {data ? <Body home={data} /> : null}
      </div>
    </section>
  );
}

function Body({ home: { usage, prices } }: { home: Home }) {
  const {
    tokens_used: used,
    tokens_included: included,
    tokens_overage: over,
    period_start: start,
    period_end: end,
  } = usage;
  const share = included === 0 ? 0 : Math.min(100, (100 * used) / included);
  return (
    <div className="page-body">
      <div className="option-lines">
        <h2>
          <span className="num">{formatNumber(used)}</span> of {formatNumber(included)} tokens used
        </h2>
        <span className="bar">
          <i style={{ width: `${share}%` }} />
        </span>
        <p className="quieter small-text">
          {start && end ? `${formatDate(start)} to ${formatDate(end)}. ` : 'No plan is active. '}
          {over > 0 ? `${formatNumber(over)} above those included.` : ''}
        </p>
      </div>
      <div>
        <h2>What costs tokens</h2>
        <table className="plain-table">
          <thead>
            <tr>
              <th>Operation</th>
              <th>Price</th>
            </tr>
          </thead>
          <tbody>
            {prices.map(({ operation, words }) => (
              <tr key={operation}>
                <td className="mono">{operation}</td>
                <td>{words}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className="quieter small-text">
          Only a button that shows its price charges. Typing, counting, opening, scrolling and sorting are free.
        </p>
      </div>
    </div>
  );
}
