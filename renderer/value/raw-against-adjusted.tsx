/**
 * Dollars per acre of the comps, raw above and adjusted below. Plain SVG in percent, so that it scales with the width:
 * Observable Plot writes a style element into its pictures, which the page's policy blocks.
 */
import { CompDot } from '../comps/comp-mark.tsx';
import { formatNumber } from '../parts/format.ts';
import { perAcreText, type ShownValue } from './value-words.ts';

const top = { raw: 46, adjusted: 104 } as const;

/** Round numbers of a logarithmic scale: 2,000, 2,500, 3,000, 3,500, 4,000, 5,000. */
function ticksBetween(low: number, high: number): number[] {
  const steps = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8];
  const first = Math.floor(Math.log10(low));
  const all = Array.from({ length: Math.ceil(Math.log10(high)) - first + 1 }, (_each, i) =>
    steps.map((step) => step * 10 ** (first + i)),
  ).flat();
  const inside = all.filter((tick) => tick >= low && tick <= high);
  const every = Math.ceil(inside.length / 7);
  return inside.filter((_tick, i) => i % every === 0);
}

export function RawAgainstAdjusted({ value: { used, numbers } }: { value: ShownValue }) {
  const prices = used.flatMap((comp) => [comp.price_per_acre, comp.adjusted_price_per_acre]);
  const [low, high] = [Math.min(...prices) * 0.94, Math.max(...prices) * 1.06];
  const at = (price: number) => `${(4 + (92 * Math.log(price / low)) / Math.log(high / low)).toFixed(2)}%`;
  const heaviest = Math.max(...used.map(({ weight }) => weight));
  return (
    <section className="value-section" aria-labelledby="strip-title">
      <div className="section-title">
        <h3 id="strip-title">Raw against adjusted</h3>
        <p className="quieter">$/ac; a bigger dot weighs more</p>
      </div>
      <svg
        className="strip num"
        width="100%"
        height="156"
        role="img"
        aria-label="Dollars per acre of the comps, raw against adjusted"
      >
        {ticksBetween(low, high).map((tick) => (
          <g key={tick}>
            <line x1={at(tick)} x2={at(tick)} y1="20" y2="128" className="strip-grid" />
            <text x={at(tick)} y="148" textAnchor="middle" className="axis-text">
              {formatNumber(tick)}
            </text>
          </g>
        ))}
        <line
          x1={at(numbers.mean_adjusted_ppa)}
          x2={at(numbers.mean_adjusted_ppa)}
          y1="14"
          y2="128"
          className="middle"
        />
        <text x={at(numbers.mean_adjusted_ppa)} y="10" textAnchor="middle" className="middle-text">
          ${perAcreText(numbers.mean_adjusted_ppa)}/ac
        </text>
        {used.map((comp) => (
          <line
            key={comp.id}
            x1={at(comp.price_per_acre)}
            x2={at(comp.adjusted_price_per_acre)}
            y1={top.raw}
            y2={top.adjusted}
            className="connection"
          />
        ))}
        {used.map((comp) => (
          <g key={comp.id}>
            <CompDot status={comp.status} x={at(comp.price_per_acre)} y={top.raw} isRaw />
            <CompDot
              status={comp.status}
              x={at(comp.adjusted_price_per_acre)}
              y={top.adjusted}
              r={3.5 + (4 * comp.weight) / heaviest}
            />
          </g>
        ))}
        <text x="0" y="36" className="axis-text">
          raw
        </text>
        <text x="0" y="94" className="axis-text">
          adjusted
        </text>
      </svg>
    </section>
  );
}
