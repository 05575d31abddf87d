/** Skip trace of a typed name and address. */
import { Overlay } from '../frame/overlay.tsx';
import { readKey, useRead, useRested } from '../state/client-context.tsx';
import { usePrice, usePricedCall } from '../state/priced-call.ts';
import { useStore } from '../state/store.ts';
import { OutcomeToDelete } from './delete-person.tsx';
import { type TraceField, type TypedPerson, traceFields, typedPerson } from './trace-dialog-state.ts';
import { hindranceOf, LooksFor, NoContacts, TraceAction, TraceError, usePreview } from './trace-parts.tsx';
import type { TracedPerson } from './trace-words.ts';

const labels: Readonly<Record<TraceField, string>> = {
  first_name: 'First name',
  last_name: 'Last name',
  address: 'Street',
  city: 'City',
  state: 'State',
  zip: 'ZIP',
};

type Given = { first_name: string; last_name: string } & Partial<Record<TraceField, string>>;

const inputOf = (typed: TypedPerson): Given =>
  Object.fromEntries(
    traceFields.map((field) => [field, typed[field].trim()] as const).filter(([, text]) => text !== ''),
  ) as Given;

/** The missing field; null if the trace can run. */
export function missingIn(typed: TypedPerson): string | null {
  const given = inputOf(typed);
  if (!/\p{L}/u.test(given.first_name ?? '') || !/\p{L}/u.test(given.last_name ?? ''))
    return 'A first and a last name are needed.';
  if (given.zip !== undefined && !/^\d{5}$/.test(given.zip)) return 'A ZIP has five digits.';
  if (given.state !== undefined && !/^[A-Za-z]{2}$/.test(given.state)) return 'A state has two letters.';
  const hasPlace = given.zip !== undefined || (given.city !== undefined && given.state !== undefined);
  return hasPlace ? null : 'The ZIP is needed, or city and state.';
}

export const TraceDialog = () => (
  <Overlay name="trace" title="Skip trace a name and address" isTitled>
    <Form />
  </Overlay>
);

function Form() {
  const typed = useStore(typedPerson);
  const missing = missingIn(typed);
  const preview = usePreview({});
  return (
    <div className="trace trace-form">
      <div className="trace-fields">
        {traceFields.map((field) => (
          <label key={field} className="control" data-field={field}>
            <span className="control-label">{labels[field]}</span>
            <span className="field">
              <input
                autoComplete="off"
                spellCheck={false}
                value={typed[field]}
                onChange={(event) => typedPerson.set({ [field]: event.target.value })}
              />
            </span>
          </label>
        ))}
      </div>
      {preview.data?.has_contacts === false ? <NoContacts /> : null}
      {missing === null ? <Asked input={inputOf(typed)} /> : <p className="quieter">{missing}</p>}
    </div>
  );
}

const personOf = ({ first_name, last_name, address, city, state, zip }: Given): TracedPerson => ({
  firstName: first_name,
  lastName: last_name,
  ...(address === undefined ? {} : { address }),
  ...(city === undefined ? {} : { city }),
  ...(state === undefined ? {} : { state: state.toUpperCase() }),
  ...(zip === undefined ? {} : { zip }),
});

function Asked({ input }: { input: Given }) {
  const rested = useRested(input, 200);
  const isCurrent = JSON.stringify(rested) === JSON.stringify(input);
  const preview = usePreview({ person: personOf(rested) });
  const { data: stored, isPlaceholderData } = useRead('stored_trace', { person: rested });
  const price = usePrice('skip_trace_owner');
  const call = usePricedCall('skip_trace_owner', input, [readKey('stored_trace', { person: input })]);
  if (!preview.data) return null;
  const person = personOf(input);
  const isOptedOut = isCurrent && !preview.isPlaceholderData && preview.data.is_opted_out;
  // A trace kept from before says "not matched" of someone who has opted out.
  const trace = isCurrent && !isPlaceholderData && !isOptedOut ? (stored?.trace ?? null) : null;
  return (
    <>
      <LooksFor person={person} />
      <OutcomeToDelete trace={trace} person={person} isOptedOut={isOptedOut} />
      <TraceError call={call} price={price} />
      <TraceAction call={call} price={price} isKnown={trace !== null} hindrance={hindranceOf(preview.data)} />
    </>
  );
}
