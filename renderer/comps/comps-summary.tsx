/** The list's summary: median $/ac and the middle half, separately for sales and asks. */
import { formatNumber, plural } from '../parts/format.ts';
import { perAcreText } from '../value/value-words.ts';
import { pricePerAcre } from './comps-columns.tsx';
import { quantile } from './comps-query.ts';
import type { ListedComp } from './comps-state.ts';

interface PriceSpread {
  /** Number of comps with acres and a price. */
  readonly count: number;
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Quartiles of dollars per acre; null if no comp has both price and acres. */
export function spreadOf(rows: readonly ListedComp[]): PriceSpread | null {
  const prices = rows
    .map(pricePerAcre)
    .filter((price) => price !== null)
    .sort((a, b) => a - b);
  const [low, median, high] = [0.25, 0.5, 0.75].map((share) => quantile(prices, share));
  if (low == null || median == null || high == null) return null;
  return { count: prices.length, low, median, high };
}

export function CompsSummary({ rows }: { rows: readonly ListedComp[] }) {
  const parts = [
    { name: 'sold', rows: rows.filter(({ status }) => status === 'SOLD') },
    { name: 'asking', rows: rows.filter(({ status }) => status !== 'SOLD') },
  ].filter((part) => part.rows.length > 0);
  return (
    <p className="comps-summary num" data-testid="comps-summary">
      {parts.map(({ name, rows: some }) => {
        const spread = spreadOf(some);
        return (
          <span key={name}>
            <b className="medium">
              {formatNumber(some.length)} {name}
            </b>{' '}
            {spread === null ? (
              <span className="null">acres unknown</span>
            ) : (
              <>
                median <b className="medium">${perAcreText(spread.median)}/ac</b>
                <span className="quieter">
                  , middle half ${perAcreText(spread.low)} to ${perAcreText(spread.high)}
                  {spread.count < some.length ? ` (${plural(some.length - spread.count, 'has', 'have')} no acres)` : ''}
                </span>
              </>
            )}
          </span>
        );
      })}
    </p>
  );
}
