/** The tabs of a parcel. A new tab is a row here. */
import { UserRound } from 'lucide-react';
import type { ComponentType } from 'react';
import type { ReadOutputOf } from '../../../engine/reads/index.ts';
import { CompsAround } from '../../comps/comps-screen.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { OwnerTrace } from '../../trace/owner-trace.tsx';
import { openOwner } from '../explore-state.ts';
import { HistoryTab } from './history-tab.tsx';
import { NeighboursTab } from './neighbours-tab.tsx';
import { NotesTab } from './notes-tab.tsx';
import { Owner, ParcelTab } from './parcel-tab.tsx';
import { Portfolio } from './portfolio.tsx';
import { ValueActions, ValueTab } from './value-tab.tsx';

export type OpenParcel = ReadOutputOf<'parcel'>;
export type ColumnName = keyof OpenParcel['parcel'];

export interface DetailTabProps {
  readonly open: OpenParcel;
}

interface DetailTab {
  readonly id: string;
  readonly title: string;
  readonly content: ComponentType<DetailTabProps>;
  /** Replaces filters, map and table, with the results as a list beside it. */
  readonly isWide?: true;
  /** Shown at the end of the tab bar. */
  readonly actions?: ComponentType<DetailTabProps>;
}

export const detailTabs: readonly DetailTab[] = [
  { id: 'parcel', title: 'Parcel', content: ParcelTab },
  { id: 'value', title: 'Value', content: ValueTab, isWide: true, actions: ValueActions },
  { id: 'comps', title: 'Comps', content: CompsTab, isWide: true },
  { id: 'owner', title: 'Owner', content: OwnerTab },
  { id: 'neighbours', title: 'Neighbours', content: NeighboursTab },
  { id: 'notes', title: 'Notes', content: NotesTab },
  { id: 'history', title: 'History', content: HistoryTab },
];

/** Whether the parcel fills the whole screen beside the list of results. */
export const isWideTab = (id: string): boolean => detailTabs.some((tab) => tab.id === id && tab.isWide === true);

/** Comps around the parcel. */
function CompsTab({ open: { parcel } }: DetailTabProps) {
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

/** The owner, other parcels with the same mailing address, and the owner's telephone numbers. */
function OwnerTab({ open }: DetailTabProps) {
  const { other_parcels: others, parcel } = open;
  const name = (parcel.owner_name as string | null) ?? '';
  const hasSeveralOwners = /[&+;]/.test(name) || Boolean(parcel.owner_name_2);
  return (
    <>
      <Owner open={open} />
      {name ? (
        <p className="owner-link">
          <button type="button" className="button full" onClick={() => openOwner(parcel.property_id)}>
            <UserRound aria-hidden />
            All land of this owner
          </button>
        </p>
      ) : null}
      {others ? <Portfolio propertyId={parcel.property_id} /> : null}
      <OwnerTrace propertyId={parcel.property_id} hasSeveralOwners={hasSeveralOwners} />
    </>
  );
}
