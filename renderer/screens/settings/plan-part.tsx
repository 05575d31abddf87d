/** Settings: the tier of the local plan and what it includes. The command line sets the rest. */

import { useEffect, useState } from 'react';
import type { ReadOutputOf } from '../../../engine/reads/index.ts';
import type { ChangeInputOf } from '../../../engine/work/index.ts';
import { NumberField } from '../../parts/number-field.tsx';
import { Select } from '../../parts/select.tsx';
import { useClient } from '../../state/client-context.tsx';
import { usePlan } from '../../state/use-plan.ts';
import { makeChange } from '../../work/make-change.ts';

type Tier = NonNullable<ChangeInputOf<'set_plan'>['tier']>;

const tierWords: Readonly<Record<Tier, string>> = {
  none: 'none: nothing that costs tokens is answered',
  free: 'free: nothing that costs tokens is answered',
  starter: 'starter',
  growth: 'growth',
  scale: 'scale',
};

export function PlanPart() {
  const plan = usePlan();
  return plan ? <PlanLines plan={plan} /> : null;
}

function PlanLines({ plan: { tier, tokens_included: included } }: { plan: ReadOutputOf<'plan'> }) {
  const client = useClient();
  const [tokens, setTokens] = useState<number | undefined>(included);
  // Changed by undo, or elsewhere.
  useEffect(() => setTokens(included), [included]);
  // Sends only the changed field: the other may be newer in the file than on the screen.
  const set = (input: ChangeInputOf<'set_plan'>) => void makeChange(client, 'set_plan', input);
  return (
    <section className="option-lines" aria-label="Plan">
      <h2>Plan</h2>
      <p className="quieter small-text">Tokens are a counter on this computer; they cost no money.</p>
      <div>
        <span>Tier</span>
        <span className="field">
          <Select
            aria-label="Tier"
            value={tier}
            options={Object.entries(tierWords).map(([value, label]) => ({ value, label }))}
            onChange={(chosen) => set({ tier: chosen as Tier })}
          />
        </span>
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (tokens !== undefined) set({ tokens_included: tokens });
        }}
      >
        <span>Tokens included in a month</span>
        <span className="line">
          <NumberField
            label="Tokens included in a month"
            value={tokens}
            isWhole
            minimum={0}
            maximum={1_000_000_000}
            onChange={setTokens}
          />
          <button type="submit" className="button" disabled={tokens === undefined || tokens === included}>
            Set
          </button>
        </span>
      </form>
    </section>
  );
}
