/** Hover and selection as feature-state, and the ink of labels, which depends on the class that their lot falls into. */
import { useEffect, useRef } from 'react';
import { type AttributeFill, classStep, type Fill } from './fills.ts';
import type { MapLibre } from './open-map.ts';
import { type LotState, labelsFrom, parcelSource } from './parcel-layers.ts';

const layersOfLots = ['parcels', 'labels'] as const;

function setState(map: MapLibre, id: number, state: LotState): void {
  if (!map.getSource(parcelSource)) return;
  for (const sourceLayer of layersOfLots) map.setFeatureState({ source: parcelSource, sourceLayer, id }, state);
}

/** Runs when the style is there, at once or as soon as it is. */
function whenStyled(map: MapLibre, work: () => void): () => void {
  if (map.getSource(parcelSource)) {
    work();
    return () => {};
  }
  map.once('style.load', work);
  return () => map.off('style.load', work);
}

/** Keeps one state on exactly these lots. */
export function useLotState(
  map: MapLibre | null,
  name: 'hover' | 'selected',
  ids: readonly number[],
  generation: string,
) {
  const shown = useRef<readonly number[]>([]);
  useEffect(() => {
    void generation;
    shown.current = [];
    if (!map) return;
  }, [map, generation]);
  useEffect(() => {
    if (!map) return;
    return whenStyled(map, () => {
      for (const id of shown.current) if (!ids.includes(id)) setState(map, id, { [name]: false });
      for (const id of ids) setState(map, id, { [name]: true });
      shown.current = ids;
    });
  }, [map, name, ids]);
}

/** From the zoom of labels on, gives every label in view the class of its lot. */
export function useLabelInk(map: MapLibre | null, fill: Fill, limits: readonly number[]): void {
  useEffect(() => {
    // What is written on a tagged lot follows its tag's own state.
    if (!map || fill.kind === 'tag') return;
    let given = new Map<number, number>();
    const give = () => {
      const next = stepsInView(map, fill, limits);
      for (const [id, step] of next) {
        if (given.get(id) !== step) map.setFeatureState({ source: parcelSource, sourceLayer: 'labels', id }, { step });
      }
      given = next;
    };
    map.on('idle', give);
    give();
    return () => {
      map.off('idle', give);
    };
  }, [map, fill, limits]);
}

/** Classes by lot; -1 where the value is not known. */
function stepsInView(map: MapLibre, fill: AttributeFill, limits: readonly number[]): Map<number, number> {
  const steps = new Map<number, number>();
  if (map.getZoom() < labelsFrom || !map.getSource(parcelSource)) return steps;
  for (const { id, properties } of map.querySourceFeatures(parcelSource, { sourceLayer: 'parcels' })) {
    if (typeof id === 'number') steps.set(id, classStep(fill, limits, properties[fill.attribute]) ?? -1);
  }
  return steps;
}
