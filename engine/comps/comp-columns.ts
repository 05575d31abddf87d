/**
 * The comp dictionary: one row per column that an import can fill. Mappings, the importer, the answers of `list_comps`,
 * their CSV headings and docs are derived from these rows.
 */

import type { StruckBy } from '../spec/suspect-rules.ts';

type CompColumnType = 'text' | 'number' | 'integer' | 'date' | 'boolean' | 'zip';

export interface CompColumn {
  readonly name: string;
  readonly type: CompColumnType;
  readonly label: string;
  readonly docs: string;
  /** `ac`, `$`, `days`, `°` */
  readonly unit?: string;
  /** Numbers that mean unknown, unless the mapping says otherwise. */
  readonly nullIf?: readonly number[];
  /** Decimal places kept on import. */
  readonly decimals?: number;
  /** Other headings accepted without a mapping: those of the hosted service's export. */
  readonly aliases?: readonly string[];
}

export const compStatuses = ['ACTIVE', 'PENDING', 'SOLD'] as const;

export type CompStatus = (typeof compStatuses)[number];

/** Every column that an import can fill, in the order of docs. */
export const compColumns: readonly CompColumn[] = [
  {
    name: 'source',
    type: 'text',
    label: 'Source',
    docs: 'The origin of the record: a listing service, a site, `assessor` for recorded sales.',
  },
  {
    name: 'source_id',
    type: 'text',
    label: 'Id at the source',
    docs: 'The source’s own id of the record (an MLS number). Source and id identify the comp: a later file with both updates it.',
    aliases: ['id', 'external_id'],
  },
  {
    name: 'is_land',
    type: 'boolean',
    label: 'Is bare land',
    docs: 'Whether nothing is built there. Rows that say no, or nothing where others do, are left out: the price of a house says nothing about land.',
  },
  {
    name: 'is_qualified',
    type: 'boolean',
    label: 'Is an ordinary sale',
    docs: 'Whether the county calls the sale an ordinary one (qualified, valid, at arm’s length). Rows that say no, or nothing where others do, are left out.',
  },
  {
    name: 'status',
    type: 'text',
    label: 'Status',
    docs: 'ACTIVE (listed), PENDING (under contract) or SOLD. If the file has none, a sold date means SOLD.',
  },
  { name: 'address', type: 'text', label: 'Address', docs: 'Street address of the comp.' },
  { name: 'city', type: 'text', label: 'City', docs: 'City of the comp.' },
  { name: 'state', type: 'text', label: 'State', docs: 'State, two letters.' },
  { name: 'zip', type: 'zip', label: 'ZIP', docs: 'ZIP code, five digits.' },
  { name: 'county', type: 'text', label: 'County', docs: 'County name as the source gives it.' },
  {
    name: 'fips',
    type: 'text',
    label: 'County FIPS code',
    docs: 'County code of five digits. If the file has none: that of the linked parcel, of the named county, or of the option.',
  },
  {
    name: 'apn',
    type: 'text',
    label: 'APN',
    docs: "Assessor's Parcel Number. It links the comp to a parcel of its county, with any punctuation.",
  },
  {
    name: 'latitude',
    type: 'number',
    label: 'Latitude',
    docs: "Latitude, WGS84. Without coordinates a comp gets its parcel's point.",
    unit: '°',
    decimals: 8,
    nullIf: [0],
  },
  {
    name: 'longitude',
    type: 'number',
    label: 'Longitude',
    docs: 'Longitude, WGS84; negative in America.',
    unit: '°',
    decimals: 8,
    nullIf: [0],
  },
  {
    name: 'coordinate_grain',
    type: 'text',
    label: 'Grain of the place',
    docs: '`parcel` if the point is that of the land, `zip` if it is only that of its ZIP code; values are then marked as less certain.',
  },
  {
    name: 'lot_size',
    type: 'number',
    label: 'Acres',
    docs: 'Acres of the lot; null if the source has none.',
    unit: 'ac',
    decimals: 6,
    nullIf: [0],
    aliases: ['acres'],
  },
  {
    name: 'price',
    type: 'number',
    label: 'Price',
    docs: 'US dollars: the asking price while ACTIVE or PENDING, the sale price when SOLD.',
    unit: '$',
    decimals: 2,
    nullIf: [0, 1],
  },
  {
    name: 'use',
    type: 'text',
    label: 'Use',
    docs: 'Land use or zoning. If the file has none, that of the linked parcel.',
  },
  { name: 'list_date', type: 'date', label: 'Listed on', docs: 'Day of the listing.' },
  { name: 'sold_date', type: 'date', label: 'Sold on', docs: 'Day of the closed sale; kept only for SOLD.' },
  {
    name: 'days_on_market',
    type: 'integer',
    label: 'Days on market',
    docs: 'Days between the listing and the latest change of status.',
    unit: 'days',
  },
  { name: 'sale_type', type: 'text', label: 'Sale type', docs: 'The source’s label of the sale.' },
  { name: 'url', type: 'text', label: 'Listing', docs: 'Public address of the listing (http or https).' },
  {
    name: 'photos',
    type: 'text',
    label: 'Photos',
    docs: 'Addresses of photos: a JSON list, or separated by blanks or bars.',
  },
];

export const compColumnsByName: ReadonlyMap<string, CompColumn> = new Map(compColumns.map((row) => [row.name, row]));

/** A row of the comps table without its row number. Days are ISO; null means unknown. */
export interface StoredComp {
  /** UUID of source and source id. */
  readonly comp_id: string;
  readonly source: string;
  readonly source_id: string;
  readonly fips: string;
  readonly property_id: number | null;
  readonly status: CompStatus;
  readonly address: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zip: string | null;
  readonly county: string | null;
  readonly apn: string | null;
  readonly latitude: number;
  readonly longitude: number;
  readonly coordinate_grain: 'parcel' | 'zip' | null;
  readonly lot_size: number | null;
  readonly price: number;
  readonly use: string | null;
  readonly list_date: string | null;
  /** Day when a listing was last seen; null for sales, which no longer change. */
  readonly as_of_date: string | null;
  readonly sold_date: string | null;
  readonly days_on_market: number | null;
  readonly sale_type: string | null;
  readonly url: string | null;
  /** JSON list of addresses. */
  readonly photos: string;
  /** The deed's number and its parties, as the file or the county has them. */
  readonly deed: string | null;
  readonly seller: string | null;
  readonly buyer: string | null;
  /** Struck out of values, statistics and models: by which rule, or by hand. Null: it counts. */
  readonly struck: StruckBy | null;
}

/** A parcel's use, compared with a comp's `use`, is the first known of these columns. */
const parcelUseColumns = ['land_use_description', 'land_use_code', 'zoning'] as const;

/** The same as SQL over a parcels table of that name. */
export const parcelUseSql = (table: string): string =>
  `coalesce(${parcelUseColumns.map((column) => `${table}.${column}`).join(', ')})`;

/** `source` of comps that come from the parcels' own recorded sales. */
export const assessorSource = 'assessor';
