/** The owner, other parcels with the same mailing address, and the owner's telephone numbers. */
import { OwnerTrace } from '../../trace/owner-trace.tsx';
import type { DetailTabProps } from './detail-tabs.tsx';
import { Owner } from './parcel-tab.tsx';
import { Portfolio } from './portfolio.tsx';

export function OwnerTab({ open }: DetailTabProps) {
  const { other_parcels: others, parcel } = open;
  const name = (parcel.owner_name as string | null) ?? '';
  const hasSeveralOwners = /[&+;]/.test(name) || Boolean(parcel.owner_name_2);
  return (
    <>
      <Owner open={open} />
      {others ? <Portfolio propertyId={parcel.property_id} /> : null}
      <OwnerTrace propertyId={parcel.property_id} hasSeveralOwners={hasSeveralOwners} />
    </>
  );
}
