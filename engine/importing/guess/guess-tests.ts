/** Tests whether a column's values fit its name, and raises or lowers the confidence. */
import { parcelColumnsByName } from '../../spec/parcel-columns.ts';
import { type Agreement, type ColumnFacts, datedShare } from './guess-facts.ts';

interface TestContext {
  readonly facts: ColumnFacts;
  /** Agreement with the areas of the shapes; null if there is nothing to compare. */
  readonly agreement: Agreement | null;
  /** Two-letter state of the county, if known. */
  readonly state: string | null;
}

interface Verdict {
  /** Multiplies the name's score; 0: impossible. */
  readonly factor: number;
  /** The finding, in words. */
  readonly reason: string;
}

type Test = (context: TestContext) => Verdict;

const percent = (share: number): string => `${share >= 0.995 && share < 1 ? '99' : Math.round(share * 100)} %`;
const no = (reason: string): Verdict => ({ factor: 0, reason });
const brief = (number: number): string =>
  number >= 100 ? Math.round(number).toLocaleString('en-US') : String(Number(number.toPrecision(3)));
const numbersFrom = ({ min, max }: ColumnFacts): string =>
  Number.isNaN(min) ? 'nothing but zeros' : `numbers from ${brief(min)} to ${brief(max)}`;

const money: Test = ({ facts }) => {
  if (facts.numbers < 0.95) return no(`only ${percent(facts.numbers)} are numbers`);
  if (Number.isNaN(facts.median)) return { factor: 0.9, reason: 'nothing but zeros' };
  if (facts.max < 100) return { factor: 0.5, reason: `${numbersFrom(facts)}, small for money` };
  return { factor: 1, reason: numbersFrom(facts) };
};

const smallMoney: Test = (context) => {
  const verdict = money(context);
  return verdict.factor === 0.5 && context.facts.max >= 1 ? { ...verdict, factor: 0.9 } : verdict;
};

/** Areas in any unit; the agreement decides the unit itself. */
const acres: Test = ({ facts, agreement }) => {
  if (facts.numbers < 0.9) return no(`only ${percent(facts.numbers)} are numbers`);
  const seen = numbersFrom(facts);
  if (agreement === null) return { factor: 0.95, reason: `${seen}; no shapes to compare with` };
  const agrees = `${seen}, agree with the mapped area as ${agreement.unit} within 3 % on ${percent(agreement.share)} of rows`;
  if (agreement.share >= 0.5) return { factor: agreement.isComputed ? 0.97 : 1, reason: agrees };
  return { factor: agreement.share >= 0.2 ? 0.88 : 0.7, reason: agrees };
};

const apn: Test = ({ facts }) => {
  const filled = facts.filled / Math.max(facts.rows, 1);
  const unique = facts.distinct / Math.max(facts.filled, 1);
  if (facts.isRowNumber) return no('counts the rows: 1, 2, 3 …');
  if (filled < 0.5) return no(`empty on ${percent(1 - filled)} of rows`);
  if (facts.identifiers < 0.9) return no(`only ${percent(facts.identifiers)} look like parcel numbers`);
  const seen = `${percent(unique)} different, filled on ${percent(filled)} of rows`;
  if (unique < 0.7) return { factor: 0.5, reason: seen };
  return { factor: unique >= 0.9 && filled >= 0.9 ? 1 : 0.93, reason: seen };
};

const identifier: Test = ({ facts }) =>
  facts.isRowNumber || facts.identifiers < 0.8
    ? no('no identifiers')
    : { factor: 1, reason: `${facts.distinct.toLocaleString('en-US')} different` };

const date: Test = ({ facts }) => {
  const share = datedShare(facts);
  if (share >= 0.95) return { factor: 1, reason: facts.dateFormat ? `dates as ${facts.dateFormat}` : 'dates' };
  return no(`only ${percent(share)} are dates`);
};

const year: Test = ({ facts }) =>
  facts.years >= 0.95 ? { factor: 1, reason: `years from ${facts.min} to ${facts.max}` } : no('not years');

const zip: Test = ({ facts }) => {
  if (facts.zips >= 0.9) return { factor: 1, reason: `${percent(facts.zips)} are ZIP codes` };
  // Spreadsheets drop leading zeros; a few foreign codes may be longer.
  if (facts.numbers >= 0.95 && facts.median < 100_000 && facts.median >= 500) {
    return { factor: 0.95, reason: 'numbers of up to five digits' };
  }
  return facts.zips >= 0.6
    ? { factor: 0.9, reason: `${percent(facts.zips)} are ZIP codes` }
    : no(`only ${percent(facts.zips)} are ZIP codes`);
};

const state: Test = ({ facts }) =>
  facts.states >= 0.9
    ? { factor: 1, reason: `${percent(facts.states)} are states` }
    : facts.states >= 0.7
      ? { factor: 0.93, reason: `${percent(facts.states)} are states` }
      : no(`only ${percent(facts.states)} are states`);

/** The parcel lies in its county's state. */
const situsState: Test = (context) => {
  const verdict = state(context);
  if (verdict.factor === 0 || context.state === null) return verdict;
  const own = (context.facts.statesFound.get(context.state) ?? 0) / Math.max(context.facts.filled, 1);
  return own >= 0.95
    ? { factor: 1, reason: `always ${context.state}` }
    : no(`only ${percent(own)} are ${context.state}`);
};

const city: Test = ({ facts }) => {
  if (facts.withDigits > 0.1 || facts.meanLength < 3) return no('not like city names');
  if (facts.distinct === 1) return { factor: 0.93, reason: 'always the same' };
  return { factor: 1, reason: `${facts.distinct.toLocaleString('en-US')} different, without digits` };
};

const address: Test = ({ facts }) => {
  if (facts.wholeLines >= 0.5) return { factor: 0.8, reason: 'whole addresses with city, state and ZIP' };
  if (facts.streets >= 0.6) return { factor: 1, reason: `${percent(facts.streets)} look like addresses` };
  if (facts.streets >= 0.3 && facts.withSpaces >= 0.5) {
    return { factor: 0.93, reason: `${percent(facts.streets)} look like addresses` };
  }
  return no(`only ${percent(facts.streets)} look like addresses`);
};

const person: Test = ({ facts }) => {
  if (facts.numbers > 0.1 || facts.withDigits > 0.4 || facts.meanLength < 4) return no('not like names');
  if (facts.distinct === 1 && facts.filled > 20) return { factor: 0.6, reason: 'always the same' };
  return facts.withSpaces >= 0.5
    ? { factor: 1, reason: `${facts.distinct.toLocaleString('en-US')} different names` }
    : { factor: 0.85, reason: 'single words' };
};

const words: Test = ({ facts }) =>
  facts.numbers >= 0.5 || facts.meanLength < 3
    ? no('numbers or short codes')
    : { factor: 1, reason: `${facts.distinct.toLocaleString('en-US')} different texts` };

/** Values are codes if they repeat; amounts hardly do, apart from 0. */
const leastAmounts = 10;
const differingAmounts = 0.3;
const largestCode = 99_999;

const isMoney = ({ numbers, integers, zeros, filled, distinct, max }: ColumnFacts): boolean => {
  const amounts = Math.round(filled * (1 - zeros));
  const differing = distinct - (zeros > 0 ? 1 : 0);
  if (numbers < 0.95 || amounts < leastAmounts) return false;
  const isVaried = differing > differingAmounts * amounts && (differing > 60 || max > largestCode);
  return integers < 0.9 || isVaried || (amounts >= 20 && differing > 0.8 * amounts && max > 9999);
};

const code: Test = ({ facts }) => {
  if (isMoney(facts)) return no(`${numbersFrom(facts)}, hardly two the same: amounts, not codes`);
  if (facts.yesNo >= 0.98 && facts.numbers < 0.5) return no('yes or no, not codes');
  return facts.meanLength > 14 || facts.distinct > Math.max(60, facts.filled * 0.5)
    ? { factor: 0.6, reason: 'too long or varied for codes' }
    : { factor: 1, reason: `${facts.distinct.toLocaleString('en-US')} different codes` };
};

/** A class may be a code or its description. */
const kind: Test = ({ facts }) =>
  facts.distinct <= Math.max(60, facts.filled * 0.05)
    ? { factor: 1, reason: `${facts.distinct.toLocaleString('en-US')} different` }
    : { factor: 0.6, reason: 'too many distinct values for classes' };

/** A use code, if another column may hold its description. */
const useCode: Test = (context) =>
  context.facts.meanLength > 6 && context.facts.numbers < 0.5 ? no('words, not codes') : code(context);
const useWords: Test = ({ facts }) =>
  facts.meanLength <= 6 || facts.numbers >= 0.5
    ? no('codes, not words')
    : { factor: 1, reason: `${facts.distinct.toLocaleString('en-US')} different uses` };

const yesNo: Test = ({ facts }) =>
  facts.yesNo >= 0.98 && facts.distinct <= 4 ? { factor: 1, reason: 'yes or no' } : no('neither yes nor no');

const count: Test = ({ facts }) =>
  facts.integers >= 0.98 && !(facts.max > 500)
    ? { factor: 1, reason: `whole ${numbersFrom(facts)}` }
    : no('not small whole numbers');

const measure: Test = ({ facts }) =>
  facts.numbers >= 0.95 && !(facts.median < 50)
    ? { factor: 1, reason: numbersFrom(facts) }
    : no('not square feet of a building');

const tests: Readonly<Record<string, Test>> = {
  apn,
  tax_account_number: identifier,
  old_apn: identifier,
  property_class_id: kind,
  acres,
  situs_address: address,
  situs_city: city,
  situs_state: situsState,
  situs_zip: zip,
  subdivision: words,
  legal_description: words,
  school_district: words,
  land_use_code: useCode,
  land_use_description: useWords,
  zoning: code,
  owner_name: person,
  owner_name_2: person,
  owner_occupied: yesNo,
  mailing_address: address,
  mailing_city: city,
  mailing_state: state,
  mailing_zip: zip,
  assessed_year: year,
  market_year: year,
  tax_amount: smallMoney,
  tax_year: year,
  tax_delinquent_year: year,
  last_sale_date: date,
  last_sale_price_code: code,
  last_sale_document_type: code,
  last_sale_seller_name: person,
  last_sale_buyer_name: person,
  prior_sale_date: date,
  mortgage_date: date,
  mortgage_lender: person,
  structure_count: count,
  building_sqft: measure,
  year_built: year,
  flood_zone_type: code,
};

const mostlyDollars = 0.5;
/** Fewer values than this prove little. */
const leastFilled = 5;

/** @param target a column of the dictionary */
export function testValues(target: string, context: TestContext): Verdict {
  const { filled } = context.facts;
  if (filled === 0) return no('empty on the rows that were read');
  if (context.facts.dollars >= mostlyDollars && parcelColumnsByName.get(target)?.type === 'text')
    return no('amounts in dollars');
  const verdict = (tests[target] ?? money)(context);
  if (filled >= leastFilled) return verdict;
  return { factor: verdict.factor * 0.85, reason: `${verdict.reason} (only ${filled} values)` };
}
