/** Layers: map or photo, and what lies on it, each with its tick. */
import { Layers, X } from 'lucide-react';
import { fieldMarks } from '../field/field-layers.ts';
import { useMarks } from '../field/use-marks.ts';
import { formatNumber } from '../parts/format.ts';
import { PopoverButton } from '../parts/popover-button.tsx';
import { Tick } from '../parts/tick.tsx';
import { useStore } from '../state/store.ts';
import { isOnAtFirst } from './context-layers.ts';
import { contourFeet, groundNames, groundTitles, isGround } from './ground-layers.ts';
import { bringBack, useDrawnLayers } from './ground-pace.ts';
import { layerTitle, type MapSources, type UserLayer } from './map-sources.ts';
import { choiceOf, chooseLayer, mapMemory, mapPresence } from './map-state.ts';
import { labelsFrom, parcelSource } from './parcel-layers.ts';
import { isOverAtFirst, linesKey, namesKey, overKey, photoShown, photosOf } from './photo.ts';
import { PhotoPart } from './photo-part.tsx';
import { metersPerPixel, scaleRatio } from './units.ts';

export function LayerMenu({ sources }: { sources: MapSources }) {
  const { isLayersOpen } = useStore(mapPresence);
  const open = (isOpen: boolean) => mapPresence.set({ isLayersOpen: isOpen });
  return (
    <PopoverButton
      hint="Layers"
      face={<Layers aria-hidden />}
      label="Layers"
      className="map-menu map-layers"
      side="right"
      align="start"
      isOpen={isLayersOpen}
      onOpen={open}
    >
      <header className="line">
        <h2>Layers</h2>
        <kbd>Y</kbd>
        <button type="button" className="button icon" aria-label="Close" onClick={() => open(false)}>
          <X aria-hidden />
        </button>
      </header>
      <LayerLines sources={sources} />
    </PopoverButton>
  );
}

/** @param hasFill whether lots are filled by the search; Field mode has none */
export function LayerLines({ sources, hasFill = true }: { sources: MapSources; hasFill?: boolean }) {
  const isPhoto = photoShown(sources, useStore(mapMemory)) !== null;
  const { waypoints, photos, tracks } = useMarks();
  const hasMarks = hasFill && waypoints.length + photos.length + tracks.length > 0;
  const bases = sources.bases.filter(({ type }) => type === 'vector');
  return (
    <>
      <PhotoPart sources={sources} />
      <h3>{isPhoto ? 'On top' : 'On the map'}</h3>
      {isPhoto ? <OverLines sources={sources} hasFill={hasFill} /> : <MapLines sources={sources} hasFill={hasFill} />}
      {hasMarks ? <LayerLine source={fieldMarks} title="Waypoints, photos and tracks" isOnFirst end="" /> : null}
      {sources.layers.length === 0 ? (
        <p className="small-text quieter">Roads, wetlands and other layers appear here once they are imported.</p>
      ) : null}
      {bases.length > 0 ? <h3>Base maps</h3> : null}
      {bases.map(({ source, title }) => (
        <LayerLine key={source} source={source} title={title} isOnFirst={false} />
      ))}
      {sources.refused.map(({ name, why }) => (
        <p key={name} className="small-text problem">
          {name}: {why}
        </p>
      ))}
      {bases.length + photosOf(sources).length + sources.refused.length === 0 ? (
        <p className="small-text quieter">
          Put .mbtiles or .pmtiles files into the folder basemaps of the data folder. Nothing is ever downloaded.
        </p>
      ) : null}
    </>
  );
}

interface LinesProps {
  readonly sources: MapSources;
  readonly hasFill: boolean;
}

const MapLines = ({ sources, hasFill }: LinesProps) => (
  <>
    {hasFill ? <LayerLine source={parcelSource} title="Fill of the lots" isOnFirst isAlways /> : null}
    {sources.terrain
      ? groundNames.map((name) => <LayerLine key={name} source={name} title={groundTitles[name]} isOnFirst />)
      : null}
    {sources.layers.map((layer) => (
      <LayerLine
        key={layer.source}
        source={layer.source}
        title={layerTitle(layer)}
        isOnFirst={isOnAtFirst(layer.kind)}
      />
    ))}
  </>
);

/** Over a photo a tick is enough: a weak line would be lost. */
function OverLines({ sources, hasFill }: LinesProps) {
  const { zoom, center } = useStore(mapMemory);
  const feet = contourFeet(sources, zoom);
  const from = scaleRatio(metersPerPixel(center?.[1] ?? 0, labelsFrom));
  return (
    <>
      <LayerLine source={linesKey} title="Parcel lines" isOnFirst end="light, dark edge" />
      <LayerLine source={namesKey} title="Owner names" isOnFirst end={`from ${from}`} />
      {hasFill ? <Tick label="Value fill" isOn={false} disabled onChange={() => {}} end="hidden over a photo" /> : null}
      {sources.terrain ? (
        <LayerLine
          source={overKey('contours')}
          title={groundTitles.contours}
          isOnFirst={false}
          end={feet === undefined ? '' : `${feet} ft`}
        />
      ) : null}
      {sources.layers.map((layer) => (
        <LayerLine
          key={layer.source}
          source={overKey(layer.source)}
          title={layerTitle(layer)}
          isOnFirst={isOverAtFirst(layer)}
          end={endWords(layer)}
        />
      ))}
    </>
  );
}

const endWords = ({ kind, classes }: UserLayer): string =>
  kind === 'roads' ? 'names' : formatNumber(classes.reduce((sum, { features }) => sum + features, 0));

function LayerLine({
  source,
  title,
  isOnFirst,
  isAlways = false,
  end,
}: {
  source: string;
  title: string;
  isOnFirst: boolean;
  isAlways?: boolean;
  /** Words instead of an opacity. */
  end?: string;
}) {
  const choice = choiceOf(useDrawnLayers(), source, isOnFirst);
  const tick = (isOn: boolean) => {
    const ground = source.replace(overKey(''), '');
    if (isGround(ground) && isOn) bringBack(ground);
    chooseLayer(source, { ...choice, isOn });
  };
  if (end !== undefined) return <Tick label={title} isOn={choice.isOn} onChange={tick} end={end} />;
  return (
    <div className="map-layer">
      {isAlways ? <span>{title}</span> : <Tick label={title} isOn={choice.isOn} onChange={tick} />}
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
    </div>
  );
}
