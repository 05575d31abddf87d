/** The sales of a county that rules or the user speak against: kept, struck out, or left to the rules. */
import { Scale } from 'lucide-react';
import { useState } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import {
  type SuspectRuleName,
  struckSentence,
  struckTotal,
  struckWords,
  suspectRuleNames,
  suspectRules,
} from '../../engine/spec/suspect-rules.ts';
import { formatDate, formatMoney, formatNumber, formatPercent, plural } from '../parts/format.ts';
import { Select } from '../parts/select.tsx';
import { EmptyState, ErrorState } from '../parts/states.tsx';
import { useClient, useRead } from '../state/client-context.tsx';
import { perAcreText } from '../value/value-words.ts';
import { makeChange } from '../work/make-change.ts';

type Found = ReadOutputOf<'suspect_sales'>;
type Suspect = Found['suspects'][number];

/** A longer table is slow to draw; a rule narrows it. */
const mostRows = 300;

export function SuspectSales({ fips, onCounty }: { fips: string | null; onCounty: (fips: string | null) => void }) {
  const { data: home } = useRead('home', {}, { isLasting: true });
  const { data, error, refetch } = useRead('suspect_sales', { fips: fips ?? '' }, { when: fips !== null });
  const [rule, setRule] = useState<SuspectRuleName | ''>('');
  const rows = (data?.suspects ?? []).filter(({ rules }) => rule === '' || rules.includes(rule));
  return (
    <div className="scroll">
      <div className="page-body">
        <div className="line suspect-choices">
          <label className="field">
            <Select
              aria-label="County of the sales"
              value={fips ?? ''}
              options={(home?.counties ?? []).map((one) => ({ value: one.fips, label: `${one.name} ${one.fips}` }))}
              onChange={(chosen) => onCounty(chosen || null)}
            >
              <option value="">Choose a county</option>
            </Select>
          </label>
          <label className="field">
            <Select
              aria-label="Why they are suspect"
              value={rule}
              options={rulesIn(data).map(([name, count]) => ({
                value: name,
                label: `${formatNumber(count)}: ${suspectRules[name].words}`,
              }))}
              onChange={(chosen) => setRule(chosen as SuspectRuleName | '')}
            >
              <option value="">Every reason</option>
            </Select>
          </label>
        </div>
        {error ? <ErrorState title="The sales could not be read" error={error} onRetry={() => void refetch()} /> : null}
        {data ? <p aria-live="polite">{summaryOf(data)}</p> : null}
        {data && data.suspects.length === 0 ? (
          <EmptyState
            icon={<Scale aria-hidden />}
            title="No sale is suspect here"
            text="Sales of one deed, of days to come, of churches, with houses, or at prices beyond all neighbours would stand here."
          />
        ) : null}
        {rows.length > 0 ? <SuspectTable rows={rows.slice(0, mostRows)} /> : null}
        {rows.length > mostRows ? (
          <p className="quieter">
            The newest {mostRows} of {formatNumber(rows.length)}: choose a reason, or list all by{' '}
            <code>platbook sales suspect {fips}</code>.
          </p>
        ) : null}
      </div>
    </div>
  );
}

const rulesIn = (data: Found | undefined): [SuspectRuleName, number][] =>
  suspectRuleNames.flatMap((name): [SuspectRuleName, number][] => {
    const count = data?.suspects.filter(({ rules }) => rules.includes(name)).length ?? 0;
    return count === 0 ? [] : [[name, count]];
  });

function summaryOf({ sales, struck, suspects }: Found): string {
  const share = sales === 0 ? '' : ` (${formatPercent((100 * suspects.length) / sales, 0)})`;
  const out = struckTotal(struck) === 0 ? 'none is struck out' : struckSentence(struck);
  return `${formatNumber(suspects.length)} of ${plural(sales, 'sale', 'sales')}${share} stand here; ${out}. What is struck out counts for no value, no statistics and no model.`;
}

const SuspectTable = ({ rows }: { rows: readonly Suspect[] }) => (
  <table className="plain-table wide stacked suspect-table">
    <thead>
      <tr>
        <th>APN</th>
        <th>Sold</th>
        <th className="n">Acres</th>
        <th className="n">Price</th>
        <th className="n">$/ac</th>
        <th>Seller</th>
        <th>Why</th>
        <th>Counts</th>
        <th>
          <span className="sr">Keep or strike out</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {rows.map((sale) => (
        <Row key={sale.id} sale={sale} />
      ))}
    </tbody>
  </table>
);

function countsWords({ struck, verdict }: Suspect): string {
  if (struck === 'hand') return 'no, struck out by hand';
  if (struck !== null) return 'no, struck out by the rule';
  return verdict === 'keep' ? 'yes, kept by hand' : 'yes';
}

function Row({ sale }: { sale: Suspect }) {
  const client = useClient();
  const { apn, address, sold_date: sold, acres, price, seller, rules, verdict, struck } = sale;
  const named = apn || address || `the sale of ${formatMoney(price)}`;
  const button = (said: 'keep' | 'strike' | 'none', words: string) => (
    <button
      type="button"
      className={said === 'none' ? 'button quiet' : 'button'}
      aria-label={`${words}: ${named}`}
      onClick={() => void makeChange(client, 'judge_sales', { comp_ids: [sale.id], verdict: said })}
    >
      {words}
    </button>
  );
  return (
    <tr data-sale={sale.id}>
      <td className="apn nowrap">{apn || address || <span className="null">no APN</span>}</td>
      <td className="num nowrap" data-head="sold">
        {sold === null ? <span className="null">not known</span> : formatDate(sold)}
      </td>
      <td className="n" data-head="acres">
        {acres === null ? <span className="null">unknown</span> : formatNumber(acres, 2)}
      </td>
      <td className="n" data-head="price">
        {formatMoney(price)}
      </td>
      <td className="n" data-head="an acre">
        {acres ? `$${perAcreText(price / acres)}` : ''}
      </td>
      <td className="quieter" data-head="from">
        {seller}
      </td>
      <td>{rules.map((rule) => suspectRules[rule].words).join('; ') || struckWords('hand')}</td>
      <td className={struck === null ? '' : 'quieter'} data-head="counts:">
        {countsWords(sale)}
      </td>
      <td className="n nowrap">
        {/* One button turns into the other and keeps the focus. */}
        {struck === null ? button('strike', 'Strike out') : button('keep', 'Keep')}
        {verdict === null ? null : button('none', 'By the rules')}
      </td>
    </tr>
  );
}
