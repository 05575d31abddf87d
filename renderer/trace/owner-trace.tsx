/** Skip trace of a parcel's owner. */
import { useRead } from '../state/client-context.tsx';
import { usePrice, usePricedCall } from '../state/priced-call.ts';
import { paidKeys } from '../work/paid-reads.ts';
import { openTraceDialog } from './trace-dialog-state.ts';
import { LooksFor, NoContacts, TraceAction, TraceError, TraceOutcome, usePreview } from './trace-parts.tsx';

export function OwnerTrace({ propertyId, hasSeveralOwners }: { propertyId: number; hasSeveralOwners: boolean }) {
  const input = { id: propertyId };
  const preview = usePreview(propertyId);
  const { data: stored } = useRead('stored_trace', input, { isLasting: true });
  const price = usePrice('skip_trace_property_owner');
  const call = usePricedCall('skip_trace_property_owner', input, [...paidKeys, ['trace_preview']]);
  if (!preview.data || stored === undefined) return null;
  const { person, refusal, has_contacts: hasContacts } = preview.data;
  // Paid for, and then the disk was full: the answer is shown as long as the window is there.
  const trace =
    stored.trace ??
    (call.answer && person
      ? { asked: person, result: call.answer.data, traced_at: new Date().toISOString(), is_same_person: true }
      : null);
  return (
    <section className="trace" aria-labelledby="trace-title">
      <h3 id="trace-title">Skip trace</h3>
      {person ? <LooksFor person={person} /> : null}
      {person && hasSeveralOwners ? (
        <p className="small-text quieter">Of several owners the first is looked for.</p>
      ) : null}
      {refusal === null ? null : <p>This parcel {refusal}.</p>}
      {trace ? <TraceOutcome trace={trace} /> : null}
      {hasContacts ? null : <NoContacts />}
      <TraceError call={call} price={price} />
      <TraceAction
        call={call}
        price={price}
        preview={preview.data}
        readAt={preview.dataUpdatedAt}
        isKnown={trace !== null}
        hindrance={refusal ?? (hasContacts ? null : 'no contacts')}
      />
      <button type="button" className="link" onClick={() => openTraceDialog(person)}>
        Trace another name or address
      </button>
    </section>
  );
}
