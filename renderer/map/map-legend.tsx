/** The meaning of the colors, the number of lots for each, and the choice of fill. */

import { ChevronDown, ChevronUp, Layers } from 'lucide-react';
import { useId, useState } from 'react';
import { formatNumber } from '../parts/format.ts';
import { IconButton } from '../parts/hint.tsx';
import { PopoverButton } from '../parts/popover-button.tsx';
import { useStore } from '../state/store.ts';
import { isOnAtFirst, layerSwatch } from './context-layers.ts';
import { type Fill, fills } from './fills.ts';
import { contourWords } from './ground-layers.ts';
import { layerTitle, type MapSources } from './map-sources.ts';
import { choiceOf, type LabelName, type MapMemory, mapMemory } from './map-state.ts';
import { noneOpacity } from './parcel-layers.ts';
import { linesKey, photoShown, shownLayers } from './photo.ts';
import type { LotAs, MapBand, MapLot } from './picked-layers.ts';
import type { LegendState } from './use-legend.ts';
import type { Small } from './use-match-dots.ts';

const labels: readonly (readonly [LabelName, string])[] = [
  ['acres', 'Acres'],
  ['apn', 'APN'],
  ['owner', 'Owner'],
  ['none', 'nothing'],
];

export function MapLegend({
  fill,
  legend,
  sources,
  small,
  lots,
  band,
}: {
  fill: Fill;
  legend: LegendState;
  sources: MapSources;
  /** Below the lots' zoom: a dot for each match, cells shaded by their number, none found, or no search yet. */
  small: Small;
  lots: readonly MapLot[];
  band: MapBand | null;
}) {
  const memory = useStore(mapMemory);
  const { zoom } = memory;
  const isPhoto = photoShown(sources, memory) !== null;
  const [isFolded, fold] = useState(true);
  const layers = shownLayers(memory, sources);
  const contours = contourWords(sources, layers, zoom);
  const shown = sources.layers.filter(
    (layer) => layerSwatch(layer) && choiceOf(layers, layer.source, isOnAtFirst(layer.kind)).isOn,
  );
  if (isPhoto && isFolded) {
    return (
      <section className="map-float map-legend of-folded" aria-label="Legend">
        <button type="button" className="button quiet" aria-expanded={false} onClick={() => fold(false)}>
          <Layers aria-hidden /> {photoLegend(memory.layers)} <ChevronUp aria-hidden />
        </button>
      </section>
    );
  }
  return (
    <section className="map-float map-legend" aria-label="Legend">
      {isPhoto ? (
        <PhotoLegend onFold={() => fold(true)} />
      ) : (
        <>
          <h3>
            {small === null ? fill.title : smallTitles[small]}
            <FillMenu />
          </h3>
          <ul>{small === null ? <Classes fill={fill} legend={legend} /> : smallLines[small]}</ul>
        </>
      )}
      <LotLines lots={lots} band={band} />
      {lots.length === 0 && (contours || shown.length > 0) ? (
        <ul className="map-legend-layers" aria-label="Layers shown">
          {contours ? (
            <li className="of-layer of-wide">
              <i className="of-contours" />
              <span>{contours}</span>
            </li>
          ) : null}
          {shown.map((layer) => (
            <li key={layer.source} className="of-layer">
              <i style={{ background: layerSwatch(layer)?.fill, borderColor: layerSwatch(layer)?.line }} />
              <span title={layerTitle(layer)}>{layerTitle(layer)}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

const lotWords: Readonly<Record<LotAs, string>> = {
  own: 'this owner',
  perhaps: 'perhaps the same',
  abutting: 'abutting',
  across: 'across the road',
  within: 'also near',
};

/** Lots of a list or card by what they are, and the band around the chosen parcel. */
function LotLines({ lots, band }: { lots: readonly MapLot[]; band: MapBand | null }) {
  const found = new Set(lots.map(({ as }) => as));
  const shown = (Object.keys(lotWords) as LotAs[]).filter((as) => found.has(as));
  if (shown.length === 0 && band === null) return null;
  return (
    <ul className="map-legend-layers of-lots" aria-label="Lots shown">
      {shown.map((as) => (
        <li key={as}>
          <i className={`of-${as}`} />
          <span>{lotWords[as]}</span>
        </li>
      ))}
      {band ? (
        <li>
          <i className="of-band" />
          <span className="num">within {formatNumber(band.feet)} ft</span>
        </li>
      ) : null}
    </ul>
  );
}

/** Beside the card of an owner: only what is its own, or perhaps. */
export const LotsLegend = ({ lots }: { lots: readonly MapLot[] }) => (
  <section className="map-float map-legend" aria-label="Legend">
    <LotLines lots={lots} band={null} />
  </section>
);

const photoLegend = (layers: MapMemory['layers']): string =>
  choiceOf(layers, linesKey, true).isOn ? 'Parcel lines · chosen' : 'Chosen';

/** Over a photo no lot is filled: the lines are told apart. */
const PhotoLegend = ({ onFold }: { onFold: () => void }) => (
  <>
    <h3>
      Over the photo
      <IconButton label="Fold the legend" onPress={onFold}>
        <ChevronDown aria-hidden />
      </IconButton>
    </h3>
    <ul>
      {['found', 'other', 'chosen'].map((of) => (
        <li key={of}>
          <i className={`of-line of-${of}`} />
          <span>{of === 'chosen' ? 'chosen' : `${of} parcels`}</span>
        </li>
      ))}
    </ul>
  </>
);

const smallTitles = {
  dots: 'Parcels found',
  grid: (
    <span>
      Parcels found<span className="of-ramp">, none to many</span>
    </span>
  ),
  none: 'Parcels found',
  nothing: 'Parcels',
};

const DotLine = () => (
  <li>
    <i className="of-dot" style={{ background: 'var(--ramp-4)' }} />
    <span>a dot for each</span>
  </li>
);

const GridLine = () => (
  <li className="of-grid">
    <i style={{ background: 'var(--ramp-1)', opacity: noneOpacity }} />
    {[1, 2, 3, 4, 5].map((step) => (
      <i key={step} style={{ background: `var(--ramp-${step})` }} />
    ))}
  </li>
);

const smallLines = {
  dots: <DotLine />,
  grid: <GridLine />,
  none: <li className="of-note">None to show.</li>,
  nothing: (
    <>
      <li className="of-note">The darker, the more lots.</li>
      <li className="of-note">Search to see where they are.</li>
    </>
  ),
};

function Classes({ fill, legend }: { fill: Fill; legend: LegendState }) {
  return (
    <>
      {legend.classes.toReversed().map(({ step, words, count }) => (
        <li key={step}>
          <i style={{ background: `var(--ramp-${step + 1})` }} />
          <span>{words}</span>
          <span className="quietest num">{formatNumber(count)}</span>
        </li>
      ))}
      {legend.note ? <li className="of-note">{legend.note}</li> : null}
      {fill.kind !== 'tag' && legend.unknown > 0 ? (
        <li>
          <i className="of-unknown" />
          <span>{fill.without}</span>
          <span className="quietest num">{formatNumber(legend.unknown)}</span>
        </li>
      ) : null}
    </>
  );
}

function FillMenu() {
  const { fill, label } = useStore(mapMemory);
  const name = useId();
  return (
    <PopoverButton
      hint="Change the fill and the labels"
      face={<ChevronDown aria-hidden />}
      label="Fill and labels"
      className="map-menu"
      side="top"
    >
      <fieldset>
        <legend>Lots are filled by</legend>
        {fills.map((one) => (
          <label key={one.name} className="map-choice">
            <input
              type="radio"
              name={`${name}-fill`}
              checked={fill === one.name}
              onChange={() => mapMemory.set({ fill: one.name })}
            />
            {one.choice}
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend>Their labels show</legend>
        {labels.map(([value, words]) => (
          <label key={value} className="map-choice">
            <input
              type="radio"
              name={`${name}-label`}
              checked={label === value}
              onChange={() => mapMemory.set({ label: value })}
            />
            {words}
          </label>
        ))}
      </fieldset>
    </PopoverButton>
  );
}
