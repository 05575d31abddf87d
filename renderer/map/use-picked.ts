/** Outlines the selected lots, the one under the pointer and those of a list, and shows the label of the selected one. */
import type { GeoJSONSource } from 'maplibre-gl';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { useClient } from '../state/client-context.tsx';
import type { MapLibre } from './open-map.ts';
import { parcelSource } from './parcel-layers.ts';
import { type MapBand, type MapLot, type Picked, type PickedAs, pickedSource } from './picked-layers.ts';
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
  lots: readonly MapLot[] = nobody,
  band: MapBand | null = null,
): void {
  const hoveredIds = useMemo(() => (hovered === null ? [] : [hovered]), [hovered]);
  const lotIds = useMemo(() => lots.flatMap(({ property_id: id }) => id ?? []), [lots]);
  const around = useShapes(lotIds, generation);
  const outlined = useShapes(selected, generation);
  const pointed = useShapes(hoveredIds, generation);
  useEffect(() => {
    if (!map) return;
    const data: Picked = {
      type: 'FeatureCollection',
      features: [
        ...lotFeatures(lots, around),
        ...(band ? [{ type: 'Feature' as const, properties: { as: 'band' as const }, geometry: band.shape }] : []),
        ...featuresOf(pointed, 'hover'),
        ...featuresOf(outlined, 'selected'),
      ],
    };
    return whenStyled(map, () => void map.getSource<GeoJSONSource>(pickedSource)?.setData(data));
  }, [map, pointed, outlined, lots, band, around]);
  useSelectedLabels(map, selected, generation);
}

const nobody: readonly MapLot[] = [];

/** Shapes, and a point for each with a mark; shapes of the list before are left out. */
function lotFeatures(lots: readonly MapLot[], shapes: Shapes): Picked['features'] {
  const byId = new Map(shapes.map((one) => [one.property_id, one]));
  return lots.flatMap(({ property_id: id, as, place, mark, words }) => {
    const own = id === null ? undefined : byId.get(id);
    const shape = own ? featuresOf([own], as) : [];
    if (!place || mark === undefined) return shape;
    const geometry = { type: 'Point' as const, coordinates: [...place] };
    const properties = { as, mark, ...(words !== undefined && { words }) };
    return [...shape, { type: 'Feature' as const, ...(id !== null && { id }), properties, geometry }];
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
