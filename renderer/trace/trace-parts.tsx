/** Parts of every skip trace: the person searched for, the priced button, the outcome. */
import { Import } from 'lucide-react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { PricedButton, PricedRetry } from '../parts/priced-button.tsx';
import { ErrorState } from '../parts/states.tsx';
import { useRead } from '../state/client-context.tsx';
import { goTo } from '../state/navigation.ts';
import type { PricedCall } from '../state/priced-call.ts';
import { formatDay } from '../value/value-words.ts';
import { PhoneList } from './phone-list.tsx';
import { personName, personPlace, type TracedPerson, type TraceResult } from './trace-words.ts';

type Preview = ReadOutputOf<'trace_preview'>;
export type KnownTrace = NonNullable<ReadOutputOf<'stored_trace'>['trace']>;

/** @param of a parcel, or a person as typed */
export const usePreview = (input: { id: number } | { person: TracedPerson } | Record<string, never>) =>
  useRead('trace_preview', input);

/** Why no trace is possible; null if one is. */
export const hindranceOf = ({ refusal, is_opted_out: isOptedOut, has_contacts: hasContacts }: Preview): string | null =>
  refusal ?? (isOptedOut ? 'opted out' : hasContacts ? null : 'no contacts');

export const LooksFor = ({ person }: { person: TracedPerson }) => (
  <p>
    Looks in your own contact lists for <b className="medium">{personName(person)}</b>, {personPlace(person)}.
  </p>
);

export const NoContacts = () => (
  <div className="note">
    <div className="no-contacts">
      <p>
        <b className="medium">No contact list yet.</b> A skip trace looks only in lists that you bring yourself, a CSV
        of names, addresses and telephone numbers; nothing is looked up elsewhere.
      </p>
      <button type="button" className="button" onClick={() => goTo('import')}>
        <Import aria-hidden />
        Import contacts
      </button>
    </div>
  </div>
);

const whenMatched = 'when matched';

interface TraceActionProps {
  readonly call: PricedCall<TraceResult>;
  readonly price: number | null;
  readonly isKnown: boolean;
  readonly isPrimary?: boolean;
  /** Why it is disabled; null if it is not. */
  readonly hindrance: string | null;
}

export const TraceAction = ({ call, price, isKnown, isPrimary, hindrance }: TraceActionProps) => (
  <div className="line wrap">
    <PricedButton
      label={isKnown ? 'Refresh' : 'Skip trace'}
      price={price}
      condition={whenMatched}
      isPrimary={isPrimary ?? !isKnown}
      isRunning={call.isRunning}
      disabled={hindrance !== null}
      focus="trace-button"
      onPress={call.press}
    />
    <span className="small-text quieter">Your own contacts: no limit.</span>
  </div>
);

/** The error of the last press. */
export const TraceError = ({ call, price }: { call: PricedCall<TraceResult>; price: number | null }) => {
  if (!call.error) return null;
  const retry = <PricedRetry price={price} condition={whenMatched} onPress={call.press} />;
  return <ErrorState title="The skip trace did not finish" error={call.error} retry={retry} />;
};

export const TraceOutcome = ({ trace }: { trace: KnownTrace }) => (
  <div className="trace-outcome" role="status">
    {trace.is_same_person ? null : (
      <p className="note warn">
        <span>
          These are the numbers of <b className="medium">{personName(trace.asked)}</b>, {personPlace(trace.asked)}, whom
          the record named when this was traced. It names somebody else now.
        </span>
      </p>
    )}
    {trace.result.matched ? (
      <PhoneList phones={trace.result.phones} />
    ) : (
      <p>
        <b className="medium">Not matched.</b> Your contact lists have no person of this name at this place.
      </p>
    )}
    <p className="small-text quieter">Traced {formatDay(trace.traced_at)}, kept on this computer</p>
  </div>
);
