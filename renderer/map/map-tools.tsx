/** The buttons over the map, in the order of the mock. */
import { LocateFixed, Minus, Pentagon, Plus, Ruler, SquareDashedMousePointer } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { EngineClient } from '../client/engine-client.ts';
import { IconButton } from '../parts/hint.tsx';
import { PopoverButton } from '../parts/popover-button.tsx';
import { useClient } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { showCounty, showResults, showSelected } from './camera.ts';
import { LayerMenu } from './layer-menu.tsx';
import { type MapMode, mapPresence, showPlace, toggleMode } from './map-state.ts';
import { PlaceForm } from './place-form.tsx';
import { PrintMenu } from './print-menu.tsx';
import type { ShownMap } from './print-state.ts';

interface MapToolsProps extends ShownMap {
  readonly onZoom: (by: 1 | -1) => void;
  readonly hasCounty: boolean;
  readonly selected: number | null;
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
      <PrintMenu shown={props} />
      <hr />
      <IconButton label="Zoom in" onPress={() => onZoom(1)}>
        <Plus aria-hidden />
      </IconButton>
      <IconButton label="Zoom out" onPress={() => onZoom(-1)}>
        <Minus aria-hidden />
      </IconButton>
    </div>
  );
}

interface ModeButtonProps {
  readonly mode: MapMode;
  readonly label: string;
  readonly keys?: string;
  readonly children: ReactNode;
}

function ModeButton({ mode, ...face }: ModeButtonProps) {
  const { mode: current } = useStore(mapPresence);
  return <IconButton {...face} isPressed={current === mode} onPress={() => toggleMode(mode)} />;
}

/** Where to look: things to fit, and a place by coordinates. */
function PlaceMenu({ hasCounty, selected }: MapToolsProps) {
  const client = useClient();
  const [isOpen, setOpen] = useState(false);
  const looking = (look: (client: EngineClient) => void) => () => {
    look(client);
    setOpen(false);
  };
  return (
    <PopoverButton
      hint="Go to coordinates"
      face={<LocateFixed aria-hidden />}
      label="Where to look"
      className="map-menu"
      side="right"
      align="start"
      isOpen={isOpen}
      onOpen={setOpen}
    >
      <PlaceForm
        className="control"
        onPlace={(longitude, latitude) => {
          showPlace(longitude, latitude);
          setOpen(false);
        }}
      />
      <div className="line wrap">
        <button type="button" className="button" disabled={!hasCounty} onClick={looking(showCounty)}>
          Show the county
        </button>
        <button type="button" className="button" onClick={looking(showResults)}>
          Show all found
        </button>
        <button type="button" className="button" disabled={selected === null} onClick={looking(showSelected)}>
          Show the selected
        </button>
      </div>
    </PopoverButton>
  );
}
