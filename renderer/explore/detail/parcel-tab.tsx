/** The Parcel tab: everything the county says about the land, in the order people ask for it. */
import { parcelColumns, slopeEdgesPercent, steepSlope } from '../../../engine/spec/parcel-columns.ts';
import { degreeDigits } from '../../../engine/spec/shown-digits.ts';
import { vacancyOf } from '../../../engine/spec/vacancy.ts';
import { formatColumn, formatNumber, formatPercent, plural } from '../../parts/format.ts';
import { ValueSummary } from '../../value/value-summary.tsx';
import { select } from '../explore-state.ts';
import type { ColumnName, DetailTabProps, OpenParcel } from './detail-tabs.tsx';
import {
  ColumnFact,
  columnLine,
  Fact,
  FactGroup,
  type Line,
  madeLine,
  publishedLine,
  type Section,
  SectionFacts,
} from './facts.tsx';
import { historySections } from './history-tab.tsx';

type Text = string | null;
const joined = (parts: readonly Text[], by: string): Text => parts.filter(Boolean).join(by) || null;

/** Columns of text in one line, by default the first that is published. */
const textLine = (label: string, columns: readonly ColumnName[], value = firstOf): Line =>
  madeLine<readonly Text[]>(columns, (...texts) => ({ label, value: value(...texts) }));

const firstOf = (...texts: readonly Text[]): Text => texts.find(Boolean) ?? null;
const byComma = (...texts: readonly Text[]): Text => joined(texts, ', ');

/** An amount under its year: `Market value 2026`. */
const yearLine = (name: ColumnName, yearColumn: ColumnName, label: string): Line => ({
  columns: [name, yearColumn],
  show: (open) => {
    const year = open.parcel[yearColumn];
    return <ColumnFact open={open} name={name} label={typeof year === 'number' ? `${label} ${year}` : label} />;
  },
});

/** `1004218` → `1 004 218`. */
const idText = (id: number): string => String(id).replace(/\B(?=(\d{3})+$)/g, ' ');

const place: Section = {
  title: 'Place',
  lines: [
    madeLine(['property_id'], (id: number) => ({ label: 'Property ID', value: idText(id), copied: String(id) })),
    textLine('APN', ['apn']),
    textLine('Property address', ['situs_address']),
    textLine('City, ZIP', ['situs_city', 'situs_zip'], byComma),
    textLine('County', ['county_name', 'fips'], (...texts) => joined(texts, ' ')),
    textLine('Land use', ['land_use_description', 'land_use_code']),
    textLine('Zoning', ['zoning']),
    textLine('Legal', ['legal_description']),
    madeLine(['point'], (point: readonly [number, number] | null) => ({
      label: 'Latitude, longitude',
      value: point && degrees(point, degreeDigits).replaceAll('-', '−'),
      copied: point ? degrees(point, 6) : '',
      absent: 'no place on the map',
    })),
  ],
};

const degrees = ([longitude, latitude]: readonly [number, number], digits: number): string =>
  `${latitude.toFixed(digits)}, ${longitude.toFixed(digits)}`;

const owner: Section = {
  title: 'Owner',
  lines: [
    textLine('Name', ['owner_name']),
    madeLine(['owner_name_2'], (name: Text) => (name ? { label: 'Second owner', value: name } : null)),
    textLine('Mailing address', ['mailing_address']),
    madeLine(['mailing_city', 'mailing_state', 'mailing_zip'], (city: Text, state: Text, zip: Text) => {
      const value = byComma(city, joined([state, zip], ' '));
      return { label: '', name: 'Mailing city', value, absent: '', copied: value ?? '' };
    }),
    madeLine(
      ['owner_type', 'owner_out_of_state', 'owner_out_of_county', 'owner_out_of_zip'],
      (type: Text, ...isOut: readonly [boolean | null, boolean | null, boolean | null]) => ({
        label: 'Kind',
        value: byComma(type, livesWords(isOut)),
        absent: 'unknown',
      }),
    ),
    columnLine('owner_occupied'),
    columnLine('ownership_length_months'),
    {
      columns: [],
      show: (open) => <Fact label="Other parcels" value={otherParcels(open)} absent="no mailing address" />,
    },
  ],
};

export const Owner = ({ open }: DetailTabProps) => <SectionFacts section={owner} open={open} />;

function otherParcels({ other_parcels: count }: OpenParcel): string | null {
  if (count === null) return null;
  return count === 0 ? 'none with this address' : `${formatNumber(count)} with this address`;
}

/** The farthest that is known: out of state says more than out of county. */
function livesWords(isOut: readonly (boolean | null)[]): Text {
  const found = ['state', 'county', 'ZIP'].find((_place, i) => isOut[i] === true);
  if (found) return `out of ${found}`;
  return isOut[0] === false ? 'in state' : null;
}

const terrain: Section = {
  title: 'Terrain and access',
  lines: [
    {
      columns: [],
      show: ({ parcel }) => {
        const { isVacant, signs } = vacancyOf(parcel);
        const value = isVacant === null ? null : `${isVacant ? 'yes' : 'no'}: ${signs.join(', ')}`;
        return <Fact label="Vacant" value={value} absent="unknown" />;
      },
    },
    columnLine('road_frontage_ft'),
    columnLine('water_frontage_ft'),
    madeLine(['slope_area_percent'], (slopes: readonly number[] | null) => ({
      label: `Steeper than ${formatPercent(slopeEdgesPercent[steepSlope.index] ?? 0)}`,
      value: numberText(slopes?.[steepSlope.index], 0),
      unit: '% of area',
    })),
    columnLine('wetlands_percent'),
    madeLine(['flood_zone_percent', 'flood_zone_type'], (percent: number | null, zone: Text) => ({
      label: 'Flood zone',
      value: numberText(percent, 1),
      unit: zone ? `%, zone ${zone}` : '%',
    })),
    madeLine(['elevation_min_ft', 'elevation_max_ft'], (low: number | null, high: number | null) => ({
      label: 'Elevation',
      value: low === null || high === null ? null : `${formatNumber(low, 0)} to ${formatNumber(high, 0)}`,
      unit: 'ft',
    })),
    columnLine('landlocked'),
  ],
};

const numberText = (value: number | null | undefined, digits: number): Text =>
  value === null || value === undefined ? null : formatNumber(value, digits);

const sections: readonly Section[] = [
  place,
  owner,
  terrain,
  {
    title: 'Value and tax',
    lines: [
      yearLine('market_total_value', 'market_year', 'Market value'),
      yearLine('assessed_total_value', 'assessed_year', 'Assessed'),
      yearLine('tax_amount', 'tax_year', 'Tax'),
      columnLine('tax_delinquent', 'Delinquent'),
      publishedLine('tax_delinquent_year'),
    ],
  },
  {
    title: 'Last sale',
    lines: [
      columnLine('last_sale_price', 'Price'),
      columnLine('last_sale_date', 'Recorded'),
      columnLine('last_sale_document_type', 'Document'),
    ],
  },
];

/** The head of the pane shows the first two; the county says the state; the others serve programs. */
const elsewhere = [
  'acres',
  'calculated_acres',
  'situs_state',
  'url',
  'shape',
  'apn_sequence_number',
  'stacked_on',
  'old_apn_indicator',
];
const shown = new Set([
  ...[...sections, ...historySections].flatMap(({ lines }) => lines.flatMap(({ columns }) => columns)),
  ...elsewhere,
]);
const further = parcelColumns.flatMap((column) =>
  shown.has(column.name) ? [] : [{ ...column, name: column.name as ColumnName }],
);

export function ParcelTab({ open }: DetailTabProps) {
  return (
    <>
      <ValueSummary propertyId={open.parcel.property_id} />
      <Stacked open={open} />
      {sections.map((section) => (
        <SectionFacts key={section.title} section={section} open={open} />
      ))}
      <Further open={open} />
    </>
  );
}

/** All other columns that the county publishes for the parcel; those without a value would fill a page. */
function Further({ open }: DetailTabProps) {
  const published = further.filter((column) => formatColumn(column, open.parcel[column.name]) !== null);
  if (published.length === 0) return null;
  return (
    <FactGroup title="Also published">
      {published.map(({ name }) => (
        <ColumnFact key={name} open={open} name={name} />
      ))}
    </FactGroup>
  );
}

/** The accounts without a shape that lie on a lot, and from one of them the way to its lot. */
function Stacked({ open: { stacked } }: DetailTabProps) {
  const { lot, count, accounts } = stacked;
  if (lot === null && count === 0) return null;
  return (
    <section className="facts portfolio" aria-label="One ground">
      <h3>{lot ? 'It lies on the ground of' : `${plural(count, 'account lies', 'accounts lie')} on this lot`}</h3>
      <ul>
        {(lot ? [lot] : accounts).map(({ property_id: id, apn, owner_name: owner }) => (
          <li key={id}>
            <button type="button" className="plain apn" onClick={() => select(id)}>
              {apn || 'no APN'}
            </button>
            <span className="grow ellipsis" title={owner ?? ''}>
              {owner ?? <span className="null">owner not published</span>}
            </span>
          </li>
        ))}
      </ul>
      {count > accounts.length ? <p className="quieter">{formatNumber(count - accounts.length)} more.</p> : null}
    </section>
  );
}
