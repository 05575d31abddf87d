/**
 * Matches names to columns of the dictionary. A pattern lists required concepts and allowed ones; a name with any other
 * concept means something else (SALE_BOOK is no sale).
 */
import type { NameWord } from './guess-words.ts';

/**
 * `score column = needed … ; allowed …`; `a|b`: either. The score is the confidence by name alone, if the values fit.
 * `bare` columns may belong to the parcel or its owner.
 */
const lines = `
0.98 apn = apn ; parcel number id primary county full
0.95 apn = parcel number|id ; county tax primary map
0.86 apn = parcel
0.88 apn = map lot ; block book parcel id number unit tax
0.86 apn = map parcel ; id number
0.82 apn = map number|id
0.86 apn = taxid ; parcel id number map
0.82 apn = propid
0.82 apn = situs id
0.80 apn = account ; tax number id parcel
0.60 apn = id
0.50 apn = feature
0.92 tax_account_number = account ; tax number id parcel county
0.82 tax_account_number = taxid ; id number
0.92 old_apn = old apn|parcel ; number id
0.90 property_class_id = class ; situs code number tax parcel land description assessed state
0.84 property_class_id = situs type ; code
0.95 acres = acres ; total land recorded deeded deed legal area lot parcel situs assessed number tax
0.90 acres = lot|land|parcel sqft ; total area number
0.90 acres = lot|land|parcel square feet ; total area
0.80 acres = lot|land|legal|recorded area ; total parcel
0.60 acres = area ; parcel total
0.96 situs_address = situs|parcel address ; street line #1 full house number city
0.85 situs_address = situs street ; name address full
0.80 situs_address = street address ; full
0.80 situs_address = house street ; name address full
0.80 situs_address = situs ; full description
0.97 situs_city = situs|parcel city ; name
0.86 situs_city = town ; name situs parcel tax
0.95 situs_state = situs|parcel state ; code
0.96 situs_zip = situs|parcel zip ; code #5
0.95 subdivision = subdivision ; name description plat legal
0.86 subdivision = plat name
0.95 legal_description = legal ; description full short line #1 #2 #3 #4 situs parcel
0.94 school_district = school district ; name
0.60 school_district = school
0.93 land_use_code = use|landuse code ; situs parcel land state county type
0.88 land_use_code = landuse ; land type
0.80 land_use_code = land|situs|parcel|primary|state use ; type
0.75 land_use_code = use
0.95 land_use_description = use|landuse description ; situs parcel land state county code
0.88 land_use_description = landuse ; land type
0.80 land_use_description = land|situs|parcel|primary|state use ; type
0.75 land_use_description = use
0.95 zoning = zoning ; code district class type primary #1 situs parcel county city
0.98 owner_name = owner name ; #1 full primary line legal
0.96 owner_name = owner ; #1 full primary
0.92 owner_name = name owner mail
0.84 owner_name = taxpayer ; name #1 full primary
0.82 owner_name = name #1 ; full
0.70 owner_name = name ; full
0.96 owner_name_2 = owner #2 ; name full
0.96 owner_name_2 = coowner ; name full #1
0.95 owner_name_2 = owner second ; name full #1
0.84 owner_name_2 = taxpayer #2 ; name full
0.82 owner_name_2 = name #2 ; full
0.90 owner_occupied = owner occupied
0.97 mailing_address = mail|taxpayer address ; owner street line #1 full house number
0.96 mailing_address = owner address ; street line #1 full
0.90 mailing_address = mail|owner street ; name address full line #1
0.85 mailing_address = mail line ; #1
0.97 mailing_city = mail|owner|taxpayer city|town ; owner address name
0.97 mailing_state = mail|owner|taxpayer state ; owner address code
0.97 mailing_zip = mail|owner|taxpayer zip ; owner address code #5
0.96 assessed_total_value = assessed total ; value amount parcel situs county
0.90 assessed_total_value = assessed value|amount ; parcel situs primary county
0.80 assessed_total_value = assessed
0.96 assessed_land_value = assessed land ; value amount total parcel
0.96 assessed_improvement_value = assessed improvement|building|structure ; value amount total
0.75 assessed_total_value = total value|amount ; parcel tax situs
0.72 assessed_total_value = parcel value
0.75 assessed_land_value = land value|amount ; total tax
0.75 assessed_improvement_value = improvement|building|structure value|amount ; total tax
0.70 assessed_improvement_value = total improvement|building|structure
0.70 assessed_land_value = total land
0.70 assessed_total_value = primary total ; value amount
0.70 assessed_land_value = primary land ; value amount
0.70 assessed_improvement_value = primary improvement|building|structure ; value amount
0.92 assessed_year = assessed year ; value
0.70 assessed_year = value year
0.96 market_total_value = market total ; value amount parcel situs
0.92 market_total_value = market value|amount ; parcel situs primary full
0.96 market_land_value = market land ; value amount total
0.96 market_improvement_value = market improvement|building|structure ; value amount total
0.90 market_year = market year ; value
0.92 tax_amount = tax amount|bill ; total year primary
0.88 tax_amount = tax total ; amount
0.78 tax_amount = tax
0.95 tax_year = tax year ; roll bill primary
0.84 tax_year = roll year
0.92 tax_delinquent_year = delinquent year ; tax first
0.97 last_sale_price = sale price|amount|value ; last #1 primary total
0.86 last_sale_price = price ; total #1
0.84 last_sale_price = deed price|amount ; last #1
0.97 last_sale_date = sale date ; last #1 primary deed
0.90 last_sale_date = deed date ; last #1 primary recording
0.78 last_sale_date = recording date ; last
0.85 last_sale_price_code = sale qualified ; code #1 last
0.80 last_sale_price_code = qualified ; code
0.92 last_sale_document_type = deed type ; sale code last #1 description
0.95 last_sale_seller_name = grantor ; name sale last full #1 deed
0.95 last_sale_buyer_name = grantee ; name sale last full #1 deed
0.93 prior_sale_price = old sale price|amount ; #2 last
0.93 prior_sale_price = sale price|amount #2
0.93 prior_sale_date = old sale date ; #2 last
0.93 prior_sale_date = sale date #2
0.90 mortgage_amount = mortgage amount ; first #1
0.90 mortgage_date = mortgage date ; first #1
0.90 mortgage_lender = mortgage name ; first #1
0.88 structure_count = building|structure count|number ; total
0.93 building_sqft = building sqft ; total living area
0.93 building_sqft = building square feet ; total living area
0.88 building_sqft = building area ; total living
0.88 building_sqft = living area|sqft ; total building
0.88 building_sqft = living square feet ; total building area
0.97 year_built = yearbuilt ; actual building structure residential #1
0.97 year_built = built year ; actual building structure residential #1
0.88 year_built = building year
0.85 flood_zone_type = flood zoning ; code type
0.90 bare_address = address ; line #1 full street
0.92 bare_city = city ; name
0.90 bare_state = state ; code
0.92 bare_zip = zip ; code #5
`;

interface Pattern {
  readonly target: string;
  readonly score: number;
  readonly needs: readonly (readonly string[])[];
  readonly allowed: ReadonlySet<string>;
}

const patterns: readonly Pattern[] = lines.trim().split('\n').map(readPattern);

function readPattern(line: string): Pattern {
  const [head = '', tail = ''] = line.split(' = ');
  const [score = '', target = ''] = head.split(' ');
  const [needed = '', optional = ''] = tail.split(' ; ');
  const needs = needed
    .trim()
    .split(' ')
    .map((need) => need.split('|'));
  return { target, score: Number(score), needs, allowed: new Set([...needs.flat(), ...optional.split(' ')]) };
}

/** Words without meaning of their own. */
const fillers = new Set(['of']);
const cutPenalty = 0.03;
const strangerPenalty = 0.15;
/** For unknown words of more than two letters, which may matter after all. */
const longStrangerPenalty = 0.2;
/** Longest prefix that merely tells sources apart: P_OWNER, A1OWNER. */
const longestStranger = 4;

function fits({ needs, allowed }: Pattern, words: readonly NameWord[]): boolean {
  const isAllowed = words.every(({ concepts }) => concepts.some((one) => allowed.has(one)));
  return (
    isAllowed &&
    meetsAll(
      needs,
      words.map(({ concepts }) => concepts),
    )
  );
}

/** Each need takes a word of its own: LAND is not both land and land use. */
function meetsAll(needs: readonly (readonly string[])[], words: readonly (readonly string[])[]): boolean {
  const [need, ...others] = needs;
  if (need === undefined) return true;
  return words.some(
    (concepts, index) =>
      concepts.some((one) => need.includes(one)) &&
      meetsAll(
        others,
        words.filter((_, other) => other !== index),
      ),
  );
}

interface NameGuess {
  readonly target: string;
  /** 0 to 1. */
  readonly score: number;
}

/** Possible meanings of a name's words, each target once with its best score. */
export function guessByName(words: readonly NameWord[]): NameGuess[] {
  const strangers = words.filter(({ concepts }) => concepts.length === 0);
  const known = words.filter(({ concepts }) => concepts.length > 0 && !concepts.every((one) => fillers.has(one)));
  const isStrange = strangers.some((word) => word !== words[0] || word.text.length > longestStranger);
  if (isStrange || known.length === 0) return [];
  const [stranger] = strangers;
  const strange = !stranger ? 0 : stranger.text.length <= 2 ? strangerPenalty : longStrangerPenalty;
  const penalty = strange + known.filter(({ isCut }) => isCut).length * cutPenalty;
  const best = new Map<string, number>();
  for (const pattern of patterns) {
    if (!fits(pattern, known)) continue;
    best.set(pattern.target, Math.max(best.get(pattern.target) ?? 0, pattern.score - penalty));
  }
  return [...best].map(([target, score]) => ({ target, score }));
}

const leftOut: readonly (readonly [string, readonly string[]])[] = [
  ['the area of the shape, which Platbook measures itself', ['calculated', 'acres']],
  ['the area of the shape, which Platbook measures itself', ['map', 'acres']],
  ['the area of the shape, which Platbook measures itself', ['calculated', 'area']],
  ['the area of the shape, which Platbook measures itself', ['calculated', 'sqft']],
  ['bookkeeping of the file, nothing of the parcel', ['object']],
  ['bookkeeping of the file, nothing of the parcel', ['edit']],
];

/** Why a column is not proposed, if its name tells; else null. */
export function whyLeftOut(words: readonly NameWord[]): string | null {
  // A name with a guessed part does not tell.
  if (words.some(({ concepts, isCut }) => isCut || concepts.length === 0)) return null;
  const concepts = words.map((word) => word.concepts);
  return (
    leftOut.find(([, needs]) =>
      meetsAll(
        needs.map((need) => [need]),
        concepts,
      ),
    )?.[0] ?? null
  );
}
