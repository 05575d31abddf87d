/** The star of a parcel: seen, and put on or taken off. */
import { Star } from 'lucide-react';
import { useMemo } from 'react';
import { IconButton } from '../parts/hint.tsx';
import { useClient, useRead } from '../state/client-context.tsx';
import { makeChange } from './make-change.ts';

/** All starred parcels; one read for all rows of a table. */
export function useStarred(): ReadonlySet<number> {
  const { data } = useRead('marks', {}, { isLasting: true });
  return useMemo(() => new Set(data?.starred), [data]);
}

export function StarButton({ propertyId }: { propertyId: number }) {
  const client = useClient();
  const isOn = useStarred().has(propertyId);
  return (
    <IconButton
      label={isOn ? 'Take the star off' : 'Star the parcel'}
      keys="S"
      onPress={() => void makeChange(client, isOn ? 'unstar' : 'star', { ids: [propertyId] })}
    >
      <Star aria-hidden fill={isOn ? 'currentColor' : 'none'} />
    </IconButton>
  );
}

/** In a row: a press toggles it; not a stop of the keyboard, which has S. */
export function StarCell({ propertyId, isOn }: { propertyId: number; isOn: boolean }) {
  const client = useClient();
  return (
    <button
      type="button"
      className="star"
      tabIndex={-1}
      aria-label={isOn ? 'starred: take the star off' : 'Star this parcel'}
      data-on={isOn}
      onClick={(event) => {
        event.stopPropagation();
        void makeChange(client, isOn ? 'unstar' : 'star', { ids: [propertyId] });
      }}
    >
      <Star aria-hidden className="small" fill={isOn ? 'currentColor' : 'none'} />
    </button>
  );
}

/** In the gutter of a row of Explore, which has no room for a column: seen there, toggled by S. */
export function RowStar({ propertyId }: { propertyId: number }) {
  const isOn = useStarred().has(propertyId);
  return isOn ? (
    <span className="row-star" title="starred">
      <Star aria-hidden fill="currentColor" />
      <span className="sr">starred</span>
    </span>
  ) : null;
}
