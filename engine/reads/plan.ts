/** The local plan, as Settings shows and changes it. */
import Type from 'typebox';
import { readPlan, type Tier } from '../account/plan.ts';
import { defineRead } from './read.ts';

export interface ShownPlan {
  readonly tier: Tier | 'none';
  readonly tokens_included: number;
}

export const plan = defineRead<Record<string, never>, ShownPlan>({
  name: 'plan',
  docs: 'The tier of the local plan and how many tokens it includes in a period.',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object(
    { tier: Type.String(), tokens_included: Type.Integer({ minimum: 0 }) },
    { additionalProperties: false },
  ),
  run: (_input, { account }) => {
    const { tier, tokens_included: included } = readPlan(account);
    return { tier: tier ?? 'none', tokens_included: included };
  },
});
