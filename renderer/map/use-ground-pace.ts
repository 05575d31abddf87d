/** Measures the frames of the map while it moves, and leaves ground off where they are slow. */
import { useEffect, useRef } from 'react';
import { groundNames } from './ground-layers.ts';
import { groundPace, groundToLeave, leaveGround } from './ground-pace.ts';
import type { MapSources } from './map-sources.ts';
import { choiceOf, mapMemory } from './map-state.ts';
import type { MapLibre } from './open-map.ts';
import { shownLayers } from './photo.ts';

/** The last ones, of several pans: of half a second each, a short pan has two. */
const judgedFrames = 15;

export function useGroundPace(map: MapLibre | null, sources: MapSources): void {
  const hasGround = sources.terrain !== null;
  const latest = useRef(sources);
  latest.current = sources;
  useEffect(() => {
    if (!map || !hasGround) return;
    let frames: number[] = [];
    // A hand that rests draws nothing: only the frame that follows a drawn one counts.
    const count = () => {
      if (!map.isMoving()) return;
      const drawn = Number(document.timeline.currentTime);
      requestAnimationFrame((next) => {
        frames = [...frames, next - drawn].slice(-judgedFrames);
      });
    };
    const judge = () => {
      const { left, wanted } = groundPace.get();
      const layers = shownLayers(mapMemory.get(), latest.current);
      const shown = groundNames.filter((name) => choiceOf(layers, name, true).isOn && !left.includes(name));
      const name = groundToLeave(frames, shown, wanted);
      if (!name) return;
      leaveGround(name);
      frames = [];
    };
    map.on('render', count);
    map.on('moveend', judge);
    return () => {
      map.off('render', count);
      map.off('moveend', judge);
    };
  }, [map, hasGround]);
}
