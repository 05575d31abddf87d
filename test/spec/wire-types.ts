/**
 * A misspelling costs a script nothing, because it does not compile. The compiler checks this file (`npm run check`): each
 * expected error that does not come is an error.
 */
import type { Engine, FilterFields, OutputOf, ParcelOrdering } from '../../engine/index.ts';

type Detail = OutputOf<'get_property'>;

/** Never run: compiled alone. */
export async function misspelt(engine: Engine, parcel: Detail): Promise<unknown[]> {
  // @ts-expect-error acers
  await engine.call('filter_properties', { county: '99001', acers_min: 5 });
  // @ts-expect-error a number as text
  await engine.call('filter_properties', { county: '99001', acres_min: '5' });
  // @ts-expect-error no such column
  await engine.call('filter_properties', { county: '99001', ordering: '-acers' });
  // @ts-expect-error no such field
  await engine.call('get_property', { ids: 1 });
  // @ts-expect-error market_total_valeu
  const value = parcel.market_total_valeu;
  // @ts-expect-error a text, not a number
  const owner: number | null = parcel.owner_name;
  return [value, owner];
}

/** Compiles, and says what each is. */
export const wellSpelt = (parcel: Detail): [number, number | null, string | null, boolean | null] => [
  parcel.property_id,
  parcel.acres,
  parcel.last_sale_date,
  parcel.owner_out_of_state,
];

/** A filter and an ordering that compile. */
export const filter: FilterFields = { county: 33019, vacant_only: true, zips_include: ['03280'] };
export const ordering: ParcelOrdering = '-acres';
