/**
 * Feeds the comp value from land.sqlite: the subject, the comps around it ring by ring, and a county's sales for the
 * backtest. The method itself is in comps/comp-value.ts and sees only rows.
 */
import { parcelUseSql } from '../comps/comp-columns.ts';
import {
  type CompValueExplanation,
  type NoCompValue,
  type ValueComp,
  type ValueSubject,
  valueFromComps,
} from '../comps/comp-value.ts';
import { boxesAround, metersFrom } from '../comps/distance.ts';
import { valuationParameters } from '../comps/valuation-parameters.ts';
import type { ValueAttributes } from '../comps/value-types.ts';
import { slopeEdgesPercent, steepSlope } from '../spec/parcel-columns.ts';
import type { LandStore } from '../store/land-store.ts';

const millisecondsPerDay = 86_400_000;

/** Days since 1970-01-01 of an ISO day. */
const dayOf = (iso: string | null): number | null =>
  iso === null ? null : Math.floor(Date.parse(`${iso.slice(0, 10)}T00:00:00Z`) / millisecondsPerDay);

interface AttributeRow {
  readonly wetlands_percent: number | null;
  readonly flood_zone_percent: number | null;
  readonly slope_area_percent: string | null;
  readonly landlocked: number | null;
  readonly road_frontage_ft: number | null;
}

const attributeColumns =
  'p.wetlands_percent, p.flood_zone_percent, p.slope_area_percent, p.landlocked, p.road_frontage_ft';

const share = (percent: number | null): number | null => (percent === null ? null : percent / 100);

/** Steeper than 15 percent grade: the class that `exclude_steep_slope` calls steep. */
function steepShare(json: string | null): number | null {
  const shares = json === null ? null : (JSON.parse(json) as (number | null)[]);
  return shares?.length === slopeEdgesPercent.length ? share(shares[steepSlope.index] ?? null) : null;
}

const attributesOf = (row: AttributeRow): ValueAttributes => ({
  wetlandsShare: share(row.wetlands_percent),
  floodShare: share(row.flood_zone_percent),
  steepShare: steepShare(row.slope_area_percent),
  landlocked: row.landlocked === null ? null : row.landlocked === 1,
  roadFrontageFeet: row.road_frontage_ft,
});

interface SubjectRow extends AttributeRow {
  readonly acres: number | null;
  readonly point_lon: number | null;
  readonly point_lat: number | null;
  readonly use: string | null;
}

/** The parcel as the subject of a value as of `now`; null when there is no such parcel. */
function findSubject({ file }: LandStore, propertyId: number, now: Date): ValueSubject | null {
  const row = file.get<SubjectRow>(
    `SELECT coalesce(p.acres, p.calculated_acres) AS acres, p.point_lon, p.point_lat, ${parcelUseSql('p')} AS use, ${attributeColumns}
     FROM parcels p WHERE p.property_id = ?`,
    propertyId,
  );
  if (!row) return null;
  return {
    propertyId,
    acres: row.acres,
    longitude: row.point_lon,
    latitude: row.point_lat,
    date: Math.floor(now.getTime() / millisecondsPerDay),
    use: row.use,
    attributes: attributesOf(row),
  };
}

interface CompRow extends AttributeRow {
  readonly comp_id: string;
  readonly price: number;
  readonly lot_size: number | null;
  readonly longitude: number;
  readonly latitude: number;
  readonly status: ValueComp['status'];
  readonly sold_date: string | null;
  readonly as_of_date: string | null;
  readonly list_date: string | null;
  readonly use: string | null;
  readonly property_id: number | null;
  readonly apn: string | null;
  readonly address: string | null;
  readonly coordinate_grain: 'parcel' | 'zip' | null;
}

const compColumns = `c.comp_id, c.price, c.lot_size, c.longitude, c.latitude, c.status, c.sold_date, c.as_of_date, c.list_date,
  c.use, c.property_id, c.apn, c.address, c.coordinate_grain, ${attributeColumns}`;

function compOf(row: CompRow): ValueComp {
  const date = row.status === 'SOLD' ? row.sold_date : (row.as_of_date ?? row.list_date);
  return {
    id: row.comp_id,
    price: row.price,
    acres: row.lot_size,
    longitude: row.longitude,
    latitude: row.latitude,
    status: row.status,
    date: dayOf(date),
    use: row.use,
    propertyId: row.property_id,
    apn: row.apn ?? '',
    address: row.address ?? '',
    attributes: attributesOf(row),
    coordinateGrain: row.coordinate_grain ?? 'parcel',
  };
}

function compsWithin({ file }: LandStore, longitude: number, latitude: number, kilometers: number): ValueComp[] {
  // A little more than the ring: the method measures in its own flat kilometres.
  const meters = kilometers * 1010;
  const metersTo = metersFrom(longitude, latitude);
  return boxesAround(longitude, latitude, meters).flatMap((box) =>
    file
      .all<CompRow>(
        `SELECT ${compColumns} FROM comps_index i CROSS JOIN comps c ON c.comp_rowid = i.comp_rowid
         LEFT JOIN parcels p ON p.property_id = c.property_id
         WHERE i.max_lon >= ? AND i.min_lon <= ? AND i.max_lat >= ? AND i.min_lat <= ?`,
        box.west,
        box.east,
        box.south,
        box.north,
      )
      .filter((row) => metersTo(row.longitude, row.latitude) <= meters)
      .map(compOf),
  );
}

/**
 * The comp value of a parcel with its whole derivation, or why there is none.
 *
 * The method takes the first ring with enough candidates. Comps beyond that ring change nothing, so rings are read from the
 * file one by one until the method stops inside what was read.
 * @returns null when there is no such parcel
 */
export function explainValue(
  land: LandStore,
  propertyId: number,
  now: Date,
): CompValueExplanation | NoCompValue | null {
  return land.file.snapshot(() => {
    const subject = findSubject(land, propertyId, now);
    return subject && valueRingByRing(land, subject);
  });
}

function valueRingByRing(land: LandStore, subject: ValueSubject): CompValueExplanation | NoCompValue {
  const { acres, longitude, latitude } = subject;
  const { ringsKilometers: rings, enoughCandidates } = valuationParameters;
  if (acres === null || longitude === null || latitude === null) return valueFromComps(subject, []);
  for (const ring of rings.slice(0, -1)) {
    const comps = compsWithin(land, longitude, latitude, ring);
    if (comps.length < enoughCandidates) continue;
    const found = valueFromComps(subject, comps);
    if (found.value !== null && found.ringKilometers <= ring && found.candidateCount >= enoughCandidates) return found;
  }
  return valueFromComps(subject, compsWithin(land, longitude, latitude, rings.at(-1) ?? 0));
}

/** Every comp of a county, for its backtest. */
export const countyComps = ({ file }: LandStore, fips: string): ValueComp[] =>
  file
    .all<CompRow>(
      `SELECT ${compColumns} FROM comps c LEFT JOIN parcels p ON p.property_id = c.property_id WHERE c.fips = ?`,
      fips,
    )
    .map(compOf);
