/**
 * Q1 to Q9 of the bench, each with any number of variants: every variant draws new constants. A query exists twice: as
 * the body for Platbook (contract of filter_properties and search_properties), and as the predicates for another
 * engine's SQL. The comparison of answers shows that both mean the same.
 */
import { createRandom, type Random } from '../sample-maker/random.ts';
import { buildArea } from './areas.ts';
import type { GeneratedCounty } from './generated-county.ts';

export type Predicate =
  | { readonly type: 'oneOf'; readonly column: string; readonly values: readonly string[] }
  | { readonly type: 'range'; readonly column: string; readonly min?: number; readonly max?: number }
  | { readonly type: 'equals'; readonly column: string; readonly value: number | true }
  /** Unknown values pass. */
  | { readonly type: 'unless'; readonly column: string; readonly value: string | true }
  /** None of the words as a whole word, in any case; unknown names pass. */
  | { readonly type: 'withoutWords'; readonly column: string; readonly words: readonly string[] }
  /** Every token somewhere in the text, in any case. */
  | { readonly type: 'withTokens'; readonly column: string; readonly tokens: readonly string[] }
  | { readonly type: 'intersects'; readonly area: Area };

export interface Area {
  readonly wkt: string;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

export interface Question {
  readonly operation: 'filter_properties' | 'search_properties';
  readonly body: Readonly<Record<string, unknown>>;
  readonly predicates: readonly Predicate[];
  readonly isByAcresDescending: boolean;
  readonly page: number;
  readonly pageSize: number;
}

export interface QuestionKind {
  readonly id: string;
  readonly title: string;
  /** Over all counties of the second home instead of the one of the first. */
  readonly isOfManyCounties?: true;
  build(counties: readonly GeneratedCounty[], random: Random): Asked;
}

/** Body and predicates; the page is 1 by property_id unless said. */
type Asked = Pick<Question, 'body' | 'predicates'> & Partial<Question>;

const pageSize = 25;

/** A number with a few decimals, as a slider gives. */
const between = (random: Random, low: number, high: number, decimals = 2): number =>
  Number(random.between(low, high).toFixed(decimals));
const first = (counties: readonly GeneratedCounty[]): GeneratedCounty => {
  const [county] = counties;
  if (!county) throw new RangeError('no county to ask about');
  return county;
};
const inCounty = ({ fips }: GeneratedCounty): Predicate => ({ type: 'oneOf', column: 'fips', values: [fips] });
const range = (column: string, min: number | undefined, max: number | undefined): Predicate => ({
  type: 'range',
  column,
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
});

function acresAndNoStructures(counties: readonly GeneratedCounty[], random: Random): Asked {
  const county = first(counties);
  const [low, high] = [between(random, 2, 8), between(random, 12, 45)];
  return {
    body: { county: county.fips, acres_min: low, acres_max: high, structure_count_max: 0 },
    predicates: [inCounty(county), range('effective_acres', low, high), range('structure_count', undefined, 0)],
  };
}

function eightPredicates(counties: readonly GeneratedCounty[], random: Random): Asked {
  const county = first(counties);
  const [low, high] = [between(random, 2, 6), between(random, 15, 60)];
  const [flood, wetlands] = [between(random, 1, 15, 1), between(random, 1, 20, 1)];
  const [value, months] = [random.integer(40_000, 90_000), random.integer(60, 200)];
  return {
    body: {
      county: county.fips,
      acres_min: low,
      acres_max: high,
      structure_count_max: 0,
      out_of_state_owner: true,
      flood_zone_percent_max: flood,
      wetlands_percent_max: wetlands,
      exclude_corp_owner: true,
      market_total_value_max: value,
      ownership_length_min: months,
    },
    predicates: [
      inCounty(county),
      range('effective_acres', low, high),
      range('structure_count', undefined, 0),
      { type: 'equals', column: 'owner_out_of_state', value: true },
      range('flood_zone_percent', undefined, flood),
      range('wetlands_percent', undefined, wetlands),
      { type: 'unless', column: 'owner_type', value: 'company' },
      range('market_total_value', undefined, value),
      range('ownership_length_months', months, undefined),
    ],
  };
}

function loose(counties: readonly GeneratedCounty[], random: Random): Asked {
  const county = first(counties);
  const flood = between(random, 0, 20, 3);
  return {
    body: { county: county.fips, flood_zone_percent_max: flood },
    predicates: [inCounty(county), range('flood_zone_percent', undefined, flood)],
  };
}

const polygonOver =
  (share: number) =>
  (counties: readonly GeneratedCounty[], random: Random): Asked => {
    const area = buildArea(first(counties), share, random);
    const acres = between(random, 0.5, 3);
    return {
      body: { geom_intersects: area.wkt, acres_min: acres, structure_count_max: 0, exclude_landlocked: true },
      predicates: [
        { type: 'intersects', area },
        range('effective_acres', acres, undefined),
        range('structure_count', undefined, 0),
        { type: 'unless', column: 'landlocked', value: true },
      ],
    };
  };

const surnames =
  'SMITH JOHNSON WILLIAMS BROWN JONES GARCIA MILLER DAVIS MARTINEZ WILSON ANDERSON TAYLOR MOORE CLARK'.split(' ');
const firstNames = 'JOHN MARY JAMES ROBERT MICHAEL LINDA WILLIAM DAVID RICHARD SUSAN PAUL RUTH ANA MARK'.split(' ');

function ownerTokens(counties: readonly GeneratedCounty[], random: Random): Asked {
  const county = first(counties);
  // People type what they remember: either order, any case, now and then the beginning of a name.
  const typed = [random.pick(surnames), random.pick(firstNames)].map((name) =>
    random.chance(0.2) ? name.slice(0, Math.max(3, name.length - 1)) : name,
  );
  const tokens = (random.chance(0.3) ? typed.reverse() : typed).map((name) =>
    random.chance(0.5) ? name.toLowerCase() : name,
  );
  return {
    operation: 'search_properties',
    body: { fips: county.fips, owner_name: tokens.join(' ') },
    predicates: [inCounty(county), { type: 'withTokens', column: 'owner_name', tokens }],
  };
}

const ownerWords =
  'LLC INC TRUST ESTATE CHURCH CORP LP LTD CITY COUNTY BANK STATE TRUSTEE HOLDINGS PROPERTIES FARMS RANCH HOMES'.split(
    ' ',
  );

function excludedWords(counties: readonly GeneratedCounty[], random: Random): Asked {
  const county = first(counties);
  const words = random
    .shuffle(ownerWords)
    .slice(0, 5)
    .map((word) => (random.chance(0.3) ? word.toLowerCase() : word));
  return {
    body: { county: county.fips, owner_name_exclude_words: words },
    predicates: [inCounty(county), { type: 'withoutWords', column: 'owner_name', words }],
  };
}

function hundredZips(counties: readonly GeneratedCounty[], random: Random): Asked {
  const county = first(counties);
  const zips = random.shuffle(county.zips).slice(0, 100);
  const [low, high] = [between(random, 1, 6), between(random, 10, 60)];
  const value = random.integer(40_000, 200_000);
  return {
    body: {
      county: county.fips,
      zips_include: zips,
      acres_min: low,
      acres_max: high,
      market_total_value_max: value,
    },
    predicates: [
      inCounty(county),
      { type: 'oneOf', column: 'situs_zip', values: zips },
      range('effective_acres', low, high),
      range('market_total_value', undefined, value),
    ],
  };
}

function deepPage(counties: readonly GeneratedCounty[], random: Random): Asked {
  const county = first(counties);
  const acres = between(random, 0.05, 0.6, 4);
  // Page 1000 if the county is large enough; else the middle page.
  const page = Math.min(1000, Math.floor(county.parcels / 4 / pageSize));
  return {
    body: { county: county.fips, acres_min: acres, ordering: '-acres' },
    predicates: [inCounty(county), range('effective_acres', acres, undefined)],
    isByAcresDescending: true,
    page,
  };
}

function manyCounties(counties: readonly GeneratedCounty[], random: Random): Asked {
  const [acres, value] = [between(random, 2, 12), random.integer(50_000, 150_000)];
  const fips = counties.map((county) => county.fips);
  return {
    body: { counties: fips, acres_min: acres, market_total_value_max: value, structure_count_max: 0 },
    predicates: [
      { type: 'oneOf', column: 'fips', values: fips },
      range('effective_acres', acres, undefined),
      range('market_total_value', undefined, value),
      range('structure_count', undefined, 0),
    ],
  };
}

export const questionKinds: readonly QuestionKind[] = [
  { id: 'Q1', title: 'acres range + no structures', build: acresAndNoStructures },
  { id: 'Q2', title: 'eight predicates', build: eightPredicates },
  { id: 'Q3', title: 'one loose predicate', build: loose },
  { id: 'Q4a', title: 'polygon over 1 % + 3 predicates, exact', build: polygonOver(0.01) },
  { id: 'Q4b', title: 'polygon over 30 % + 3 predicates, exact', build: polygonOver(0.3) },
  { id: 'Q5', title: 'two owner tokens', build: ownerTokens },
  { id: 'Q6', title: 'five excluded owner words', build: excludedWords },
  { id: 'Q7', title: '100 ZIPs + ranges', build: hundredZips },
  { id: 'Q8', title: 'page 1000, by acres descending', build: deepPage },
  { id: 'Q9', title: '18 counties, 3 predicates', isOfManyCounties: true, build: manyCounties },
];

/** `count` different queries of a kind. */
export function buildQuestions(
  kind: QuestionKind,
  counties: readonly GeneratedCounty[],
  count: number,
  seed: number,
): Question[] {
  const random = createRandom(seed).fork(kind.id);
  const questions = new Map<string, Question>();
  while (questions.size < count) {
    const question: Question = {
      operation: 'filter_properties',
      isByAcresDescending: false,
      page: 1,
      pageSize,
      ...kind.build(counties, random),
    };
    questions.set(JSON.stringify(question.body).toLowerCase(), question);
  }
  return [...questions.values()];
}
