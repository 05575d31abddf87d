/** Input and output of the comp value: comps and subject in, numbers with their derivation out. */
import type { StruckBy, StruckCounts } from '../spec/suspect-rules.ts';
import type { Pooling } from '../spec/value-terms.ts';
import type { CountyValue, ValueWarning } from '../spec/value-warnings.ts';

/** Attributes of land beyond size, place and time (docs/valuation.md, "Attributes"). Null or absent: unknown. */
export interface ValueAttributes {
  /** Shares of the area, 0 to 1. */
  readonly wetlandsShare?: number | null;
  readonly floodShare?: number | null;
  /** Share steeper than the buildable class. */
  readonly steepShare?: number | null;
  readonly landlocked?: boolean | number | null;
  readonly roadFrontageFeet?: number | null;
  readonly waterFrontageFeet?: number | null;
}

/** A sale or a listing of land. */
export interface ValueComp {
  /** Unique; ties in distance and similarity go to the smaller id (by code units). */
  readonly id: string;
  /** US dollars: the sale's price, or the ask. */
  readonly price: number | null;
  readonly acres: number | null;
  /** Degrees, WGS84. */
  readonly longitude: number;
  readonly latitude: number;
  readonly status: 'SOLD' | 'PENDING' | 'ACTIVE';
  /** Days since 1970-01-01: sold date, for PENDING and ACTIVE the listing or as-of date. */
  readonly date: number | null;
  /** Zoning or land-use class. */
  readonly use: string | null;
  readonly propertyId: number | null;
  readonly apn?: string;
  readonly address?: string;
  readonly attributes: ValueAttributes;
  /** The county's own value of its parcel's land, US dollars. */
  readonly countyLandValue?: number | null;
  /** `zip`: the point of its ZIP code. */
  readonly coordinateGrain?: 'parcel' | 'zip';
  /** Names the sale where the place does not: `recordOf` in same-sale.ts. */
  readonly record?: string | null;
  /** What strikes it out of every value; null or absent: nothing. */
  readonly struck?: StruckBy | null;
  /** By hand: used if it is a candidate, however unlike the others. */
  readonly isPinned?: boolean;
}

/** The parcel to be valued, as of a date. */
export interface ValueSubject {
  readonly propertyId: number | null;
  /** Recorded acres, else calculated ones. */
  readonly acres: number | null;
  readonly longitude: number | null;
  readonly latitude: number | null;
  /** Days since 1970-01-01: the value is as of this day, and nothing later counts. */
  readonly date: number;
  readonly use: string | null;
  readonly attributes: ValueAttributes;
  /** The county's own value of the land, US dollars: shown beside the value, never used. */
  readonly countyLandValue?: number | null;
  readonly isPublic?: boolean;
  readonly isExempt?: boolean;
  /** A value as of a past date: comps without a date, which may be later, do not count, nor does a model that saw later ones. */
  readonly isPast?: boolean;
}

/** Natural logarithms added to ln(price per acre) of a comp, by cause. */
export interface ValueAdjustments {
  readonly size: number;
  readonly time: number;
  readonly place: number;
  /** Zoning or land use; by the market model alone, like the next. */
  readonly use: number;
  /** What size, place and use leave over of the sales around. */
  readonly neighbours: number;
  /** An ask against a sale. */
  readonly ask: number;
  readonly attributes: number;
  /** The same for every comp: pools few comps toward the local market model. */
  readonly pooling: number;
  /** The same for every comp: the known error of values here (docs/valuation.md, "Level"). */
  readonly level: number;
}

export type AdjustmentCause = keyof ValueAdjustments;

/** A comp used for the value. adjustedPricePerAcre = pricePerAcre × the product of `factors`. */
export interface UsedComp {
  readonly comp: ValueComp;
  readonly price: number;
  readonly acres: number;
  readonly pricePerAcre: number;
  readonly distanceKilometers: number;
  /** 0 for a comp like the subject in place, size, time and use. */
  readonly dissimilarity: number;
  /** Share of the value: the weights of all used comps sum to 1. */
  readonly weight: number;
  readonly adjustments: ValueAdjustments;
  /** e to the power of each adjustment. */
  readonly factors: ValueAdjustments;
  /**
   * The adjustments of size, time trend, place, ask and attributes were scaled down to the limit of `maxAdjustment`.
   */
  readonly isLimited: boolean;
  readonly adjustedPricePerAcre: number;
  /** For the subject's acres. */
  readonly adjustedPrice: number;
}

export type LeftOutReason =
  | 'own_parcel'
  | 'struck'
  | 'same_sale'
  | 'no_price'
  | 'no_lot_size'
  | 'later_than_value_date'
  | 'no_date'
  | 'too_old'
  | 'outside_acreage_band'
  | 'beyond_ring'
  | 'not_among_most_similar'
  | 'outlier';

/** A comp that was not used. */
export interface LeftOutComp {
  readonly comp: ValueComp;
  readonly reason: LeftOutReason;
  readonly distanceKilometers: number;
  /** Set for an outlier, which still counts for the spread of the value. */
  readonly outlier?: {
    /** Distance of its adjusted price per acre from the middle, in robust spreads. */
    readonly spreads: number;
    readonly adjustedPricePerAcre: number;
    /** On the scale of the used comps' weights, in addition to their sum of 1. */
    readonly weight: number;
  };
}

export interface LeftOut {
  readonly counts: Readonly<Record<LeftOutReason, number>>;
  /** Those struck out within the ring, by what struck them. */
  readonly struck: StruckCounts;
  /** A few of the nearest for each reason; all outliers; none beyond the ring. Nearest first. */
  readonly examples: readonly LeftOutComp[];
}

/** The local market model (docs/valuation.md, "Adjustment fit"). */
export interface ValueCoefficients {
  /** c0: ln(price per acre) of the subject by the model. */
  readonly level: number;
  readonly size: number;
  readonly sizeSquared: number;
  /** Per year, beyond the regional time index. */
  readonly year: number;
  /** Per h eastward and northward. */
  readonly east: number;
  readonly north: number;
  /** Null: the fit set holds only sales, or no sales. */
  readonly ask: number | null;
  /** By attribute, if known for the subject and some comp. */
  readonly attributes: Readonly<Partial<Record<keyof ValueAttributes, number>>>;
}

/** sigma² and its components (docs/valuation.md, "Confidence"). */
export interface ValueUncertainty {
  /** Forecast standard deviation of ln(value / price). */
  readonly sigma: number;
  readonly spread: number;
  readonly adjustmentSize: number;
  readonly sizeDifference: number;
  readonly dissimilarity: number;
  readonly unknownAttributes: number;
  readonly coordinateGrain: number;
  /** How far the two opinions lie apart; 0 for one. */
  readonly disagreement: number;
  /** How far comps lie off, by the market's measure. */
  readonly remoteness: number;
  /** How long ago the newest comp is. */
  readonly staleness: number;
  /** sigma is the root of the parts' sum times this: how wide the errors of values here were. */
  readonly calibration: number;
  /** (sum w)² / sum w² of the used comps. */
  readonly effectiveCount: number;
  /**
   * A comp beyond these adjusted prices per acre is an outlier, and counts for the spread as if it lay on the limit.
   */
  readonly outlierLimits: { readonly low: number; readonly high: number } | null;
}

/** The six numbers of `get_property_ai_comp_value`, US dollars and 0 to 100. */
interface CompValueNumbers {
  readonly mean_price: number;
  readonly mean_ppa: number;
  readonly mean_adjusted_price: number;
  readonly mean_adjusted_ppa: number;
  readonly confidence_score: number;
  readonly gini_index: number;
}

export interface CompValueExplanation {
  readonly value: CompValueNumbers;
  /** exp(ln value ± sigma): contains about two sales in three. */
  readonly valueRange: { readonly low: number; readonly high: number };
  /** A value from a single comp always has low confidence. */
  readonly isLowConfidence: boolean;
  /** Heaviest first. */
  readonly used: readonly UsedComp[];
  readonly leftOut: LeftOut;
  readonly candidateCount: number;
  readonly ringKilometers: number;
  /** `h`, the yardstick of distance. */
  readonly nearKilometers: number;
  /** Age of the newest candidate, by the day of the value; null: none is dated. */
  readonly newestYears: number | null;
  /** False: the newest comp is older than any with which offers have held. */
  readonly canOffer: boolean;
  /** Null: the county has no value of the land. */
  readonly county: CountyValue | null;
  /** To be read first. */
  readonly warnings: readonly ValueWarning[];
  readonly pooling: Pooling;
  readonly coefficients: ValueCoefficients;
  /** Whether the regional time index had enough dated comps. */
  readonly hasTimeIndex: boolean;
  readonly uncertainty: ValueUncertainty;
  /** The subject's own sales and listings, newest first: shown beside the value, never used in it. */
  readonly ownListings: readonly ValueComp[];
  /** Null: the value of the comps alone, without a model of the market. */
  readonly market: MarketPart | null;
}

/** What the model of the market adds to a value (docs/valuation.md, "Two opinions"). US dollars. */
export interface MarketPart {
  /** ISO time of the model's training; null if it was not stored. */
  readonly trainedAt: string | null;
  /** Comps that the model sees. */
  readonly compCount: number;
  /** The value by the comps alone, and by the comps as the model adjusts them; both before the level. */
  readonly localPrice: number;
  readonly modelPrice: number;
  /** Share of the model's opinion, in logarithms: a half, less where comps are far. */
  readonly share: number;
  /** Factor for the known error of values here, and how many sales tell it. */
  readonly level: number;
  readonly levelSales: number;
  /** False: the model was trained, but its errors are not known yet. */
  readonly isTested: boolean;
}

export interface NoCompValue {
  readonly value: null;
  readonly reason: 'no_acres' | 'no_point' | 'no_comps';
  /** The last ring searched. */
  readonly ringKilometers: number;
  /** The nearest comp of another parcel, whatever disqualifies it. Null without comps or point. */
  readonly nearest: LeftOutComp | null;
  readonly leftOut: LeftOut;
  readonly ownListings: readonly ValueComp[];
}
