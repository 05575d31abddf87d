/** Outlines the selected lots and the one under the pointer, and shows the label of the selected one. */
import type { GeoJSONSource } from 'maplibre-gl';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import type { EngineClient } from '../client/engine-client.ts';
import type { NumberedLot } from '../explore/detail/neighbours-tab.tsx';
import { useClient } from '../state/client-context.tsx';
import type { MapLibre } from './open-map.ts';
import { parcelSource } from './parcel-layers.ts';
import { type Picked, type PickedAs, pickedSource } from './picked-layers.ts';
import { whenStyled } from './when-styled.ts';

type Shapes = ReadOutputOf<'parcel_shapes'>['shapes'];

/** Limit per query, so that other reads get their turn. */
const mostAtOnce = 1000;
const none: Shapes = [];

/** @param generation of the parcels: a new one may change their shapes */
export function usePicked(
  map: MapLibre | null,
  selected: readonly number[],
  hovered: number | null,
  generation: string,
  neighbours: readonly NumberedLot[] = nobody,
): void {
  const hoveredIds = useMemo(() => (hovered === null ? [] : [hovered]), [hovered]);
  const neighbourIds = useMemo(() => neighbours.map(({ lot }) => lot.property_id), [neighbours]);
  const around = useShapes(neighbourIds, generation);
  const outlined = useShapes(selected, generation);
  const pointed = useShapes(hoveredIds, generation);
  useEffect(() => {
    if (!map) return;
    const data: Picked = {
      type: 'FeatureCollection',
      features: [
        ...neighbourFeatures(neighbours, around),
        ...featuresOf(pointed, 'hover'),
        ...featuresOf(outlined, 'selected'),
      ],
    };
    return whenStyled(map, () => void map.getSource<GeoJSONSource>(pickedSource)?.setData(data));
  }, [map, pointed, outlined, neighbours, around]);
  useSelectedLabels(map, selected, generation);
}

const nobody: readonly NumberedLot[] = [];

/** Shapes by relation, and a point with number and owner for each; shapes of another parcel's neighbours are left out. */
function neighbourFeatures(neighbours: readonly NumberedLot[], shapes: Shapes): Picked['features'] {
  return neighbours.flatMap(({ number, lot }) => {
    const { property_id: id, relation: as, place, owner_name: owner } = lot;
    const shape = featuresOf(
      shapes.filter((one) => one.property_id === id),
      as,
    );
    if (!place) return shape;
    const geometry = { type: 'Point' as const, coordinates: [...place] };
    return [...shape, { type: 'Feature' as const, id, properties: { as, number, owner }, geometry }];
  });
}

const featuresOf = (shapes: Shapes, as: PickedAs): Picked['features'] =>
  shapes.map(({ property_id: id, shape }) => ({
    type: 'Feature',
    id,
    properties: { as },
    geometry: shape as object as Picked['features'][number]['geometry'],
  }));

/** Keeps the current shapes until the next arrive; an empty selection clears them at once. */
function useShapes(ids: readonly number[], generation: string): Shapes {
  const client = useClient();
  const [shapes, setShapes] = useState(none);
  useEffect(() => {
    void generation;
    if (ids.length === 0) return setShapes(none);
    const controller = new AbortController();
    const { signal } = controller;
    readShapes(client, ids, signal).then(
      (found) => setShapes(found),
      // The detail and the table report what cannot be read.
      () => !signal.aborted && setShapes(none),
    );
    return () => controller.abort();
  }, [client, ids, generation]);
  return shapes;
}

async function readShapes(client: EngineClient, ids: readonly number[], signal: AbortSignal): Promise<Shapes> {
  const found: Shapes[number][] = [];
  for (let from = 0; from < ids.length; from += mostAtOnce) {
    const { shapes } = await client.read('parcel_shapes', { ids: ids.slice(from, from + mostAtOnce) }, { signal });
    found.push(...shapes);
  }
  signal.throwIfAborted();
  return found;
}

/** The selected lot's own label, with its acres: a state of labels, so that no tile is rebuilt. */
function useSelectedLabels(map: MapLibre | null, ids: readonly number[], generation: string): void {
  const shown = useRef<readonly number[]>([]);
  useEffect(() => {
    // Tiles of another generation have no states.
    void [map, generation];
    shown.current = [];
  }, [map, generation]);
  useEffect(() => {
    void generation;
    if (!map) return;
    const give = (id: number, selected: boolean) =>
      map.setFeatureState({ source: parcelSource, sourceLayer: 'labels', id }, { selected });
    return whenStyled(map, () => {
      const next = new Set(ids);
      for (const id of shown.current) if (!next.has(id)) give(id, false);
      for (const id of ids) give(id, true);
      shown.current = ids;
    });
  }, [map, ids, generation]);
}
