/** Keeps the tags of lots on the map, while lots are filled by them. */
import { useEffect } from 'react';
import type { LiveFilter } from '../../engine/query/live-request.ts';
import { askableBody, type FilterBody, hasScope, scopeBody } from '../explore/filter-body.ts';
import { useClient } from '../state/client-context.tsx';
import type { MapLibre } from './open-map.ts';
import type { LotState } from './parcel-layers.ts';
import { type Kept, useKeeper } from './use-keeper.ts';
import type { LegendTags } from './use-legend.ts';

/** The number is the step plus 1, because 0 means no tag. */
const tagState = (number: number): LotState => ({ tag: number - 1 });
const noCells = (): void => {};

/** @param tags null: lots have another fill */
export function useTags(map: MapLibre | null, filter: FilterBody, tags: LegendTags | null, generation: string): Kept {
  const client = useClient();
  const { ask, isSettledFor, fault } = useKeeper(map, tagState, noCells);
  // As text, so that another filter over the same place starts no new query.
  const placeText = JSON.stringify(scopeBody(askableBody(filter)));
  const isAsked = tags !== null && tags.groups.length > 0 && hasScope(scopeBody(askableBody(filter)));
  const question = isAsked ? `${tags.version} ${placeText} ${JSON.stringify(tags.groups)}` : '';
  useEffect(() => {
    if (!map) return;
    if (!tags || question === '') return ask(generation, '', null);
    const place = JSON.parse(placeText) as FilterBody;
    const { groups, steps } = tags;
    ask(generation, question, {
      lots: async (tile, signal) => {
        const asked = { filter: place as LiveFilter, groups, ...tile };
        const found = await client.read('tagged_in_tile', asked, { signal });
        return new Map(found.groups.flatMap((ids, i) => ids.map((id) => [id, (steps[i] ?? 0) + 1] as const)));
      },
      // The grid below the lots does not change.
      cells: async () => [],
    });
  }, [map, client, ask, placeText, question, tags, generation]);
  return { isSettled: isSettledFor(generation, question), fault };
}
