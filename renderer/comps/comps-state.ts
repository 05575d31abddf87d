/** The state of the Comps screen and the Comps tab: the query, and the paid lists. */
import type { OutputOf } from '../../engine/operations/index.ts';
import { explore } from '../explore/explore-state.ts';
import { createStore, type Store } from '../state/store.ts';
import { beginQuery, type CompsInput, type CompsQuery } from './comps-query.ts';

type WireComp = OutputOf<'list_comps'>['results'][number];

/** A comp of a list, as shown and stored: without its photos. */
export interface ListedComp extends Omit<WireComp, 'latitude' | 'longitude' | 'photos'> {
  readonly latitude: number;
  readonly longitude: number;
}

export const listedComp = ({ photos: _photos, latitude, longitude, ...comp }: WireComp): ListedComp => ({
  ...comp,
  latitude: Number(latitude),
  longitude: Number(longitude),
});

/** The fields of the screen; the tab has the same around the open parcel. */
export const screenQuery: Store<CompsQuery> = createStore<CompsQuery>('platbook.comps', beginQuery);
export const tabQuery: Store<CompsQuery> = createStore<CompsQuery>('platbook.comps-tab', beginQuery);

export interface FoundComps {
  /** Key of the query (`foundKey`). */
  readonly key: string;
  /** ISO date-time. */
  readonly at: string;
  readonly tokens: number;
  /** Number of matches; more than the rows if only the first were listed. */
  readonly count: number;
  readonly rows: readonly ListedComp[];
}

interface AllFound {
  readonly lists: readonly FoundComps[];
}

const keptRows = 4000;

/** The newest lists up to a limit of rows, and only the newest list of each query. */
function newestOf(lists: readonly FoundComps[]): FoundComps[] {
  const newestFirst = lists.toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
  const byQuestion = new Map<string, FoundComps>();
  for (const list of newestFirst) if (!byQuestion.has(list.key)) byQuestion.set(list.key, list);
  let rows = 0;
  return [...byQuestion.values()].filter((each, i) => {
    rows += each.rows.length;
    return i === 0 || rows <= keptRows;
  });
}

/** Viewing paid lists again is free, after a reload too, and in every window: all share what one has paid for. */
export const foundComps: Store<AllFound> = createStore<AllFound>(
  'platbook.comps-found',
  { lists: [] },
  { join: (mine, stored) => ({ lists: newestOf([...mine.lists, ...stored.lists]) }) },
);

/** The key includes the data: another home may be served at the same address. */
export const foundKey = (input: CompsInput): string =>
  JSON.stringify([explore.get().dataKey, ...Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1))]);

export const keepFound = (list: FoundComps): void =>
  foundComps.set(({ lists }) => ({ lists: newestOf([list, ...lists]) }));

/** Lost with the window, and shared by tables and maps. */
interface CompsView {
  readonly selected: string | null;
  /** Under the pointer or the keyboard. */
  readonly highlighted: string | null;
  /** Opened beside a value. */
  readonly opened: string | null;
  /** Past days for which parcels are to be valued, by id; without one, today. */
  readonly asOf: Readonly<Record<string, string | undefined>>;
  readonly sort: string | null;
  readonly isDescending: boolean;
  readonly priceMin: number | null;
  readonly priceMax: number | null;
}

export const compsView = createStore<CompsView>(null, {
  selected: null,
  highlighted: null,
  opened: null,
  asOf: {},
  sort: null,
  isDescending: false,
  priceMin: null,
  priceMax: null,
});

export const selectComp = (id: string | null): void => compsView.set({ selected: id });

export const openComp = (id: string | null): void => compsView.set({ opened: id });

export const highlightComp = (id: string | null): void => {
  if (compsView.get().highlighted !== id) compsView.set({ highlighted: id });
};
