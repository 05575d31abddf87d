/** The plan in the app's settings: the tier and what it includes. The command line sets the rest. */
import Type from 'typebox';
import { changePlan, readPlan, tiers } from '../account/plan.ts';
import { choiceSchema, oneOf, strict, wholeNumberSchema } from '../spec/value-schemas.ts';
import { defineChange } from './change.ts';

const mostTokens = 1_000_000_000;

export const setPlan = defineChange({
  name: 'set_plan',
  docs: 'Sets the tier of the local plan, how many tokens it includes in a period, or both; omitted fields stay. Tokens are a counter on this computer; they cost no money.',
  input: Type.Object(
    {
      tier: Type.Optional(choiceSchema(['none', ...tiers])),
      tokens_included: Type.Optional(wholeNumberSchema(0, mostTokens)),
    },
    strict,
  ),
  output: Type.Object({ tier: oneOf(['none', ...tiers]), tokens_included: Type.Integer() }, strict),
  run: (wanted, { account }) => {
    const plan = readPlan(account);
    const before = { tier: plan.tier ?? ('none' as const), tokens_included: plan.tokens_included };
    const after = { ...before, ...wanted };
    changePlan(account, { tier: after.tier === 'none' ? null : after.tier, tokens_included: after.tokens_included });
    const sentence = `Set the plan to ${after.tier}, ${after.tokens_included.toLocaleString('en-US')} tokens`;
    return { data: after, undo: { sentence, change: 'set_plan', input: before } };
  },
});
