/** The Value tab without a value: not yet, no comps near, or no location. */
import { Import, Map as MapIcon, Scale } from 'lucide-react';
import { noValueSentence } from '../../engine/spec/no-value-words.ts';
import type { ClientError } from '../client/engine-client.ts';
import { explore } from '../explore/explore-state.ts';
import { PricedButton } from '../parts/priced-button.tsx';
import { EmptyState } from '../parts/states.tsx';
import { useRead } from '../state/client-context.tsx';
import { goTo } from '../state/navigation.ts';
import type { PricedCall } from '../state/priced-call.ts';
import { miles } from './value-words.ts';

/** After a call that found none: the reason, once it is read. */
export function NoneFound({ id, error }: { id: number; error: ClientError }) {
  const { data, isPending } = useRead('no_value', { id });
  if (isPending) return null;
  return <NoValue sentence={data?.parts ? noValueSentence(data.parts, miles) : error.message} />;
}

/** @param sentence why there is none */
export const NoValue = ({ sentence, hasComps = true }: { sentence: string; hasComps?: boolean }) => (
  <div className="state left no-value" role="status">
    <h3>No value</h3>
    <p>{sentence}</p>
    <div className="line wrap">
      <button type="button" className="button" onClick={() => goTo('import')}>
        <Import aria-hidden />
        Import sales
      </button>
      {hasComps ? (
        <button type="button" className="button" onClick={() => explore.set({ detailTab: 'comps' })}>
          <MapIcon aria-hidden />
          Comps on the map
        </button>
      ) : null}
    </div>
  </div>
);

export const NotValued = ({ call, price }: { call: PricedCall<unknown>; price: number | null }) => (
  <EmptyState
    icon={<Scale aria-hidden />}
    title="Not valued yet"
    text="A value is a range from nearby land sales, each adjusted to this parcel in size, time and place. Platbook shows every comp behind it, and stores it with the parcel."
  >
    <PricedButton
      label="Value"
      price={price}
      isPrimary
      isRunning={call.isRunning}
      focus="value-first"
      onPress={call.press}
    />
  </EmptyState>
);
