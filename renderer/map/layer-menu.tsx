/** Layers beside the lots: the user's layers and base maps, each with its opacity. */
import { Layers } from 'lucide-react';
import { fieldMarks } from '../field/field-layers.ts';
import { useMarks } from '../field/use-marks.ts';
import { PopoverButton } from '../parts/popover-button.tsx';
import { Tick } from '../parts/tick.tsx';
import { isOnAtFirst } from './context-layers.ts';
import { groundNames, groundTitles, isGround } from './ground-layers.ts';
import { bringBack, useDrawnLayers } from './ground-pace.ts';
import { layerTitle, type MapSources } from './map-sources.ts';
import { choiceOf, chooseLayer } from './map-state.ts';
import { parcelSource } from './parcel-layers.ts';

export function LayerMenu({ sources }: { sources: MapSources }) {
  return (
    <PopoverButton
      hint="Layers"
      face={<Layers aria-hidden />}
      label="Layers of the map"
      className="map-menu"
      side="right"
      align="start"
    >
      <LayerLines sources={sources} />
    </PopoverButton>
  );
}

/** @param hasFill whether lots are filled by the search; Field mode has none */
export function LayerLines({ sources, hasFill = true }: { sources: MapSources; hasFill?: boolean }) {
  const { waypoints, photos, tracks } = useMarks();
  const hasMarks = waypoints.length + photos.length + tracks.length > 0;
  return (
    <>
      <h3>On the map</h3>
      {hasFill ? <LayerLine source={parcelSource} title="Fill of the lots" isOnFirst isAlways /> : null}
      {sources.terrain
        ? groundNames.map((name) => <LayerLine key={name} source={name} title={groundTitles[name]} isOnFirst />)
        : null}
      {sources.layers.map(({ source, kind, title }) => (
        <LayerLine key={source} source={source} title={layerTitle({ kind, title })} isOnFirst={isOnAtFirst(kind)} />
      ))}
      {hasFill && hasMarks ? <LayerLine source={fieldMarks} title="Waypoints, photos and tracks" isOnFirst /> : null}
      {sources.layers.length === 0 ? (
        <p className="small-text quieter">Roads, wetlands and other layers appear here once they are imported.</p>
      ) : null}
      <h3>Base maps</h3>
      {sources.bases.map(({ source, title }) => (
        <LayerLine key={source} source={source} title={title} isOnFirst={false} />
      ))}
      {sources.refused.map(({ name, why }) => (
        <p key={name} className="small-text problem">
          {name}: {why}
        </p>
      ))}
      {sources.bases.length + sources.refused.length === 0 ? (
        <p className="small-text quieter">
          Put .mbtiles or .pmtiles files into the folder basemaps of the data folder. Nothing is ever downloaded.
        </p>
      ) : null}
    </>
  );
}

function LayerLine({
  source,
  title,
  isOnFirst,
  isAlways = false,
}: {
  source: string;
  title: string;
  isOnFirst: boolean;
  isAlways?: boolean;
}) {
  const choice = choiceOf(useDrawnLayers(), source, isOnFirst);
  const tick = (isOn: boolean) => {
    if (isGround(source) && isOn) bringBack(source);
    chooseLayer(source, { ...choice, isOn });
  };
  return (
    <div className="map-layer">
      {isAlways ? <span>{title}</span> : <Tick label={title} isOn={choice.isOn} onChange={tick} />}
      {source === fieldMarks ? null : (
        <input
          type="range"
          aria-label={`Opacity of ${title}, percent`}
          min={10}
          max={100}
          step={5}
          value={choice.opacity}
          disabled={!choice.isOn}
          onChange={(event) => chooseLayer(source, { ...choice, opacity: Number(event.target.value) })}
        />
      )}
    </div>
  );
}
