/** The state of Explore: the filter with its undo steps, the last paid search, the selection. */
import { forgetRefused } from '../parts/refused-fields.ts';
import type { Choice } from '../parts/use-row-choosing.ts';
import { isNarrow } from '../parts/use-window-width.ts';
import { createStore } from '../state/store.ts';
import {
  type FilterBody,
  filterRow,
  hasScope,
  isSameFilter,
  type UnknownMode,
  withFields,
  withoutFilter,
  withUnknownMode,
} from './filter-body.ts';

export interface LastSearch {
  readonly filter: FilterBody;
  readonly count: number;
  /** ISO date-time. */
  readonly at: string;
  readonly tokens: number;
}

export interface ExploreState {
  /** The home that the rest belongs to; another home resets it. */
  readonly homeKey: string;
  /** The datasets with their dates. */
  readonly dataKey: string;
  readonly filter: FilterBody;
  readonly past: readonly FilterBody[];
  readonly future: readonly FilterBody[];
  readonly search: LastSearch | null;
  /** Searches paid for with the data as it is now, newest first: shown again free. */
  readonly paid: readonly LastSearch[];
  /** Time of the search that an import has made outdated; null while there is a search, and before the first. */
  readonly outdatedAt: string | null;
  /** `-acres`; null: by property_id. */
  readonly ordering: string | null;
  readonly selected: number | null;
  /** Several parcels selected together; empty if there is only one. */
  readonly selectedMany: readonly number[];
  readonly detailTab: string;
  /** A parcel of the owner whose card is open in place of filters and table; null: none. */
  readonly ownerOf: number | null;
}

const begin: ExploreState = {
  homeKey: '',
  dataKey: '',
  filter: {},
  past: [],
  future: [],
  search: null,
  paid: [],
  outdatedAt: null,
  ordering: '-acres',
  selected: null,
  selectedMany: [],
  detailTab: 'parcel',
  ownerOf: null,
};

export const explore = createStore<ExploreState>('platbook.explore', begin);

/** Lost with the window: the pointer's parcel, the open panel of narrow windows, which control to show. */
interface ExploreView {
  readonly hovered: number | null;
  /** Around the parcel, in its tab Neighbours. */
  readonly aroundFeet: number;
  readonly isPanelOpen: boolean;
  /** From which parcel's value the open one was reached, for the way back; null: otherwise. */
  readonly cameFrom: { readonly id: number; readonly name: string; readonly to: number } | null;
  /** A filter whose control to show and focus; the number repeats a request for the same one. */
  readonly shown: { readonly name: string; readonly turn: number } | null;
}

export const view = createStore<ExploreView>(null, {
  hovered: null,
  aroundFeet: 300,
  isPanelOpen: false,
  cameFrom: null,
  shown: null,
});

export interface ShownHome extends Pick<ExploreState, 'homeKey' | 'dataKey'> {
  /** FIPS, largest first. */
  readonly counties: readonly string[];
  /** The filter with which a new window begins; absent: all of the largest county. */
  readonly firstFilter?: FilterBody;
}

/**
 * Resets everything in another home, and if the filter's county is gone. An import keeps the rest, because parcels keep
 * their ids; it only drops a search of the imported county, whose data has changed.
 */
export function attachTo({ homeKey, dataKey, counties, firstFilter }: ShownHome): void {
  const was = explore.get();
  const { filter, search } = was;
  if (was.homeKey !== homeKey || !isThere(filter, counties)) {
    const [first] = counties;
    const filter = first === undefined ? {} : (firstFilter ?? { county: first });
    explore.set({ ...begin, homeKey, dataKey, filter });
  } else if (was.dataKey !== dataKey) {
    const isCurrent = (one: LastSearch) => isSameData(was.dataKey, dataKey, one.filter);
    const isOutdated = search !== null && !isCurrent(search);
    const paid = was.paid.filter(isCurrent);
    explore.set({ dataKey, paid, ...(isOutdated ? { search: null, outdatedAt: search.at } : {}) });
  }
}

/** Whether the datasets of the filter's county are unchanged. */
function isSameData(before: string, after: string, { county }: FilterBody): boolean {
  const of = (key: string) =>
    JSON.stringify(
      (JSON.parse(key) as unknown[][]).filter(([fips]) => county === undefined || fips === String(county)),
    );
  return of(before) === of(after);
}

const isThere = (filter: FilterBody, counties: readonly string[]): boolean =>
  filter.county === undefined ? hasScope(filter) || counties.length === 0 : counties.includes(String(filter.county));

const keptSearches = 50;

export function keepPaid(search: LastSearch): void {
  const others = explore.get().paid.filter(({ filter }) => !isSameFilter(filter, search.filter));
  explore.set({ paid: [search, ...others].slice(0, keptSearches) });
}

/** The search with this filter that is paid for already. */
export const paidSearch = ({ search, paid }: ExploreState, filter: FilterBody): LastSearch | undefined =>
  [...(search ? [search] : []), ...paid].find((one) => isSameFilter(one.filter, filter));

const keptSteps = 100;
/** Changes of one field within this time are one undo step: a number is typed digit by digit. */
const stepMilliseconds = 900;
let lastChange = { fields: '', at: Number.NEGATIVE_INFINITY };

function change(next: FilterBody, fields: string): void {
  const { filter, past } = explore.get();
  if (isSameFilter(next, filter) && JSON.stringify(next) === JSON.stringify(filter)) return;
  const now = performance.now();
  const isSameStep = lastChange.fields === fields && now - lastChange.at < stepMilliseconds;
  lastChange = { fields, at: now };
  explore.set({ filter: next, past: isSameStep ? past : [...past, filter].slice(-keptSteps), future: [] });
}

export const setFields = (fields: Readonly<Record<string, unknown>>): void =>
  change(withFields(explore.get().filter, fields), Object.keys(fields).join(' '));

export const removeFilter = (name: string): void =>
  change(withoutFilter(explore.get().filter, filterRow(name)), `remove ${name}`);

export const setUnknownMode = (name: string, mode: UnknownMode): void =>
  change(withUnknownMode(explore.get().filter, name, mode), `unknown ${name}`);

/** Removes everything but the county. */
export const resetFilter = (): void => {
  const { county } = explore.get().filter;
  forgetRefused();
  change(county === undefined ? {} : { county }, 'reset');
};

export function replaceFilter(filter: FilterBody): void {
  forgetRefused();
  change(filter, 'replace');
}

/** @returns whether there was a step to undo */
export function undo(): boolean {
  const { past, future, filter } = explore.get();
  const before = past.at(-1);
  if (before === undefined) return false;
  lastChange = { fields: '', at: Number.NEGATIVE_INFINITY };
  explore.set({ filter: before, past: past.slice(0, -1), future: [filter, ...future] });
  return true;
}

export function redo(): boolean {
  const { past, future, filter } = explore.get();
  const [after, ...rest] = future;
  if (after === undefined) return false;
  lastChange = { fields: '', at: Number.NEGATIVE_INFINITY };
  explore.set({ filter: after, past: [...past, filter], future: rest });
  return true;
}

export const select = (propertyId: number | null): void =>
  explore.set({ selected: propertyId, selectedMany: [], ownerOf: null });

/** The card of the owner of a parcel. */
export const openOwner = (propertyId: number): void => {
  hover(null);
  explore.set({ ownerOf: propertyId });
};

/** @returns whether it was open */
export function closeOwner(): boolean {
  if (explore.get().ownerOf === null) return false;
  hover(null);
  explore.set({ ownerOf: null, selectedMany: [] });
  return true;
}

/** Opens a tab of it; deselects several others, because the next action is meant for this one. */
export const openTab = (propertyId: number, detailTab: string): void =>
  explore.set(({ selectedMany }) => ({
    selected: propertyId,
    selectedMany: selectedMany.includes(propertyId) ? selectedMany : [],
    ownerOf: null,
    detailTab,
  }));

/** Opens a comp's parcel from the value of another, and remembers the way back. */
export function openFrom({ id, name }: { readonly id: number; readonly name: string }, to: number): void {
  openTab(to, 'parcel');
  view.set({ cameFrom: { id, name, to } });
}

/** Selects several at once; the detail shows the last added one. */
export function selectMany(ids: readonly number[]): void {
  const { selected } = explore.get();
  const shown = selected !== null && ids.includes(selected) ? selected : (ids.at(-1) ?? null);
  explore.set({ selected: shown, selectedMany: ids.length > 1 ? ids : [] });
}

/** The selected parcel, or the several selected ones. */
export function chosenParcels(): Choice {
  const { selected, selectedMany } = explore.get();
  return { ids: selectedMany.length > 0 ? selectedMany : selected === null ? [] : [selected], shown: selected };
}

export const chooseParcels = ({ ids, shown }: Choice): void =>
  explore.set({ selected: shown, selectedMany: ids.length > 1 ? ids : [] });

export const hover = (propertyId: number | null): void => {
  if (view.get().hovered !== propertyId) view.set({ hovered: propertyId });
};

/** Opens the panel at a filter's control; in a wide window it stands there anyway. */
export const showFilter = (name: string): void =>
  view.set(({ shown }) => ({ isPanelOpen: isNarrow(), shown: { name, turn: (shown?.turn ?? 0) + 1 } }));

/** A second click on a heading reverses the order. Numbers start with the largest, texts with A. */
export function orderBy(column: string, isNumber: boolean): void {
  const { ordering } = explore.get();
  const first = isNumber ? `-${column}` : column;
  const second = isNumber ? column : `-${column}`;
  explore.set({ ordering: ordering === first ? second : first });
}
