/** The plan as the app's settings change it: the tier and what it includes. The rest is the command line's. */
import Type from 'typebox';
import { changePlan, readPlan, type Tier, tiers } from '../account/plan.ts';
import { choiceSchema, wholeNumberSchema } from '../spec/value-schemas.ts';
import { defineChange } from './change.ts';

export interface KeptPlan {
  readonly tier: Tier | 'none';
  readonly tokens_included: number;
}

export type PlanChange = Partial<KeptPlan>;

const mostTokens = 1_000_000_000;

export const setPlan = defineChange<PlanChange, KeptPlan>({
  name: 'set_plan',
  docs: 'Sets the tier of the local plan, how many tokens it includes in a period, or both; what is not named stays. A counter on this computer; nobody bills it.',
  input: Type.Object(
    {
      tier: Type.Optional(choiceSchema(['none', ...tiers])),
      tokens_included: Type.Optional(wholeNumberSchema(0, mostTokens)),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ tier: Type.String(), tokens_included: Type.Integer() }, { additionalProperties: false }),
  run: (wanted, { account }) => {
    const plan = readPlan(account);
    const before: KeptPlan = { tier: plan.tier ?? 'none', tokens_included: plan.tokens_included };
    const after: KeptPlan = { ...before, ...wanted };
    changePlan(account, { tier: after.tier === 'none' ? null : after.tier, tokens_included: after.tokens_included });
    const sentence = `Set the plan to ${after.tier}, ${after.tokens_included.toLocaleString('en-US')} tokens`;
    return { data: after, undo: { sentence, change: 'set_plan', input: before } };
  },
});
