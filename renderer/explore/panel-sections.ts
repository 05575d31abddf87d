/** The filter table as sections, in the mock's order and words. Every filter is in exactly one section. */
import { type FilterGroup, type FilterRow, filters } from '../../engine/spec/filters.ts';

export interface PanelSection {
  readonly id: string;
  readonly title: string;
  readonly rows: readonly FilterRow[];
  /** Whether it is open at first. */
  readonly isOpen: boolean;
}

const more = { id: 'place', title: 'One parcel, one owner, other places' };

/** Filters outside their group's section: the most used and the least used. */
const ownSections: Readonly<Record<string, { readonly id: string; readonly title: string }>> = {
  acres: { id: 'acres', title: 'Acres' },
  land_use_codes: { id: 'land_use', title: 'Land use' },
  state: more,
  zips_exclude: more,
  plss: more,
  townships: more,
  ranges: more,
  section: more,
  owner_parcel_id: more,
  neighbour_of: more,
  property_id: more,
  apn: more,
};

/** Filters at the top of their section; the rest follow in the table's order. */
const asFirst: readonly string[] = [
  ...['out_of_state_owner', 'exclude_corp_owner', 'exclude_hoa_owner', 'owner_name_exclude_words'],
  ...['vacant_only', 'flood_zone_percent', 'slope_area', 'exclude_landlocked'],
];

const groupTitles: Readonly<Record<FilterGroup, string>> = {
  where: 'Where',
  owner: 'Owner',
  terrain: 'Terrain and access',
  parcel: 'Lot and building',
  value: 'Value and tax',
  sale: 'Last sale',
  mortgage: 'First mortgage',
};

const order = ['where', 'acres', 'owner', 'terrain', 'land_use', 'parcel', 'value', 'sale', 'mortgage', 'place'];
const begunOpen = new Set(['where', 'acres', 'owner', 'terrain', 'land_use']);

const sectionOf = (row: FilterRow): { id: string; title: string } =>
  ownSections[row.name] ?? { id: row.group, title: groupTitles[row.group] };

const rank = ({ name }: FilterRow): number => (asFirst.includes(name) ? asFirst.indexOf(name) : asFirst.length);

/** Derived from the table: a new filter of a known group appears automatically. */
export const panelSections: readonly PanelSection[] = order.map((id) => {
  const rows = filters.filter((row) => sectionOf(row).id === id).sort((a, b) => rank(a) - rank(b));
  const [first] = rows;
  return { id, title: first ? sectionOf(first).title : id, rows, isOpen: begunOpen.has(id) };
});

export const sectionOfFilter = (name: string): PanelSection | undefined =>
  panelSections.find(({ rows }) => rows.some((row) => row.name === name));

/** Shorter labels than the table's, where the section's title says the rest. */
const panelLabels: Readonly<Record<string, string>> = {
  out_of_state_owner: 'Out of state',
  out_of_county_owner: 'Out of county',
  out_of_zip_owner: 'Out of ZIP',
  owner_name_include_words: 'Owner name has any of these words',
  owner_name_exclude_words: 'Owner name has none of these words',
  last_sale_seller_words: 'Seller name has any of these words',
};

export const labelOf = (row: FilterRow): string => panelLabels[row.name] ?? row.label;
