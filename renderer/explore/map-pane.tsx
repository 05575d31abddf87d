/** What the map of Explore gets and how it reports back: by these functions alone. `map/explore-map.tsx` fills the place. */
import type { ComponentType } from 'react';
import type { FilterBody } from './filter-body.ts';

export interface MapPaneProps {
  /** The filter as it stands: matches are filled at once, before a search is paid. */
  readonly filter: FilterBody;
  /** Parcels that match and have no shape, and all that match; null while they are not counted. */
  readonly withoutShape: { readonly count: number; readonly of: number } | null;
  readonly selected: number | null;
  /** Several that were picked together; empty while there is only the one. */
  readonly selectedMany: readonly number[];
  readonly hovered: number | null;
  readonly onSelect: (propertyId: number | null) => void;
  readonly onSelectMany: (propertyIds: readonly number[]) => void;
  readonly onHover: (propertyId: number | null) => void;
  /** A drawn area as WKT in longitude latitude; null takes it away. */
  readonly onArea: (wkt: string | null) => void;
}

export type MapPane = ComponentType<MapPaneProps>;
