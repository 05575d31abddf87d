/** Field mode: the map fills the window; a card says where the line is. Outdoor theme while it is open. */
import { useLayoutEffect } from 'react';
import { type MapSources, useMapSources } from '../map/map-sources.ts';
import { useFocusBack } from '../parts/use-focus-back.ts';
import { themeOver } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { FieldCard } from './field-card.tsx';
import { FieldLow } from './field-low.tsx';
import { FieldMark } from './field-mark.tsx';
import { FieldSide } from './field-side.tsx';
import { field } from './field-state.ts';
import { useFieldHere } from './use-field-here.ts';
import { useFieldMap } from './use-field-map.ts';
import { usePower } from './use-power.ts';
import { useTrack } from './use-track.ts';

export function FieldScreen() {
  useFocusBack(true);
  useLayoutEffect(() => {
    themeOver.set({ theme: 'outdoor' });
    return () => themeOver.set({ theme: null });
  }, []);
  const sources = useMapSources();
  // The map takes its colors from the theme.
  const { theme } = useStore(themeOver);
  return sources && theme ? <FieldWindow sources={sources} /> : null;
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
