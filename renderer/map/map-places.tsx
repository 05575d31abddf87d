/** Placeholders of a map that is loading or impossible. */
import type { ReactNode } from 'react';

/** @param children why there is no map; absent: it is loading */
export const ExploreMapPlace = ({ children }: { children?: ReactNode }) => (
  <section className="map-slot" aria-label="Map" tabIndex={-1} data-focus="map">
    {children}
  </section>
);

export const CompsMapPlace = () => <section className="comps-map" aria-label="Map" />;
