/** The owner of a parcel as a skip trace reads it. */
import type { OwnerType } from '../contacts/owner-type.ts';
import type { LandStore } from '../store/land-store.ts';

export interface TracedOwner {
  readonly owner_name: string | null;
  readonly owner_type: OwnerType | null;
  readonly mailing_address: string | null;
  readonly mailing_city: string | null;
  readonly mailing_state: string | null;
  readonly mailing_zip: string | null;
}

export const ownerColumns = [
  'owner_name',
  'owner_type',
  'mailing_address',
  'mailing_city',
  'mailing_state',
  'mailing_zip',
] as const satisfies (keyof TracedOwner)[];

/** Null if there is no such parcel. */
export const findOwner = ({ file }: LandStore, id: number): TracedOwner | null =>
  file.get<TracedOwner>(`SELECT ${ownerColumns.join(', ')} FROM parcels WHERE property_id = ?`, id) ?? null;
