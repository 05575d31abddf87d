/** The index of a parcel in the ordered result. */
import { useQuery } from '@tanstack/react-query';
import type { LiveFilter } from '../../engine/query/live-request.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { useClient } from '../state/client-context.tsx';
import { focusBack, whenThere } from '../state/focus-place.ts';
import { explore, type LastSearch, select } from './explore-state.ts';

const pageInput = (search: LastSearch, ordering: string | null) => ({
  filter: search.filter as LiveFilter,
  columns: ['apn'],
  ...(ordering === null ? {} : { ordering }),
  limit: 1,
});

/** From 0; -1 if absent, null while unknown. */
export function useIndexOf(search: LastSearch, ordering: string | null, selected: number | null): number | null {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['index', search.filter, ordering, selected],
    queryFn: ({ signal }) =>
      client.read('result_page', { ...pageInput(search, ordering), find: selected ?? 1 }, { signal }),
    enabled: selected !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return selected === null ? null : (data?.index ?? null);
}

/** Selects the parcel before or after the selected one, in table order. */
export async function step(client: EngineClient, by: 1 | -1): Promise<void> {
  const { search, ordering, selected } = explore.get();
  if (!search || search.count === 0) return;
  const input = pageInput(search, ordering);
  const index = selected === null ? -1 : ((await client.read('result_page', { ...input, find: selected })).index ?? -1);
  const offset = Math.max(0, Math.min(search.count - 1, index + by));
  const { rows } = await client.read('result_page', { ...input, offset });
  const id = rows[0]?.property_id;
  if (typeof id !== 'number') return;
  const isInDetail = document.activeElement?.closest('.detail') instanceof Element;
  select(id);
  // The replaced parcel pane had the keyboard focus.
  if (isInDetail) setTimeout(() => whenThere('[data-focus=detail]', focusBack), 0);
}
