/**
 * What a shared page may hold of people, money and the user's own work: each part goes only if it is named. Every column of the
 * dictionary that stands neither here nor in `publicFacts` never goes, and neither do ids, paths, tags, stars and letters.
 */
import { dollars, factText } from '../sheet/fact-words.ts';
import { parcelColumnsByName } from '../spec/parcel-columns.ts';
import type { ParcelField } from '../spec/parcel-fields.ts';

/** Values of one parcel: columns of the dictionary, and those of the user's work (work/export-work-columns.ts). */
export type ShareValues = Readonly<Record<string, unknown>>;

interface FactRow {
  readonly label: string;
  /** Columns of the dictionary that it reads. */
  readonly columns: readonly ParcelField[];
  /** Null: unknown. */
  readonly text: (values: ShareValues) => string | null;
  /** The user's own: left out where there is none, instead of "unknown". */
  readonly isOwn?: true;
}

const isKnown = (value: unknown): boolean => value !== null && value !== undefined && value !== '';
const joined = (values: readonly unknown[], between = ', '): string | null =>
  values.filter(isKnown).map(String).join(between) || null;

function fact(name: ParcelField): FactRow {
  const column = parcelColumnsByName.get(name);
  if (!column) throw new Error(`no column ${name}`);
  return { label: column.label, columns: [name], text: (values) => factText(column, values[name]) };
}

const own = (label: string, text: FactRow['text']): FactRow => ({ label, columns: [], text, isOwn: true });
const money = (value: unknown): string | null => (isKnown(value) ? dollars(value as number) : null);

/** Shown of every parcel. */
export const publicFacts: readonly FactRow[] = [
  {
    label: 'Address',
    columns: ['situs_address', 'situs_city', 'situs_state', 'situs_zip'],
    text: (of) => joined([of.situs_address, of.situs_city, joined([of.situs_state, of.situs_zip], ' ')]),
  },
  ...(
    [
      'acres',
      'calculated_acres',
      'land_use_description',
      'zoning',
      'subdivision',
      'school_district',
      'building_sqft',
      'year_built',
      'road_frontage_ft',
      'water_frontage_ft',
      'landlocked',
      'slope_mean_percent',
      'elevation_mean_ft',
      'wetlands_percent',
      'flood_zone_percent',
    ] as const
  ).map(fact),
];

export interface SharePart {
  readonly name: string;
  readonly label: string;
  readonly docs: string;
  readonly rows: readonly FactRow[];
}

const phones = Array.from({ length: 6 }, (_, at) =>
  own(`Phone ${at + 1}`, (of) => joined([of[`phone_${at + 1}`], of[`phone_${at + 1}_type`]], ', ')),
);

/** A new part is one line here: options, ticks, counts and the page follow. */
export const shareParts = [
  {
    name: 'owners',
    label: 'Owner names',
    docs: 'as the county has them',
    rows: [fact('owner_name'), { ...fact('owner_name_2'), isOwn: true }],
  },
  {
    name: 'contacts',
    label: 'Contacts',
    docs: 'mailing addresses, and phones that are safe to call',
    rows: [
      {
        label: 'Mailing address',
        columns: ['mailing_address', 'mailing_city', 'mailing_state', 'mailing_zip'],
        text: (of: ShareValues) =>
          joined([of.mailing_address, of.mailing_city, joined([of.mailing_state, of.mailing_zip], ' ')]),
      },
      ...phones,
    ],
  },
  {
    name: 'prices',
    label: 'Prices of the county',
    docs: 'assessed and market value, tax, last sale',
    rows: (
      ['assessed_total_value', 'market_total_value', 'tax_amount', 'last_sale_price', 'last_sale_date'] as const
    ).map(fact),
  },
  {
    name: 'values',
    label: 'Your comp values',
    docs: 'those that you paid for',
    rows: [
      own('Comp value', (of) =>
        isKnown(of.value)
          ? `${money(of.value)}, ${money(of.value_low)} to ${money(of.value_high)}, ${of.valued_on}; a research indication, not an appraisal`
          : null,
      ),
    ],
  },
  {
    name: 'deal',
    label: 'Your deals',
    docs: 'stage, next step, offer, agreed price',
    rows: [
      own('Stage', (of) => joined([of.stage])),
      own('Next step', (of) => joined([of.next_on, of.next_what])),
      own('Offer', (of) => money(of.offer)),
      own('Agreed', (of) => money(of.agreed)),
    ],
  },
  {
    name: 'notes',
    label: 'Your notes',
    docs: 'whole, with their days',
    rows: [own('Notes', (of) => joined([of.notes]))],
  },
  { name: 'photo_places', label: 'Places of photos', docs: 'as numbers on the map', rows: [] },
] as const satisfies readonly SharePart[];

export type PartName = (typeof shareParts)[number]['name'];
export const partNames = shareParts.map(({ name }) => name) as readonly PartName[];

/** Columns to read. */
export const columnsOf = (rows: readonly FactRow[]): ParcelField[] => rows.flatMap(({ columns }) => columns);

/** Label and text; a fact that is not known says so. */
export const factsOf = (rows: readonly FactRow[], values: ShareValues): (readonly [label: string, text: string])[] =>
  rows.flatMap(({ label, text, isOwn }) => {
    const words = text(values);
    if (words === null && isOwn) return [];
    return [[label, words ?? unknownWord] as const];
  });

export const unknownWord = 'unknown';
