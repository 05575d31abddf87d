/**
 * The map's place. What fills it gets everything it needs here and reports back by these functions alone; see
 * renderer/README.md. Until then it says what it will hold.
 */
import type { ComponentType } from 'react';
import { formatNumber } from '../parts/format.ts';
import type { FilterBody } from './filter-body.ts';

export interface MapPaneProps {
  /** The filter as it stands: matches are filled at once, before a search is paid. */
  readonly filter: FilterBody;
  /** Parcels that match and have no shape, and all that match; null while they are not counted. */
  readonly withoutShape: { readonly count: number; readonly of: number } | null;
  readonly selected: number | null;
  readonly hovered: number | null;
  readonly onSelect: (propertyId: number | null) => void;
  readonly onHover: (propertyId: number | null) => void;
  /** A drawn area as WKT in longitude latitude; null takes it away. */
  readonly onArea: (wkt: string | null) => void;
}

export type MapPane = ComponentType<MapPaneProps>;

export const MapPlace: MapPane = ({ withoutShape }) => (
  <section className="map-slot" aria-label="Map" tabIndex={-1} data-focus="map">
    <p className="map-note">
      The map is not in this version yet. The table shows every parcel that it would
      {withoutShape && withoutShape.count > 0
        ? `, and the ${formatNumber(withoutShape.count)} of ${formatNumber(withoutShape.of)} that have no shape`
        : ''}
      .
    </p>
  </section>
);
