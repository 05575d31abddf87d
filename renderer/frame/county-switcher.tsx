/** The county by name and FIPS, never by FIPS alone. */
import { Check, ChevronDown } from 'lucide-react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { setCounties } from '../explore/controls/place-control.tsx';
import { explore } from '../explore/explore-state.ts';
import { formatDate, formatNumber } from '../parts/format.ts';
import { Menu, MenuCaption, MenuItem } from '../parts/menu.tsx';
import { useStore } from '../state/store.ts';

type Home = ReadOutputOf<'home'>;

export function CountySwitcher({ home }: { home: Home }) {
  const { filter } = useStore(explore);
  const current = home.counties.find(({ fips }) => fips === filter.county);
  if (home.counties.length === 0) return null;
  return (
    <Menu
      face={
        <>
          {current ? (
            <>
              {current.name} <span className="unit num">{current.fips}</span>
            </>
          ) : (
            'Choose a county'
          )}
          <ChevronDown aria-hidden className="small" />
        </>
      }
      button=""
      align="start"
    >
      {home.counties.map(({ fips, name, state, parcels }) => (
        <MenuItem key={fips} onSelect={() => setCounties([fips])}>
          <span className="box">{fips === current?.fips ? <Check aria-hidden className="small" /> : null}</span>
          {name}, {state} <span className="unit num">{fips}</span>
          <span className="end num">{formatNumber(parcels)} parcels</span>
        </MenuItem>
      ))}
      {home.datasets.map(({ dataset_id: id, source_name: name, source_date: date }) => (
        <MenuCaption key={id}>
          {name}, {formatDate(date)}
        </MenuCaption>
      ))}
    </Menu>
  );
}
