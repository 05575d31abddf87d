/** Random filter bodies whose constants come from the data itself, so that bounds and near misses are met. */
import fc from 'fast-check';
import { decodeMultiPolygon } from '../../engine/geo/spatialite-blob.ts';
import { unknownableFilters } from '../../engine/query/filter-request.ts';
import { buildQueries } from '../geo/area-queries.ts';
import type { FilterBody, TwinParcel } from './filter-twin.ts';

/** Known values of a column, in the order of the rows. */
const known = <Value>(parcels: readonly TwinParcel[], column: string): Value[] =>
  parcels.flatMap((parcel) =>
    parcel[column] === null || parcel[column] === undefined ? [] : [parcel[column] as Value],
  );

const pick = <Value>(values: readonly Value[], otherwise: Value): fc.Arbitrary<Value> =>
  values.length > 0 ? fc.constantFrom(...values) : fc.constant(otherwise);

/** A value of the column, or one slightly off. */
function boundary(
  parcels: readonly TwinParcel[],
  column: string,
  whole: boolean,
  clamp?: [number, number],
): fc.Arbitrary<number> {
  const values = pick(known<number>(parcels, column), 1);
  const nudge = whole ? fc.constantFrom(0, 0, -1, 1) : fc.constantFrom(0, 0, -0.005, 0.005, 0.5);
  return fc.tuple(values, nudge).map(([value, by]) => {
    const moved = whole ? Math.round(value) + by : value + by;
    return clamp ? Math.min(clamp[1], Math.max(clamp[0], moved)) : moved;
  });
}

/** One or both bounds, in order. */
const range = (name: string, bound: fc.Arbitrary<number | string>): fc.Arbitrary<FilterBody> =>
  fc.tuple(bound, bound, fc.constantFrom('min', 'max', 'both')).map(([a, b, side]) => {
    const [low, high] = a <= b ? [a, b] : [b, a];
    return {
      ...(side === 'max' ? {} : { [`${name}_min`]: low }),
      ...(side === 'min' ? {} : { [`${name}_max`]: high }),
    };
  });

const wholeNumbers: Record<string, string> = {
  structure_count: 'structure_count',
  section: 'section',
  year_built: 'year_built',
  ownership_length: 'ownership_length_months',
};
const numbers: Record<string, string> = {
  acres: 'acres',
  building_sqft: 'building_sqft',
  assessed_total_value: 'assessed_total_value',
  assessed_land_value: 'assessed_land_value',
  assessed_improvement_value: 'assessed_improvement_value',
  market_total_value: 'market_total_value',
  market_land_value: 'market_land_value',
  market_improvement_value: 'market_improvement_value',
  last_sale_price: 'last_sale_price',
  mortgage_amount: 'mortgage_amount',
  mortgage_interest_rate: 'mortgage_interest_rate',
  road_frontage: 'road_frontage_ft',
};
const lists: Record<string, string> = {
  townships: 'township',
  ranges: 'range',
  subdivisions: 'subdivision',
  zoning_codes: 'zoning',
  land_use_codes: 'land_use_code',
  last_sale_price_codes: 'last_sale_price_code',
  last_sale_document_types: 'last_sale_document_type',
  mortgage_financing_types: 'mortgage_financing_type',
  mortgage_loan_types: 'mortgage_loan_type',
};
const wordLists: Record<string, string> = {
  last_sale_seller_words: 'last_sale_seller_name',
  owner_name_include_words: 'owner_name',
  owner_name_exclude_words: 'owner_name',
};
const texts: Record<string, string> = {
  school_district: 'school_district',
  owner_1_full_name: 'owner_name',
  owner_2_full_name: 'owner_name_2',
};
const booleans = [
  'tax_delinquent',
  'out_of_state_owner',
  'out_of_county_owner',
  'out_of_zip_owner',
  'exclude_corp_owner',
  'exclude_hoa_owner',
  'inter_family_transfer',
  'vacant_only',
  'exclude_steep_slope',
  'exclude_landlocked',
  'only_landlocked',
];

const otherCase = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.toLowerCase(),
  (text: string) => text.toUpperCase(),
);

/** A word of the names, two neighbours as a phrase, or half a word, which must not match. */
function words(parcels: readonly TwinParcel[], column: string): fc.Arbitrary<string[]> {
  const one = fc
    .tuple(
      pick(known<string>(parcels, column), 'SMITH JOHN'),
      fc.nat(5),
      fc.constantFrom('word', 'phrase', 'half'),
      otherCase,
    )
    .map(([name, at, form, change]) => {
      const parts = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
      const first = parts[at % Math.max(1, parts.length)] ?? 'X';
      const next = parts[(at % Math.max(1, parts.length)) + 1];
      if (form === 'half') return change(first.slice(0, Math.max(1, first.length - 1)));
      return change(form === 'phrase' && next ? `${first} ${next}` : first);
    });
  return fc.array(one, { minLength: 1, maxLength: 4 });
}

/** The parcel's own section or township, or one that is nowhere. */
const plssText = (parcels: readonly TwinParcel[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      pick(known<string>(parcels, 'township'), 'T5N'),
      pick(known<string>(parcels, 'range'), 'R3W'),
      fc.integer({ min: 0, max: 36 }),
    )
    .map(([township, range, section]) => `${township} ${range}${section === 0 ? '' : ` S${section}`}`);

const field = <Value>(name: string, value: fc.Arbitrary<Value>): fc.Arbitrary<FilterBody> =>
  value.map((given) => ({ [name]: given }));

/** Every filter but the scopes and the area: one arbitrary each, over the values of these parcels. */
export function filterArbitraries(parcels: readonly TwinParcel[]): Record<string, fc.Arbitrary<FilterBody>> {
  const dates = (column: string) =>
    pick(known<string>(parcels, column), '2020-01-31').map((date) => date.replaceAll('-', ''));
  const texted = (column: string) =>
    fc.tuple(pick(known<string>(parcels, column), 'NOBODY'), otherCase).map(([text, change]) => change(text));
  const percent: [number, number] = [0, 100];
  const slope = fc.record({
    slope_area_index: fc.nat(10),
    slope_area_percent: fc.double({ min: 0, max: 100, noNaN: true }),
  });
  const mapped = (table: Record<string, string>, build: (name: string, column: string) => fc.Arbitrary<FilterBody>) =>
    Object.fromEntries(Object.entries(table).map(([name, column]) => [name, build(name, column)]));
  return {
    ...mapped(wholeNumbers, (name, column) => range(name, boundary(parcels, column, true))),
    ...mapped(numbers, (name, column) => range(name, boundary(parcels, column, false))),
    improvement_percent: range('improvement_percent', boundary(parcels, 'improvement_percent', false, percent)),
    last_sale_date: range('last_sale_date', dates('last_sale_date')),
    mortgage_date: range('mortgage_date', dates('mortgage_date')),
    ...mapped(lists, (name, column) => field(name, fc.array(texted(column), { minLength: 1, maxLength: 4 }))),
    ...mapped(wordLists, (name, column) => field(name, words(parcels, column))),
    ...mapped(texts, (name, column) => field(name, texted(column))),
    ...Object.fromEntries(booleans.map((name) => [name, field(name, fc.boolean())])),
    state: field('state', fc.constantFrom('NH', 'MT', 'ZZ', 'zz', 'nh')),
    zips_include: field(
      'zips_include',
      fc.array(pick(known<string>(parcels, 'situs_zip'), '03280'), { minLength: 1, maxLength: 3 }),
    ),
    zips_exclude: field(
      'zips_exclude',
      fc.array(pick(known<string>(parcels, 'situs_zip'), '03280'), { minLength: 1, maxLength: 3 }),
    ),
    property_id: field('property_id', pick(known<number>(parcels, 'property_id'), 1)),
    apn: field('apn', pick(known<string>(parcels, 'apn'), '1-1')),
    owner_parcel_id: field(
      'owner_parcel_id',
      pick(
        parcels.filter((p) => p.mailing_key !== null).map((p) => p.property_id),
        1,
      ),
    ),
    plss: field('plss', plssText(parcels)),
    tax_delinquent_years: field('tax_delinquent_years_min', fc.integer({ min: 0, max: 8 })),
    owner_occupied: field('owner_occupied', fc.constantFrom('Y', 'N')),
    wetlands_percent: field('wetlands_percent_max', boundary(parcels, 'wetlands_percent', false, percent)),
    flood_zone_percent: field('flood_zone_percent_max', boundary(parcels, 'flood_zone_percent', false, percent)),
    frontage_types: fc
      .tuple(
        range('road_frontage', boundary(parcels, 'road_frontage_local_road_ft', false)),
        fc.record({
          frontage_major_highway: fc.boolean(),
          frontage_normal_road: fc.boolean(),
          frontage_local_road: fc.boolean(),
        }),
      )
      .map(([bounds, types]) => ({ ...bounds, ...types })),
    slope_area: slope,
  };
}

/** The counties of these parcels. */
export const scopeOf = (parcels: readonly TwinParcel[]): FilterBody => ({
  counties: [...new Set(parcels.map((parcel) => parcel.fips))],
});

/** Areas along the parcels' own edges and elsewhere. */
const areasOf = (parcels: readonly TwinParcel[]): string[] =>
  buildQueries(
    parcels.flatMap(({ geom }) => (geom instanceof Uint8Array ? [decodeMultiPolygon(geom)] : [])),
    3,
  );

/** Bodies without a scope, of one to five filters, unknown values kept in half of them, and an area in half. */
export function filterBodies(parcels: readonly TwinParcel[]): fc.Arbitrary<FilterBody> {
  return fc
    .tuple(
      fc.subarray(Object.values(filterArbitraries(parcels)), { minLength: 1, maxLength: 5 }),
      fc.subarray([...unknownableFilters], { minLength: 1 }),
      fc.boolean(),
      fc.option(fc.constantFrom(...areasOf(parcels)), { freq: 1 }),
    )
    .chain(([chosen, unknown, include, area]) =>
      fc.tuple(...chosen).map((some) => ({
        ...Object.assign({}, ...some),
        ...(include ? { include_unknown: unknown } : {}),
        ...(area === null ? {} : { geom_intersects: area }),
      })),
    )
    .filter((body) => {
      const { road_frontage_min: min = 0, road_frontage_max: max = Number.POSITIVE_INFINITY } = body as Record<
        string,
        number
      >;
      return min <= max;
    });
}
