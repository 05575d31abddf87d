/**
 * Columns to add to a list, each with its price on the button: values, phones; offers at a share of the value are free.
 */
import { BetweenVerticalStart } from 'lucide-react';
import { useEffect, useState } from 'react';
import { formatNumber, hasCommasInPlace, parseNumber, plural } from '../parts/format.ts';
import { PopoverButton } from '../parts/popover-button.tsx';
import { PricedButton } from '../parts/priced-button.tsx';
import { Skeleton } from '../parts/states.tsx';
import { useClient, useLate, useRead } from '../state/client-context.tsx';
import { makeChange } from '../work/make-change.ts';
import type { List } from './types.ts';

export function AddColumns({ list }: { list: List }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <PopoverButton
      face={
        <>
          <BetweenVerticalStart aria-hidden />
          <span className="at-medium">Add columns</span>
        </>
      }
      button="button"
      hint="Add columns"
      label="Add columns"
      className="add-columns"
      isOpen={isOpen}
      onOpen={setOpen}
      isDisabled={list.parcels === 0}
    >
      <Runs list={list} onStarted={() => setOpen(false)} />
      <Offer list={list} />
    </PopoverButton>
  );
}

const words = {
  values: { title: 'Values', one: 'value', many: 'values', all: 'Every parcel of the list has been valued.' },
  phones: { title: 'Phones', one: 'skip trace', many: 'skip traces', all: 'Every traceable owner has been traced.' },
} as const;

function Runs({ list, onStarted }: { list: List; onStarted: () => void }) {
  const client = useClient();
  const { data, isPlaceholderData, isPending } = useRead('list_quote', { list_id: list.list_id });
  const { data: runs } = useRead('list_runs', { list_id: list.list_id }, { isLasting: true });
  const isSlow = useLate(isPending);
  if (!data || isPlaceholderData) return isSlow ? <Skeleton label="Counting what it would cost" /> : null;
  const start = async (kind: 'values' | 'phones') => {
    if (await makeChange(client, 'start_list_run', { list_id: list.list_id, kind })) onStarted();
  };
  const standing = (kind: string) => runs?.find((run) => run.kind === kind);
  return data.map(({ kind, parcels, left_out: leftOut, most_tokens: most }) => (
    <section key={kind} className="add-column" aria-label={words[kind].title}>
      <h3>{words[kind].title}</h3>
      {standing(kind) ? (
        <p className="quieter">
          {standing(kind)?.state === 'running' ? 'Running, see above the table.' : 'Paused, continue above the table.'}
        </p>
      ) : parcels === 0 ? (
        <p className="quieter">{words[kind].all}</p>
      ) : (
        <PricedButton
          label={plural(parcels, words[kind].one, words[kind].many)}
          price={most}
          condition="at most"
          onPress={() => void start(kind)}
        />
      )}
      <p className="small-text quieter">
        {kind === 'values'
          ? 'Stored with each parcel; a parcel without comps costs nothing.'
          : `Your own contacts: no limit; no match costs nothing.${leftOut > 0 ? ` ${plural(leftOut, 'owner', 'owners')} left out: no person, or no mailing place.` : ''}`}
      </p>
    </section>
  ));
}

function Offer({ list }: { list: List }) {
  const client = useClient();
  const [text, setText] = useState('');
  useEffect(() => setText(list.offer_percent === null ? '45' : formatNumber(list.offer_percent)), [list.offer_percent]);
  const percent = parseNumber(text);
  const isFine = typeof percent === 'number' && hasCommasInPlace(text) && percent > 0 && percent <= 200;
  const set = (value: number | null) =>
    void makeChange(client, 'set_offer_percent', { list_id: list.list_id, percent: value });
  return (
    <section className="add-column" aria-label="Offers">
      <h3>Offers</h3>
      <form
        className="line"
        onSubmit={(event) => {
          event.preventDefault();
          if (isFine) set(percent);
        }}
      >
        <label className="field right" data-invalid={!isFine}>
          <span className="sr">Percent of the value</span>
          <input value={text} inputMode="decimal" onChange={(event) => setText(event.target.value)} />
          <span className="unit">% of the value</span>
        </label>
        <button type="submit" className="button" disabled={!isFine}>
          {list.offer_percent === null ? 'Add' : 'Change'}
        </button>
        {list.offer_percent === null ? null : (
          <button type="button" className="button quiet" onClick={() => set(null)}>
            Remove
          </button>
        )}
      </form>
      <p className="small-text quieter">Free: computed from the values, rounded to $100.</p>
    </section>
  );
}
