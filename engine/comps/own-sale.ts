/** Whether a comp is a sale or listing of the subject itself (docs/valuation.md, "Candidates"). */
import type { ValuationParameters } from './valuation-parameters.ts';

interface Lot {
  readonly propertyId: number | null;
  /** NaN or null: unknown. */
  readonly acres: number | null;
}

/**
 * The same parcel by id; if an id is unknown, the same place and size. The pin of a listing of a known parcel may stand
 * on its road. Different known ids mean different parcels, however near, unless the parameters say otherwise.
 */
export function isOwnSale(
  subject: Lot & { readonly acres: number },
  comp: Lot,
  kilometers: number,
  { ownParcel, ownPin, isSamePlaceOwn }: ValuationParameters,
): boolean {
  if (subject.propertyId !== null && comp.propertyId !== null) {
    if (subject.propertyId === comp.propertyId) return true;
    if (!isSamePlaceOwn) return false;
  }
  const isPin = subject.propertyId !== null && comp.propertyId === null;
  const { meters, acresShare } = isPin ? ownPin : ownParcel;
  if (kilometers * 1000 > meters) return false;
  // false for NaN
  return Math.abs((comp.acres ?? Number.NaN) - subject.acres) <= acresShare * subject.acres;
}
