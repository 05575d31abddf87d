/**
 * The parcel dictionary: one row per column. Detail answers, CSV headings, import targets, the table in land.sqlite and its
 * migrations, OpenAPI and data/DICTIONARY.md are derived from these rows.
 */

/** Type of a value on the wire and in SQLite; see `columnTypes`. */
export type ColumnType =
  | 'id'
  | 'integer'
  | 'money'
  | 'number'
  | 'percent'
  | 'text'
  | 'date'
  | 'boolean'
  | 'point'
  | 'shape'
  | 'percents';

/** Where a column's value comes from when a parcel is read. */
type ColumnOrigin =
  /** stored in the parcels table, from the county's file (an import target) */
  | 'published'
  /** stored in the parcels table; computed on import unless the file gives it */
  | 'derived'
  /** stored in the parcels table; set by Platbook alone (identity, status) */
  | 'assigned'
  /** not stored with the parcel: joined or computed when read */
  | 'computed';

type ColumnGroup =
  | 'identity'
  | 'place'
  | 'use'
  | 'owner'
  | 'value'
  | 'sale'
  | 'mortgage'
  | 'building'
  | 'terrain'
  | 'source';

/** Kinds of owners, as their names tell. */
export const ownerTypes = ['individual', 'company', 'trust', 'government', 'hoa'] as const;

export interface ParcelColumn {
  readonly name: string;
  readonly group: ColumnGroup;
  readonly type: ColumnType;
  readonly origin: ColumnOrigin;
  readonly label: string;
  readonly docs: string;
  /** Unit of the number, as people write it: `ac`, `ft`, `sq ft`, `%`, `$`, `months`. */
  readonly unit?: string;
  /**
   * Numbers that counties write for unknown values (year built 0, price 0 or 1): read as null on import unless the mapping
   * says otherwise.
   */
  readonly nullIf?: readonly number[];
  /** The few texts that the column holds. */
  readonly values?: readonly string[];
  /** Decimal places kept on import. */
  readonly decimals?: number;
  /**
   * Version of land.sqlite that brings the column: one more than the last that was released
   * (store/migrations/land.ts). Absent: the first release.
   */
  readonly since?: number;
}

/** The SQLite storage class of each type; null: never a column of its own in the parcels table. */
export const columnTypes: Record<
  ColumnType,
  { readonly sql: 'INTEGER' | 'REAL' | 'TEXT' | null; readonly docs: string }
> = {
  id: { sql: 'INTEGER', docs: 'integer' },
  integer: { sql: 'INTEGER', docs: 'integer' },
  money: { sql: 'INTEGER', docs: 'integer, whole US dollars' },
  number: { sql: 'REAL', docs: 'number' },
  percent: { sql: 'REAL', docs: 'number, 0 to 100' },
  text: { sql: 'TEXT', docs: 'string' },
  date: { sql: 'TEXT', docs: 'string, ISO date (YYYY-MM-DD)' },
  boolean: { sql: 'INTEGER', docs: 'boolean' },
  point: { sql: null, docs: 'array of two numbers, [longitude, latitude], WGS84' },
  shape: { sql: null, docs: 'GeoJSON geometry, WGS84' },
  percents: { sql: 'TEXT', docs: 'array of 11 numbers, 0 to 100' },
};

type Row = Omit<ParcelColumn, 'group'>;

const identity: Row[] = [
  {
    name: 'property_id',
    type: 'id',
    origin: 'assigned',
    label: 'Property ID',
    docs: 'Number of the parcel in this home. It never changes and is never reused.',
  },
  {
    name: 'url',
    type: 'text',
    origin: 'computed',
    label: 'Link',
    docs: 'Opens the parcel in the app: platbook://parcel/<property_id>.',
  },
  {
    name: 'apn',
    type: 'text',
    origin: 'published',
    label: 'APN',
    docs: "Assessor's Parcel Number as the county writes it. Empty if the county gives none.",
  },
  {
    name: 'apn_sequence_number',
    type: 'integer',
    origin: 'assigned',
    label: 'APN sequence',
    docs: 'Distinguishes parcels that share one APN: 1, 2, …; assigned by shape, never by the order in a file.',
  },
  {
    name: 'old_apn',
    type: 'text',
    origin: 'published',
    label: 'Old APN',
    docs: 'Number the parcel had before the county renumbered it.',
  },
  {
    name: 'old_apn_indicator',
    type: 'text',
    origin: 'published',
    label: 'Old APN indicator',
    docs: "The county's mark that the parcel was renumbered.",
  },
  {
    name: 'tax_account_number',
    type: 'text',
    origin: 'published',
    label: 'Tax account',
    docs: 'Number of the account that the county bills.',
  },
  {
    name: 'fips',
    type: 'text',
    origin: 'assigned',
    label: 'FIPS',
    docs: 'Five-character county code: two for the state, three for the county.',
  },
  {
    name: 'county_name',
    type: 'text',
    origin: 'computed',
    label: 'County',
    docs: 'Full name of the county, with County, Parish or Borough.',
  },
  {
    name: 'property_class_id',
    type: 'text',
    origin: 'published',
    label: 'Property class',
    docs: "The county's class of the property (residential, vacant, exempt …), as it writes it.",
  },
];

const place: Row[] = [
  {
    name: 'point',
    type: 'point',
    origin: 'computed',
    label: 'Point',
    docs: 'A point on the surface of the parcel, never outside it. Null without geometry.',
  },
  {
    name: 'shape',
    type: 'shape',
    origin: 'computed',
    label: 'Shape',
    docs: 'The boundary, a GeoJSON MultiPolygon. Approximate, not a survey. Null if the county gives none.',
  },
  {
    name: 'acres',
    type: 'number',
    origin: 'published',
    unit: 'ac',
    label: 'Recorded acres',
    decimals: 5,
    nullIf: [0],
    docs: 'Acreage on record at the assessor.',
  },
  {
    name: 'calculated_acres',
    type: 'number',
    origin: 'derived',
    unit: 'ac',
    label: 'Mapped acres',
    decimals: 2,
    docs: 'Acreage of the polygon on the WGS84 ellipsoid, two decimals.',
  },
  {
    name: 'situs_address',
    type: 'text',
    origin: 'published',
    label: 'Situs address',
    docs: 'Street address of the parcel itself.',
  },
  { name: 'situs_city', type: 'text', origin: 'published', label: 'Situs city', docs: 'City of the parcel.' },
  {
    name: 'situs_state',
    type: 'text',
    origin: 'derived',
    label: 'Situs state',
    docs: 'Two-letter state of the parcel, or of its county if the file gives none.',
  },
  {
    name: 'situs_zip',
    type: 'text',
    origin: 'published',
    label: 'Situs ZIP',
    docs: 'Five-digit ZIP code of the parcel.',
  },
  {
    name: 'subdivision',
    type: 'text',
    origin: 'published',
    label: 'Subdivision',
    docs: 'Name of the platted subdivision.',
  },
  {
    name: 'stacked_on',
    type: 'text',
    origin: 'derived',
    label: 'Lies on',
    docs: 'APN of the lot whose ground an account without a shape of its own shares, like a condominium or a mobile home. Its point is that of the lot; it has no acres, so that no ground counts twice.',
    since: 10,
  },
  {
    name: 'legal_description',
    type: 'text',
    origin: 'published',
    label: 'Legal description',
    docs: 'Legal description as recorded.',
  },
  {
    name: 'school_district',
    type: 'text',
    origin: 'published',
    label: 'School district',
    docs: 'School district that holds the parcel.',
  },
  {
    name: 'township',
    type: 'text',
    origin: 'published',
    label: 'Township',
    docs: 'Township of the public land survey that holds most of the parcel, like T5N; a file may write 5N, 05N or T 5 North.',
    since: 12,
  },
  {
    name: 'range',
    type: 'text',
    origin: 'published',
    label: 'Range',
    docs: 'Range of that township, like R3W; a file may write 3W, 03W or R 3 West.',
    since: 12,
  },
  {
    name: 'section',
    type: 'integer',
    origin: 'published',
    nullIf: [0],
    label: 'Section',
    docs: 'Section that holds most of the parcel; null in a township without sections.',
    since: 12,
  },
  {
    name: 'principal_meridian',
    type: 'text',
    origin: 'published',
    label: 'Principal meridian',
    docs: 'Meridian that township and range are counted from, like 6th PM. Null if the layer does not say.',
    since: 12,
  },
];

const use: Row[] = [
  {
    name: 'land_use_code',
    type: 'text',
    origin: 'published',
    label: 'Land use code',
    docs: "The county's code of the land use.",
  },
  {
    name: 'land_use_description',
    type: 'text',
    origin: 'published',
    label: 'Land use',
    docs: 'The land use in words.',
  },
  {
    name: 'zoning',
    type: 'text',
    origin: 'published',
    label: 'Zoning',
    docs: "Zoning code, in the county's own values.",
  },
];

const owner: Row[] = [
  {
    name: 'owner_name',
    type: 'text',
    origin: 'published',
    label: 'Owner',
    docs: 'Primary owner of record, as the assessor writes it.',
  },
  {
    name: 'owner_name_2',
    type: 'text',
    origin: 'published',
    label: 'Second owner',
    docs: 'Secondary owner of record.',
  },
  {
    name: 'owner_type',
    type: 'text',
    origin: 'derived',
    label: 'Owner type',
    values: ownerTypes,
    docs: 'One of individual, company, trust, government and hoa, read from the owner name. Null without a name.',
  },
  {
    name: 'owner_occupied',
    type: 'boolean',
    origin: 'published',
    label: 'Owner-occupied',
    docs: 'Whether the owner lives on the parcel.',
  },
  {
    name: 'mailing_address',
    type: 'text',
    origin: 'published',
    label: 'Mailing address',
    docs: "Street or box of the owner's mailing address.",
  },
  {
    name: 'mailing_city',
    type: 'text',
    origin: 'published',
    label: 'Mailing city',
    docs: "City of the owner's mailing address.",
  },
  {
    name: 'mailing_state',
    type: 'text',
    origin: 'published',
    label: 'Mailing state',
    docs: "Two-letter state of the owner's mailing address.",
  },
  {
    name: 'mailing_zip',
    type: 'text',
    origin: 'published',
    label: 'Mailing ZIP',
    docs: "ZIP code of the owner's mailing address: five digits, or nine as 12345-6789.",
  },
  {
    name: 'owner_out_of_state',
    type: 'boolean',
    origin: 'derived',
    label: 'Owner out of state',
    docs: 'The mailing address is in another state than the parcel.',
  },
  {
    name: 'owner_out_of_county',
    type: 'boolean',
    origin: 'derived',
    label: 'Owner out of county',
    docs: "The mailing address is in another county than the parcel: true if the states differ, false if the mailing ZIP is a ZIP of this county's parcels, else null.",
  },
  {
    name: 'owner_out_of_zip',
    type: 'boolean',
    origin: 'derived',
    label: 'Owner out of ZIP',
    docs: 'The mailing ZIP differs from the ZIP of the parcel.',
  },
  {
    name: 'ownership_length_months',
    type: 'integer',
    origin: 'derived',
    unit: 'months',
    label: 'Owned for',
    docs: 'Whole months from the last recording to the date of the dataset.',
  },
  {
    name: 'owner_parcels',
    type: 'integer',
    origin: 'assigned',
    label: 'Parcels of the owner',
    docs: 'Current parcels of the same owner in all spellings that are joined, in every county (docs/owners.md). Null until worked out.',
    since: 15,
  },
  {
    name: 'owner_acres',
    type: 'number',
    origin: 'assigned',
    unit: 'ac',
    label: 'Acres of the owner',
    docs: 'Acres of those parcels, recorded or else mapped; accounts on one lot count equal acres once.',
    since: 15,
  },
  {
    name: 'holding_parcels',
    type: 'integer',
    origin: 'assigned',
    label: 'Parcels of the holding',
    docs: 'Parcels of the holding: land of one owner in one piece, also across a road. Null without a shape.',
    since: 15,
  },
  {
    name: 'holding_acres',
    type: 'number',
    origin: 'assigned',
    unit: 'ac',
    label: 'Acres of the holding',
    docs: 'Acres of that holding.',
    since: 15,
  },
  {
    name: 'largest_holding',
    type: 'number',
    origin: 'assigned',
    unit: 'ac',
    label: 'Largest holding',
    docs: "Acres of the largest holding of the parcel's owner.",
    since: 15,
  },
];

const value: Row[] = [
  {
    name: 'assessed_total_value',
    type: 'money',
    origin: 'published',
    unit: '$',
    label: 'Assessed total',
    nullIf: [0],
    docs: 'Assessed value of land and improvements.',
  },
  {
    name: 'assessed_land_value',
    type: 'money',
    origin: 'published',
    unit: '$',
    label: 'Assessed land',
    nullIf: [0],
    docs: 'Assessed value of the land.',
  },
  {
    name: 'assessed_improvement_value',
    type: 'money',
    origin: 'published',
    unit: '$',
    label: 'Assessed improvements',
    docs: 'Assessed value of buildings and other improvements; 0 is a value: nothing is built.',
  },
  {
    name: 'assessed_year',
    type: 'integer',
    origin: 'published',
    label: 'Assessment year',
    nullIf: [0],
    docs: 'Year of the assessment.',
  },
  {
    name: 'market_total_value',
    type: 'money',
    origin: 'published',
    unit: '$',
    label: 'Market total',
    nullIf: [0],
    docs: "The assessor's market value of land and improvements.",
  },
  {
    name: 'market_land_value',
    type: 'money',
    origin: 'published',
    unit: '$',
    label: 'Market land',
    nullIf: [0],
    docs: "The assessor's market value of the land.",
  },
  {
    name: 'market_improvement_value',
    type: 'money',
    origin: 'published',
    unit: '$',
    label: 'Market improvements',
    docs: "The assessor's market value of improvements; 0 is a value: nothing is built.",
  },
  {
    name: 'market_year',
    type: 'integer',
    origin: 'published',
    label: 'Market value year',
    nullIf: [0],
    docs: 'Year of the market value.',
  },
  {
    name: 'improvement_percent',
    type: 'percent',
    origin: 'derived',
    unit: '%',
    label: 'Improvement share',
    decimals: 2,
    docs: 'Improvement value ÷ total value × 100, from the assessed values, or from the market values if those are missing.',
  },
  {
    name: 'tax_amount',
    type: 'money',
    origin: 'published',
    unit: '$',
    label: 'Tax',
    docs: 'Property tax billed for the year; 0 is unknown where the county has no value of the parcel either, as of a strip of road.',
  },
  {
    name: 'tax_year',
    type: 'integer',
    origin: 'published',
    label: 'Tax year',
    nullIf: [0],
    docs: 'Year of the tax bill.',
  },
  {
    name: 'tax_delinquent',
    type: 'boolean',
    origin: 'derived',
    label: 'Tax delinquent',
    docs: 'Taxes are overdue; true if the county gives a first delinquent year.',
  },
  {
    name: 'tax_delinquent_year',
    type: 'integer',
    origin: 'published',
    label: 'Delinquent since',
    nullIf: [0],
    docs: 'First year with unpaid taxes.',
  },
];

const sale: Row[] = [
  {
    name: 'last_sale_price',
    type: 'money',
    origin: 'published',
    unit: '$',
    label: 'Last sale price',
    nullIf: [0, 1],
    docs: 'Price of the most recent sale. Prices of 0 and 1 are transfers without a price, so null.',
  },
  {
    name: 'last_sale_price_code',
    type: 'text',
    origin: 'published',
    label: 'Sale price code',
    docs: "The county's code for the kind of price (full, estimated, not qualified …).",
  },
  {
    name: 'last_sale_date',
    type: 'date',
    origin: 'published',
    label: 'Last sale date',
    docs: 'Recording date of the most recent sale.',
  },
  {
    name: 'last_sale_document_type',
    type: 'text',
    origin: 'published',
    label: 'Deed type',
    docs: 'Kind of deed or document of the most recent sale.',
  },
  {
    name: 'last_sale_seller_name',
    type: 'text',
    origin: 'published',
    label: 'Seller (grantor)',
    docs: 'Grantor of the most recent sale.',
  },
  {
    name: 'last_sale_buyer_name',
    type: 'text',
    origin: 'published',
    label: 'Buyer (grantee)',
    docs: 'Grantee of the most recent sale.',
  },
  {
    name: 'inter_family_transfer',
    type: 'boolean',
    origin: 'published',
    label: 'Within the family',
    docs: 'The last transfer was between relatives.',
  },
  {
    name: 'prior_sale_price',
    type: 'money',
    origin: 'published',
    unit: '$',
    label: 'Prior sale price',
    nullIf: [0, 1],
    docs: 'Price of the sale before the last.',
  },
  {
    name: 'prior_sale_date',
    type: 'date',
    origin: 'published',
    label: 'Prior sale date',
    docs: 'Recording date of the sale before the last.',
  },
];

const mortgage: Row[] = [
  {
    name: 'mortgage_amount',
    type: 'money',
    origin: 'published',
    unit: '$',
    label: 'Mortgage',
    nullIf: [0, 1],
    docs: 'Amount of the first mortgage.',
  },
  {
    name: 'mortgage_date',
    type: 'date',
    origin: 'published',
    label: 'Mortgage date',
    docs: 'Recording date of the first mortgage.',
  },
  {
    name: 'mortgage_lender',
    type: 'text',
    origin: 'published',
    label: 'Lender',
    docs: 'Lender of the first mortgage.',
  },
  {
    name: 'mortgage_financing_type',
    type: 'text',
    origin: 'published',
    label: 'Financing type',
    docs: 'Financing type code of the first mortgage (for example FIX, ARM).',
  },
  {
    name: 'mortgage_loan_type',
    type: 'text',
    origin: 'published',
    label: 'Loan type',
    docs: 'Loan type code of the first mortgage (for example CNV, FHA, VA).',
  },
  {
    name: 'mortgage_interest_rate',
    type: 'number',
    origin: 'published',
    unit: '%',
    label: 'Interest rate',
    decimals: 3,
    nullIf: [0],
    docs: 'Interest rate of the first mortgage in percent.',
  },
];

const building: Row[] = [
  {
    name: 'structure_count',
    type: 'integer',
    origin: 'published',
    label: 'Structures',
    docs: 'Number of structures on the parcel; 0 is a value: none was found.',
  },
  {
    name: 'building_sqft',
    type: 'integer',
    origin: 'published',
    unit: 'sq ft',
    label: 'Building area',
    nullIf: [0],
    docs: 'Total area of the buildings in square feet.',
  },
  {
    name: 'year_built',
    type: 'integer',
    origin: 'published',
    label: 'Year built',
    nullIf: [0],
    docs: 'Year the main structure was built.',
  },
];

const terrain: Row[] = [
  {
    name: 'elevation_min_ft',
    type: 'number',
    origin: 'published',
    unit: 'ft',
    label: 'Lowest point',
    decimals: 1,
    docs: 'Lowest elevation on the parcel.',
  },
  {
    name: 'elevation_mean_ft',
    type: 'number',
    origin: 'published',
    unit: 'ft',
    label: 'Mean elevation',
    decimals: 1,
    docs: 'Mean elevation of the parcel.',
  },
  {
    name: 'elevation_max_ft',
    type: 'number',
    origin: 'published',
    unit: 'ft',
    label: 'Highest point',
    decimals: 1,
    docs: 'Highest elevation on the parcel.',
  },
  {
    name: 'slope_mean_percent',
    type: 'number',
    origin: 'published',
    unit: '%',
    label: 'Mean slope',
    decimals: 2,
    docs: 'Mean slope in percent grade (100 is 45 degrees).',
  },
  {
    name: 'slope_area_percent',
    type: 'percents',
    origin: 'published',
    unit: '%',
    label: 'Steeper than',
    docs: 'Percent of the area steeper than 0.5, 2.5, 5, 7.5, 10, 15, 20, 25, 30, 40 and 50 percent grade.',
  },
  {
    name: 'wetlands_percent',
    type: 'percent',
    origin: 'published',
    unit: '%',
    label: 'Wetlands',
    decimals: 2,
    docs: 'Percent of the area covered by wetlands.',
  },
  {
    name: 'flood_zone_percent',
    type: 'percent',
    origin: 'published',
    unit: '%',
    label: 'Flood zone',
    decimals: 2,
    docs: 'Percent of the area in a special flood hazard zone (A…, V…).',
  },
  {
    name: 'flood_zone_type',
    type: 'text',
    origin: 'published',
    label: 'Flood zone type',
    docs: 'The flood zone with the largest share; X if there is none.',
  },
  {
    name: 'water_frontage_ft',
    type: 'number',
    origin: 'assigned',
    unit: 'ft',
    label: 'Water frontage',
    decimals: 1,
    docs: 'Length of the shores of lakes, ponds and broad rivers that the parcel has or borders on; 0 if it has none.',
    since: 13,
  },
  {
    name: 'road_frontage_ft',
    type: 'number',
    origin: 'published',
    unit: 'ft',
    label: 'Road frontage',
    decimals: 1,
    docs: 'Length of the boundary along roads of any class.',
  },
  {
    name: 'road_frontage_major_highway_ft',
    type: 'number',
    origin: 'published',
    unit: 'ft',
    label: 'Highway frontage',
    decimals: 1,
    docs: 'Length of the boundary along major highways.',
  },
  {
    name: 'road_frontage_normal_road_ft',
    type: 'number',
    origin: 'published',
    unit: 'ft',
    label: 'Road frontage, normal',
    decimals: 1,
    docs: 'Length of the boundary along normal roads.',
  },
  {
    name: 'road_frontage_local_road_ft',
    type: 'number',
    origin: 'published',
    unit: 'ft',
    label: 'Road frontage, local',
    decimals: 1,
    docs: 'Length of the boundary along local roads.',
  },
  {
    name: 'landlocked',
    type: 'boolean',
    origin: 'published',
    label: 'Landlocked',
    docs: 'No road frontage of any class, and no boundary shared with a road parcel.',
  },
];

const source: Row[] = [
  {
    name: 'source_name',
    type: 'text',
    origin: 'computed',
    label: 'Source',
    docs: 'Publisher of the dataset that holds the parcel.',
  },
  { name: 'source_date', type: 'date', origin: 'computed', label: 'Source date', docs: 'Date of that dataset.' },
  {
    name: 'imported_at',
    type: 'text',
    origin: 'computed',
    label: 'Imported',
    docs: 'When the dataset was last imported, ISO date-time, UTC.',
  },
  {
    name: 'jurisdiction',
    type: 'text',
    origin: 'computed',
    label: 'Jurisdiction',
    docs: 'The town, in counties where towns assess.',
  },
  {
    name: 'external_id',
    type: 'text',
    origin: 'published',
    label: 'External ID',
    docs: 'Identifier in the service or file the parcel came from.',
  },
  {
    name: 'status',
    type: 'text',
    origin: 'assigned',
    label: 'Status',
    values: ['current', 'retired'],
    docs: "Either current, or retired: no longer in the county's file. Retired parcels keep their notes and stay outside filters.",
  },
];

const groups: Record<ColumnGroup, Row[]> = {
  identity,
  place,
  use,
  owner,
  value,
  sale,
  mortgage,
  building,
  terrain,
  source,
};

/**
 * Every column, in the order of answers and CSV headings: by group, those of later versions behind. Spreadsheets count on
 * the order.
 */
export const parcelColumns: readonly ParcelColumn[] = Object.entries(groups)
  .flatMap(([group, rows]) => rows.map((row) => ({ ...row, group: group as ColumnGroup })))
  .sort((a, b) => (a.since ?? 1) - (b.since ?? 1));

export const parcelColumnsByName: ReadonlyMap<string, ParcelColumn> = new Map(parcelColumns.map((c) => [c.name, c]));

/** Columns that a county's file can fill. */
export const importColumns: readonly ParcelColumn[] = parcelColumns.filter(
  (c) => c.origin === 'published' || c.origin === 'derived',
);

/** Columns kept in the parcels table of land.sqlite, besides the store's own (store/migrations/parcels-table.ts). */
export const storedColumns: readonly ParcelColumn[] = parcelColumns.filter((c) => c.origin !== 'computed');

/** Upper edges of the slope categories 0 to 10, in percent grade. */
export const slopeEdgesPercent = [0.5, 2.5, 5, 7.5, 10, 15, 20, 25, 30, 40, 50] as const;

/** Steep, for `exclude_steep_slope`: more than half of the area steeper than 15 percent grade. */
export const steepSlope = { index: slopeEdgesPercent.indexOf(15), areaPercent: 50 } as const;
