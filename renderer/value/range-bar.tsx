/**
 * The range on a scale of round numbers, the value in it, and the parcel's own ask or sale beside it: shown, not used.
 */
import { dollarsWithin } from '../../engine/spec/value-terms.ts';
import { formatMoney } from '../parts/format.ts';
import { type AnyComp, axisAround, rangeWords, type ShownValue, shortMoney } from './value-words.ts';

/** Beyond this many times the range, the parcel's own price would squeeze the range; it then appears in words only. */
const widestReach = 2.5;

interface OwnPrice {
  readonly price: number;
  readonly words: string;
  /** Whether the scale reaches it. */
  readonly isOnScale: boolean;
}

/** The parcel's newest ask, else its newest sale, if it has a price. */
function ownPriceOf({ own, range }: ShownValue): OwnPrice | null {
  const priced = own.filter((comp): comp is AnyComp & { price: number } => (comp.price ?? 0) > 0);
  const found = priced.find(({ status }) => status !== 'SOLD') ?? priced[0];
  if (!found) return null;
  const name =
    found.status === 'SOLD' ? `its own sale${found.date ? ` of ${found.date.slice(0, 4)}` : ''}` : 'its own ask';
  return {
    price: found.price,
    words: `${name}, ${formatMoney(found.price)}: shown, not used`,
    isOnScale: found.price >= range.low / widestReach && found.price <= range.high * widestReach,
  };
}

export function RangeBar({ value }: { value: ShownValue }) {
  const { range, numbers } = value;
  const own = ownPriceOf(value);
  const shown = own?.isOnScale ? own : null;
  const margin = (range.high - range.low) * 0.25;
  const axis = axisAround(
    Math.max(0, Math.min(range.low - margin, shown?.price ?? Number.POSITIVE_INFINITY)),
    Math.max(range.high + margin, shown?.price ?? 0),
  );
  const share = (amount: number) => (100 * (amount - axis.from)) / (axis.to - axis.from);
  const at = (amount: number) => `${share(amount).toFixed(2)}%`;
  const anchor = (i: number) => (i === 0 ? 'start' : i === axis.ticks.length - 1 ? 'end' : 'middle');
  // The label is on the side with room, and on its own line if it would overlap the value's.
  const ownShare = share(shown?.price ?? 0);
  const isNear = Math.abs(ownShare - share(numbers.mean_adjusted_price)) < 48;
  return (
    <>
      <svg className="range-bar num" width="100%" height="100" role="img" aria-label={`Range ${rangeWords(range)}`}>
        {axis.ticks.map((tick, i) => (
          <g key={tick}>
            <line x1={at(tick)} x2={at(tick)} y1="70" y2="75" className="axis-line" />
            <text x={at(tick)} y="90" textAnchor={anchor(i)} className="axis-text">
              {shortMoney(tick)}
            </text>
          </g>
        ))}
        <line x1="0" x2="100%" y1="70" y2="70" className="axis-line" />
        <rect
          x={at(range.low)}
          y="46"
          width={`${(share(range.high) - share(range.low)).toFixed(2)}%`}
          height="16"
          rx="3"
          className="band"
        />
        <line
          x1={at(numbers.mean_adjusted_price)}
          x2={at(numbers.mean_adjusted_price)}
          y1="42"
          y2="66"
          className="middle"
        />
        <text x={at(numbers.mean_adjusted_price)} y="34" textAnchor="middle" className="middle-text">
          {dollarsWithin(numbers.mean_adjusted_price, range)}
        </text>
        {shown === null ? null : (
          <>
            <line x1={at(shown.price)} x2={at(shown.price)} y1={isNear ? 18 : 42} y2="70" className="own-price" />
            <text
              x={at(shown.price)}
              y={isNear ? 12 : 34}
              dx={ownShare > 50 ? 4 : -4}
              textAnchor={ownShare > 50 ? 'end' : 'start'}
              className="axis-text own-words"
            >
              {shown.words}
            </text>
          </>
        )}
      </svg>
      {own === null ? null : (
        <p className="small-text quieter num own-below" data-on-scale={own.isOnScale}>
          {own.words}
        </p>
      )}
    </>
  );
}
