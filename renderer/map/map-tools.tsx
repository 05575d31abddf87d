/** The buttons over the map, in the order of the mock. */
import { LocateFixed, Minus, Pentagon, Plus, Ruler, SquareDashedMousePointer } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { Hint } from '../parts/hint.tsx';
import { useClient } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { LayerMenu } from './layer-menu.tsx';
import type { Box, MapSources } from './map-sources.ts';
import { type MapMode, mapPresence, showBounds, showPlace, toggleMode } from './map-state.ts';

export interface MapToolsProps {
  readonly sources: MapSources;
  readonly onZoom: (by: 1 | -1) => void;
  /** Null if there is nothing to fit. */
  readonly county: Box | null;
  readonly findResults: () => Promise<Box | null>;
  readonly findSelected: (() => Promise<Box | null>) | null;
}

export function MapTools(props: MapToolsProps) {
  const { sources, onZoom } = props;
  return (
    <div className="map-float map-tools" role="toolbar" aria-label="Tools of the map" aria-orientation="vertical">
      <ModeButton mode="box" label="Select by box">
        <SquareDashedMousePointer aria-hidden />
      </ModeButton>
      <ModeButton mode="draw" label="Draw an area" keys="D">
        <Pentagon aria-hidden />
      </ModeButton>
      <ModeButton mode="measure" label="Measure" keys="L">
        <Ruler aria-hidden />
      </ModeButton>
      <hr />
      <LayerMenu sources={sources} />
      <PlaceMenu {...props} />
      <hr />
      <PlainButton label="Zoom in" onPress={() => onZoom(1)}>
        <Plus aria-hidden />
      </PlainButton>
      <PlainButton label="Zoom out" onPress={() => onZoom(-1)}>
        <Minus aria-hidden />
      </PlainButton>
    </div>
  );
}

const PlainButton = ({ label, onPress, children }: { label: string; onPress: () => void; children: ReactNode }) => (
  <Hint text={label}>
    <button type="button" className="button icon" aria-label={label} onClick={onPress}>
      {children}
    </button>
  </Hint>
);

function ModeButton({
  mode,
  label,
  keys,
  children,
}: {
  mode: MapMode;
  label: string;
  keys?: string;
  children: ReactNode;
}) {
  const { mode: current } = useStore(mapPresence);
  return (
    <Hint text={keys ? `${label}  ${keys}` : label}>
      <button
        type="button"
        className="button icon"
        aria-label={label}
        aria-pressed={current === mode}
        onClick={() => toggleMode(mode)}
      >
        {children}
      </button>
    </Hint>
  );
}

/** Where to look: things to fit, and a place by coordinates. */
function PlaceMenu({ county, findResults, findSelected }: MapToolsProps) {
  const [isOpen, setOpen] = useState(false);
  const showBox = async (find: () => Promise<Box | null>) => {
    const box = await find();
    if (box) showBounds(box);
    setOpen(false);
  };
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Hint text="Go to coordinates">
        <Popover.Trigger className="button icon" aria-label="Go to coordinates">
          <LocateFixed aria-hidden />
        </Popover.Trigger>
      </Hint>
      <Popover.Portal>
        <Popover.Content
          aria-label="Where to look"
          className="popover map-menu"
          side="right"
          align="start"
          collisionPadding={8}
        >
          <GoToPlace onGone={() => setOpen(false)} />
          <div className="line wrap">
            <button
              type="button"
              className="button"
              disabled={!county}
              onClick={() => void showBox(async () => county)}
            >
              Show the county
            </button>
            <button type="button" className="button" onClick={() => void showBox(findResults)}>
              Show all found
            </button>
            <button
              type="button"
              className="button"
              disabled={!findSelected}
              onClick={() => findSelected && void showBox(findSelected)}
            >
              Show the selected
            </button>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** The engine parses the coordinates, as for the search box. */
function GoToPlace({ onGone }: { onGone: () => void }) {
  const client = useClient();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const go = async () => {
    const { place } = text.trim() === '' ? { place: null } : await client.read('suggest', { text: text.trim() });
    if (!place) return setProblem('Expected a latitude and a longitude, as 44.1027, −71.8316.');
    showPlace(place.longitude, place.latitude);
    onGone();
  };
  return (
    <form
      className="control"
      onSubmit={(event) => {
        event.preventDefault();
        void go();
      }}
    >
      <label className="control">
        <span className="control-label">Latitude, longitude</span>
        <span className="field" data-invalid={problem !== null}>
          <input
            value={text}
            placeholder="44.1027, −71.8316"
            onChange={(event) => {
              setText(event.target.value);
              setProblem(null);
            }}
          />
        </span>
      </label>
      {problem ? <p className="problem">{problem}</p> : null}
      <button type="submit" className="button primary">
        Go there
      </button>
    </form>
  );
}
