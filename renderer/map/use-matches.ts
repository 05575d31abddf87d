/** Keeps the lots that match the filter marked on the map. */
import { useEffect } from 'react';
import type { LiveFilter } from '../../engine/query/live-request.ts';
import { askableBody, type FilterBody, hasScope } from '../explore/filter-body.ts';
import { useClient } from '../state/client-context.tsx';
import type { MapLibre } from './open-map.ts';
import type { LotState } from './parcel-layers.ts';
import { type Kept, useKeeper } from './use-keeper.ts';

const matchState = (number: number): LotState => ({ match: number > 0 });

/** @param isGrid whether the cells of the grid are drawn; else none is counted */
export function useMatches(
  map: MapLibre | null,
  filter: FilterBody,
  generation: string,
  isGrid: boolean,
  onCells: (counts: readonly number[]) => void,
): Kept {
  const client = useClient();
  const { ask, isSettledFor, fault } = useKeeper(map, matchState, onCells);
  // As text: an equal filter starts no new query.
  const askedText = JSON.stringify(askableBody(filter));
  const question = `${askedText} ${isGrid}`;
  useEffect(() => {
    if (!map) return;
    const asked = JSON.parse(askedText) as FilterBody;
    if (!hasScope(asked)) return ask(generation, question, null);
    const wanted = asked as LiveFilter;
    ask(generation, question, {
      lots: async (tile, signal) =>
        new Map(
          (await client.read('matching_in_tile', { filter: wanted, ...tile }, { signal })).ids.map((id) => [id, 1]),
        ),
      cells: async (tile, signal) =>
        isGrid ? (await client.read('matching_density', { filter: wanted, ...tile }, { signal })).cells : [],
    });
  }, [map, client, ask, askedText, question, generation, isGrid]);
  return { isSettled: isSettledFor(generation, question), fault };
}
