/** The comp value of a parcel of land.sqlite. The method itself is in comps/comp-value.ts and sees only comps. */
import { parcelUseSql } from '../comps/comp-columns.ts';
import { dayOfTime } from '../comps/comp-facts.ts';
import { type CompValueExplanation, type NoCompValue, type ValueSubject, valueFromComps } from '../comps/comp-value.ts';
import { valuationParameters } from '../comps/valuation-parameters.ts';
import type { ValueDay } from '../comps/value-day.ts';
import type { LandStore } from '../store/land-store.ts';
import { attributesOf, type LandRow, landNames } from './comp-row.ts';
import { withComps } from './land-comps.ts';
import { marketSight } from './market-sight.ts';

export interface SubjectRow extends LandRow {
  readonly acres: number | null;
  readonly point_lon: number | null;
  readonly point_lat: number | null;
  readonly use: string | null;
  readonly fips: string | null;
  readonly owner_type: string | null;
  readonly property_class_id: string | null;
}

/** A subject, and the county whose market it belongs to. */
interface CountySubject extends ValueSubject {
  readonly fips: string | null;
}

/** The columns of a `SubjectRow`, of parcels `p`. */
export const subjectColumns = `coalesce(p.acres, p.calculated_acres) AS acres, p.point_lon, p.point_lat, p.fips,
  ${parcelUseSql('p')} AS use, p.owner_type, p.property_class_id, ${landNames.join(', ')}`;

/** The parcel as the subject of a value; null if there is no such parcel. */
export function findSubject({ file }: LandStore, propertyId: number, on: ValueDay): CountySubject | null {
  const row = file.get<SubjectRow>(`SELECT ${subjectColumns} FROM parcels p WHERE p.property_id = ?`, propertyId);
  return row ? subjectOf(propertyId, row, on) : null;
}

export function subjectOf(propertyId: number, row: SubjectRow, { time, isPast }: ValueDay): CountySubject {
  return {
    propertyId,
    fips: row.fips,
    acres: row.acres,
    longitude: row.point_lon,
    latitude: row.point_lat,
    date: dayOfTime(time),
    isPast,
    use: row.use,
    attributes: attributesOf(row),
    countyLandValue: row.county_land_value,
    isPublic: row.owner_type === 'government',
    isExempt: /exempt/i.test(`${row.property_class_id} ${row.use}`),
  };
}

/**
 * The comp value of a parcel with its whole derivation, or the reason why it has none.
 * @returns null if there is no such parcel
 */
export const explainValue = (
  land: LandStore,
  propertyId: number,
  now: Date,
  isPast = false,
): CompValueExplanation | NoCompValue | null =>
  withComps(land, (comps) => {
    const subject = findSubject(land, propertyId, { time: now, isPast });
    if (!subject) return null;
    return valueFromComps(subject, comps.all().index, valuationParameters, marketSight(land, subject.fips));
  });
