/** The stored value of a parcel, and the priced press for a new one. */
import type { OutputOf } from '../../engine/operations/index.ts';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { useRead } from '../state/client-context.tsx';
import { type PricedCall, usePrice, usePricedCall } from '../state/priced-call.ts';
import { paidKeys } from '../work/paid-reads.ts';

type StoredValue = NonNullable<ReadOutputOf<'stored_value'>['stored']>;

export function useValue(propertyId: number): {
  readonly stored: StoredValue | null;
  readonly query: ReturnType<typeof useRead<'stored_value'>>;
  readonly call: PricedCall<OutputOf<'get_property_ai_comp_value'>>;
  readonly price: number | null;
} {
  const input = { id: propertyId };
  const query = useRead('stored_value', input, { isLasting: true });
  const call = usePricedCall('get_property_ai_comp_value', input, paidKeys);
  return { stored: query.data?.stored ?? null, query, call, price: usePrice('get_property_ai_comp_value') };
}
