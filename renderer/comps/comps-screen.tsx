/** The screen for comps of a county or within a circle. A parcel's tab shows the same around it. */
import { useEffect, useState } from 'react';
import { explore } from '../explore/explore-state.ts';
import { Segments } from '../parts/segments.tsx';
import { useRead } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { CompsPanel } from './comps-panel.tsx';
import type { CompsQuery, Place } from './comps-query.ts';
import { CompsResult } from './comps-result.tsx';
import { screenQuery, tabQuery } from './comps-state.ts';
import { SuspectSales } from './suspect-sales.tsx';
import { useComps } from './use-comps.ts';

const parts = [
  { value: 'comps', label: 'Comps' },
  { value: 'suspect', label: 'Suspect sales' },
] as const;

export function CompsScreen() {
  const [part, setPart] = useState<(typeof parts)[number]['value']>('comps');
  const query = useStore(screenQuery);
  const comps = useComps(query);
  useFirstPlace(query);
  return (
    <section className="page" aria-label="Comps">
      <header className="page-head">
        <h1>Comps</h1>
        <span className="quieter at-medium">Sale prices and asking prices of land</span>
        <span className="grow" />
        <Segments label="What is shown" value={part} choices={parts} onChange={setPart} />
      </header>
      {part === 'suspect' ? (
        <SuspectSales fips={query.fips} onCounty={(fips) => screenQuery.set({ fips })} />
      ) : (
        <div className="comps">
          <CompsPanel query={query} onChange={screenQuery.set} comps={comps} isAroundParcel={false} />
          <CompsResult query={query} onChange={screenQuery.set} comps={comps} propertyId={null} />
        </div>
      )}
    </section>
  );
}

/** Drops a county that the home no longer has; without a place, starts with the county of Explore. */
function useFirstPlace({ fips, center }: CompsQuery): void {
  const { data: home } = useRead('home', {}, { isLasting: true });
  useEffect(() => {
    if (!home) return;
    const isKnown = home.counties.some((county) => county.fips === fips);
    if (fips !== null && isKnown) return;
    const inExplore = explore.get().filter.county;
    const first = home.counties.find((county) => county.fips === inExplore) ?? home.counties[0];
    screenQuery.set({ fips: first?.fips ?? null, ...(center === null ? { scope: 'county' as const } : {}) });
  }, [home, fips, center]);
}

/** @param center the parcel's place */
export function CompsAround({ center, propertyId }: { center: Place; propertyId: number }) {
  const query: CompsQuery = { ...useStore(tabQuery), scope: 'circle', center };
  const comps = useComps(query);
  return (
    <div className="comps">
      <CompsPanel query={query} onChange={tabQuery.set} comps={comps} isAroundParcel />
      <CompsResult query={query} onChange={tabQuery.set} comps={comps} propertyId={propertyId} />
    </div>
  );
}
