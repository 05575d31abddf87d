/**
 * The filter table: one row per filter. The row's kind gives wire fields, schema and messages (filter-kinds.ts) and the SQL
 * predicate (query/filter-terms.ts). Where the hosted service does not document a name, it is our choice; `aliases` adds
 * others.
 */
import { steepSlope } from './parcel-columns.ts';

export type FilterGroup = 'where' | 'parcel' | 'value' | 'sale' | 'mortgage' | 'owner' | 'terrain';

interface Row {
  readonly name: string;
  readonly group: FilterGroup;
  readonly label: string;
  readonly docs: string;
  readonly aliases?: readonly string[];
  /** Whether the filter is a scope; a request needs at least one. */
  readonly scope?: true;
}

/** The dictionary column (or filter-only column) that a filter reads. */
interface Reads {
  readonly column: string;
}

export type FilterRow = Row &
  (
    | { readonly kind: 'county' | 'counties' }
    | { readonly kind: 'geometry' }
    | { readonly kind: 'portfolio' }
    /** `<name>`, a property_id, and `within_feet` */
    | { readonly kind: 'around' }
    | { readonly kind: 'id' }
    | { readonly kind: 'apn' }
    /** reads township, range, section and meridian as one text */
    | ({ readonly kind: 'plss' } & Reads)
    | ({ readonly kind: 'state' } & Reads)
    | ({ readonly kind: 'zips' | 'exclude_zips' } & Reads)
    /** `<name>_min`, `<name>_max`; numbers and units from the column. `whole`: integers only. */
    | ({ readonly kind: 'range'; readonly whole?: true; readonly unit?: string } & Reads)
    | ({ readonly kind: 'date_range' } & Reads)
    /** only one side: `<name>_min` or `<name>_max` */
    | ({ readonly kind: 'min'; readonly whole?: true } & Reads)
    | ({ readonly kind: 'max' } & Reads)
    /** values OR-ed; like all texts without case, accents and repeated spaces */
    | ({ readonly kind: 'list' } & Reads)
    | ({ readonly kind: 'text'; readonly byWords?: true } & Reads)
    | ({ readonly kind: 'words' | 'exclude_words' } & Reads)
    /** tri-state: true, false, absent */
    | ({ readonly kind: 'is' } & Reads)
    | ({ readonly kind: 'choice'; readonly choices: { readonly Y: true; readonly N: false } } & Reads)
    /** a tick: true, or absent (false is the same as absent) */
    | ({ readonly kind: 'only' | 'exclude'; readonly test: ColumnTest } & Reads)
    | { readonly kind: 'slope_area' }
    | ({ readonly kind: 'frontage' } & Reads)
    | ({ readonly kind: 'frontage_type' } & Reads)
  );

export type FilterKindName = FilterRow['kind'];

type Ungrouped<R> = R extends unknown ? Omit<R, 'group'> : never;

/** The parcels that an *only* keeps or an *exclude* removes: a value, or an entry of the slope array above a bound. */
export type ColumnTest =
  | { readonly equals: string | number | boolean }
  | { readonly element: number; readonly above: number };

const where = [
  {
    name: 'county',
    kind: 'county',
    scope: true,
    label: 'County',
    docs: 'One county by its FIPS code. Beside a list of counties: any of them.',
  },
  {
    name: 'counties',
    kind: 'counties',
    scope: true,
    label: 'Counties',
    docs: 'Several counties by their FIPS codes, strings or integers.',
  },
  {
    name: 'state',
    kind: 'state',
    column: 'situs_state',
    label: 'State',
    docs: 'Two-letter state code. Not a scope by itself.',
  },
  {
    name: 'zips_include',
    kind: 'zips',
    column: 'situs_zip',
    scope: true,
    label: 'ZIP codes',
    docs: 'Parcels in any of these ZIP codes.',
  },
  {
    name: 'zips_exclude',
    kind: 'exclude_zips',
    column: 'situs_zip',
    label: 'Not in ZIP codes',
    docs: 'Leaves out parcels in these ZIP codes.',
  },
  {
    name: 'geom_intersects',
    kind: 'geometry',
    scope: true,
    label: 'Area',
    docs: 'WKT in longitude latitude, with SRID=4326; or without: parcels that intersect it; touching counts. A parcel with only a point matches by its point.',
  },
  {
    name: 'owner_parcel_id',
    kind: 'portfolio',
    scope: true,
    label: 'Owner portfolio of',
    docs: "Every parcel whose owner has the same mailing address as this parcel's owner.",
  },
  {
    name: 'neighbour_of',
    kind: 'around',
    scope: true,
    label: 'Neighbours of',
    docs: 'The neighbours of this parcel. They abut it or face it across a road; accounts on the same ground come with them.',
  },
  {
    name: 'plss',
    kind: 'plss',
    column: 'plss',
    label: 'Township, range, section',
    docs: 'Parcels mostly in this township or section of the public land survey, like T5N R3W S12. Also T5N R3W or 12-5N-3W; of several, any.',
  },
  {
    name: 'townships',
    kind: 'list',
    column: 'township',
    label: 'Townships',
    docs: 'Townships like T5N, of any range.',
  },
  { name: 'ranges', kind: 'list', column: 'range', label: 'Ranges', docs: 'Ranges like R3W.' },
  {
    name: 'section',
    kind: 'range',
    whole: true,
    column: 'section',
    label: 'Section',
    docs: 'Number of the section in its township, mostly 1 to 36.',
  },
  { name: 'property_id', kind: 'id', label: 'Property ID', docs: 'One parcel by its number.' },
  { name: 'apn', kind: 'apn', label: 'APN', docs: 'Exact APN; only letters and digits count, in any case.' },
] as const satisfies readonly Ungrouped<FilterRow>[];

const parcel = [
  {
    name: 'acres',
    kind: 'range',
    column: 'effective_acres',
    unit: 'ac',
    label: 'Acres',
    docs: 'Recorded acres, or mapped acres if the county gives none.',
  },
  {
    name: 'structure_count',
    kind: 'range',
    whole: true,
    column: 'structure_count',
    label: 'Structures',
    docs: 'Number of structures; 0 means none.',
  },
  { name: 'subdivisions', kind: 'list', column: 'subdivision', label: 'Subdivisions', docs: 'Names of subdivisions.' },
  {
    name: 'zoning_codes',
    kind: 'list',
    column: 'zoning',
    label: 'Zoning',
    docs: "Zoning codes in the county's own values.",
  },
  {
    name: 'land_use_codes',
    kind: 'list',
    column: 'land_use_code',
    label: 'Land use',
    docs: "Land use codes in the county's own values.",
  },
  {
    name: 'school_district',
    kind: 'text',
    column: 'school_district',
    label: 'School district',
    docs: 'Name of one school district.',
  },
  {
    name: 'building_sqft',
    kind: 'range',
    column: 'building_sqft',
    label: 'Building area',
    docs: 'Total area of the buildings in square feet.',
  },
  {
    name: 'year_built',
    kind: 'range',
    whole: true,
    column: 'year_built',
    label: 'Year built',
    docs: 'Year the main structure was built.',
  },
] as const satisfies readonly Ungrouped<FilterRow>[];

const value = [
  {
    name: 'improvement_percent',
    kind: 'range',
    column: 'improvement_percent',
    label: 'Improvement share',
    docs: 'Improvements as a percentage of the total value.',
  },
  {
    name: 'assessed_total_value',
    kind: 'range',
    column: 'assessed_total_value',
    label: 'Assessed total',
    docs: 'Assessed total value.',
  },
  {
    name: 'assessed_land_value',
    kind: 'range',
    column: 'assessed_land_value',
    label: 'Assessed land',
    docs: 'Assessed land value.',
  },
  {
    name: 'assessed_improvement_value',
    kind: 'range',
    column: 'assessed_improvement_value',
    label: 'Assessed improvements',
    docs: 'Assessed improvement value.',
  },
  {
    name: 'market_total_value',
    kind: 'range',
    column: 'market_total_value',
    label: 'Market total',
    docs: "The assessor's market value.",
  },
  {
    name: 'market_land_value',
    kind: 'range',
    column: 'market_land_value',
    label: 'Market land',
    docs: "The assessor's market value of the land.",
  },
  {
    name: 'market_improvement_value',
    kind: 'range',
    column: 'market_improvement_value',
    label: 'Market improvements',
    docs: "The assessor's market value of the improvements.",
  },
  {
    name: 'tax_delinquent_years',
    kind: 'min',
    whole: true,
    column: 'tax_delinquent_years',
    label: 'Years delinquent',
    docs: "At least this many years: year of the dataset's date minus the first delinquent year.",
  },
  {
    name: 'tax_delinquent',
    kind: 'is',
    column: 'tax_delinquent',
    label: 'Tax delinquent',
    docs: 'Taxes are overdue now.',
  },
] as const satisfies readonly Ungrouped<FilterRow>[];

const sale = [
  {
    name: 'last_sale_price',
    kind: 'range',
    column: 'last_sale_price',
    label: 'Last sale price',
    docs: 'Price of the most recent sale.',
  },
  {
    name: 'last_sale_price_codes',
    kind: 'list',
    column: 'last_sale_price_code',
    label: 'Sale price code',
    docs: 'Sale price codes of the county.',
  },
  {
    name: 'last_sale_date',
    kind: 'date_range',
    column: 'last_sale_date',
    label: 'Last sale date',
    docs: 'Recording date of the most recent sale.',
  },
  {
    name: 'last_sale_seller_words',
    kind: 'words',
    column: 'last_sale_seller_name',
    label: 'Seller name has',
    docs: 'The seller name contains any of these words.',
  },
  {
    name: 'last_sale_document_types',
    kind: 'list',
    column: 'last_sale_document_type',
    label: 'Deed type',
    docs: 'Deed or document types of the most recent sale.',
  },
] as const satisfies readonly Ungrouped<FilterRow>[];

const mortgage = [
  {
    name: 'mortgage_amount',
    kind: 'range',
    column: 'mortgage_amount',
    label: 'Mortgage',
    docs: 'Amount of the first mortgage.',
  },
  {
    name: 'mortgage_date',
    kind: 'date_range',
    column: 'mortgage_date',
    label: 'Mortgage date',
    docs: 'Recording date of the first mortgage.',
  },
  {
    name: 'mortgage_financing_types',
    kind: 'list',
    column: 'mortgage_financing_type',
    label: 'Financing type',
    docs: 'Financing type codes of the first mortgage.',
  },
  {
    name: 'mortgage_loan_types',
    kind: 'list',
    column: 'mortgage_loan_type',
    label: 'Loan type',
    docs: 'Loan type codes of the first mortgage.',
  },
  {
    name: 'mortgage_interest_rate',
    kind: 'range',
    column: 'mortgage_interest_rate',
    label: 'Interest rate',
    docs: 'Interest rate of the first mortgage in percent.',
  },
] as const satisfies readonly Ungrouped<FilterRow>[];

const owner = [
  {
    name: 'out_of_state_owner',
    kind: 'is',
    column: 'owner_out_of_state',
    label: 'Owner out of state',
    docs: 'The mailing address is in another state than the parcel.',
  },
  {
    name: 'out_of_county_owner',
    kind: 'is',
    column: 'owner_out_of_county',
    label: 'Owner out of county',
    docs: 'The mailing address is in another county.',
  },
  {
    name: 'out_of_zip_owner',
    kind: 'is',
    column: 'owner_out_of_zip',
    label: 'Owner out of ZIP',
    docs: 'The mailing address is in another ZIP code.',
  },
  {
    name: 'exclude_corp_owner',
    kind: 'exclude',
    column: 'owner_type',
    test: { equals: 'company' },
    label: 'Exclude company owners',
    docs: 'Leaves out parcels owned by companies. Trusts are not companies.',
  },
  {
    name: 'exclude_hoa_owner',
    kind: 'exclude',
    column: 'owner_type',
    test: { equals: 'hoa' },
    label: 'Exclude HOA owners',
    docs: 'Leaves out parcels owned by homeowners associations.',
  },
  {
    name: 'owner_occupied',
    kind: 'choice',
    choices: { Y: true, N: false },
    column: 'owner_occupied',
    label: 'Owner-occupied',
    docs: 'Y: only owner-occupied, N: only not owner-occupied.',
  },
  {
    name: 'ownership_length',
    kind: 'range',
    whole: true,
    column: 'ownership_length_months',
    label: 'Owned for',
    docs: "Months from the last recording to the dataset's date.",
  },
  {
    name: 'inter_family_transfer',
    kind: 'is',
    column: 'inter_family_transfer',
    label: 'Within the family',
    docs: 'The last transfer was between relatives.',
  },
  {
    name: 'owner_name_include_words',
    kind: 'words',
    column: 'owner_name',
    label: 'Owner name has',
    docs: 'The owner name contains any of these as whole words (several words: a phrase).',
  },
  {
    name: 'owner_name_exclude_words',
    kind: 'exclude_words',
    column: 'owner_name',
    label: 'Owner name has none of',
    docs: 'Leaves out owner names that contain any of these as whole words.',
  },
  {
    name: 'owner_1_full_name',
    kind: 'text',
    byWords: true,
    column: 'owner_name',
    label: 'Owner name is',
    docs: 'Exact name of the primary owner; case and repeated spaces do not count.',
  },
  {
    name: 'owner_2_full_name',
    kind: 'text',
    byWords: true,
    column: 'owner_name_2',
    label: 'Second owner is',
    docs: 'Exact name of the second owner; case and repeated spaces do not count.',
  },
  {
    name: 'owner_parcels',
    kind: 'range',
    whole: true,
    column: 'owner_parcels',
    label: 'Parcels of the owner',
    docs: 'Parcels of the same owner, in all spellings and counties.',
  },
  {
    name: 'owner_acres',
    kind: 'range',
    column: 'owner_acres',
    label: 'Acres of the owner',
    docs: 'Acres of the same owner, in all spellings and counties.',
  },
  {
    name: 'holding_parcels',
    kind: 'range',
    whole: true,
    column: 'holding_parcels',
    label: 'Parcels of the holding',
    docs: 'Parcels of one owner in one piece, also across a road.',
  },
  {
    name: 'holding_acres',
    kind: 'range',
    column: 'holding_acres',
    label: 'Acres of the holding',
    docs: 'Acres of one owner in one piece, also across a road.',
  },
  {
    name: 'largest_holding',
    kind: 'range',
    column: 'largest_holding',
    label: 'Largest holding',
    docs: "Acres of the largest holding of the parcel's owner.",
  },
] as const satisfies readonly Ungrouped<FilterRow>[];

const terrain = [
  {
    name: 'vacant_only',
    kind: 'only',
    column: 'vacant',
    test: { equals: 1 },
    label: 'Only vacant parcels',
    docs: 'Only parcels without any detected structure. No building is found, improvements are worth 0, or a use says vacant, and nothing is a sign of a building.',
  },
  {
    name: 'exclude_steep_slope',
    kind: 'exclude',
    column: 'slope_area_percent',
    test: { element: steepSlope.index, above: steepSlope.areaPercent },
    label: 'Exclude steep parcels',
    docs: 'Leaves out parcels with more than half of the area steeper than 15 percent.',
  },
  {
    name: 'exclude_landlocked',
    kind: 'exclude',
    column: 'landlocked',
    test: { equals: true },
    label: 'Exclude landlocked',
    docs: 'Leaves out parcels without road access.',
  },
  {
    name: 'only_landlocked',
    kind: 'only',
    column: 'landlocked',
    test: { equals: true },
    label: 'Only landlocked',
    docs: 'Only parcels without road access.',
  },
  {
    name: 'wetlands_percent',
    kind: 'max',
    column: 'wetlands_percent',
    label: 'Wetlands at most',
    docs: 'At most this percent of the area in wetlands.',
  },
  {
    name: 'flood_zone_percent',
    kind: 'max',
    column: 'flood_zone_percent',
    label: 'Flood zone at most',
    docs: 'At most this percent of the area in a flood zone.',
  },
  {
    name: 'water_frontage',
    kind: 'range',
    column: 'water_frontage_ft',
    label: 'Water frontage',
    docs: 'Feet of shore of lakes, ponds and broad rivers, from the layer of water.',
  },
  {
    name: 'road_frontage',
    kind: 'frontage',
    column: 'road_frontage_ft',
    label: 'Road frontage',
    docs: 'Feet of boundary along roads, over the frontage types that count.',
  },
  {
    name: 'frontage_major_highway',
    kind: 'frontage_type',
    column: 'road_frontage_major_highway_ft',
    label: 'Highways count',
    docs: 'Major highways count for the road frontage. None of the three given: all count. Without bounds of the road frontage it asks nothing.',
  },
  {
    name: 'frontage_normal_road',
    kind: 'frontage_type',
    column: 'road_frontage_normal_road_ft',
    label: 'Normal roads count',
    docs: 'Normal roads count for the road frontage.',
  },
  {
    name: 'frontage_local_road',
    kind: 'frontage_type',
    column: 'road_frontage_local_road_ft',
    label: 'Local roads count',
    docs: 'Local roads count for the road frontage.',
  },
  {
    name: 'slope_area',
    kind: 'slope_area',
    label: 'Steep area at most',
    docs: 'At most this percent of the area is steeper than the upper edge of a category: 0.5, 2.5, 5, 7.5, 10, 15, 20, 25, 30, 40, 50 percent grade for 0 to 10. Both or neither.',
  },
] as const satisfies readonly Ungrouped<FilterRow>[];

const groups = { where, parcel, value, sale, mortgage, owner, terrain } as const;

/** Every filter, in the order of docs and of the filter panel. */
export const filters: readonly FilterRow[] = Object.entries(groups).flatMap(([group, rows]) =>
  rows.map((row) => ({ ...row, group: group as FilterGroup })),
);

export const filtersByName: ReadonlyMap<string, FilterRow> = new Map(filters.map((row) => [row.name, row]));
