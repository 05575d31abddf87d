/** Skip trace of a name and an address as they are typed. */
import { Overlay } from '../frame/overlay.tsx';
import { readKey, useRead, useRested } from '../state/client-context.tsx';
import { usePrice, usePricedCall } from '../state/priced-call.ts';
import { useStore } from '../state/store.ts';
import { OutcomeToDelete } from './delete-person.tsx';
import { type TraceField, type TypedPerson, traceFields, typedPerson } from './trace-dialog-state.ts';
import { hindranceOf, LooksFor, NoContacts, TraceAction, TraceError, usePreview } from './trace-parts.tsx';

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

/** What is missing; null when it can be asked. */
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
  const preview = usePreview(null);
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

function Asked({ input }: { input: Given }) {
  const rested = useRested(input, 200);
  const isCurrent = JSON.stringify(rested) === JSON.stringify(input);
  const preview = usePreview(null);
  const { data: stored, isPlaceholderData } = useRead('stored_trace', { person: rested });
  const price = usePrice('skip_trace_owner');
  const call = usePricedCall('skip_trace_owner', input, [
    readKey('stored_trace', { person: input }),
    ['trace_preview'],
  ]);
  if (!preview.data) return null;
  const person = {
    firstName: input.first_name,
    lastName: input.last_name,
    ...(input.address === undefined ? {} : { address: input.address }),
    ...(input.city === undefined ? {} : { city: input.city }),
    ...(input.state === undefined ? {} : { state: input.state.toUpperCase() }),
    ...(input.zip === undefined ? {} : { zip: input.zip }),
  };
  const trace = isCurrent && !isPlaceholderData ? (stored?.trace ?? null) : null;
  return (
    <>
      <LooksFor person={person} />
      <OutcomeToDelete trace={trace} person={person} isOptedOut={false} />
      <TraceError call={call} price={price} />
      <TraceAction
        call={call}
        price={price}
        preview={preview.data}
        readAt={preview.dataUpdatedAt}
        isKnown={trace !== null}
        hindrance={hindranceOf(preview.data)}
      />
    </>
  );
}
