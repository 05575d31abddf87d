/** GET usage/breakdown/: tokens of the current period by day, endpoint and mode. */
import Type from 'typebox';
import { billingPeriod } from '../account/billing-period.ts';
import { daySums } from '../account/ledger-days.ts';
import { readPlan } from '../account/plan.ts';
import { count, noInput, orNull, strict } from '../spec/value-schemas.ts';
import { defineOperation, free } from './operation.ts';

const dateTime = orNull(Type.String());

const output = Type.Object(
  {
    period_start: dateTime,
    period_end: dateTime,
    records: Type.Array(
      Type.Object({ date: Type.String(), endpoint: Type.String(), mode: Type.String(), tokens_used: count() }, strict),
    ),
  },
  strict,
);

export const getUsageBreakdown = defineOperation({
  name: 'get_usage_breakdown',
  summary: 'Tokens used by day and endpoint',
  docs: 'Tokens of the current billing period by day (UTC), endpoint and mode: `direct` (HTTP), `mcp`, `app`, `script`, `feed`.',
  http: { method: 'GET', path: 'usage/breakdown/', status: 200 },
  scope: null,
  needsPlan: false,
  ...free,
  input: noInput,
  output,
  table: {
    columns: ['date', 'endpoint', 'mode', 'tokens_used'],
    rows: (breakdown) => breakdown.records.map((record) => ({ ...record })),
    total: (breakdown) => breakdown.records.length,
  },
  run: (_input, { account, now }) => {
    const plan = readPlan(account);
    if (plan.tier === null) return { period_start: null, period_end: null, records: [] };
    const period = billingPeriod(now(), plan.period_anchor_day);
    return { period_start: period.start, period_end: period.end, records: daySums(account, period) };
  },
  examples: [{ title: 'The current period', input: {} }],
});
