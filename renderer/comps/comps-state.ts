/** What the Comps screen and the Comps tab remember: the question, and the lists that were paid for. */
import type { OutputOf } from '../../engine/operations/index.ts';
import { explore } from '../explore/explore-state.ts';
import { createStore, type Store } from '../state/store.ts';
import { beginQuery, type CompsInput, type CompsQuery } from './comps-query.ts';

type WireComp = OutputOf<'list_comps'>['results'][number];

/** A comp of a list, as it is shown and kept: without its photos. */
export interface ListedComp extends Omit<WireComp, 'latitude' | 'longitude' | 'photos'> {
  readonly latitude: number;
  readonly longitude: number;
}

export const listedComp = ({ photos: _photos, latitude, longitude, ...comp }: WireComp): ListedComp => ({
  ...comp,
  latitude: Number(latitude),
  longitude: Number(longitude),
});

/** Of the screen; the tab has the same fields around whatever parcel is open. */
export const screenQuery: Store<CompsQuery> = createStore<CompsQuery>('platbook.comps', beginQuery);
export const tabQuery: Store<CompsQuery> = createStore<CompsQuery>('platbook.comps-tab', beginQuery);

export interface FoundComps {
  /** The question (`foundKey`). */
  readonly key: string;
  /** ISO date-time. */
  readonly at: string;
  readonly tokens: number;
  /** How many there were; more than the rows, where only the first were listed. */
  readonly count: number;
  readonly rows: readonly ListedComp[];
}

/** Lists that were paid for are seen again free, also after a reload: the newest, so many rows of them. */
const found = createStore<{ readonly lists: readonly FoundComps[] }>('platbook.comps-found', { lists: [] });
const keptRows = 4000;

export const foundComps: Store<{ readonly lists: readonly FoundComps[] }> = found;

/** The data belong to the question: another home may be served at the same address. */
export const foundKey = (input: CompsInput): string =>
  JSON.stringify([explore.get().dataKey, ...Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1))]);

export function keepFound(list: FoundComps): void {
  let rows = 0;
  const lists = [list, ...found.get().lists.filter(({ key }) => key !== list.key)].filter((each, i) => {
    rows += each.rows.length;
    return i === 0 || rows <= keptRows;
  });
  found.set({ lists });
}

/** What passes with the window: the comp that is chosen, and how the table is sorted and narrowed. */
export interface CompsView {
  readonly selected: string | null;
  readonly sort: string | null;
  readonly isDescending: boolean;
  readonly priceMin: number | null;
  readonly priceMax: number | null;
}

export const compsView = createStore<CompsView>(null, {
  selected: null,
  sort: null,
  isDescending: false,
  priceMin: null,
  priceMax: null,
});

export const selectComp = (id: string | null): void => compsView.set({ selected: id });
