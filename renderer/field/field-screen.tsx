/** Field mode: the map fills the window; a card says where the line is. Outdoor theme while it is open. */
import { useLayoutEffect } from 'react';
import { HereMark } from '../map/here-layer.tsx';
import { type MapSources, useMapSources } from '../map/map-sources.ts';
import type { MapLibre } from '../map/open-map.ts';
import { useFocusBack } from '../parts/use-focus-back.ts';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { FieldCard } from './field-card.tsx';
import { FieldLow } from './field-low.tsx';
import { FieldSide } from './field-side.tsx';
import { field } from './field-state.ts';
import { type FieldHere, useFieldHere } from './use-field-here.ts';
import { useFieldMap } from './use-field-map.ts';
import { usePower } from './use-power.ts';
import { useTrack } from './use-track.ts';

export function FieldScreen() {
  useFocusBack(true);
  useLayoutEffect(() => {
    settings.set({ themeOver: 'outdoor' });
    return () => settings.set({ themeOver: null });
  }, []);
  const sources = useMapSources();
  // The map takes its colors from the theme.
  const { themeOver } = useStore(settings);
  return sources && themeOver ? <FieldWindow sources={sources} /> : null;
}

function FieldWindow({ sources }: { sources: MapSources }) {
  const { isFollowing } = useStore(field);
  const power = usePower();
  const found = useFieldHere(power.isSaving);
  const track = useTrack(found.position, power.isSaving);
  const { container, card, low, map, failure, fault } = useFieldMap(sources, found, track, power.isSaving);
  return (
    <main
      className="field-mode"
      aria-label="Field mode"
      data-following={isFollowing && found.position !== null}
      data-focus="main"
      tabIndex={-1}
    >
      <div ref={container} className="map-canvas" />
      <i className="field-cross" aria-hidden="true" />
      {map && found.position ? <FieldMark map={map} found={found} /> : null}
      <div className="field-over">
        <FieldCard ref={card} found={found} fault={failure ?? fault} />
        <FieldSide map={map} found={found} />
        <FieldLow ref={low} found={found} track={track} power={power} sources={sources} />
      </div>
    </main>
  );
}

/** The user on the map: a point, the circle of its accuracy, and the way he walks. */
const FieldMark = ({ map, found: { position, oldSeconds, heading } }: { map: MapLibre; found: FieldHere }) =>
  position ? (
    <HereMark map={map} position={position} isOld={oldSeconds !== null}>
      {heading ? (
        <i className="field-cone" data-old={heading.isOld} style={{ transform: `rotate(${heading.degrees}deg)` }} />
      ) : null}
    </HereMark>
  ) : null;
