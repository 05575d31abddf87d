/** GET usage/: tokens of the current billing period, in one object. */
import Type, { type Static } from 'typebox';
import { billingPeriod } from '../account/billing-period.ts';
import { tokensUsed } from '../account/meter.ts';
import { readPlan, type Tier } from '../account/plan.ts';
import { count, noInput, orNull, strict } from '../spec/value-schemas.ts';
import { defineOperation, free } from './operation.ts';

const dateTime = (docs: string) => orNull(Type.String(), { description: docs });

const output = Type.Object(
  {
    tier: orNull(Type.Unsafe<Tier>(Type.String()), { description: 'API tier; null without a contract.' }),
    tokens_used: count('Tokens charged in this period.'),
    tokens_included: count('Tokens that the tier includes in a period.'),
    tokens_overage: count('Tokens used above those included.'),
    overage_amount_cents: count('Price of the overage in US cents, rounded up.'),
    period_start: dateTime('First moment of the period, UTC.'),
    period_end: dateTime('When the counters start again, UTC.'),
  },
  strict,
);
export type UsageTotals = Static<typeof output>;

/** The answer when no API contract is active. */
const noContract: UsageTotals = {
  tier: null,
  tokens_used: 0,
  tokens_included: 0,
  tokens_overage: 0,
  overage_amount_cents: 0,
  period_start: null,
  period_end: null,
};

/**
 * Cents of overage, rounded up (docs/contract.md, "Metering"). Counted in millionths, the decimals of a price: in binary
 * fractions 100,000 tokens at 1.1 cents are a little more than 110 cents.
 */
export function overageCents(tokens: number, centsPer1000: number): number {
  const millionths = BigInt(tokens) * BigInt(Math.round(centsPer1000 * 1e6));
  return Number((millionths + 999_999_999n) / 1_000_000_000n);
}

const table = {
  columns: Object.keys(noContract),
  rows: (totals: UsageTotals) => [{ ...totals }],
  total: () => 1,
};

export const getUsage = defineOperation({
  name: 'get_usage',
  summary: 'Tokens used in the current period',
  docs: 'Totals of the current billing period. Tokens are a counter on this computer; they cost no money.',
  http: { method: 'GET', path: 'usage/', status: 200 },
  scope: null,
  needsPlan: false,
  ...free,
  input: noInput,
  output,
  table,
  run: (_input, { account, now }) => {
    const plan = readPlan(account);
    if (plan.tier === null) return noContract;
    const period = billingPeriod(now(), plan.period_anchor_day);
    const used = tokensUsed(account, period);
    const overage = Math.max(0, used - plan.tokens_included);
    return {
      tier: plan.tier,
      tokens_used: used,
      tokens_included: plan.tokens_included,
      tokens_overage: overage,
      overage_amount_cents: overageCents(overage, plan.overage_cents_per_1000),
      period_start: period.start,
      period_end: period.end,
    };
  },
  examples: [{ title: 'The current period', input: {} }],
});
