/**
 * Sixty questions on the sample county. Each has its answer in SQL on the tables of the home, and the calls of an assistant
 * that knows the list of tools alone; the first call of many is wrong in a way in which assistants are wrong.
 */

export type Input = Readonly<Record<string, unknown>>;
export type Answer = Readonly<Record<string, unknown>>;
type Row = Record<string, unknown>;

export interface Call {
  readonly tool: string;
  readonly input: Input;
}

export interface Question {
  readonly ask: string;
  /** The rows of the answer. */
  readonly sql: string;
  /** The first call, then those that need what the one before answered. */
  readonly calls: readonly [Call, ...((before: Answer) => Call | null)[]];
  /** What is wrong with the first call; it must be repaired by what the refusal or the hints say. */
  readonly wrong?: string;
  /** The rows of the answer, as the SQL gives them, from the last answer; `all` are the rows of every page. */
  readonly read: (last: Answer, all: readonly Row[]) => readonly (readonly unknown[])[];
}

const here = "FROM parcels WHERE fips = '99001' AND status = 'current'";
const acres = 'coalesce(acres, calculated_acres)';
const comps = "FROM comps WHERE fips = '99001'";
const newestSale = `${comps} AND status = 'SOLD' ORDER BY sold_date IS NULL, sold_date DESC, comp_id LIMIT 1`;

const count: Question['read'] = (last) => [[last.count]];
const columns =
  (...names: string[]): Question['read'] =>
  (_, all) =>
    all.map((row) => names.map((name) => row[name]));

const county = '99001';

/** How many parcels meet a filter. */
const parcels = (ask: string, where: string, input: Input, wrong?: string): Question => ({
  ask,
  sql: `SELECT count(*) ${here} AND ${where}`,
  calls: [{ tool: 'filter_properties', input: { ...input, page_size: 1 } }],
  read: count,
  ...(wrong ? { wrong } : {}),
});

const sales = (ask: string, where: string, input: Input, wrong?: string): Question => ({
  ask,
  sql: `SELECT count(*) ${comps} AND ${where}`,
  calls: [{ tool: 'list_comps', input: { ...input, page_size: 1 } }],
  read: count,
  ...(wrong ? { wrong } : {}),
});

const one = (
  ask: string,
  sql: string,
  tool: string,
  input: Input,
  read: Question['read'],
  wrong?: string,
): Question => ({ ask, sql, calls: [{ tool, input }], read, ...(wrong ? { wrong } : {}) });

const ofParcel = (column: string) => `SELECT ${column} ${here} AND apn = '12-201'`;

export const questions: readonly Question[] = [
  parcels('How many parcels has Alder County?', '1', { county }),
  parcels('How many of 5 to 40 acres?', `${acres} BETWEEN 5 AND 40`, { county, acres_min: 5, acres_max: 40 }),
  parcels('How many belong to people of another state?', 'owner_out_of_state = 1', {
    county,
    out_of_state_owner: true,
  }),
  parcels('How many owe taxes?', 'tax_delinquent = 1', { county, tax_delinquent: true }),
  parcels('How many were sold in 2024 or later?', "last_sale_date >= '2024-01-01'", {
    ...{ county, last_sale_date_min: '2024-01-01' },
  }),
  parcels('How many are worth at most $50,000?', 'market_total_value <= 50000', {
    county,
    market_total_value_max: 50_000,
  }),
  parcels('How many have houses of 2000 or later?', 'year_built >= 2000', { county, year_built_min: 2000 }),
  parcels('How many lie in ZIP 00145?', "situs_zip = '00145'", { zips_include: ['00145'] }),
  parcels('How many lots has Riverbend?', "subdivision = 'RIVERBEND'", { county, subdivisions: ['RIVERBEND'] }),
  parcels('How many are in the Harrow Union district?', "school_district = 'Harrow Union'", {
    ...{ county, school_district: 'Harrow Union' },
  }),
  parcels('How many are woodland?', "land_use_code = '6100'", { county, land_use_codes: ['6100'] }),
  parcels('How many have a VA loan?', "mortgage_loan_type = 'VA'", { county, mortgage_loan_types: ['VA'] }),
  parcels('How many came by tax deed?', "last_sale_document_type = 'TAX DEED'", {
    ...{ county, last_sale_document_types: ['TAX DEED'] },
  }),
  parcels('How many over 100 acres are no company’s?', `${acres} >= 100 AND owner_type IS NOT 'company'`, {
    ...{ county, acres_min: 100, exclude_corp_owner: true },
  }),
  parcels('How many were held for 20 years or longer?', 'ownership_length_months >= 240', {
    ...{ county, ownership_length_min: 240 },
  }),
  parcels('How many sold for 100 to 150 thousand?', 'last_sale_price BETWEEN 100000 AND 150000', {
    ...{ county, last_sale_price_min: 100_000, last_sale_price_max: 150_000 },
  }),
  parcels(
    'How many over 100 acres has Alder County?',
    `${acres} >= 100`,
    { county: 'Alder County', acres_min: 100 },
    'a county by name',
  ),
  parcels('How many over 50 acres?', `${acres} >= 50`, { county: 'alder', acres_min: 50 }, 'a county by half its name'),
  parcels(
    'How many over 500 acres?',
    `${acres} >= 500`,
    { county: '33019', acres_min: 500 },
    'a county that is not loaded',
  ),
  parcels(
    'How many over 60 acres?',
    `${acres} >= 60`,
    { fips: county, acres_min: 60 },
    'the name of another tool’s field',
  ),
  parcels('How many of 4 acres or more?', `${acres} >= 4`, { county, acre_min: 4 }, 'a misspelt field'),
  parcels('How many of 20 acres or more?', `${acres} >= 20`, { county, acres: 20 }, 'a field without its bound'),
  parcels(
    'How many of 10 to 20 acres?',
    `${acres} BETWEEN 10 AND 20`,
    { county, acres_min: 20, acres_max: 10 },
    'a range the wrong way round',
  ),
  parcels('How many are zoned AG?', "zoning = 'AG'", { zoning_codes: ['AG'] }, 'no place'),
  parcels('How many are zoned RA-5?', "zoning = 'RA-5'", { county, zoning_codes: ['RA5'] }, 'a code written otherwise'),
  parcels('How many are zoned R-1?', "zoning = 'R-1'", { county, zoning_codes: 'R-1' }, 'no list'),
  parcels('How many over 300 acres?', `${acres} >= 300`, { county, acres_min: '300' }, 'a number as text'),
  parcels(
    'How many owners live out of the county?',
    'owner_out_of_county = 1',
    { county, out_of_county: true },
    'half a name',
  ),
  parcels(
    'How many are lived in by their owners?',
    'owner_occupied = 1',
    { county, owner_occupied: 'yes' },
    'another word for a choice',
  ),
  parcels(
    'How many were sold since 2025?',
    "last_sale_date >= '2025-01-01'",
    { county, last_sale_date_min: '2025' },
    'a year for a date',
  ),
  parcels(
    'How many were sold since June 2024?',
    "last_sale_date >= '2024-06-01'",
    { county, last_sale_date_min: '06/01/2024' },
    'an American date',
  ),
  parcels(
    'How many are worth $200,000 or more?',
    'market_total_value >= 200000',
    { county, market_total_value: 200_000 },
    'a column for a bound',
  ),
  parcels(
    'How many were built since 1990?',
    'year_built >= 1990',
    { county, year_build_min: 1990 },
    'a misspelt field',
  ),
  parcels('How many lie in ZIP 00143?', "situs_zip = '00143'", { zips: ['00143'], county }, 'half a name'),
  parcels(
    'How many lots has Meadowlark phase 3?',
    "subdivision = 'MEADOWLARK PHASE 3'",
    { county, subdivisions: ['MEADOWLARK PHASE III'] },
    'a name written otherwise',
  ),
  parcels(
    'How many lots has Sexton Field?',
    "subdivision = 'SEXTON FIELD'",
    { county, subdivision: ['SEXTON FIELD'] },
    'a column for a filter',
  ),
  parcels(
    'How many are in the Wrenfield district?',
    "school_district = 'Wrenfield Unified'",
    { county, school_district: 'Wrenfield United' },
    'a name written otherwise',
  ),
  parcels(
    'How many are pasture?',
    "land_use_code = '5200'",
    { county, land_use_code: ['5200'] },
    'a column for a filter',
  ),
  parcels('How many are cropland?', "land_use_code = '5100'", { county, land_use_codes: [5100] }, 'codes as numbers'),
  parcels(
    'How many came by probate?',
    "last_sale_document_type = 'PROBATE DEED'",
    { county, last_sale_document_types: ['PROBATE'] },
    'half a value',
  ),
  parcels(
    'How many have known wetlands?',
    'wetlands_percent <= 100',
    { county, wetlands_percent_max: 150 },
    'more than all of it',
  ),
  one(
    'Which are the five largest?',
    `SELECT apn, round(${acres}, 2) ${here} ORDER BY ${acres} IS NULL, ${acres} DESC, property_id LIMIT 5`,
    'filter_properties',
    { county, ordering: '-acres', page_size: 5 },
    (_, all) => all.map((row) => [row.apn, row.acres ?? row.calculated_acres]),
  ),
  one(
    'Which three are worth most?',
    `SELECT apn, market_total_value ${here} ORDER BY market_total_value DESC, property_id LIMIT 3`,
    'filter_properties',
    { county, ordering: '-market_total_value', page_size: 3 },
    columns('apn', 'market_total_value'),
  ),
  one(
    'Which two are smallest?',
    `SELECT apn ${here} ORDER BY ${acres} IS NULL, ${acres}, property_id LIMIT 2`,
    'filter_properties',
    { county, ordering: 'acre', page_size: 2 },
    columns('apn'),
    'a misspelt order',
  ),
  one(
    'How are the three largest zoned?',
    `SELECT apn, zoning ${here} ORDER BY ${acres} DESC, property_id LIMIT 3`,
    'filter_properties',
    { county, ordering: '-acres', fields: ['zonin'], page_size: 3 },
    columns('apn', 'zoning'),
    'a misspelt column',
  ),
  {
    ask: 'What are the numbers of all parcels over 400 acres?',
    sql: `SELECT property_id ${here} AND ${acres} >= 400 ORDER BY property_id`,
    calls: [
      { tool: 'filter_properties', input: { county, acres_min: 400, page_size: 2 } },
      ...Array.from(
        { length: 40 },
        () =>
          ({ next_page: page }: Answer) =>
            page === undefined
              ? null
              : { tool: 'filter_properties', input: { county, acres_min: 400, page_size: 2, page } },
      ),
    ],
    read: columns('property_id'),
  },
  one(
    'Who owns the last of the parcels of 200 acres or more?',
    `SELECT owner_name ${here} AND ${acres} >= 200 ORDER BY property_id DESC LIMIT 1`,
    'filter_properties',
    { county, acres_min: 200, page_size: 1, page: 9999 },
    columns('owner_name'),
    'a page past the end',
  ),
  one(
    'What is the tax on 12-201?',
    ofParcel('tax_amount'),
    'search_properties',
    { fips: county, apn: '12-201', fields: ['tax_amount'] },
    columns('tax_amount'),
  ),
  one(
    'Who owns 12-201?',
    ofParcel('owner_name'),
    'search_properties',
    { county, apn: '12-201' },
    columns('owner_name'),
    'the name of another tool’s field',
  ),
  one(
    'How is 12-201 zoned?',
    ofParcel('zoning'),
    'search_properties',
    { fips: 'Alder', apn: '12-201', fields: ['zoning'] },
    columns('zoning'),
    'a county by name',
  ),
  {
    ask: 'In which year was the house on 12-201 built, and where do its owners get mail?',
    sql: ofParcel('year_built, mailing_city'),
    calls: [
      { tool: 'search_properties', input: { fips: county, apn: '12-201' } },
      ({ results }) => ({ tool: 'get_property', input: { id: (results as Row[])[0]?.property_id } }),
    ],
    read: (last) => [[last.year_built, last.mailing_city]],
  },
  one(
    'How much land has Mei Lavallee?',
    `SELECT count(*) ${here} AND owner_name LIKE '%LAVALLEE%' AND owner_name LIKE '%MEI%'`,
    'search_properties',
    { owner_name: 'Lavallee Mei' },
    count,
    'no place',
  ),
  one(
    'How many parcels has the town of Wrenfield?',
    `SELECT count(*) ${here} AND owner_name LIKE '%TOWN%' AND owner_name LIKE '%OF%' AND owner_name LIKE '%WRENFIELD%'`,
    'search_properties',
    { fips: county, owner: 'Town of Wrenfield' },
    count,
    'half a name',
  ),
  one(
    'What is the subdivision of parcel 40?',
    `SELECT subdivision ${here} AND property_id = 40`,
    'get_property',
    { property_id: 40 },
    (last) => [[last.subdivision]],
    'the name of a column',
  ),
  sales('How many comps were sold?', "status = 'SOLD'", { fips: county, status: ['sold'] }, 'a choice in lower case'),
  sales('How many listings of 5 to 40 acres are active?', "status = 'ACTIVE' AND lot_size BETWEEN 5 AND 40", {
    fips: county,
    status: ['ACTIVE'],
    acres_min: 5,
    acres_max: 40,
  }),
  sales(
    'How many sales are pending?',
    "status = 'PENDING'",
    { county, status: ['PENDING'] },
    'the name of another tool’s field',
  ),
  one(
    'What is the address on the web of the newest sale?',
    `SELECT price, url ${newestSale}`,
    'list_comps',
    { fips: county, status: ['SOLD'], page_size: 1, fields: ['urls'] },
    columns('price', 'url'),
    'a misspelt column',
  ),
  one(
    'How many parcels has the commonest zone?',
    `SELECT zoning, count(*) AS n ${here} AND zoning IS NOT NULL GROUP BY 1 ORDER BY n DESC LIMIT 1`,
    'list_values',
    { fips: county, column: 'zoning_code', limit: 1 },
    (last) => (last.values as Row[]).map(({ value, count: n }) => [value, n]),
    'a filter for a column',
  ),
  one(
    'What is loaded, as of which day?',
    'SELECT fips, source_date, (SELECT count(*) FROM comps) FROM datasets',
    'list_datasets',
    {},
    ({ datasets, counties }) => [
      [(datasets as Row[])[0]?.fips, (datasets as Row[])[0]?.source_date, (counties as Row[])[0]?.comps],
    ],
  ),
];
