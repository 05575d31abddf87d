/** Settings: whether the map may use this computer's location, and the location's source. */
import { useState } from 'react';
import type { LocationChoice, LocationSource } from '../../../electron/bridge.ts';
import { locationSources } from '../../../electron/bridge.ts';
import { findDesktop } from '../../client/desktop.ts';
import { chooseLocation, locationSwitch, sourceWords } from '../../location/location-switch.ts';
import { Segments } from '../../parts/segments.tsx';
import { useStore } from '../../state/store.ts';
import { toast } from '../../state/toasts.ts';

const onOff = ['off', 'on'].map((value) => ({ value, label: value }));

const choose = (change: Partial<LocationChoice>): void =>
  void chooseLocation(change).catch((error: Error) => toast(error.message));

export function LocationPart() {
  const { on } = useStore(locationSwitch);
  return (
    <section className="option-lines" aria-label="Location">
      <h2>Location</h2>
      <p className="quieter small-text">
        Shows where you stand on the map, and how far from the line. The place stays on this computer and is not kept.
        Boundaries are approximate, not a survey.
      </p>
      <div>
        <span>
          The map may know where I am <span className="quietest">(W)</span>
        </span>
        <Segments
          label="The map may know where I am"
          value={on ? 'on' : 'off'}
          choices={onOff}
          onChange={(next) => choose({ on: next === 'on' })}
        />
      </div>
      {findDesktop() ? <SourceLines /> : null}
    </section>
  );
}

/** A browser provides the location itself; only the app can read a receiver. */
function SourceLines() {
  const { source, place } = useStore(locationSwitch);
  const [wanted, setWanted] = useState<LocationSource>(source);
  const words = sourceWords[wanted];
  const take = (next: LocationSource) => {
    setWanted(next);
    if (sourceWords[next].place === null) choose({ source: next, place: '' });
  };
  return (
    <>
      <div>
        <span>The place comes from</span>
        <Segments
          label="The place comes from"
          value={wanted}
          choices={locationSources.map((value) => ({ value, label: sourceWords[value].label }))}
          onChange={take}
        />
      </div>
      <p className="quieter small-text">{words.hint}</p>
      {words.place === null ? null : (
        <PlaceLine key={wanted} source={wanted} label={words.place} place={wanted === source ? place : ''} />
      )}
    </>
  );
}

function PlaceLine({ source, label, place }: { source: LocationSource; label: string; place: string }) {
  const [text, setText] = useState(place);
  const pick = async () => {
    const [file] = (await findDesktop()?.chooseFiles()) ?? [];
    if (file === undefined) return;
    setText(file);
    choose({ source, place: file });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        choose({ source, place: text.trim() });
      }}
    >
      <span>{label}</span>
      <span className="line">
        {source === 'file' ? (
          <>
            <span className="mono">{text || 'none chosen'}</span>
            <button type="button" className="button" onClick={() => void pick()}>
              Choose …
            </button>
          </>
        ) : (
          <>
            <span className="field">
              <input aria-label={label} value={text} onChange={(event) => setText(event.target.value)} />
            </span>
            <button type="submit" className="button">
              Use it
            </button>
          </>
        )}
      </span>
    </form>
  );
}
