/** The star of a parcel: shown, set and removed. */
import { Star } from 'lucide-react';
import { useMemo } from 'react';
import { IconButton } from '../parts/hint.tsx';
import { useClient, useRead } from '../state/client-context.tsx';
import { makeChange } from './make-change.ts';

/** All starred parcels; one read for all rows of a table. */
function useStarred(): ReadonlySet<number> {
  const { data } = useRead('marks', {}, { isLasting: true });
  return useMemo(() => new Set(data?.starred), [data]);
}

export function StarButton({ propertyId }: { propertyId: number }) {
  const client = useClient();
  const isOn = useStarred().has(propertyId);
  return (
    <IconButton
      label={isOn ? 'Remove the star' : 'Star the parcel'}
      keys="S"
      onPress={() => void makeChange(client, isOn ? 'unstar' : 'star', { ids: [propertyId] })}
    >
      <Star aria-hidden fill={isOn ? 'currentColor' : 'none'} />
    </IconButton>
  );
}

/** In a row: a click toggles it; not a tab stop, because S does the same. */
export function StarCell({ propertyId, isOn }: { propertyId: number; isOn: boolean }) {
  const client = useClient();
  return (
    <button
      type="button"
      className="star"
      tabIndex={-1}
      aria-label={isOn ? 'starred: remove the star' : 'Star this parcel'}
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

/** In the margin of a row of Explore, which has no room for a column: shown there, toggled by S. */
export function RowStar({ propertyId }: { propertyId: number }) {
  const isOn = useStarred().has(propertyId);
  return isOn ? (
    <span className="row-star" title="starred">
      <Star aria-hidden fill="currentColor" />
      <span className="sr">starred</span>
    </span>
  ) : null;
}
