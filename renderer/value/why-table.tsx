/**
 * Explains the number: every comp used, each with the factors that adjust it to the parcel. The rows recompute to the
 * value.
 */

import { Copy } from 'lucide-react';
import {
  causeHead,
  factorText,
  grossAdjustment,
  grossLimit,
  grossMarkWords,
  isQuiet,
  netAdjustment,
  poolingSentence,
  shownCauses,
  type ValueCause,
  valueCauses,
} from '../../engine/spec/value-terms.ts';
import { CompKey, CompMark } from '../comps/comp-mark.tsx';
import { compsView, highlightComp, openComp } from '../comps/comps-state.ts';
import { copyText } from '../parts/clipboard.ts';
import { formatDate, formatMoney, formatNumber, keepPercents } from '../parts/format.ts';
import { useStore } from '../state/store.ts';
import {
  askWords,
  compDate,
  countWord,
  milesOf,
  perAcreText,
  roadOf,
  type ShownValue,
  type UsedComp,
} from './value-words.ts';

export function WhyTable({ value }: { value: ShownValue }) {
  const { used, numbers, acres } = value;
  const causes = shownCauses(used);
  const limit = grossLimit(value.test);
  const pooled = poolingSentence(value.pooling, used);
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
          <tbody className="subject-row">
            <Subject value={value} causes={causes} />
          </tbody>
          <tbody>
            {used.map((comp) => (
              <Row key={comp.id} comp={comp} causes={causes} heaviest={heaviest} limit={limit} />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td />
              <td colSpan={2} className="strong">
                Weighted middle
              </td>
              <td className="at-wide" />
              <td className="at-wide" />
              <td className="net" />
              <td colSpan={5 + causes.length} className="quieter small-text">
                geometric mean; recomputes from the rows above
              </td>
              <td className="n strong end-before" data-testid="middle">
                {formatNumber(numbers.mean_adjusted_ppa, 2)}
              </td>
              <td className="n end">100</td>
            </tr>
          </tfoot>
        </table>
      </section>
      <CompKey>
        {askWords(used) === null ? null : <span className="num">{askWords(used)}</span>}
        {used.some((comp) => isSteep(comp, limit)) ? (
          <span>
            <b className="steep">Gross</b>: {keepPercents(grossMarkWords(limit))}
          </span>
        ) : null}
        {causes.slice(4).map((cause) => (
          <span key={cause}>
            {causeHead(cause)}: {valueCauses[cause].docs}
          </span>
        ))}
        {pooled === null ? null : <span>{keepPercents(pooled)}</span>}
      </CompKey>
    </section>
  );
}

const Head = ({ causes }: { causes: readonly ValueCause[] }) => (
  <thead>
    <tr>
      <th scope="col">
        <span className="sr">Status</span>
      </th>
      <th scope="col">Comp</th>
      <th scope="col" className="at-wide">
        Road
      </th>
      <th scope="col" className="at-wide">
        Use
      </th>
      <th scope="col">Date</th>
      {['mi', 'Acres', 'Price, $', '$/ac'].map((head) => (
        <th key={head} scope="col" className="n">
          {head}
        </th>
      ))}
      {causes.map((cause) => (
        <th key={cause} scope="col" className="n nowrap" title={valueCauses[cause].docs}>
          <span className="times">× </span>
          {valueCauses[cause].word}
        </th>
      ))}
      <th scope="col" className="n net" title="all adjustments together">
        Net, %
      </th>
      <th scope="col" className="n" title="the sum of all adjustments, up or down">
        Gross, %
      </th>
      <th scope="col" className="n end-before">
        Adjusted $/ac
      </th>
      <th scope="col" className="n end">
        Weight, %
      </th>
    </tr>
  </thead>
);

interface RowProps {
  readonly comp: UsedComp;
  readonly causes: readonly ValueCause[];
  readonly heaviest: number;
  readonly limit: number;
}

function Row({ comp, causes, heaviest, limit }: RowProps) {
  const { highlighted, opened } = useStore(compsView);
  const road = roadOf(comp.address);
  return (
    <tr
      data-hovered={highlighted === comp.id}
      data-opened={opened === comp.id}
      data-comp={comp.id}
      onClick={() => openComp(comp.id)}
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
      <td className="quieter at-wide use" title={comp.use ?? ''}>
        {comp.use || <span className="null">unknown</span>}
      </td>
      <td className="quieter" title={compDate(comp)}>
        {comp.date !== null && comp.status !== 'SOLD' ? <span className="seen">seen </span> : null}
        {comp.date === null ? 'date unknown' : formatDate(comp.date)}
      </td>
      <td className="n">{formatNumber(milesOf(comp.distance_km), 1)}</td>
      <td className="n">{formatNumber(comp.acres, 2)}</td>
      <td className="n">{formatNumber(comp.price, 0)}</td>
      <td className="n">{perAcreText(comp.price_per_acre)}</td>
      {causes.map((cause) => (
        <td key={cause} className={isQuiet(comp.factors[cause]) ? 'n did-nothing' : 'n'} data-factor={cause}>
          {factorText(comp.factors[cause])}
        </td>
      ))}
      <td className="n quieter net">{signedPercent(netAdjustment(comp.factors))}</td>
      <td className={isSteep(comp, limit) ? 'n steep' : 'n quieter'}>
        {formatNumber(100 * grossAdjustment(comp.factors), 0)}
      </td>
      <td className="n strong end-before">{perAcreText(comp.adjusted_price_per_acre)}</td>
      <td className="n weight end">
        <span>
          <i style={{ width: `${(100 * comp.weight) / heaviest}%` }} />
        </span>
        {formatNumber(100 * comp.weight, 1)}
      </td>
    </tr>
  );
}

const isSteep = ({ factors }: UsedComp, limit: number): boolean => grossAdjustment(factors) > limit;

function signedPercent(share: number): string {
  const percent = formatNumber(Math.abs(100 * share), 0);
  return percent === '0' ? '0' : `${share < 0 ? '−' : '+'}${percent}`;
}

/** The parcel itself, above its comps. */
const Subject = ({ value, causes }: { value: ShownValue; causes: readonly ValueCause[] }) => (
  <tr>
    <td />
    <td className="strong">This parcel</td>
    <td className="at-wide" />
    <td className="quieter at-wide use" title={value.use ?? ''}>
      {value.use || <span className="null">unknown</span>}
    </td>
    <td className="quieter">{value.valued_on ? formatDate(value.valued_on) : ''}</td>
    <td />
    <td className="n">{formatNumber(value.acres, 2)}</td>
    <td className="net" />
    <td colSpan={3 + causes.length} />
    <td className="n strong end-before">{perAcreText(value.numbers.mean_adjusted_ppa)}</td>
    <td className="end" />
  </tr>
);

/** Opens the comp beside the value. */
export const CompName = ({ comp: { id, apn } }: { comp: Pick<UsedComp, 'id' | 'apn'> }) => {
  const { opened } = useStore(compsView);
  return (
    <button type="button" className="plain apn" aria-expanded={opened === id} onClick={() => openComp(id)}>
      {apn || 'no APN'}
    </button>
  );
};

/** Tab-separated, for a spreadsheet, with all the engine's digits. */
function tableText({ used, numbers, acres, use, valued_on: on }: ShownValue, causes: readonly ValueCause[]): string {
  const head = ['status', 'comp', 'address', 'use', 'date', 'miles', 'acres', 'price', 'price_per_acre', ...causes];
  const lines = used.map((comp) => [
    comp.status,
    comp.apn,
    comp.address,
    comp.use ?? '',
    comp.date ?? '',
    milesOf(comp.distance_km),
    comp.acres,
    comp.price,
    comp.price_per_acre,
    ...causes.map((cause) => comp.factors[cause] ?? 1),
    netAdjustment(comp.factors),
    grossAdjustment(comp.factors),
    comp.adjusted_price_per_acre,
    comp.weight,
  ]);
  return [
    [...head, 'net_adjustment', 'gross_adjustment', 'adjusted_price_per_acre', 'weight'],
    ...lines,
    ['weighted_middle_price_per_acre', numbers.mean_adjusted_ppa],
    ['acres', acres],
    ['use', use ?? ''],
    ['valued_on', on ?? ''],
    ['adjusted_price', numbers.mean_adjusted_price],
  ]
    .map((cells) => cells.map((cell) => String(cell).replaceAll(/[\t\r\n]+/g, ' ')).join('\t'))
    .join('\n');
}
