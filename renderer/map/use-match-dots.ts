/** A dot for each match while lots are too small to see; of more than 5,000 found by a search the grid counts them. */
import type { LiveFilter } from '../../engine/query/live-request.ts';
import { explore } from '../explore/explore-state.ts';
import { askableBody, type FilterBody, hasScope } from '../explore/filter-body.ts';
import { useRead } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { lotsFrom } from './parcel-layers.ts';

export type Dots = readonly (readonly [number, number])[];

/** Dots, the grid, none to draw, or nothing: no search yet. Null where lots are drawn. */
export type Small = 'dots' | 'grid' | 'none' | 'nothing' | null;

export function useMatchDots(filter: FilterBody, zoom: number): { readonly small: Small; readonly dots: Dots | null } {
  const { search } = useStore(explore);
  const when = zoom < lotsFrom && hasScope(filter);
  const { data } = useRead('match_points', { filter: askableBody(filter) as LiveFilter }, { when });
  const points = data?.points as Dots | null | undefined;
  const dots = when ? (points ?? null) : null;
  const isGrid = when && points === null && search !== null;
  const ofDots = dots?.length === 0 ? 'none' : dots && 'dots';
  return { dots, small: zoom >= lotsFrom ? null : (ofDots ?? (isGrid ? 'grid' : 'nothing')) };
}
