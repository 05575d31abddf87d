/** The owner, other parcels with the same mailing address, and the owner's telephone numbers. */
import { Users } from 'lucide-react';
import { plural } from '../../parts/format.ts';
import { toast } from '../../state/toasts.ts';
import { OwnerTrace } from '../../trace/owner-trace.tsx';
import { replaceFilter, undo } from '../explore-state.ts';
import type { DetailTabProps } from './detail-tabs.tsx';
import { Owner } from './parcel-tab.tsx';

export function OwnerTab({ open }: DetailTabProps) {
  const { other_parcels: others, parcel } = open;
  const name = (parcel.owner_name as string | null) ?? '';
  const hasSeveralOwners = /[&+;]/.test(name) || Boolean(parcel.owner_name_2);
  return (
    <>
      <Owner open={open} />
      {others === null || others === 0 ? null : (
        <div className="facts">
          <button type="button" className="button full" onClick={() => showPortfolio(parcel.property_id)}>
            <Users aria-hidden />
            {plural(others, 'other parcel', 'other parcels')} at this mailing address
          </button>
        </div>
      )}
      <OwnerTrace propertyId={parcel.property_id} hasSeveralOwners={hasSeveralOwners} />
    </>
  );
}

/** All parcels of the address, in any county: other filters would hide some of them. */
function showPortfolio(propertyId: number): void {
  replaceFilter({ owner_parcel_id: propertyId });
  toast('The filter shows every parcel of this mailing address', { label: 'Undo', step: 'filter', run: undo });
}
