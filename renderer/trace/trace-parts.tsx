/** Parts of every skip trace: the person searched for, the priced button with the traces left, the outcome. */
import { useQueryClient } from '@tanstack/react-query';
import { Import } from 'lucide-react';
import { useEffect, useState } from 'react';
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

/** Repeated while traces of the minute become free. */
const followMilliseconds = 5000;

/** @param of a parcel, or a person as typed */
export function usePreview(input: { id: number } | { person: TracedPerson } | Record<string, never>) {
  const query = useRead('trace_preview', input);
  const queries = useQueryClient();
  const isFilling = query.data !== undefined && query.data.left < query.data.per_minute;
  useEffect(() => {
    if (!isFilling) return;
    const follow = () => void queries.invalidateQueries({ queryKey: ['trace_preview'] });
    const timer = setInterval(follow, followMilliseconds);
    return () => clearInterval(timer);
  }, [isFilling, queries]);
  return query;
}

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
  readonly preview: Preview;
  /** Time at which the preview was read. */
  readonly readAt: number;
  readonly isKnown: boolean;
  readonly isPrimary?: boolean;
  /** Why it is disabled; null if it is not. */
  readonly hindrance: string | null;
}

export function TraceAction({ call, price, preview, readAt, isKnown, isPrimary, hindrance }: TraceActionProps) {
  const queries = useQueryClient();
  const { left, per_minute: all, wait_seconds: wait } = preview;
  const rest = useCountdown(wait, readAt, () => void queries.invalidateQueries({ queryKey: ['trace_preview'] }));
  const isFull = left === 0 && rest > 0;
  return (
    <div className="line wrap">
      <PricedButton
        label={isKnown ? 'Refresh' : 'Skip trace'}
        price={price}
        condition={whenMatched}
        isPrimary={isPrimary ?? !isKnown}
        isRunning={call.isRunning}
        disabled={hindrance !== null || isFull}
        focus="trace-button"
        onPress={call.press}
      />
      <span className="small-text quieter num" aria-live="polite">
        {isFull ? `${all} a minute are used; the next in ${rest} s` : `${left} of ${all} left this minute`}
      </span>
    </div>
  );
}

/** The error of the last press. The rate limit is no error: the button counts down. */
export const TraceError = ({ call, price }: { call: PricedCall<TraceResult>; price: number | null }) => {
  if (!call.error) return null;
  if (call.error.code === 'rate_limited')
    return (
      <p className="note warn" role="status">
        <span>At most 20 skip traces fit in a minute, all doors together. Nothing was charged.</span>
      </p>
    );
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

/** @param since changes when a new wait begins. @param onEnd called once at its end */
function useCountdown(seconds: number, since: number, onEnd: () => void): number {
  const [left, setLeft] = useState(seconds);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `since` is a new wait, and the end may be any function
  useEffect(() => {
    setLeft(seconds);
    if (seconds <= 0) return;
    const end = performance.now() + seconds * 1000;
    const timer = setInterval(() => {
      const rest = Math.max(0, Math.ceil((end - performance.now()) / 1000));
      setLeft(rest);
      if (rest > 0) return;
      clearInterval(timer);
      onEnd();
    }, 250);
    return () => clearInterval(timer);
  }, [seconds, since]);
  return left;
}
