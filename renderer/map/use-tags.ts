/** Keeps the tags of lots on the map, while lots are filled by them. */
import { useEffect, useRef, useState } from 'react';
import type { LiveFilter } from '../../engine/query/live-request.ts';
import { askableBody, type FilterBody, hasScope, scopeBody } from '../explore/filter-body.ts';
import { useClient } from '../state/client-context.tsx';
import { MatchKeeper } from './match-keeper.ts';
import type { MapLibre } from './open-map.ts';
import type { LegendTags } from './use-legend.ts';
import type { Matches } from './use-matches.ts';

/** @param tags null: lots are filled by something else */
export function useTags(
  map: MapLibre | null,
  filter: FilterBody,
  tags: LegendTags | null,
  generation: string,
): Matches {
  const client = useClient();
  const keeper = useRef<MatchKeeper | null>(null);
  const [isSettled, setSettled] = useState(true);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    if (!map) return;
    const listener = {
      onCells: () => {},
      onSettled: () => setSettled(true),
      onError: (error: unknown) => setFault(error instanceof Error ? error.message : String(error)),
    };
    // A number is a step and 1, so that 0 is free for no tag.
    const kept = new MatchKeeper(map, listener, (number) => ({ tag: number - 1 }));
    keeper.current = kept;
    return () => {
      keeper.current = null;
      kept.close();
    };
  }, [map]);
  // As text, so that another filter over the same place asks nothing again.
  const placeText = JSON.stringify(scopeBody(askableBody(filter)));
  useEffect(() => {
    if (!map) return;
    setFault(null);
    const place = JSON.parse(placeText) as FilterBody;
    if (!tags || tags.groups.length === 0 || !hasScope(place)) {
      setSettled(true);
      return keeper.current?.ask('', null);
    }
    setSettled(false);
    const { groups, steps, version } = tags;
    keeper.current?.ask(`${generation} ${version} ${placeText} ${JSON.stringify(groups)}`, {
      lots: async (tile, signal) => {
        const asked = { filter: place as LiveFilter, groups, ...tile };
        const found = await client.read('tagged_in_tile', asked, { signal });
        return new Map(found.groups.flatMap((ids, i) => ids.map((id) => [id, (steps[i] ?? 0) + 1] as const)));
      },
      // The grid below the lots stays as it is.
      cells: async () => [],
    });
  }, [map, client, placeText, tags, generation]);
  return { isSettled, fault };
}
