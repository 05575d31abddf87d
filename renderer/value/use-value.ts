/** The stored value of a parcel, and the priced press for a new one. */
import type { OutputOf } from '../../engine/operations/index.ts';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { compsView } from '../comps/comps-state.ts';
import { useRead } from '../state/client-context.tsx';
import { type PricedCall, usePrice, usePricedCall } from '../state/priced-call.ts';
import { useStore } from '../state/store.ts';
import { paidKeys } from '../work/paid-reads.ts';

type StoredValue = NonNullable<ReadOutputOf<'stored_value'>['stored']>;

export function useValue(propertyId: number): {
  readonly stored: StoredValue | null;
  readonly query: ReturnType<typeof useRead<'stored_value'>>;
  readonly call: PricedCall<OutputOf<'get_property_ai_comp_value'>>;
  readonly price: number | null;
  readonly asOf: string | undefined;
} {
  const asOf = useStore(compsView).asOf[propertyId];
  const input = { id: propertyId, ...(asOf !== undefined && { as_of: asOf }) };
  const query = useRead('stored_value', { id: propertyId }, { isLasting: true });
  const call = usePricedCall('get_property_ai_comp_value', input, paidKeys);
  return { stored: query.data?.stored ?? null, query, call, price: usePrice('get_property_ai_comp_value'), asOf };
}
