/** The owner portfolio: parcels with the same normalized mailing address belong to one owner. */
import { validationError } from '../spec/errors.ts';
import type { LandStore } from '../store/land-store.ts';

/**
 * The normalized mailing address for `owner_parcel_id`; null when not requested.
 * @throws EngineError validation_error if there is no such parcel, or it has no address on record
 */
export function portfolioKey({ file }: LandStore, propertyId: number | undefined): string | null {
  if (propertyId === undefined) return null;
  const row = file.get<{ mailing_key: string | null }>(
    'SELECT mailing_key FROM parcels WHERE property_id = ?',
    propertyId,
  );
  return keyOfPortfolio(propertyId, row);
}

/** @throws EngineError validation_error without a row, or without an address in it */
export function keyOfPortfolio(propertyId: number, row: { readonly mailing_key: string | null } | undefined): string {
  if (!row) throw validationError({ owner_parcel_id: [`there is no parcel ${propertyId}`] });
  if (row.mailing_key === null)
    throw validationError({ owner_parcel_id: [`parcel ${propertyId} has no mailing address on record`] });
  return row.mailing_key;
}
