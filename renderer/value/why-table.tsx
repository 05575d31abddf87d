/**
 * Explains the number: every comp used, each with the factors that adjust it to the parcel. The rows recompute to the
 * value.
 */
import { Copy } from 'lucide-react';
import { CompKey, CompMark } from '../comps/comp-mark.tsx';
import { highlightComp, highlightedComp } from '../comps/highlighted-comp.ts';
import { select } from '../explore/explore-state.ts';
import { copyText } from '../parts/clipboard.ts';
import { formatMoney, formatNumber } from '../parts/format.ts';
import { useStore } from '../state/store.ts';
import {
  askWords,
  type Cause,
  causeWords,
  compDate,
  countWord,
  factorText,
  isQuiet,
  milesOf,
  perAcreText,
  roadOf,
  type ShownValue,
  shownCauses,
  type UsedComp,
} from './value-words.ts';

export function WhyTable({ value }: { value: ShownValue }) {
  const { used, numbers, acres } = value;
  const causes = shownCauses(used);
  const heaviest = Math.max(...used.map(({ weight }) => weight));
  return (
    <section className="value-section" aria-labelledby="why-title">
      <div className="section-title">
        <h3 id="why-title">Why this number</h3>
        <p className="quieter">
          price ÷ acres, times the {countWord(causes.length)} adjustments, is the adjusted $/ac. Their weighted middle
          is <b className="num medium">${formatNumber(numbers.mean_adjusted_ppa, 2)}/ac</b>, times{' '}
          {formatNumber(acres, 2)} ac is <b className="num medium">{formatMoney(numbers.mean_adjusted_price)}</b>.
        </p>
        <span className="grow" />
        <button
          type="button"
          className="button quiet"
          onClick={() => copyText(tableText(value, causes), 'Table copied, with all digits')}
        >
          <Copy aria-hidden />
          Copy table
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className="table-frame" tabIndex={0} aria-label="Comps used">
        <table className="value-table">
          <Head causes={causes} />
          <tbody>
            {used.map((comp) => (
              <Row key={comp.id} comp={comp} causes={causes} heaviest={heaviest} />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td />
              <td colSpan={2} className="strong">
                Weighted middle
              </td>
              <td className="at-wide" />
              <td colSpan={4 + causes.length} className="quieter small-text">
                geometric mean; recomputes from the rows above
              </td>
              <td className="n strong" data-testid="middle">
                {formatNumber(numbers.mean_adjusted_ppa, 2)}
              </td>
              <td className="n">100</td>
            </tr>
          </tfoot>
        </table>
      </section>
      <CompKey>
        {askWords(used) === null ? null : <span className="num">{askWords(used)}</span>}
        {causes.slice(4).map((cause) => (
          <span key={cause}>
            {causeWords[cause].head}: {causeWords[cause].docs}
          </span>
        ))}
      </CompKey>
    </section>
  );
}

const Head = ({ causes }: { causes: readonly Cause[] }) => (
  <thead>
    <tr>
      <th scope="col">
        <span className="sr">Status</span>
      </th>
      <th scope="col">Comp</th>
      <th scope="col" className="at-wide">
        Road
      </th>
      <th scope="col">Date</th>
      {['mi', 'Acres', 'Price, $', '$/ac'].map((head) => (
        <th key={head} scope="col" className="n">
          {head}
        </th>
      ))}
      {causes.map((cause) => (
        <th key={cause} scope="col" className="n" title={causeWords[cause].docs}>
          {causeWords[cause].head}
        </th>
      ))}
      <th scope="col" className="n">
        Adjusted $/ac
      </th>
      <th scope="col" className="n">
        Weight, %
      </th>
    </tr>
  </thead>
);

function Row({ comp, causes, heaviest }: { comp: UsedComp; causes: readonly Cause[]; heaviest: number }) {
  const { id } = useStore(highlightedComp);
  const road = roadOf(comp.address);
  return (
    <tr
      data-hovered={id === comp.id}
      data-comp={comp.id}
      onPointerEnter={() => highlightComp(comp.id)}
      onPointerLeave={() => highlightComp(null)}
      onFocus={() => highlightComp(comp.id)}
      onBlur={() => highlightComp(null)}
    >
      <td>
        <CompMark status={comp.status} isNamed />
      </td>
      <td>
        <CompName comp={comp} />
      </td>
      <td className="quieter at-wide road" title={road}>
        {road || <span className="null">no address</span>}
      </td>
      <td className="quieter">{compDate(comp)}</td>
      <td className="n">{formatNumber(milesOf(comp.distance_km), 1)}</td>
      <td className="n">{formatNumber(comp.acres, 2)}</td>
      <td className="n">{formatNumber(comp.price, 0)}</td>
      <td className="n">{perAcreText(comp.price_per_acre)}</td>
      {causes.map((cause) => (
        <td key={cause} className={isQuiet(comp.factors[cause]) ? 'n did-nothing' : 'n'} data-factor={cause}>
          {factorText(comp.factors[cause])}
        </td>
      ))}
      <td className="n strong">{perAcreText(comp.adjusted_price_per_acre)}</td>
      <td className="n weight">
        <span>
          <i style={{ width: `${(100 * comp.weight) / heaviest}%` }} />
        </span>
        {formatNumber(100 * comp.weight, 1)}
      </td>
    </tr>
  );
}

/** The comp's parcel, opened by its APN if it is in this home. */
export const CompName = ({ comp }: { comp: Pick<UsedComp, 'apn' | 'property_id'> }) => {
  const name = comp.apn || 'no APN';
  if (comp.property_id === null) return <span className="apn">{name}</span>;
  const id = comp.property_id;
  return (
    <button type="button" className="plain apn" title={`Open parcel ${name}`} onClick={() => select(id)}>
      {name}
    </button>
  );
};

/** Tab-separated, for a spreadsheet, with all the engine's digits. */
function tableText({ used, numbers, acres }: ShownValue, causes: readonly Cause[]): string {
  const head = ['status', 'comp', 'address', 'date', 'miles', 'acres', 'price', 'price_per_acre', ...causes];
  const lines = used.map((comp) => [
    comp.status,
    comp.apn,
    comp.address,
    comp.date ?? '',
    milesOf(comp.distance_km),
    comp.acres,
    comp.price,
    comp.price_per_acre,
    ...causes.map((cause) => comp.factors[cause]),
    comp.adjusted_price_per_acre,
    comp.weight,
  ]);
  return [
    [...head, 'adjusted_price_per_acre', 'weight'],
    ...lines,
    ['mean_adjusted_ppa', numbers.mean_adjusted_ppa],
    ['acres', acres],
    ['mean_adjusted_price', numbers.mean_adjusted_price],
  ]
    .map((cells) => cells.map((cell) => String(cell).replaceAll(/[\t\r\n]+/g, ' ')).join('\t'))
    .join('\n');
}
