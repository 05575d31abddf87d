/** The props and callbacks of Explore's map; `map/explore-map.tsx` implements it. */
import type { ComponentType } from 'react';
import type { FilterBody } from './filter-body.ts';

export interface MapPaneProps {
  /** The current filter: matches are filled at once, before a search is paid. */
  readonly filter: FilterBody;
  /** Matches without a shape, and all matches; null until counted. */
  readonly withoutShape: { readonly count: number; readonly of: number } | null;
  readonly selected: number | null;
  /** Several parcels selected together; empty if there is only one. */
  readonly selectedMany: readonly number[];
  readonly hovered: number | null;
  readonly onSelect: (propertyId: number | null) => void;
  readonly onSelectMany: (propertyIds: readonly number[]) => void;
  readonly onHover: (propertyId: number | null) => void;
  /** Receives a drawn area as WKT in longitude latitude; null removes it. */
  readonly onArea: (wkt: string | null) => void;
}

export type MapPane = ComponentType<MapPaneProps>;
