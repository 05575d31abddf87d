/** Everything the county says about the land, in the order people ask for it. */
import { parcelColumns, slopeEdgesPercent, steepSlope } from '../../../engine/spec/parcel-columns.ts';
import { formatColumn, formatNumber } from '../../parts/format.ts';
import { ValueSummary } from '../../value/value-summary.tsx';
import type { DetailTabProps, OpenParcel } from './detail-tabs.tsx';
import { ColumnFact, Fact, FactGroup } from './facts.tsx';

const text = ({ parcel }: OpenParcel, name: string): string | null => (parcel[name] as string | null) || null;
const joined = (parts: readonly (string | null)[], by: string): string | null => parts.filter(Boolean).join(by) || null;

/** Columns that the groups below show by themselves. */
const shownApart = new Set([
  ...['url', 'point', 'shape', 'apn', 'fips', 'county_name', 'property_id', 'acres', 'calculated_acres'],
  ...['situs_address', 'situs_city', 'situs_state', 'situs_zip', 'land_use_code', 'land_use_description', 'zoning'],
  ...['legal_description', 'owner_name', 'owner_name_2', 'owner_type', 'mailing_address', 'mailing_city'],
  ...[
    'mailing_state',
    'mailing_zip',
    'owner_out_of_state',
    'owner_out_of_county',
    'owner_out_of_zip',
    'owner_occupied',
  ],
  ...['ownership_length_months', 'road_frontage_ft', 'slope_area_percent', 'wetlands_percent', 'flood_zone_percent'],
  ...['flood_zone_type', 'elevation_min_ft', 'elevation_max_ft', 'landlocked', 'market_total_value', 'market_year'],
  ...['assessed_total_value', 'assessed_year', 'tax_amount', 'tax_year', 'tax_delinquent', 'tax_delinquent_year'],
  ...['last_sale_price', 'last_sale_date', 'last_sale_document_type', 'source_name', 'imported_at', 'jurisdiction'],
  ...[
    'external_id',
    'status',
    'prior_sale_price',
    'prior_sale_date',
    'old_apn',
    'old_apn_indicator',
    'apn_sequence_number',
  ],
]);

export function ParcelTab({ open }: DetailTabProps) {
  return (
    <>
      <ValueSummary propertyId={open.parcel.property_id} />
      <Place open={open} />
      <Owner open={open} />
      <Terrain open={open} />
      <ValueAndTax open={open} />
      <LastSale open={open} />
      <Rest open={open} />
    </>
  );
}

const Place = ({ open }: DetailTabProps) => (
  <FactGroup title="Place">
    <Fact label="Property ID" value={idText(open.parcel.property_id)} copied={String(open.parcel.property_id)} />
    <Fact label="APN" value={text(open, 'apn')} />
    <Fact label="Situs" value={text(open, 'situs_address')} />
    <Fact label="City, ZIP" value={joined([text(open, 'situs_city'), text(open, 'situs_zip')], ', ')} />
    <Fact label="County" value={joined([text(open, 'county_name'), text(open, 'fips')], ' ')} />
    <Fact label="Land use" value={text(open, 'land_use_description') ?? text(open, 'land_use_code')} />
    <Fact label="Zoning" value={text(open, 'zoning')} />
    <Fact label="Legal" value={text(open, 'legal_description')} />
    <Coordinates open={open} />
  </FactGroup>
);

/** `1004218` → `1 004 218`. */
const idText = (id: number): string => String(id).replace(/\B(?=(\d{3})+$)/g, ' ');

function Coordinates({ open }: DetailTabProps) {
  const [longitude, latitude] = (open.parcel.point as [number, number] | null) ?? [];
  const isKnown = longitude !== undefined && latitude !== undefined;
  const shown = isKnown ? `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`.replaceAll('-', '−') : null;
  return (
    <Fact
      label="Latitude, longitude"
      value={shown}
      copied={isKnown ? `${latitude.toFixed(6)}, ${longitude.toFixed(6)}` : ''}
      absent="no place on the map"
    />
  );
}

export function Owner({ open }: DetailTabProps) {
  const mailing = joined(
    [text(open, 'mailing_city'), joined([text(open, 'mailing_state'), text(open, 'mailing_zip')], ' ')],
    ', ',
  );
  const lives = outOf(open);
  return (
    <FactGroup title="Owner">
      <Fact label="Name" value={text(open, 'owner_name')} />
      {text(open, 'owner_name_2') ? <Fact label="Second owner" value={text(open, 'owner_name_2')} /> : null}
      <Fact label="Mailing address" value={text(open, 'mailing_address')} />
      <Fact label="" name="Mailing city" value={mailing} absent="" copied={mailing ?? ''} />
      <Fact label="Kind" value={joined([text(open, 'owner_type'), lives], ', ')} absent="unknown" />
      <ColumnFact open={open} name="owner_occupied" />
      <ColumnFact open={open} name="ownership_length_months" />
      <Fact label="Other parcels" value={otherParcels(open)} absent="no mailing address" />
    </FactGroup>
  );
}

function otherParcels({ other_parcels: count }: OpenParcel): string | null {
  if (count === null) return null;
  return count === 0 ? 'none with this address' : `${formatNumber(count)} with this address`;
}

/** The farthest that is known: out of state says more than out of county. */
function outOf({ parcel }: OpenParcel): string | null {
  const places = ['state', 'county', 'zip'] as const;
  const found = places.find((place) => parcel[`owner_out_of_${place}`] === true);
  if (found) return `out of ${found === 'zip' ? 'ZIP' : found}`;
  return parcel.owner_out_of_state === false ? 'in state' : null;
}

function Terrain({ open }: DetailTabProps) {
  const { parcel } = open;
  const slopes = parcel.slope_area_percent as number[] | null;
  const steep = slopes?.[steepSlope.index];
  const flood = parcel.flood_zone_percent as number | null;
  const zone = text(open, 'flood_zone_type');
  const [low, high] = [parcel.elevation_min_ft as number | null, parcel.elevation_max_ft as number | null];
  return (
    <FactGroup title="Terrain and access">
      <ColumnFact open={open} name="road_frontage_ft" />
      <Fact
        label={`Steeper than ${slopeEdgesPercent[steepSlope.index]} %`}
        value={steep === undefined ? null : formatNumber(steep, 0)}
        unit="% of area"
      />
      <ColumnFact open={open} name="wetlands_percent" />
      <Fact
        label="Flood zone"
        value={flood === null ? null : formatNumber(flood, 1)}
        unit={zone ? `%, zone ${zone}` : '%'}
      />
      <Fact
        label="Elevation"
        value={low === null || high === null ? null : `${formatNumber(low, 0)} to ${formatNumber(high, 0)}`}
        unit="ft"
      />
      <ColumnFact open={open} name="landlocked" />
    </FactGroup>
  );
}

const withYear = (label: string, year: unknown): string => (typeof year === 'number' ? `${label} ${year}` : label);

const ValueAndTax = ({ open }: DetailTabProps) => (
  <FactGroup title="Value and tax">
    <ColumnFact open={open} name="market_total_value" label={withYear('Market value', open.parcel.market_year)} />
    <ColumnFact open={open} name="assessed_total_value" label={withYear('Assessed', open.parcel.assessed_year)} />
    <ColumnFact open={open} name="tax_amount" label={withYear('Tax', open.parcel.tax_year)} />
    <ColumnFact open={open} name="tax_delinquent" label="Delinquent" />
    {open.parcel.tax_delinquent_year === null ? null : <ColumnFact open={open} name="tax_delinquent_year" />}
  </FactGroup>
);

const LastSale = ({ open }: DetailTabProps) => (
  <FactGroup title="Last sale">
    <ColumnFact open={open} name="last_sale_price" label="Price" />
    <ColumnFact open={open} name="last_sale_date" label="Recorded" />
    <ColumnFact open={open} name="last_sale_document_type" label="Document" />
  </FactGroup>
);

/** Every further column that this county publishes for the parcel; the silent ones would be a page of "not published". */
function Rest({ open }: DetailTabProps) {
  const further = parcelColumns.filter(
    (column) => !shownApart.has(column.name) && formatColumn(column, open.parcel[column.name]) !== null,
  );
  if (further.length === 0) return null;
  return (
    <FactGroup title="Also published">
      {further.map((column) => (
        <ColumnFact key={column.name} open={open} name={column.name} />
      ))}
    </FactGroup>
  );
}
