/** The owner, and what else is sent to the same address. */
import { setFields } from '../explore-state.ts';
import type { DetailTabProps } from './detail-tabs.tsx';
import { Owner } from './parcel-tab.tsx';

export function OwnerTab({ open }: DetailTabProps) {
  const { other_parcels: others, parcel } = open;
  return (
    <>
      <Owner open={open} />
      {others === null || others === 0 ? null : (
        <div className="facts">
          <button
            type="button"
            className="button full"
            onClick={() => setFields({ owner_parcel_id: parcel.property_id })}
          >
            Filter for all {others + 1} parcels of this address
          </button>
        </div>
      )}
    </>
  );
}
