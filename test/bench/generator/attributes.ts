/** The columns of one parcel, at the rates and spreads of a county's roll; leaves derived values to the importer. */
import type { Random } from '../../sample-maker/random.ts';
import type { Extent, Lot } from './fabric.ts';
import { type Owner, ownerOf } from './owners.ts';
import type { Vocabulary } from './words.ts';

/** Cells to a side that hold one ZIP each: 169 of them. */
export const zipGrid = 13;
/** Kansas: 66002 to 67954. */
const firstZip = 66_002;

export interface CountyFrame {
  readonly extent: Extent;
  /** Number of the county of a run: its ZIPs are its own. */
  readonly number: number;
  readonly words: Vocabulary;
}

type Value = string | number | boolean | null | readonly number[];

const zoningCodes = ['R-1', 'AG', 'R-2', 'A-2', 'RR-5', 'C-1', 'PUD', 'FR', 'C-2', 'I-1', 'RS', 'MH', 'CON', 'OS'];
const landUses = ['SINGLE FAMILY', 'VACANT LAND', 'CROPLAND', 'PASTURE', 'MOBILE HOME', 'DUPLEX', 'RETAIL', 'TIMBER'];
const streets = ['MAIN ST', 'COUNTY RD', 'OAK ST', 'HWY 24', 'PRAIRIE LN', 'MILL RD', 'ELM AVE', '2ND ST', 'RIVER RD'];
const states = ['OH', 'MO', 'NE', 'OK', 'CO', 'TX', 'CA', 'FL', 'IL', 'AZ'];
const deeds = ['WD', 'QCD', 'SWD', 'TD', 'PR', 'SD'];
const priceCodes = ['F', 'E', 'N', 'U'];
const lenders = ['FIRST STATE BANK', 'PRAIRIE CREDIT UNION', 'FARM CREDIT', 'HOMETOWN MORTGAGE', 'PLAINS BANK'];
const zones = ['A', 'AE', 'AH', 'AO'];

/** Skewed towards the first of the list. */
const skewed = <T>(list: readonly T[], random: Random): T => list[Math.floor(random.next() ** 2.2 * list.length)] as T;
const known = <T>(random: Random, share: number, value: T): T | null => (random.next() < share ? value : null);
const rounded = (value: number, decimals: number): number => Math.round(value * 10 ** decimals) / 10 ** decimals;
const two = (value: number): string => (value < 10 ? `0${value}` : String(value));

/** The days of a sale: more of them lately, none after the date of the dataset (2026-11-20). */
function dayOf(random: Random, back: number): string {
  const year = 2025 - Math.floor(random.next() ** 1.8 * back);
  return `${year}-${two(random.integer(1, 12))}-${two(random.integer(1, 28))}`;
}

/** Longitude and latitude as shares of the county. */
function placeIn({ extent }: CountyFrame, lot: Lot): [x: number, y: number] {
  const x = (lot.west + lot.east) / 2 - extent.west;
  const y = (lot.south + lot.north) / 2 - extent.south;
  return [x / (extent.east - extent.west), y / (extent.north - extent.south)];
}

export function attributesOf(i: number, lot: Lot, frame: CountyFrame, random: Random): Record<string, Value> {
  const [x, y] = placeIn(frame, lot);
  const cell =
    Math.min(zipGrid - 1, Math.floor(x * zipGrid)) + zipGrid * Math.min(zipGrid - 1, Math.floor(y * zipGrid));
  const zip = zipOf(frame.number, cell);
  const owner = ownerOf(frame.words, random);
  const isVacant = random.chance(lot.acres > 20 ? 0.7 : lot.acres > 1.5 ? 0.45 : 0.22);
  return {
    ...identityOf(i, random),
    ...placeOf(lot, zip, cell, frame, random),
    ...landUseOf(isVacant, random),
    ...ownershipOf(owner, zip, random),
    ...valuesOf(lot.acres, isVacant, random),
    ...saleOf(owner, lot.acres, frame, random),
    ...mortgageOf(random),
    ...buildingOf(isVacant, random),
    ...terrainOf(lot.acres, random),
    external_id: `B${frame.number}-${i}`,
  };
}

export const zipOf = (county: number, cell: number): string => String(firstZip + ((county * 100 + cell) % 1950));

function identityOf(i: number, random: Random): Record<string, Value> {
  const isRenumbered = random.chance(0.2);
  return {
    apn: `${100 + Math.floor(i / 10_000)}-${two(Math.floor(i / 100) % 100)}-${two(i % 100)}`,
    old_apn: isRenumbered ? `${i}-0` : null,
    old_apn_indicator: isRenumbered ? 'Y' : null,
    tax_account_number: known(random, 0.7, `R${1_000_000 + i}`),
    property_class_id: skewed(['R', 'A', 'V', 'C', 'E'], random),
  };
}

function placeOf(lot: Lot, zip: string, cell: number, frame: CountyFrame, random: Random): Record<string, Value> {
  const isTown = lot.acres < 1.5;
  const subdivision =
    isTown && random.chance(0.6) ? `${frame.words.places.at(((cell * 37) % 900) / 900)} ESTATES` : null;
  const house = random.integer(1, 9999);
  return {
    acres: known(random, 0.93, rounded(lot.acres * random.between(0.97, 1.03), isTown ? 3 : 2) || null),
    situs_address: known(random, isTown ? 0.95 : 0.6, `${house} ${skewed(streets, random)}`),
    situs_city: known(random, isTown ? 0.95 : 0.5, frame.words.places.words[cell % 40] ?? null),
    situs_zip: known(random, 0.92, zip),
    subdivision,
    legal_description: subdivision
      ? `LOT ${random.integer(1, 60)} BLK ${random.integer(1, 20)} ${subdivision}`
      : known(random, 0.8, `S${random.integer(1, 36)} T${random.integer(1, 30)}S R${random.integer(1, 40)}W`),
    school_district: known(random, 0.85, `USD ${300 + (cell % 14)}`),
  };
}

function landUseOf(isVacant: boolean, random: Random): Record<string, Value> {
  const code = isVacant ? 1 + Math.floor(random.next() ** 2 * 3) : Math.floor(random.next() ** 3 * 60);
  return {
    land_use_code: known(random, 0.97, String(1000 + code)),
    land_use_description: known(random, 0.9, landUses[code % landUses.length] ?? null),
    zoning: known(random, 0.72, skewed(zoningCodes, random)),
  };
}

function ownershipOf(owner: Owner, zip: string, random: Random): Record<string, Value> {
  const isAway = random.chance(owner.isPerson ? 0.22 : 0.4);
  const isOutOfState = isAway && random.chance(0.55);
  const mail = random.next();
  return {
    owner_name: owner.name,
    owner_name_2: owner.second,
    owner_occupied: known(random, 0.85, !isAway && owner.isPerson && random.chance(0.85)),
    ...(owner.name === null || mail > 0.97
      ? { mailing_address: null, mailing_city: null, mailing_state: null, mailing_zip: null }
      : {
          mailing_address: `${random.integer(1, 9999)} ${skewed(streets, random)}`,
          mailing_city: isAway ? 'DAYTON' : 'PLAINVILLE',
          mailing_state: isOutOfState ? skewed(states, random) : 'KS',
          mailing_zip: isAway ? String(random.integer(10_001, 65_999)) : zip,
        }),
  };
}

function valuesOf(acres: number, isVacant: boolean, random: Random): Record<string, Value> {
  const land = Math.round(acres ** 0.7 * random.between(2500, 9000) + 500);
  const built = isVacant ? 0 : Math.round(35_000 * Math.exp(random.normal() * 0.8 + 0.8));
  const hasMarket = random.chance(0.8);
  const market = random.between(1.05, 1.4);
  const isDelinquent = random.chance(0.04);
  return {
    assessed_total_value: known(random, 0.97, land + built),
    assessed_land_value: known(random, 0.95, land),
    assessed_improvement_value: known(random, 0.94, built),
    assessed_year: 2026,
    market_total_value: hasMarket ? Math.round((land + built) * market) : null,
    market_land_value: hasMarket ? Math.round(land * market) : null,
    market_improvement_value: hasMarket ? Math.round(built * market) : null,
    market_year: hasMarket ? 2026 : null,
    tax_amount: known(random, 0.9, Math.round((land + built) * 0.013)),
    tax_year: 2025,
    tax_delinquent_year: isDelinquent ? random.integer(2016, 2025) : null,
  };
}

function saleOf(owner: Owner, acres: number, { words }: CountyFrame, random: Random): Record<string, Value> {
  const isSold = random.chance(0.78);
  const isPriced = isSold && random.chance(0.7);
  const price = Math.round((acres ** 0.65 * 3800 + 20_000) * Math.exp(random.normal() * 0.7));
  const hadPrior = isSold && random.chance(0.4);
  return {
    last_sale_price: isPriced ? price : null,
    last_sale_price_code: isPriced ? skewed(priceCodes, random) : null,
    last_sale_date: isSold ? dayOf(random, 45) : null,
    last_sale_document_type: isSold ? skewed(deeds, random) : null,
    last_sale_seller_name: isSold ? `${words.surnames.at(random.next())} ${words.firstNames.at(random.next())}` : null,
    last_sale_buyer_name: isSold ? owner.name : null,
    inter_family_transfer: known(random, isSold ? 0.8 : 0, random.chance(0.12)),
    prior_sale_price: hadPrior ? Math.round(price * random.between(0.3, 0.9)) : null,
    prior_sale_date: hadPrior ? `${random.integer(1950, 1979)}-0${random.integer(1, 9)}-15` : null,
  };
}

function mortgageOf(random: Random): Record<string, Value> {
  const isMortgaged = random.chance(0.34);
  const known = <T>(value: T): T | null => (isMortgaged ? value : null);
  return {
    mortgage_amount: known(Math.round(90_000 * Math.exp(random.normal() * 0.6))),
    mortgage_date: known(dayOf(random, 25)),
    mortgage_lender: known(skewed(lenders, random)),
    mortgage_financing_type: known(random.chance(0.85) ? 'FIX' : 'ARM'),
    mortgage_loan_type: known(skewed(['CNV', 'FHA', 'VA', 'USDA'], random)),
    mortgage_interest_rate: known(rounded(random.between(2.5, 8.5), 3)),
  };
}

function buildingOf(isVacant: boolean, random: Random): Record<string, Value> {
  return {
    structure_count: known(random, 0.92, isVacant ? 0 : 1 + Math.floor(random.next() ** 3 * 5)),
    building_sqft: isVacant ? null : known(random, 0.88, Math.round(1500 * Math.exp(random.normal() * 0.45))),
    year_built: isVacant ? null : known(random, 0.9, 1880 + Math.floor((1 - random.next() ** 2) * 145)),
  };
}

function terrainOf(acres: number, random: Random): Record<string, Value> {
  const isMeasured = random.chance(0.88);
  const lowest = rounded(random.between(800, 3900), 1);
  const slope = 12 * random.next() ** 2;
  const wet = random.next();
  const flooded = random.next();
  const floodShare = flooded < 0.72 ? 0 : rounded(random.next() ** 0.8 * 100, 1);
  return {
    elevation_min_ft: isMeasured ? lowest : null,
    elevation_mean_ft: isMeasured ? rounded(lowest + slope * 4, 1) : null,
    elevation_max_ft: isMeasured ? rounded(lowest + slope * 9, 1) : null,
    slope_mean_percent: isMeasured ? rounded(slope, 2) : null,
    slope_area_percent: isMeasured ? slopeShares(slope) : null,
    wetlands_percent: known(random, 0.86, wet < 0.68 ? 0 : rounded(random.next() ** 2 * 100, 1)),
    flood_zone_percent: known(random, 0.86, floodShare),
    flood_zone_type: floodShare === 0 ? 'X' : skewed(zones, random),
    ...frontageOf(acres, random),
  };
}

/** Percent of the area steeper than each of the eleven edges, for a mean slope: exponential, as hillsides are. */
const edges = [0.5, 2.5, 5, 7.5, 10, 15, 20, 25, 30, 40, 50];
const slopeShares = (mean: number): number[] => edges.map((edge) => rounded(100 * Math.exp(-edge / (mean + 0.05)), 1));

function frontageOf(acres: number, random: Random): Record<string, Value> {
  if (!random.chance(0.9)) {
    const unknown = { road_frontage_major_highway_ft: null, road_frontage_normal_road_ft: null };
    return { road_frontage_ft: null, ...unknown, road_frontage_local_road_ft: null, landlocked: null };
  }
  const isLandlocked = random.chance(acres > 5 ? 0.11 : 0.03);
  const length = isLandlocked ? 0 : Math.round(Math.sqrt(acres) * random.between(60, 400) + 15);
  const kind = random.next();
  return {
    road_frontage_ft: length,
    road_frontage_major_highway_ft: kind < 0.06 ? length : 0,
    road_frontage_normal_road_ft: kind >= 0.06 && kind < 0.3 ? length : 0,
    road_frontage_local_road_ft: kind >= 0.3 ? length : 0,
    landlocked: isLandlocked,
  };
}
