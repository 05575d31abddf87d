/** Says once what one's own county lacks on the map, and where its files are. */
import { X } from 'lucide-react';
import { Fragment } from 'react';
import { importing } from '../import/import-state.ts';
import { IconButton } from '../parts/hint.tsx';
import { useRead } from '../state/client-context.tsx';
import { goTo } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';
import type { MapSources } from './map-sources.ts';
import { mapMemory } from './map-state.ts';
import { photosOf } from './photo.ts';

const hasLayer = ({ layers }: MapSources, name: string): boolean =>
  layers.some(({ kind, look }) => kind === name || look === name);

/** What makes ground of a map of lines, and what each brings. */
const grounds: readonly {
  readonly name: string;
  readonly brings: string;
  readonly isThere: (sources: MapSources) => boolean;
}[] = [
  { name: 'elevation', brings: 'relief, contours, slope', isThere: ({ terrain }) => terrain !== null },
  { name: 'roads', brings: 'names, road frontage', isThere: (sources) => hasLayer(sources, 'roads') },
  { name: 'water', brings: 'lakes, water frontage', isThere: (sources) => hasLayer(sources, 'water') },
  { name: 'photos', brings: 'the land from the air', isThere: (sources) => photosOf(sources).length > 0 },
];

export function GroundNote({ sources }: { sources: MapSources }) {
  const { data: home } = useRead('home', {}, { isLasting: true });
  const { hasGroundNote } = useStore(mapMemory);
  const missing = grounds.filter(({ isThere }) => !isThere(sources));
  const [county] = sources.counties;
  if (!hasGroundNote || home?.kind !== 'real' || !county || missing.length === 0) return null;
  const dismiss = () => mapMemory.set({ hasGroundNote: false });
  const open = () => {
    importing.set({ view: 'missing', fips: county.fips });
    goTo('import');
  };
  return (
    <p className="map-float map-badge" role="note">
      <span>
        Not here yet:{' '}
        {missing.map(({ name, brings }, at) => (
          <Fragment key={name}>
            {at > 0 ? '; ' : ''}
            <b>{name}</b> ({brings})
          </Fragment>
        ))}
        .
      </span>
      <button type="button" className="link" onClick={open}>
        Where to get them
      </button>
      <IconButton label="Do not say this again" onPress={dismiss}>
        <X aria-hidden />
      </IconButton>
    </p>
  );
}
