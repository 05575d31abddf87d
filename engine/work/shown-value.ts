/**
 * A comp value as the app shows and stores it: every number of the table, so that its rows recompute, without what no
 * screen shows. A few kilobytes, while the whole derivation takes ten times that.
 */
import type { Engine } from '../engine.ts';
import { type ErrorPart, errorShares } from '../spec/value-terms.ts';
import type { ToldValue } from '../value-explained.ts';

type Explanation = ToldValue['explanation'];
type Used = Explanation['used'][number];
type LeftOut = Explanation['leftOut']['examples'][number];
type OwnListing = Explanation['ownListings'][number];

/** Facts of every comp on the page, used or not. */
interface ShownComp {
  readonly id: string;
  readonly property_id: number | null;
  readonly apn: string;
  readonly address: string;
  readonly status: 'SOLD' | 'PENDING' | 'ACTIVE';
  /** ISO day of the sale, or the day the listing was last seen. */
  readonly date: string | null;
  readonly price: number | null;
  readonly acres: number | null;
  readonly longitude: number;
  readonly latitude: number;
  /** Zoning or land use. Missing in values stored before method 4. */
  readonly use?: string | null;
}

interface ShownUsedComp extends ShownComp {
  readonly price: number;
  readonly acres: number;
  readonly distance_km: number;
  /** Share of the value: the weights of all used comps sum to 1. */
  readonly weight: number;
  readonly price_per_acre: number;
  /** price_per_acre × all of them = adjusted_price_per_acre. */
  readonly factors: Used['factors'];
  readonly adjusted_price_per_acre: number;
}

interface ShownLeftOutComp extends ShownComp {
  readonly reason: LeftOut['reason'];
  readonly distance_km: number;
  /** For an outlier: the distance of its adjusted price per acre from the middle, in robust spreads. */
  readonly spreads: number | null;
  /** For an outlier: whether it lies above the middle. */
  readonly is_above: boolean;
}

export interface ShownValue {
  /** The six numbers of `get_property_ai_comp_value`. */
  readonly numbers: Explanation['value'];
  readonly range: { readonly low: number; readonly high: number };
  readonly is_low_confidence: boolean;
  /** The parcel's acres behind the value, and whether the county recorded them or the map gave them. */
  readonly acres: number;
  readonly acres_are: 'recorded' | 'mapped';
  readonly used: readonly ShownUsedComp[];
  readonly left_out: {
    readonly counts: Explanation['leftOut']['counts'];
    /** All outliers and own sales, and the nearest for each other reason. */
    readonly comps: readonly ShownLeftOutComp[];
  };
  /** Comps within the ring, used or not. */
  readonly seen: number;
  readonly ring_km: number;
  /** The parcel's own sales and listings, newest first: shown, never used. */
  readonly own: readonly ShownComp[];
  /** "Tested on 132 sales here: half within 33 %, …". */
  readonly tested: string;
  /** The rest is missing in values stored before method 4. */
  readonly method?: ToldValue['method'];
  readonly use?: string | null;
  /** ISO day for which it holds. */
  readonly valued_on?: string | null;
  readonly opinions?: ToldValue['opinions'];
  /** Parts of the error as shares of sigma², greatest first. */
  readonly error_shares?: readonly { readonly part: ErrorPart; readonly share: number }[];
  readonly offers?: ToldValue['offers'];
  readonly test?: ToldValue['test'];
  /** The rest is missing in values stored before method 5. */
  readonly county?: Explanation['county'];
  readonly warnings?: Explanation['warnings'];
  /** Missing in values stored before method 7. */
  readonly pooling?: Explanation['pooling'];
}

const millisecondsPerDay = 86_400_000;
const isoDay = (day: number | null): string | null =>
  day === null ? null : new Date(day * millisecondsPerDay).toISOString().slice(0, 10);

const shownComp = (comp: OwnListing): ShownComp => ({
  id: comp.id,
  property_id: comp.propertyId,
  apn: comp.apn ?? '',
  address: comp.address ?? '',
  status: comp.status,
  date: isoDay(comp.date),
  price: comp.price,
  acres: comp.acres,
  longitude: comp.longitude,
  latitude: comp.latitude,
  use: comp.use,
});

const shownUsed = (used: Used): ShownUsedComp => ({
  ...shownComp(used.comp),
  price: used.price,
  acres: used.acres,
  distance_km: used.distanceKilometers,
  weight: used.weight,
  price_per_acre: used.pricePerAcre,
  factors: used.factors,
  adjusted_price_per_acre: used.adjustedPricePerAcre,
});

const shownLeftOut = ({ comp, reason, distanceKilometers, outlier }: LeftOut, middle: number): ShownLeftOutComp => ({
  ...shownComp(comp),
  reason,
  distance_km: distanceKilometers,
  spreads: outlier?.spreads ?? null,
  is_above: (outlier?.adjustedPricePerAcre ?? 0) > middle,
});

/** All reasons specific to a comp; of the many with a shared reason, the nearest. */
function toldApart(examples: readonly LeftOut[]): LeftOut[] {
  const seen = new Set<string>();
  return examples.filter(({ reason }) => {
    const isFirst = !seen.has(reason);
    seen.add(reason);
    return isFirst || reason === 'outlier' || reason === 'own_parcel';
  });
}

export function shownValue(engine: Engine, propertyId: number, explained: ToldValue): ShownValue {
  const { explanation, tested, method, subject, opinions, offers, test } = explained;
  const { value, valueRange, leftOut, candidateCount } = explanation;
  const recorded = engine.land.file.get<{ acres: number | null }>(
    'SELECT acres FROM parcels WHERE property_id = ?',
    propertyId,
  )?.acres;
  // A candidate is used, an outlier, or not among the most similar; other reasons exclude a comp earlier.
  const { outlier: _outlier, not_among_most_similar: _less, beyond_ring: _beyond, ...refused } = leftOut.counts;
  return {
    numbers: value,
    range: valueRange,
    is_low_confidence: explanation.isLowConfidence,
    acres: value.mean_adjusted_price / value.mean_adjusted_ppa,
    acres_are: (recorded ?? 0) > 0 ? 'recorded' : 'mapped',
    used: explanation.used.map(shownUsed),
    left_out: {
      counts: leftOut.counts,
      comps: toldApart(leftOut.examples).map((each) => shownLeftOut(each, value.mean_adjusted_ppa)),
    },
    seen: candidateCount + Object.values(refused).reduce((sum, count) => sum + count, 0),
    ring_km: explanation.ringKilometers,
    own: explanation.ownListings.map(shownComp),
    tested,
    method,
    use: subject.use,
    valued_on: isoDay(subject.date),
    opinions,
    error_shares: errorShares(explanation.uncertainty),
    offers,
    test,
    county: explanation.county,
    warnings: explanation.warnings,
    pooling: explanation.pooling,
  };
}
