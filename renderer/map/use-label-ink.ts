/** The ink of labels, which depends on the class of their lot: feature-state of labels. */
import { useEffect } from 'react';
import { type AttributeFill, classStep, type Fill } from './fills.ts';
import type { MapLibre } from './open-map.ts';
import { labelsFrom, parcelSource } from './parcel-layers.ts';

/**
 * From the labels' zoom on, gives every visible label the class of its lot.
 * @param generation of the tiles: those of another one have no states
 */
export function useLabelInk(map: MapLibre | null, fill: Fill, limits: readonly number[], generation: string): void {
  useEffect(() => {
    void generation;
    // A tagged lot's label follows the state of its tag.
    if (!map || fill.kind === 'tag') return;
    let given = new Map<number, number>();
    const give = () => {
      const next = stepsInView(map, fill, limits);
      for (const [id, step] of next) {
        if (given.get(id) !== step) map.setFeatureState({ source: parcelSource, sourceLayer: 'labels', id }, { step });
      }
      given = next;
    };
    /** A style that is loaded anew has no states. */
    const forget = () => {
      given = new Map();
    };
    map.on('idle', give);
    map.on('style.load', forget);
    give();
    return () => {
      map.off('idle', give);
      map.off('style.load', forget);
    };
  }, [map, fill, limits, generation]);
}

/** Classes by lot; -1 if the value is unknown. */
function stepsInView(map: MapLibre, fill: AttributeFill, limits: readonly number[]): Map<number, number> {
  const steps = new Map<number, number>();
  if (map.getZoom() < labelsFrom || !map.getSource(parcelSource)) return steps;
  for (const { id, properties } of map.querySourceFeatures(parcelSource, { sourceLayer: 'parcels' })) {
    if (typeof id === 'number') steps.set(id, classStep(fill, limits, properties[fill.attribute]) ?? -1);
  }
  return steps;
}
