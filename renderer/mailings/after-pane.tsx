/** What came of a mailing: counts with their shares and intervals, what it cost, leads by tier, and replies as they come. */
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { localDay, shortDay } from '../desk/next-date.ts';
import { formatMoney, formatNumber, formatPercent, plural } from '../parts/format.ts';
import { NumberField } from '../parts/number-field.tsx';
import { Select } from '../parts/select.tsx';
import { useClient, useRead } from '../state/client-context.tsx';
import { makeChange } from '../work/make-change.ts';
import { LogReply } from './log-reply.tsx';
import type { Mailing, Mailings } from './mailing-state.ts';

type Figures = Mailing['figures'];
type Figure = Figures['replies'];

/** Too few to compare by. */
const few = 5;

interface AfterProps {
  readonly mailing: Mailing;
  readonly mailings: Mailings;
}

/** Of this mailing once it is sent; until then of the one sent last, if there is one. */
export function AfterPane({ mailing, mailings }: AfterProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const { mailing_id: own } = mailing;
  const sent = mailings.filter(({ mailed_on: day }) => day !== null);
  const first =
    sent.some(({ mailing_id: id }) => id === own) || mailing.written_on !== null ? own : sent[0]?.mailing_id;
  const id = chosen !== null && sent.some(({ mailing_id: one }) => one === chosen) ? chosen : (first ?? own);
  const { data } = useRead('mailing', { mailing_id: id }, { isLasting: true });
  const shown = data?.mailing_id === id ? data : null;
  return (
    <aside className="pane after-pane" aria-label="After mailing">
      <div className="pane-head">
        <h2>After mailing</h2>
        <span className="grow" />
        {sent.length > 0 && !(sent.length === 1 && id === own) ? (
          <label className="field after-choice">
            <span className="sr">Mailing</span>
            <Select
              value={id}
              options={[...sent, ...(sent.some(({ mailing_id: one }) => one === id) ? [] : [mailing])].map((one) => ({
                value: one.mailing_id,
                label: one.name,
              }))}
              onChange={(next) => setChosen(Number(next))}
            />
          </label>
        ) : null}
      </div>
      <div className="scroll">{shown ? <Content mailing={shown} /> : null}</div>
    </aside>
  );
}

function Content({ mailing }: { mailing: Mailing }) {
  const { figures, mailed_on: mailed, written_on: written } = mailing;
  if (mailed === null)
    return (
      <p className="after-empty quieter">
        {written === null
          ? 'Letters sent, replies, leads and what they cost stand here once the letters are out.'
          : 'Export the letters, print them, and mark them as sent: then replies are logged here by the code on the letter.'}
      </p>
    );
  return (
    <>
      <Funnel figures={figures} day={mailed} />
      <Cost mailing={mailing} />
      <Tiers mailing={mailing} />
      <LogReply key={mailing.mailing_id} mailing={mailing} />
    </>
  );
}

const percent = (share: number): string => formatPercent(100 * share, 1);

/** `5.3 to 11.2 %` */
const intervalWords = ({ low, high }: Figure): string =>
  low === null || high === null ? '' : `${formatNumber(100 * low, 1)} to ${percent(high)}`;

function Funnel({ figures, day }: { figures: Figures; day: string }) {
  const { sent, returned, replies, leads, accepted } = figures;
  const lines = [
    { label: 'Returned', figure: returned },
    { label: 'Replies', figure: replies },
    { label: 'Leads', figure: leads },
    { label: 'Accepted', figure: accepted },
  ];
  return (
    <ul className="funnel" aria-label="What came back">
      <li>
        <p className="line num">
          <b className="grow medium">Sent</b>
          <b>{formatNumber(sent)}</b>
          <span className="quieter share">{shortDay(day, localDay())}</span>
        </p>
        <Bar share={1} />
      </li>
      {lines.map(({ label, figure }) => (
        <li key={label}>
          <p className="line num">
            <b className="grow medium">{label}</b>
            <b>{formatNumber(figure.count)}</b>
            <span className="quieter share">{figure.share === null ? '' : percent(figure.share)}</span>
          </p>
          <Bar share={figure.share ?? 0} />
          <p className="small-text quieter num interval-words">{intervalWords(figure)}</p>
        </li>
      ))}
      <li className="small-text quieter">
        Shares of the {plural(sent - returned.count, 'letter', 'letters')} that arrived; ranges hold the true share 19
        times in 20.
      </li>
    </ul>
  );
}

const Bar = ({ share }: { share: number }) => (
  <div className="bar" aria-hidden>
    <i style={{ width: `${100 * share}%` }} data-some={share > 0} />
  </div>
);

const moneyRange = ({ low, high }: { low: number; high: number | null }): string =>
  high === null ? `${formatMoney(low)} and more` : `${formatMoney(low)} to ${formatMoney(high)}`;

function Cost({ mailing }: { mailing: Mailing }) {
  const { figures, costs, mailing_id: id } = mailing;
  const { cost_per_lead: lead, cost_per_accepted: deal, accepted } = figures;
  return (
    <section className="after-part" aria-label="Cost">
      <h3>Cost</h3>
      <dl>
        {costs.map(({ cost_id: cost, what, amount }) => (
          <div key={cost}>
            <dt>{what}</dt>
            <dd>${formatNumber(amount, 2)}</dd>
          </div>
        ))}
        {[
          { label: 'A lead', money: lead },
          { label: 'A deal', money: deal },
        ].map(({ label, money }) =>
          money ? (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <b>{formatMoney(money.amount)}</b> <span className="quieter">{moneyRange(money)}</span>
              </dd>
            </div>
          ) : null,
        )}
      </dl>
      <AddCost key={costs.length} id={id} isFirst={costs.length === 0} />
      {lead ? (
        <p className="small-text quieter">
          Ranges: 19 of 20 such mailings would fall inside.
          {accepted.count < few ? ` ${plural(accepted.count, 'deal is', 'deals are')} few: do not compare yet.` : ''}
        </p>
      ) : null}
    </section>
  );
}

function AddCost({ id, isFirst }: { id: number; isFirst: boolean }) {
  const client = useClient();
  const [what, setWhat] = useState(isFirst ? 'Printing and postage' : '');
  const [amount, setAmount] = useState<number | undefined>(undefined);
  const isFine = what.trim() !== '' && amount !== undefined;
  return (
    <form
      className="line add-cost"
      onSubmit={(event) => {
        event.preventDefault();
        if (isFine) void makeChange(client, 'add_mailing_cost', { mailing_id: id, what: what.trim(), amount });
      }}
    >
      <label className="field grow">
        <span className="sr">What was paid for</span>
        <input
          value={what}
          maxLength={100}
          placeholder="Printing, postage"
          onChange={({ target }) => setWhat(target.value)}
        />
      </label>
      <NumberField label="Dollars paid" value={amount} unit="$" minimum={0} onChange={setAmount} />
      <button type="submit" className="button icon" aria-label="Add the cost" disabled={!isFine}>
        <Plus aria-hidden />
      </button>
    </form>
  );
}

/** Whether one tier's interval lies wholly above another's. */
function tierWords(tiers: readonly { readonly words: string; readonly figures: Figures }[]): string {
  const bounds = tiers.flatMap(({ words, figures: { leads } }) =>
    leads.low === null || leads.high === null ? [] : [{ words, low: leads.low, high: leads.high }],
  );
  const best = bounds.toSorted((a, b) => b.low - a.low)[0];
  const worst = bounds.toSorted((a, b) => a.high - b.high)[0];
  if (!best || !worst || best.low <= worst.high)
    return bounds.length < 2 ? '' : 'They overlap: no tier is shown to be better.';
  return `${best.words}: more leads than ${worst.words}, by more than chance.`;
}

function Tiers({ mailing: { tiers } }: { mailing: Mailing }) {
  if (tiers.length === 0) return null;
  const top = Math.max(0.1, Math.ceil(10 * Math.max(...tiers.map(({ figures }) => figures.leads.share ?? 0))) / 10);
  const [width, x] = [72, (share: number) => Math.max(1, Math.min(71, (72 * share) / top))];
  return (
    <section className="after-part" aria-label="Leads by rule">
      <h3>Leads by rule</h3>
      <table className="tiers">
        <thead>
          <tr>
            <th>Tier</th>
            <th className="n">Arrived</th>
            <th className="n">Leads</th>
            <th>0 to {formatPercent(100 * top, 0)}</th>
          </tr>
        </thead>
        <tbody>
          {tiers.map(({ tier, words, figures: { sent, returned, leads } }) => (
            <tr key={tier}>
              <td>{words.replace(/ acres/, ' ac')}</td>
              <td className="n">{formatNumber(sent - returned.count)}</td>
              <td className="n">{formatNumber(leads.count)}</td>
              <td title={leads.share === null ? undefined : `${percent(leads.share)}, ${intervalWords(leads)}`}>
                <span className="sr">
                  {leads.share === null ? 'none' : `${percent(leads.share)}, ${intervalWords(leads)}`}
                </span>
                <svg width={width} height="14" aria-hidden className="interval">
                  <path d={`M0 7H${width}`} />
                  {leads.low === null || leads.high === null || leads.share === null ? null : (
                    <>
                      <path className="held" d={`M${x(leads.low)} 7H${x(leads.high)}`} />
                      <circle cx={x(leads.share)} cy="7" r="3.5" />
                    </>
                  )}
                </svg>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="small-text quieter">{tierWords(tiers)}</p>
    </section>
  );
}
