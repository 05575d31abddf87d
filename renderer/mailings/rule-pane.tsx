/** How offers are reckoned, which parcel of an owner leads, and who gets no letter. */
import { ChevronDown, Plus } from 'lucide-react';
import { type LeadRule, leadRules } from '../../engine/spec/mailings.ts';
import { sumWords } from '../desk/money-words.ts';
import { formatMoney, formatNumber, plural } from '../parts/format.ts';
import { Menu, MenuItem } from '../parts/menu.tsx';
import { NumberField } from '../parts/number-field.tsx';
import { Segments } from '../parts/segments.tsx';
import { useClient } from '../state/client-context.tsx';
import { makeChange } from '../work/make-change.ts';
import { firstRule, type LeftOut, type Mailing, type Mailings, type OfferRule } from './mailing-state.ts';
import { TierRows } from './tier-rows.tsx';
import { useTerms } from './use-terms.ts';

interface RulePaneProps {
  readonly mailing: Mailing;
  readonly others: Mailings;
  /** The reason whose parcels are shown. */
  readonly without: LeftOut['reason'] | null;
  readonly onWithout: (reason: LeftOut['reason'] | null) => void;
}

export function RulePane({ mailing, others, without, onWithout }: RulePaneProps) {
  const { rule, quiet_days: days, problem, set, flush } = useTerms(mailing);
  const isDraft = mailing.written_on === null;
  return (
    <aside className="pane rule-pane" aria-label="Rule" onBlur={flush}>
      <div className="pane-head">
        <h2>Rule</h2>
        <span className="grow" />
        {isDraft ? <RuleMenu mailing={mailing} others={others} onTake={(next) => set({ rule: next })} /> : null}
      </div>
      <div className="scroll">
        <section className="rule-part" aria-label="Offer">
          <h3>
            Offer <span className="quieter">{rule ? 'percent of a value' : 'none'}</span>
          </h3>
          {rule ? (
            <Offer rule={rule} mailing={mailing} onChange={isDraft ? (next) => set({ rule: next }) : undefined} />
          ) : (
            <NoOffers onAdd={isDraft ? () => set({ rule: firstRule(null) }) : undefined} />
          )}
          {problem === null ? null : (
            <p className="problem" role="alert">
              {problem}
            </p>
          )}
        </section>
        <OneAnOwner mailing={mailing} days={days} onDays={(next) => set({ quiet_days: next })} />
        <WhoGetsNone mailing={mailing} shown={without} onShow={onWithout} />
      </div>
      <Sums mailing={mailing} />
    </aside>
  );
}

/** Another mailing's rule, or letters without offers. */
function RuleMenu({
  mailing: { mailing_id: id },
  others,
  onTake,
}: {
  mailing: Mailing;
  others: Mailings;
  onTake: (rule: OfferRule | null) => void;
}) {
  const client = useClient();
  const take = async (of: number) =>
    onTake((await client.read('mailing', { mailing_id: of })).rule as OfferRule | null);
  return (
    <Menu
      button="quiet"
      face={
        <>
          Another rule
          <ChevronDown aria-hidden className="small" />
        </>
      }
    >
      <MenuItem onSelect={() => onTake(null)}>Letters without offers</MenuItem>
      {others
        .filter(({ mailing_id: other }) => other !== id)
        .map(({ mailing_id: other, name }) => (
          <MenuItem key={other} onSelect={() => void take(other)}>
            As in “{name}”
          </MenuItem>
        ))}
    </Menu>
  );
}

function NoOffers({ onAdd }: { onAdd: (() => void) | undefined }) {
  return (
    <>
      <p className="quieter">The letters carry no offer.</p>
      {onAdd ? (
        <button type="button" className="button quiet add-tier" onClick={onAdd}>
          <Plus aria-hidden />
          Add an offer
        </button>
      ) : null}
    </>
  );
}

interface OfferProps {
  readonly rule: OfferRule;
  readonly mailing: Mailing;
  readonly onChange: ((rule: OfferRule) => void) | undefined;
}

function Offer({ rule, mailing: { letters }, onChange }: OfferProps) {
  const counts = rule.tiers.map((_, place) => letters.filter(({ tier }) => tier === place).length);
  const { round_to: step, not_under: floor, not_over: cap } = rule;
  if (!onChange)
    return (
      <>
        <TierRows rule={rule} letters={counts} />
        <p className="small-text quieter">
          To the nearest {formatMoney(step)}
          {floor === null ? '' : `, not under ${formatMoney(floor)}`}
          {cap === null ? '' : `, not over ${formatMoney(cap)}`}
        </p>
      </>
    );
  const change = (more: Partial<OfferRule>) => onChange({ ...rule, ...more });
  const limits = [
    { label: 'Round to', value: step, set: (round_to = step) => change({ round_to }), placeholder: '' },
    { label: 'Not under', value: floor, set: (not_under?: number) => change({ not_under: not_under ?? null }) },
    { label: 'Not over', value: cap, set: (not_over?: number) => change({ not_over: not_over ?? null }) },
  ];
  return (
    <>
      <TierRows rule={rule} letters={counts} onChange={(tiers) => change({ tiers: [...tiers] })} />
      <div className="three-limits">
        {limits.map(({ label, value, set }) => (
          <div key={label}>
            <span className="small-text quieter">{label}</span>
            <NumberField
              label={label}
              value={value ?? undefined}
              unit="$"
              placeholder="none"
              isWhole
              minimum={label === 'Round to' ? 1 : 0}
              isRequired={label === 'Round to'}
              onChange={set}
            />
          </div>
        ))}
      </div>
    </>
  );
}

interface OneAnOwnerProps {
  readonly mailing: Mailing;
  readonly days: number;
  readonly onDays: (days: number) => void;
}

function OneAnOwner({ mailing, days, onDays }: OneAnOwnerProps) {
  const client = useClient();
  const { mailing_id: id, letters, lead, written_on: written } = mailing;
  const several = letters.filter(({ others }) => others.length > 0).length;
  if (written !== null)
    return (
      <section className="rule-part" aria-label="One letter an owner">
        <h3>One letter an owner</h3>
        <p className="quieter">
          {leadRules[lead]}; none to owners mailed in the {plural(days, 'day', 'days')} before.
        </p>
      </section>
    );
  return (
    <section className="rule-part lead-part" aria-label="One letter an owner">
      <h3>One letter an owner</h3>
      <p className="quieter">
        {lead === 'each'
          ? 'Now a letter for each parcel. Or write about the one with the'
          : `${several === 1 ? '1 owner has' : `${formatNumber(several)} owners have`} more than one parcel here. Write about the one with the`}
      </p>
      <Segments
        label="Which parcel of an owner"
        value={lead}
        choices={(Object.keys(leadRules) as LeadRule[]).map((value) => ({
          value,
          label: value === 'each' ? 'each parcel' : leadRules[value].toLowerCase(),
        }))}
        onChange={(next) => void makeChange(client, 'change_mailing', { mailing_id: id, lead: next })}
      />
      <p className="small-text quieter">The same owner by mailing address and name. The letter lists the others.</p>
      <div className="line quiet-days">
        <span>None to owners mailed in the last</span>
        <NumberField
          label="Days without a letter"
          value={days}
          unit="days"
          isWhole
          isRequired
          minimum={0}
          maximum={3650}
          onChange={(next) => next !== undefined && onDays(next)}
        />
      </div>
    </section>
  );
}

interface WhoGetsNoneProps {
  readonly mailing: Mailing;
  readonly shown: LeftOut['reason'] | null;
  readonly onShow: (reason: LeftOut['reason'] | null) => void;
}

function WhoGetsNone({ mailing: { left_out: groups, quiet_days: days }, shown, onShow }: WhoGetsNoneProps) {
  const all = groups.reduce((sum, { parcels }) => sum + parcels.length, 0);
  return (
    <section className="rule-part" aria-label="Who gets none">
      <h3>
        Who gets none <span className="num">{formatNumber(all)}</span>
      </h3>
      {all === 0 ? <p className="quieter">Every parcel of the list gets a letter.</p> : null}
      <ul className="none-list">
        {groups.map(({ reason, words, parcels }) => (
          <li key={reason}>
            <button
              type="button"
              aria-pressed={reason === shown}
              onClick={() => onShow(reason === shown ? null : reason)}
            >
              <span className="grow">{reason === 'mailed' ? `Mailed in the last ${days} days` : words}</span>
              <span className="num medium">{formatNumber(parcels.length)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function middleOf(offers: readonly number[]): number {
  const ordered = offers.toSorted((a, b) => a - b);
  return ordered[Math.floor(ordered.length / 2)] ?? 0;
}

function Sums({ mailing: { letters, parcels } }: { mailing: Mailing }) {
  const offers = letters.flatMap(({ offer }) => offer ?? []);
  const all = offers.reduce((sum, offer) => sum + offer, 0);
  const without = letters.length - offers.length;
  return (
    <div className="pane-foot letters-sum num" aria-live="polite">
      <p className="line">
        <b>{formatNumber(letters.length)}</b> {letters.length === 1 ? 'letter' : 'letters'}
        <span className="grow" />
        <span className="quieter">of {plural(parcels, 'parcel', 'parcels')}</span>
      </p>
      <p className="small-text quieter">
        {offers.length === 0
          ? 'No offers'
          : `Offers ${sumWords(all)} in all, middle ${formatMoney(middleOf(offers))}${without > 0 ? `; ${formatNumber(without)} without` : ''}`}
      </p>
    </div>
  );
}
