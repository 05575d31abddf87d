/** The two promises first, at every width; then what is shown, what is chosen, what it cost. */
import { Lock } from 'lucide-react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { explore } from '../explore/explore-state.ts';
import { formatDate, formatNumber } from '../parts/format.ts';
import { useStore } from '../state/store.ts';

type Home = ReadOutputOf<'home'>;

export function StatusBar({ home }: { home: Home }) {
  const { filter, search, selected } = useStore(explore);
  const { tokens_used: used, tokens_included: included } = home.usage;
  const shown = search ? `${selected === null ? 0 : 1} of ${formatNumber(search.count)} selected` : 'no search yet';
  return (
    <footer className="status">
      <span className="promise">
        <Lock aria-hidden className="small" />
        stays on this computer
      </span>
      <span className="promise">boundaries are approximate, not a survey</span>
      <span className="at-medium">{datasetWords(home, filter.county)}</span>
      <span aria-live="polite">{shown}</span>
      <span className="space" />
      <span className="at-medium">ft, ac</span>
      <span data-testid="tokens">
        {formatNumber(used)} of {formatNumber(included)} tokens
      </span>
    </footer>
  );
}

/** `Alder County parcels, 2 Nov 2026`; the oldest date where a county has several files. */
function datasetWords({ counties, datasets }: Home, fips: unknown): string {
  const county = counties.find((one) => one.fips === fips);
  const dates = datasets
    .filter((one) => !county || one.fips === county.fips)
    .map(({ source_date: date }) => date)
    .sort();
  const name = county ? `${county.name} parcels` : counties.length === 1 ? `${counties[0]?.name} parcels` : 'parcels';
  return dates[0] === undefined ? 'no data yet' : `${name}, ${formatDate(dates[0])}`;
}
