/** Sales and mortgages on record. */
import { type Owner, personName } from './owners.ts';
import { priceLevel } from './prices.ts';
import type { Random } from './random.ts';
import { dayMs, gap, hundreds, isoDate, type Values, workday, yearOf } from './record-parts.ts';
import type { LandUse } from './uses.ts';
import type { Building } from './values.ts';
import { firstNames, lenders, surnames } from './words.ts';

/** The last day on which the sample's county recorded anything. */
const lastDay = Date.UTC(2026, 9, 23);

interface Sale {
  readonly time: number;
  /** Null: a transfer without a price. */
  readonly price: number | null;
}

interface Deeds {
  readonly columns: Values;
  readonly last: Sale | null;
}

const noDeeds: Values = {
  last_sale_price: null,
  last_sale_price_code: null,
  last_sale_date: null,
  last_sale_document_type: null,
  last_sale_seller_name: null,
  last_sale_buyer_name: null,
  inter_family_transfer: null,
  prior_sale_price: null,
  prior_sale_date: null,
};

/** The price of land and building at that time, with random luck. */
function priceAt(land: number, building: Building | null, time: number, random: Random): number {
  const year = yearOf(time);
  const built = building && year > building.year ? building.worth : 0;
  const price = (land + built) * priceLevel(year) * Math.exp(0.26 * random.normal());
  return price < 20_000 ? hundreds(price) + 100 : Math.round(price / 500) * 500;
}

export function recordDeeds(owner: Owner, land: number, building: Building | null, random: Random): Deeds {
  const isPublic = owner.kind === 'government';
  if (random.chance(isPublic ? 0.5 : 0.1)) return { columns: noDeeds, last: null };
  // Nothing before 1975 is on record; older purchases move to a later date.
  const years = (0.05 - 12.5 * Math.log(1 - random.next())) % 51;
  const time = workday(lastDay - Math.floor(years * 365.25) * dayMs);
  const family = !isPublic && random.chance(0.15);
  const taxDeed = isPublic && random.chance(0.5);
  const price = family || taxDeed ? null : priceAt(land, building, time, random);
  return {
    last: { time, price },
    columns: {
      last_sale_price: price ?? random.pick([1, 1, 0]),
      last_sale_price_code: gap(random, 0.08, priceCode(price, random)),
      last_sale_date: isoDate(time),
      last_sale_document_type: gap(random, 0.06, deedType(family, taxDeed, random)),
      last_sale_seller_name: gap(random, 0.09, sellerName(owner, family, random)),
      last_sale_buyer_name: gap(random, 0.07, owner.name),
      inter_family_transfer: gap(random, 0.08, family),
      ...priorSale(time, land, building, random),
    },
  };
}

/** Full price, estimated from the stamps, or not a sale at a price. */
const priceCode = (price: number | null, random: Random): string =>
  price === null ? 'N' : random.chance(0.93) ? 'F' : 'E';

/** Relatives usually share the surname. */
function sellerName(owner: Owner, family: boolean, random: Random): string {
  const surname = owner.people[0]?.last ?? owner.name.split(/[ ,]/)[0] ?? random.pick(surnames);
  return personName({ first: random.pick(firstNames), last: family ? surname : random.pick(surnames) });
}

function deedType(family: boolean, taxDeed: boolean, random: Random): string {
  if (taxDeed) return 'TAX DEED';
  if (family)
    return random.weighted([
      ['QUITCLAIM DEED', 6],
      ['TRUSTEE DEED', 2],
      ['WARRANTY DEED', 1],
      ['PROBATE DEED', 1],
    ]);
  return random.weighted([
    ['WARRANTY DEED', 84],
    ['QUITCLAIM DEED', 6],
    ['TRUSTEE DEED', 4],
    ['FIDUCIARY DEED', 3],
    ['FORECLOSURE DEED', 3],
  ]);
}

function priorSale(last: number, land: number, building: Building | null, random: Random): Values {
  const time = workday(last - Math.floor(random.between(0.7, 22) * 365.25) * dayMs);
  if (random.chance(0.5) || yearOf(time) < 1975) return { prior_sale_price: null, prior_sale_date: null };
  const price = random.chance(0.18) ? random.pick([0, 1]) : priceAt(land, building, time, random);
  return { prior_sale_price: random.chance(0.06) ? null : price, prior_sale_date: isoDate(time) };
}

const noMortgage: Values = {
  mortgage_amount: null,
  mortgage_date: null,
  mortgage_lender: null,
  mortgage_financing_type: null,
  mortgage_loan_type: null,
  mortgage_interest_rate: null,
};

/** Usual rates by year; before the table rates were higher than in the sample. */
const rates: readonly (readonly [number, number])[] = [
  [1990, 9],
  [1996, 7.8],
  [2001, 7],
  [2004, 5.8],
  [2008, 6],
  [2012, 3.7],
  [2016, 3.6],
  [2019, 3.9],
  [2020, 3.1],
  [2021, 2.95],
  [2022, 5.2],
  [2023, 6.8],
];

export function recordMortgage(owner: Owner, use: LandUse, last: Sale | null, worth: number, random: Random): Values {
  const likely = use.class === 'E' || owner.kind === 'estate' ? 0 : use.improved ? 0.66 : 0.19;
  if (!random.chance(likely)) return noMortgage;
  const lent = Math.max(
    last?.time ?? 0,
    Date.UTC(1991, 0, 4) + random.next() ** 0.5 * (lastDay - Date.UTC(1991, 0, 4)) * (last ? 0.9 : 1),
  );
  const year = yearOf(lent);
  const usual = rates.findLast(([from]) => from <= year)?.[1] ?? 9;
  const adjustable = random.chance(0.13);
  const rate = Math.min(9, Math.max(2.6, usual + 0.35 * random.normal() - (adjustable ? 0.5 : 0)));
  const bought = last?.time === lent && last.price ? last.price : worth * priceLevel(year);
  const loan =
    use.class === 'R'
      ? random.weighted([
          ['CNV', 66],
          ['FHA', 16],
          ['VA', 9],
          ['USDA', 9],
        ])
      : random.weighted([
          ['CNV', 90],
          ['USDA', 10],
        ]);
  return {
    mortgage_amount: Math.max(2000, Math.round((bought * random.between(0.45, 0.96)) / 500) * 500),
    mortgage_date: isoDate(workday(lent)),
    mortgage_lender: gap(random, 0.04, random.pick(lenders)),
    mortgage_financing_type: gap(random, 0.12, adjustable ? 'ARM' : 'FIX'),
    mortgage_loan_type: gap(random, 0.08, loan),
    mortgage_interest_rate: gap(random, 0.2, Math.round(rate * 8) / 8),
  };
}
