/** Why a parcel has no comp value, in words. The API says kilometers, the window miles. */
export type NoValueParts =
  | { readonly reason: 'no_acres' | 'no_point' }
  | {
      readonly reason: 'no_comps';
      /** The last ring that was searched. */
      readonly ring_km: number;
      /** The nearest comp of another parcel; null without any. `reason` is why it cannot speak for the parcel. */
      readonly nearest: { readonly km: number; readonly reason: string } | null;
      readonly most_years: number;
      readonly most_times: number;
    };

/** @param distance `8.5 km` of 8.5; `isRound` of a ring, which is a whole number */
export function noValueSentence(
  parts: NoValueParts,
  distance: (kilometers: number, isRound: boolean) => string,
): string {
  if (parts.reason !== 'no_comps')
    return parts.reason === 'no_acres'
      ? 'The parcel has neither recorded nor mapped acres, so it cannot be compared.'
      : 'The parcel has no place on the map, so nothing is near it.';
  const { ring_km: ring, nearest, most_years: years, most_times: times } = parts;
  const where = `No relevant comps within ${distance(ring, true)}`;
  if (nearest === null) return `${where}.`;
  const misfits: Readonly<Record<string, string>> = {
    no_price: 'has no price',
    no_lot_size: 'has no acres',
    later_than_value_date: 'is later than the day of the value',
    no_date: 'has no date',
    too_old: `is more than ${years} years old`,
    outside_acreage_band: `is more than ${times} times larger or smaller`,
  };
  const away = `${distance(nearest.km, false)} away`;
  const misfit = misfits[nearest.reason];
  return misfit ? `${where}; the nearest, ${away}, ${misfit}.` : `${where}; the nearest is ${away}.`;
}
