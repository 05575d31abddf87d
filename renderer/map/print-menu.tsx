/** Print this view: paper, scale and labels of the page, whose edges stand on the map meanwhile. */
import { Printer } from 'lucide-react';
import { formatNumber } from '../parts/format.ts';
import { PopoverButton } from '../parts/popover-button.tsx';
import { Segments } from '../parts/segments.tsx';
import { Select } from '../parts/select.tsx';
import { Tick } from '../parts/tick.tsx';
import { useClient } from '../state/client-context.tsx';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { mapMemory, mapPresence } from './map-state.ts';
import { photoShown } from './photo.ts';
import {
  groundOfPage,
  makeSheet,
  paperSegments,
  photoSizeWords,
  print,
  type ShownMap,
  scaleOptions,
  seenScale,
} from './print-state.ts';

const directions = [
  { value: 'upright', label: 'Upright' },
  { value: 'wide', label: 'Wide' },
] as const;

export function PrintMenu({ shown }: { shown: ShownMap }) {
  const { isOpen } = useStore(print);
  return (
    <PopoverButton
      hint="Print this view"
      face={<Printer aria-hidden />}
      label="Print this view"
      className="map-menu"
      side="right"
      align="start"
      isOpen={isOpen}
      onOpen={(next) => print.set({ isOpen: next })}
    >
      <PrintForm shown={shown} />
    </PopoverButton>
  );
}

function PrintForm({ shown }: { shown: ShownMap }) {
  const client = useClient();
  const choices = useStore(print);
  const { isBusy, hasOwners, title } = choices;
  // The view decides the first scale.
  const photo = photoShown(shown.sources, useStore(mapMemory));
  const seen = seenScale();
  const text = (name: 'apn' | 'acres') => (isOn: boolean) =>
    print.set({
      texts: (['apn', 'acres'] as const).filter((one) => (one === name ? isOn : choices.texts.includes(one))),
    });
  return (
    <form
      className="control"
      onSubmit={(event) => {
        event.preventDefault();
        void makeSheet(client, shown, 'open');
      }}
    >
      <div className="line wrap">
        <Segments
          label="Paper"
          value={choices.paper}
          choices={paperSegments}
          onChange={(paper) => print.set({ paper })}
        />
        <Segments
          label="Direction of the paper"
          value={choices.direction}
          choices={directions}
          onChange={(direction) => print.set({ direction })}
        />
      </div>
      <label className="control">
        <span className="control-label">Scale</span>
        <span className="field">
          <Select
            value={choices.scale ?? ''}
            options={scaleOptions}
            onChange={(scale) => print.set({ scale: scale === '' ? null : Number(scale) })}
          >
            <option value="">As seen, 1:{formatNumber(seen)}</option>
          </Select>
        </span>
      </label>
      <p className="small-text quieter">The page shows {groundWords(groundOfPage(choices, choices.scale ?? seen))}.</p>
      {photo ? (
        <p className="small-text quieter">
          With the photo {photo.title}: {photoSizeWords(choices)}.
        </p>
      ) : null}
      <fieldset>
        <legend>On each lot</legend>
        <Tick label="APN" isOn={choices.texts.includes('apn')} onChange={text('apn')} />
        <Tick label="Acres" isOn={choices.texts.includes('acres')} onChange={text('acres')} />
        <Tick label="Owners’ names" isOn={hasOwners} onChange={(isOn) => print.set({ hasOwners: isOn })} />
      </fieldset>
      <label className="control">
        <span className="control-label">Title</span>
        <span className="field">
          <input
            value={title}
            maxLength={120}
            placeholder="The parcel, else the county"
            onChange={({ target }) => print.set({ title: target.value })}
          />
        </span>
      </label>
      <div className="line wrap">
        <button type="submit" className="button primary" disabled={isBusy}>
          Open to print
        </button>
        <button
          type="button"
          className="button"
          disabled={isBusy}
          onClick={() => void makeSheet(client, shown, 'save')}
        >
          Save as PDF
        </button>
      </div>
    </form>
  );
}

function groundWords([wide, high]: readonly [number, number]): string {
  const isMetric = settings.get().units.startsWith('m');
  const words = (meters: number) => formatNumber(Math.round((isMetric ? meters : meters / 0.3048) / 10) * 10);
  return `${words(wide)} × ${words(high)} ${isMetric ? 'm' : 'ft'} of ground`;
}

/** The edges of the page on the map, around its middle. */
export function PageEdges() {
  const choices = useStore(print);
  const { metersPerPixel } = useStore(mapPresence);
  useStore(mapMemory);
  if (!choices.isOpen || metersPerPixel === 0) return null;
  const [wide, high] = groundOfPage(choices, choices.scale ?? seenScale());
  const style = { width: wide / metersPerPixel, height: high / metersPerPixel };
  return <i className="page-edges" style={style} aria-hidden="true" />;
}
