/** Skip trace of a parcel's owner. */
import { useRead } from '../state/client-context.tsx';
import { usePrice, usePricedCall } from '../state/priced-call.ts';
import { paidKeys } from '../work/paid-reads.ts';
import { OutcomeToDelete } from './delete-person.tsx';
import { openTraceDialog } from './trace-dialog-state.ts';
import { hindranceOf, LooksFor, NoContacts, TraceAction, TraceError, usePreview } from './trace-parts.tsx';

export function OwnerTrace({ propertyId, hasSeveralOwners }: { propertyId: number; hasSeveralOwners: boolean }) {
  const input = { id: propertyId };
  const preview = usePreview(input);
  const { data: stored } = useRead('stored_trace', input, { isLasting: true });
  const price = usePrice('skip_trace_property_owner');
  const call = usePricedCall('skip_trace_property_owner', input, paidKeys);
  if (!preview.data || stored === undefined) return null;
  const { person, refusal, has_contacts: hasContacts, is_opted_out: isOptedOut } = preview.data;
  // A paid answer that a full disk kept from being stored is shown while the window is open.
  const trace =
    stored.trace ??
    // Show nothing of a deleted person.
    (call.answer && person && !isOptedOut
      ? { asked: person, result: call.answer.data, traced_at: new Date().toISOString(), is_same_person: true }
      : null);
  return (
    <section className="trace" aria-labelledby="trace-title">
      <h3 id="trace-title">Skip trace</h3>
      {person ? <LooksFor person={person} /> : null}
      {person && hasSeveralOwners ? (
        <p className="small-text quieter">With several owners, the first one is traced.</p>
      ) : null}
      {refusal === null ? null : <p>This parcel {refusal}.</p>}
      <OutcomeToDelete key={propertyId} trace={trace} person={person} isOptedOut={isOptedOut} />
      {hasContacts ? null : <NoContacts />}
      <TraceError call={call} price={price} />
      <TraceAction call={call} price={price} isKnown={trace !== null} hindrance={hindranceOf(preview.data)} />
      <button type="button" className="link" onClick={() => openTraceDialog(person)}>
        Trace another name or address
      </button>
    </section>
  );
}
