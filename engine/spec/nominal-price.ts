/** Prices that are none. */

/** Lower prices are tokens of a gift: deeds name $1, $10, $100 and "$10 and other consideration". */
export const leastPrice = 1000;
/** No acre of US land sells at arm's length for less; the poorest desert and swamp fetch more. */
export const leastPricePerAcre = 50;
/** Unknown acres do not speak against a price. */
export const isNominal = (price: number, acres: number | null): boolean =>
  price < leastPrice || (acres !== null && acres > 0 && price / acres < leastPricePerAcre);
