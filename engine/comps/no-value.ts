/** What keeps a parcel from a comp value, as parts of a sentence. */
import type { NoValueParts } from '../spec/no-value-words.ts';
import { valuationParameters } from './valuation-parameters.ts';
import type { NoCompValue } from './value-types.ts';

const { acreageBand, maxAgeDays, ringsKilometers } = valuationParameters;

export function noValueParts({ reason, ringKilometers, nearest }: NoCompValue): NoValueParts {
  if (reason !== 'no_comps') return { reason };
  return {
    reason,
    ring_km: ringKilometers || (ringsKilometers.at(-1) ?? 0),
    nearest: nearest && { km: nearest.distanceKilometers, reason: nearest.reason },
    most_years: Math.round(maxAgeDays / 365.25),
    most_times: acreageBand,
  };
}
