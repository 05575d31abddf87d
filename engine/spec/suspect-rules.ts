/** Why a sale is suspect, in the words of every screen; and which of the rules strike a sale out by themselves. */
import { counted } from './counted.ts';
import { leastPrice, leastPricePerAcre } from './nominal-price.ts';

/** Against the third dearest or third cheapest of the neighbours of like size, adjusted to the sale's own. */
export const beyondNeighbours = { strikes: 10, lists: 3 } as const;
/** Against the acres of its parcel. */
export const acresTimes = 2;

export interface SuspectRule {
  readonly words: string;
  /** False: it is listed, and counts until it is struck by hand. */
  readonly strikes: boolean;
}

/** Most telling first. */
export const suspectRules = {
  several_parcels: { words: 'one deed of several parcels, one price for all', strikes: true },
  future_date: { words: 'sold after today', strikes: true },
  nominal_price: { words: `below $${leastPrice}, or below $${leastPricePerAcre} an acre`, strikes: true },
  exempt_party: {
    words: 'a government, a church, a bank, a family or one owner on both sides, or a forced deed',
    strikes: true,
  },
  house: { words: 'a house older than the sale stands there', strikes: true },
  far_beyond: {
    words: `an acre over ${beyondNeighbours.strikes} times dearer or cheaper than at all neighbours but two`,
    strikes: true,
  },
  beyond: {
    words: `an acre over ${beyondNeighbours.lists} times dearer or cheaper than at all neighbours but two`,
    strikes: false,
  },
  maybe_house: { words: 'a building stands there, its year unknown', strikes: false },
  acres_differ: { words: `over ${acresTimes} times more or fewer acres than its parcel`, strikes: false },
} as const satisfies Record<string, SuspectRule>;

export type SuspectRuleName = keyof typeof suspectRules;
export const suspectRuleNames = Object.keys(suspectRules) as SuspectRuleName[];

/** What strikes a sale out: a rule that does so by itself, or the user. */
export type StruckBy = SuspectRuleName | 'hand';
export const struckBys: readonly StruckBy[] = ['hand', ...suspectRuleNames];

export const saleVerdicts = ['keep', 'strike'] as const;
export type SaleVerdict = (typeof saleVerdicts)[number];

export type StruckCounts = Readonly<Partial<Record<StruckBy, number>>>;

export const struckWords = (by: StruckBy): string => (by === 'hand' ? 'by hand' : suspectRules[by].words);

export const struckTotal = (counts: StruckCounts): number => struckBys.reduce((sum, by) => sum + (counts[by] ?? 0), 0);

/** `3 sales are struck out (2: sold after today; 1: by hand)`. */
export function struckSentence(counts: StruckCounts): string {
  const total = struckTotal(counts);
  const parts = struckBys.flatMap((by) => (counts[by] ? [`${counts[by]}: ${struckWords(by)}`] : []));
  return `${counted(total, 'sale is', 'sales are')} struck out (${parts.join('; ')})`;
}
