/** The plan: a local row that decides what may be called and how tokens are counted. No bill is ever sent. */
import { EngineError } from '../spec/errors.ts';
import type { AccountStore } from '../store/account-store.ts';

export const tiers = ['free', 'starter', 'growth', 'scale'] as const;
export type Tier = (typeof tiers)[number];

export interface Plan {
  readonly pro: boolean;
  /** Null: no API add-on contract is active. */
  readonly tier: Tier | null;
  readonly tokens_included: number;
  readonly overage_cents_per_1000: number;
  /** Null: no cap. */
  readonly cap_tokens: number | null;
  readonly invoice_paid: boolean;
  /** Day of the month on which a period begins, 1 to 31. */
  readonly period_anchor_day: number;
}

interface PlanRow extends Omit<Plan, 'pro' | 'invoice_paid'> {
  readonly pro: number;
  readonly invoice_paid: number;
}

export function readPlan({ file }: AccountStore): Plan {
  const row = file.get<PlanRow>(
    'SELECT pro, tier, tokens_included, overage_cents_per_1000, cap_tokens, invoice_paid, period_anchor_day FROM plan',
  );
  if (!row) throw new EngineError('file_damaged', 'account.sqlite holds no plan. Restore it from a backup.');
  return { ...row, pro: row.pro === 1, invoice_paid: row.invoice_paid === 1 };
}

export function changePlan({ file }: AccountStore, change: Partial<Plan>): void {
  const columns = Object.entries(change).filter(([, value]) => value !== undefined);
  file.transaction(() => {
    for (const [column, value] of columns) {
      file.run(`UPDATE plan SET ${planColumn(column)} = ?`, typeof value === 'boolean' ? Number(value) : value);
    }
  });
}

const planColumns: readonly (keyof Plan)[] = [
  'pro',
  'tier',
  'tokens_included',
  'overage_cents_per_1000',
  'cap_tokens',
  'invoice_paid',
  'period_anchor_day',
];

/** Only these names become SQL. */
function planColumn(name: string): string {
  const known = planColumns.find((column) => column === name);
  if (!known) throw new TypeError(`the plan has no ${name}`);
  return known;
}

/** @throws EngineError subscription_required, tier_upgrade_required, payment_required, in this order (docs/contract.md, "Metering") */
export function requirePlan(plan: Plan): void {
  if (!plan.pro) throw new EngineError('subscription_required');
  if (plan.tier === null || plan.tier === 'free') throw new EngineError('tier_upgrade_required');
  if (!plan.invoice_paid) throw new EngineError('payment_required');
}
