/**
 * The brute-force twin of the filter: plain JavaScript over plain rows, written from docs/contract.md, "Filters", and not
 * from the engine's tables, so that a fault in a table shows as a difference.
 */

/** A row of the parcels table, with what the twin needs of its dataset. */
export type TwinParcel = Readonly<Record<string, string | number | null | Uint8Array>> & {
  readonly property_id: number;
};

export type FilterBody = Readonly<Record<string, unknown>>;

type Known = boolean | null;
type Test = (parcel: TwinParcel, given: unknown, body: FilterBody, all: readonly TwinParcel[]) => Known;

const numberOf = (parcel: TwinParcel, column: string) => parcel[column] as number | null;
const textOf = (parcel: TwinParcel, column: string) => parcel[column] as string | null;

const upper = (text: string) => text.normalize('NFC').toUpperCase();
const isAccent = (c: string) => c >= '\u0300' && c <= '\u036f';
const bare = (text: string) => upper([...text.normalize('NFD')].filter((c) => !isAccent(c)).join(''));
const squeezed = (text: string) => bare(text).split(/\s+/u).filter(Boolean).join(' ');
const wordsOf = (text: string) =>
  bare(text)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean);
const alphanumeric = (text: string) => [...upper(text)].filter((c) => /[\p{L}\p{N}]/u.test(c)).join('');

function hasPhrase(name: string, phrase: string): boolean {
  const words = wordsOf(name);
  const parts = wordsOf(phrase);
  return words.some((_, i) => parts.every((part, k) => words[i + k] === part));
}

const acres: (parcel: TwinParcel) => number | null = (parcel) =>
  numberOf(parcel, 'acres') ?? numberOf(parcel, 'calculated_acres');

const atLeast =
  (value: (p: TwinParcel) => number | string | null): Test =>
  (parcel, given) => {
    const known = value(parcel);
    return known === null ? null : known >= (given as number | string);
  };
const atMost =
  (value: (p: TwinParcel) => number | string | null): Test =>
  (parcel, given) => {
    const known = value(parcel);
    return known === null ? null : known <= (given as number | string);
  };
const iso =
  (test: Test): Test =>
  (parcel, given, body, all) => {
    const text = given as string;
    return test(parcel, `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`, body, all);
  };
const oneOf =
  (column: string): Test =>
  (parcel, given) => {
    const known = textOf(parcel, column);
    return known === null ? null : (given as string[]).some((value) => squeezed(value) === squeezed(known));
  };
const not = (known: Known): Known => (known === null ? null : !known);
const anyWord =
  (column: string): Test =>
  (parcel, given) => {
    const known = textOf(parcel, column);
    return known === null ? null : (given as string[]).some((phrase) => hasPhrase(known, phrase));
  };
const noWord =
  (column: string): Test =>
  (parcel, given) =>
    not(anyWord(column)(parcel, given, {}, []));
const is =
  (column: string): Test =>
  (parcel, given) => {
    const known = numberOf(parcel, column);
    return known === null ? null : (known === 1) === given;
  };
const onlyWhen =
  (test: (p: TwinParcel) => Known): Test =>
  (parcel, given) =>
    given === true ? test(parcel) : true;
const exceptWhen =
  (test: (p: TwinParcel) => Known): Test =>
  (parcel, given) =>
    given === true ? not(test(parcel)) : true;
const sameText =
  (column: string, fold: (text: string) => string): Test =>
  (parcel, given) => {
    const known = textOf(parcel, column);
    return known === null ? null : fold(known) === fold(given as string);
  };
const steeper = (parcel: TwinParcel, index: number): number | null => {
  const shares = textOf(parcel, 'slope_area_percent');
  return shares === null ? null : ((JSON.parse(shares) as (number | null)[])[index] ?? null);
};

function frontage(parcel: TwinParcel, body: FilterBody): number | null {
  const chosen = ['major_highway', 'normal_road', 'local_road'].filter((type) => body[`frontage_${type}`] === true);
  if (chosen.length === 0 || chosen.length === 3) return numberOf(parcel, 'road_frontage_ft');
  const lengths = chosen.map((type) => numberOf(parcel, `road_frontage_${type}_ft`));
  return lengths.some((length) => length === null)
    ? null
    : lengths.reduce<number>((sum, length) => sum + (length ?? 0), 0);
}

const ranges: Record<string, (p: TwinParcel) => number | string | null> = {
  acres,
  ...Object.fromEntries(
    [
      'section',
      'structure_count',
      'building_sqft',
      'year_built',
      'improvement_percent',
      'assessed_total_value',
      'assessed_land_value',
      'assessed_improvement_value',
      'market_total_value',
      'market_land_value',
      'market_improvement_value',
      'last_sale_price',
      'mortgage_amount',
      'mortgage_interest_rate',
      'owner_parcels',
      'owner_acres',
      'holding_parcels',
      'holding_acres',
      'largest_holding',
    ].map((column) => [column, (p: TwinParcel) => numberOf(p, column)]),
  ),
  ownership_length: (p) => numberOf(p, 'ownership_length_months'),
  water_frontage: (p) => numberOf(p, 'water_frontage_ft'),
};

const fips = (given: unknown) => String(given).padStart(5, '0');

const tests: Record<string, Test> = {
  ...Object.fromEntries(
    Object.entries(ranges).flatMap(([name, value]) => [
      [`${name}_min`, atLeast(value)],
      [`${name}_max`, atMost(value)],
    ]),
  ),
  ...Object.fromEntries(
    ['last_sale_date', 'mortgage_date'].flatMap((name) => [
      [`${name}_min`, iso(atLeast((p) => textOf(p, name)))],
      [`${name}_max`, iso(atMost((p) => textOf(p, name)))],
    ]),
  ),
  state: (p, given) => (p.situs_state === null ? null : p.situs_state === (given as string).toUpperCase()),
  zips_include: (p, given) =>
    p.situs_zip === null ? null : (given as (string | number)[]).map(fips).includes(p.situs_zip as string),
  zips_exclude: (p, given) =>
    p.situs_zip === null ? null : !(given as (string | number)[]).map(fips).includes(p.situs_zip as string),
  owner_parcel_id: (p, given, _body, all) => {
    const key = all.find((other) => other.property_id === given)?.mailing_key;
    return p.mailing_key !== null && p.mailing_key === key;
  },
  property_id: (p, given) => p.property_id === given,
  apn: (p, given) => p.apn !== null && alphanumeric(p.apn as string) === alphanumeric(given as string),
  // The words in their order, with nothing between them.
  plss: (p, given) => {
    if (p.township === null || p.range === null) return null;
    const place = [p.principal_meridian ?? '', p.township, p.range, p.section === null ? '' : `S${p.section}`];
    return ` ${place.filter(Boolean).join(' ')} `.toUpperCase().includes(` ${(given as string).toUpperCase()} `);
  },
  townships: oneOf('township'),
  ranges: oneOf('range'),
  subdivisions: oneOf('subdivision'),
  zoning_codes: oneOf('zoning'),
  land_use_codes: oneOf('land_use_code'),
  school_district: sameText('school_district', squeezed),
  tax_delinquent_years_min: atLeast((p) => {
    const year = numberOf(p, 'tax_delinquent_year');
    return year === null ? null : Number((p.source_date as string).slice(0, 4)) - year;
  }),
  tax_delinquent: is('tax_delinquent'),
  last_sale_price_codes: oneOf('last_sale_price_code'),
  last_sale_seller_words: anyWord('last_sale_seller_name'),
  last_sale_document_types: oneOf('last_sale_document_type'),
  mortgage_financing_types: oneOf('mortgage_financing_type'),
  mortgage_loan_types: oneOf('mortgage_loan_type'),
  out_of_state_owner: is('owner_out_of_state'),
  out_of_county_owner: is('owner_out_of_county'),
  out_of_zip_owner: is('owner_out_of_zip'),
  exclude_corp_owner: exceptWhen((p) => (p.owner_type === null ? null : p.owner_type === 'company')),
  exclude_hoa_owner: exceptWhen((p) => (p.owner_type === null ? null : p.owner_type === 'hoa')),
  owner_occupied: (p, given) => (p.owner_occupied === null ? null : (p.owner_occupied === 1) === (given === 'Y')),
  inter_family_transfer: is('inter_family_transfer'),
  owner_name_include_words: anyWord('owner_name'),
  owner_name_exclude_words: noWord('owner_name'),
  owner_1_full_name: sameText('owner_name', squeezed),
  owner_2_full_name: sameText('owner_name_2', squeezed),
  vacant_only: onlyWhen((p) => {
    const counts = [p.structure_count, p.assessed_improvement_value, p.market_improvement_value].filter(
      (count) => typeof count === 'number',
    );
    if (counts.some((count) => count > 0)) return false;
    const words = [p.land_use_code, p.property_class_id].map((word) => String(word ?? '').toLowerCase());
    const isSaid = words.some((word) => word.includes('vacant') && !/^no.*vacant/.test(word));
    return counts.length > 0 || isSaid ? true : null;
  }),
  exclude_steep_slope: exceptWhen((p) => {
    const share = steeper(p, 5);
    return share === null ? null : share > 50;
  }),
  exclude_landlocked: exceptWhen((p) => (p.landlocked === null ? null : p.landlocked === 1)),
  only_landlocked: onlyWhen((p) => (p.landlocked === null ? null : p.landlocked === 1)),
  wetlands_percent_max: atMost((p) => numberOf(p, 'wetlands_percent')),
  flood_zone_percent_max: atMost((p) => numberOf(p, 'flood_zone_percent')),
  road_frontage_min: (p, given, body) => atLeast(() => frontage(p, body))(p, given, body, []),
  road_frontage_max: (p, given, body) => atMost(() => frontage(p, body))(p, given, body, []),
  slope_area_percent: (p, given, body) => atMost(() => steeper(p, body.slope_area_index as number))(p, given, body, []),
};

/** What only leaves out keeps everything unknown. */
const excludes = /(^|_)exclude(_|$)/;

/** Fields that say how other fields are read. */
const silent = new Set([
  'include_unknown',
  'slope_area_index',
  'frontage_major_highway',
  'frontage_normal_road',
  'frontage_local_road',
  'county',
  'counties',
  'geom_intersects',
]);

const filterName = (field: string) =>
  field === 'slope_area_percent' ? 'slope_area' : field.replace(/_(min|max)$/, '');

/** Whether the value that a field asks about is unknown. */
export const isUnknownTo = (field: string, parcel: TwinParcel, body: FilterBody): boolean =>
  tests[field]?.(parcel, body[field], body, [parcel]) === null;

/** Every field that the twin knows, for the test that none is missing. */
export const twinFields: ReadonlySet<string> = new Set([...Object.keys(tests), ...silent]);

/** Ids of the parcels that match, ascending. */
export function twinFilter(body: FilterBody, parcels: readonly TwinParcel[]): number[] {
  const counties = [body.county, ...((body.counties as unknown[]) ?? [])]
    .filter((code) => code !== undefined)
    .map(fips);
  const passing = (body.include_unknown as string[]) ?? [];
  const fields = Object.entries(body).filter(([field]) => !silent.has(field));
  return parcels
    .filter((parcel) => parcel.status === 'current')
    .filter((parcel) => counties.length === 0 || counties.includes(parcel.fips as string))
    .filter((parcel) =>
      fields.every(
        ([field, given]) =>
          tests[field]?.(parcel, given, body, parcels) ?? (excludes.test(field) || passing.includes(filterName(field))),
      ),
    )
    .map((parcel) => parcel.property_id)
    .sort((a, b) => a - b);
}
