/** The comp value of a parcel of land.sqlite. The method itself is in comps/comp-value.ts and sees only comps. */
import { parcelUseSql } from '../comps/comp-columns.ts';
import { dayOfTime } from '../comps/comp-facts.ts';
import { type CompValueExplanation, type NoCompValue, type ValueSubject, valueFromComps } from '../comps/comp-value.ts';
import { boxesAround } from '../comps/distance.ts';
import { valuationParameters } from '../comps/valuation-parameters.ts';
import type { ValueDay } from '../comps/value-day.ts';
import { validationError } from '../spec/errors.ts';
import type { LandStore } from '../store/land-store.ts';
import { attributesOf, compsInBox, type LandRow, landNames } from './comp-row.ts';
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

/** Comps by hand, by id: these are used however unlike they are, those are not. */
export interface ByHand {
  readonly pinned: readonly string[];
  readonly struck: readonly string[];
}

/**
 * The value with comps pinned and struck by hand; nothing of it is remembered.
 * @throws EngineError validation_error for a comp that is not in reach, or that no value can use
 */
export const explainByHand = (
  land: LandStore,
  propertyId: number,
  { pinned, struck }: ByHand,
  now: Date,
  isPast = false,
): CompValueExplanation | NoCompValue | null =>
  land.file.snapshot(() => {
    const subject = findSubject(land, propertyId, { time: now, isPast });
    if (!subject || subject.longitude === null || subject.latitude === null) return null;
    const most = valuationParameters.ringsKilometers.at(-1) ?? 0;
    const [pins, strikes] = [new Set(pinned), new Set(struck)];
    const comps = boxesAround(subject.longitude, subject.latitude, most * 1000)
      .flatMap((box) => compsInBox(land.file, box))
      .map((comp) => ({
        ...comp,
        ...(pins.has(comp.id) && { isPinned: true, struck: null }),
        ...(strikes.has(comp.id) && { struck: 'hand' as const }),
      }));
    const known = new Set(comps.map(({ id }) => id));
    const missing = [...pins, ...strikes].find((id) => !known.has(id));
    if (missing !== undefined)
      throw validationError({ comps: [`there is no comp ${JSON.stringify(missing)} within ${most} km`] });
    const answer = valueFromComps(subject, comps, valuationParameters, marketSight(land, subject.fips));
    const used = new Set(answer.value === null ? [] : answer.used.map(({ comp }) => comp.id));
    const unused = pinned.find((id) => answer.value !== null && !used.has(id));
    if (unused === undefined) return answer;
    const why = answer.leftOut.examples.find(({ comp }) => comp.id === unused)?.reason ?? 'outside its reach';
    throw validationError({
      pinned: [`no value here can use comp ${JSON.stringify(unused)}: ${why.replaceAll('_', ' ')}`],
    });
  });
