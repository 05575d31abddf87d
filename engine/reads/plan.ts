/** The local plan, for Settings. */
import Type from 'typebox';
import { readPlan, tiers } from '../account/plan.ts';
import { count, noInput, oneOf, strict } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

export const plan = defineRead({
  name: 'plan',
  docs: 'The tier of the local plan and how many tokens it includes in a period.',
  input: noInput,
  output: Type.Object({ tier: oneOf(['none', ...tiers]), tokens_included: count() }, strict),
  run: (_input, { account }) => {
    const { tier, tokens_included: included } = readPlan(account);
    return { tier: tier ?? ('none' as const), tokens_included: included };
  },
});
