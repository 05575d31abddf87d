/** The two promises first, at every width; then what is shown, selected, and spent. */
import { Lock } from 'lucide-react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { explore } from '../explore/explore-state.ts';
import { useMapSources } from '../map/map-sources.ts';
import { mapMemory, mapPresence } from '../map/map-state.ts';
import { photoShown } from '../map/photo.ts';
import { photoStatus } from '../map/photo-part.tsx';
import { formatPlace, scaleRatio } from '../map/units.ts';
import { formatDate, formatNumber } from '../parts/format.ts';
import { navigation } from '../state/navigation.ts';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { JobStrip } from './jobs.tsx';

type Home = ReadOutputOf<'home'>;

export function StatusBar({ home }: { home: Home }) {
  const { filter, search, selected, selectedMany } = useStore(explore);
  const { units } = useStore(settings);
  const several = Math.max(selectedMany.length, selected === null ? 0 : 1);
  const { tokens_used: used, tokens_included: included } = home.usage;
  // Lists show their own selection; other screens have none.
  const isExplore = useStore(navigation).screen === 'explore' && home.counties.length > 0;
  const listed = search && search.count >= several ? ` of ${formatNumber(search.count)}` : '';
  return (
    <footer className="status">
      <span className="promise">
        <Lock aria-hidden className="small" />
        stays on this computer
      </span>
      <span className="promise">boundaries are approximate, not a survey</span>
      <span className="at-medium">{datasetWords(home, filter.county)}</span>
      {isExplore ? (
        <span aria-live="polite">
          {search || several > 0 ? (
            <span>
              {formatNumber(several)}
              <span className="not-tiny">{listed}</span> selected
            </span>
          ) : (
            'no search yet'
          )}
        </span>
      ) : null}
      <span className="space" />
      <JobStrip />
      <MapPlaceWords />
      <span className="at-medium">{units}</span>
      {home.counties.length === 0 ? null : (
        <a className="link" href="#/usage" title="Usage" data-testid="tokens">
          {formatNumber(used)} of {formatNumber(included)} used
        </a>
      )}
    </footer>
  );
}

/** Coordinates of the pointer, else of the map's center, and the scale. */
function MapPlaceWords() {
  const { place, metersPerPixel } = useStore(mapPresence);
  if (!place) return null;
  return (
    <>
      <PhotoWords />
      <span className="at-wide num">{formatPlace(...place)}</span>
      <span className="at-wide num">{scaleRatio(metersPerPixel)}</span>
    </>
  );
}

/** The photo under the map, with its date or source. */
function PhotoWords() {
  const sources = useMapSources();
  const photo = photoShown(sources, useStore(mapMemory));
  return photo ? <span className="at-medium">{photoStatus(photo)}</span> : null;
}

/** `Alder County parcels, 2 Nov 2026`; the oldest date if a county has several files. */
function datasetWords({ counties, datasets }: Home, fips: unknown): string {
  const county = counties.find((one) => one.fips === fips);
  const dates = datasets
    .filter((one) => !county || one.fips === county.fips)
    .map(({ source_date: date }) => date)
    .sort();
  const name = county ? `${county.name} parcels` : counties.length === 1 ? `${counties[0]?.name} parcels` : 'parcels';
  return dates[0] === undefined ? 'no data yet' : `${name}, ${formatDate(dates[0])}`;
}
