/** Keeps the lots that match the filter marked on the map. */
import { useEffect, useRef, useState } from 'react';
import type { LiveFilter } from '../../engine/query/live-request.ts';
import { askableBody, type FilterBody, hasScope } from '../explore/filter-body.ts';
import { useClient } from '../state/client-context.tsx';
import { MatchKeeper } from './match-keeper.ts';
import type { MapLibre } from './open-map.ts';

export interface Matches {
  /** Whether all that is in view is that of the filter as it stands. */
  readonly isSettled: boolean;
  /** Why it could not be told; null while it can. */
  readonly fault: string | null;
}

export function useMatches(
  map: MapLibre | null,
  filter: FilterBody,
  generation: string,
  onCells: (counts: readonly number[]) => void,
): Matches {
  const client = useClient();
  const keeper = useRef<MatchKeeper | null>(null);
  const [isSettled, setSettled] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    if (!map) return;
    const listener = {
      onCells,
      onSettled: () => setSettled(true),
      onError: (error: unknown) => setFault(error instanceof Error ? error.message : String(error)),
    };
    const kept = new MatchKeeper(map, listener, (number) => ({ match: number > 0 }));
    keeper.current = kept;
    return () => {
      keeper.current = null;
      kept.close();
    };
  }, [map, onCells]);
  useEffect(() => {
    if (!map) return;
    const asked = askableBody(filter);
    const key = `${generation} ${JSON.stringify(asked)}`;
    setSettled(false);
    setFault(null);
    if (!hasScope(asked)) return keeper.current?.ask(key, null);
    const wanted = asked as LiveFilter;
    keeper.current?.ask(key, {
      lots: async (tile, signal) =>
        new Map(
          (await client.read('matching_in_tile', { filter: wanted, ...tile }, { signal })).ids.map((id) => [id, 1]),
        ),
      cells: async (tile, signal) =>
        (await client.read('matching_density', { filter: wanted, ...tile }, { signal })).cells,
    });
  }, [map, client, filter, generation]);
  return { isSettled, fault };
}
