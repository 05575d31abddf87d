/** Comps around the parcel. */
import { CompsAround } from '../../comps/comps-screen.tsx';
import { EmptyState } from '../../parts/states.tsx';
import type { DetailTabProps } from './detail-tabs.tsx';

export function CompsTab({ open: { parcel } }: DetailTabProps) {
  const [longitude, latitude] = (parcel.point as [number, number] | null) ?? [];
  if (longitude === undefined || latitude === undefined) {
    return (
      <EmptyState
        title="No place on the map"
        text="The parcel has neither a shape nor coordinates, so nothing is near it. The Comps screen lists the county."
      />
    );
  }
  const center = { longitude, latitude, name: `parcel ${parcel.apn || parcel.property_id}` };
  return <CompsAround key={parcel.property_id} center={center} propertyId={parcel.property_id} />;
}
