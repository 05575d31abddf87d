/** Settings: what was used, and on Usage the tier of the local plan. The command line sets the rest. */

import { useEffect, useState } from 'react';
import type { ReadOutputOf } from '../../../engine/reads/index.ts';
import type { ChangeInputOf } from '../../../engine/work/index.ts';
import { formatNumber } from '../../parts/format.ts';
import { NumberField } from '../../parts/number-field.tsx';
import { Select } from '../../parts/select.tsx';
import { useClient, useRead } from '../../state/client-context.tsx';
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

export function UsagePart() {
  const { data: home } = useRead('home', {}, { isLasting: true });
  if (!home) return null;
  return (
    <section className="option-lines" aria-label="Usage">
      <h2>Usage</h2>
      <div>
        <span className="num">
          {formatNumber(home.usage.tokens_used)} of {formatNumber(home.usage.tokens_included)} tokens{' '}
          <span className="small-text quieter">a counter on this computer; it costs no money</span>
        </span>
        <a className="button" href="#/usage">
          Open Usage
        </a>
      </div>
    </section>
  );
}

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
