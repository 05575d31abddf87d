/** The meaning of the colors, the number of lots for each, and the choice of fill. */
import { ChevronDown } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useId } from 'react';
import { formatNumber } from '../parts/format.ts';
import { useStore } from '../state/store.ts';
import { isOnAtFirst, layerSwatch } from './context-layers.ts';
import { type Fill, fills } from './fills.ts';
import { layerTitle, type MapSources } from './map-sources.ts';
import { choiceOf, type LabelName, mapMemory } from './map-state.ts';
import { noneOpacity } from './parcel-layers.ts';
import type { LegendState } from './use-legend.ts';

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
  isGrid,
}: {
  fill: Fill;
  legend: LegendState;
  sources: MapSources;
  /** Below the lots' zoom: cells are shaded by their number of matches. */
  isGrid: boolean;
}) {
  const { layers } = useStore(mapMemory);
  const shown = sources.layers.filter(
    ({ source, kind }) => layerSwatch[kind] && choiceOf(layers, source, isOnAtFirst(kind)).isOn,
  );
  return (
    <section className="map-float map-legend" aria-label="Legend">
      <h3>
        {isGrid ? 'Parcels found, none to many' : fill.title}
        <FillMenu />
      </h3>
      <ul>
        {isGrid ? <GridLine /> : <Classes fill={fill} legend={legend} />}
        {shown.map(({ source, kind }) => (
          <li key={source} className="of-layer">
            <i
              style={{ background: layerSwatch[kind]?.fill ?? 'none', borderColor: layerSwatch[kind]?.line ?? 'none' }}
            />
            <span>{layerTitle({ kind })}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const GridLine = () => (
  <li className="of-grid">
    <i style={{ background: 'var(--ramp-1)', opacity: noneOpacity }} />
    {[1, 2, 3, 4, 5].map((step) => (
      <i key={step} style={{ background: `var(--ramp-${step})` }} />
    ))}
  </li>
);

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
    <Popover.Root>
      <Popover.Trigger className="button icon" aria-label="Change the fill and the labels">
        <ChevronDown aria-hidden />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label="Fill and labels"
          className="popover map-menu"
          side="top"
          align="end"
          collisionPadding={8}
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
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
