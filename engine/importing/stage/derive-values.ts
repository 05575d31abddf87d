/** Derives values from a parcel's other values. Never replaces a value of the file. */
import { mailingKey } from '../../contacts/mailing-key.ts';
import { ownerType } from '../../contacts/owner-type.ts';
import { acresOfMultiPolygon } from '../../geo/area.ts';
import type { MultiPolygon } from '../../geo/geometry.ts';
import { apnKey, foldCase } from '../../spec/text-fold.ts';
import { positionOf } from '../mapping/row-mapper.ts';
import type { StoredValue } from '../values/convert-value.ts';

/** Look-up keys of the parcels table, beside the dictionary's columns. */
export interface DerivedKeys {
  apn_key: string | null;
  mailing_key: string | null;
  tax_delinquent_years: number | null;
}

export interface DeriveContext {
  /** ISO date of the dataset. */
  readonly date: string;
  /** State of the county, two letters. */
  readonly state: string;
  /** Whether the files have a column of the dictionary. */
  readonly isMapped: (column: string) => boolean;
}

const at = {
  apn: positionOf('apn'),
  acres: positionOf('calculated_acres'),
  situsState: positionOf('situs_state'),
  situsZip: positionOf('situs_zip'),
  ownerName: positionOf('owner_name'),
  ownerType: positionOf('owner_type'),
  mailingAddress: positionOf('mailing_address'),
  mailingCity: positionOf('mailing_city'),
  mailingState: positionOf('mailing_state'),
  mailingZip: positionOf('mailing_zip'),
  outOfState: positionOf('owner_out_of_state'),
  outOfZip: positionOf('owner_out_of_zip'),
  ownershipMonths: positionOf('ownership_length_months'),
  saleDate: positionOf('last_sale_date'),
  improvementPercent: positionOf('improvement_percent'),
  taxDelinquent: positionOf('tax_delinquent'),
  taxDelinquentYear: positionOf('tax_delinquent_year'),
  tax: positionOf('tax_amount'),
};
const valueColumns = (['assessed', 'market'] as const).map((kind) => ({
  /** Land and buildings alike are worth something. */
  whole: [`${kind}_total_value`, `${kind}_land_value`],
  total: positionOf(`${kind}_total_value`),
  land: positionOf(`${kind}_land_value`),
  improvement: positionOf(`${kind}_improvement_value`),
}));

/** Columns that this module and the import fill, in addition to a mapping. */
export const derivedColumnNames = [
  'calculated_acres',
  'stacked_on',
  'situs_state',
  'owner_type',
  'owner_out_of_state',
  'owner_out_of_county',
  'owner_out_of_zip',
  'ownership_length_months',
  'improvement_percent',
  'tax_delinquent',
] as const;

const hundredths = (number: number): number => Math.round(number * 100) / 100;

/** Whole months from one ISO date to another; null if the first is later. */
export function wholeMonths(from: string, to: string): number | null {
  const months =
    (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7));
  const whole = to.slice(8, 10) < from.slice(8, 10) ? months - 1 : months;
  return whole < 0 ? null : whole;
}

/** Two letters in upper case, or null: only such states can be compared. */
function stateCode(value: StoredValue | undefined): string | null {
  if (typeof value !== 'string' || value.length !== 2) return null;
  return foldCase(value);
}

/** Improvement ÷ total × 100 of the assessed values, else of the market values; sums the total if it is missing. */
function improvementPercent(values: readonly StoredValue[]): number | null {
  for (const { total, land, improvement } of valueColumns) {
    const built = values[improvement];
    if (typeof built !== 'number') continue;
    const ground = values[land];
    const whole = values[total] ?? (typeof ground === 'number' ? built + ground : null);
    if (typeof whole !== 'number' || whole <= 0 || built < 0 || built > whole) continue;
    return hundredths((built / whole) * 100);
  }
  return null;
}

/**
 * Improvements of 0 are a value, but not where the files have owners and values of land or totals and this record has none
 * of them: it holds only zeros, as strips of road do, and its tax of 0 says nothing either. (57 of 1,830 in Three Forks, 12 of 2,029 in
 * Washington.)
 */
function dropEmptyValues(values: StoredValue[], { isMapped }: DeriveContext): void {
  if (!isMapped('owner_name') || values[at.ownerName] !== null) return;
  let [hasEmpty, hasValue] = [false, false];
  for (const { whole, total, land, improvement } of valueColumns) {
    const built = values[improvement] ?? 0;
    if (built !== 0 || values[total] !== null || values[land] !== null) hasValue = true;
    else if (whole.some(isMapped)) {
      values[improvement] = null;
      hasEmpty = true;
    }
  }
  if (hasEmpty && !hasValue && values[at.tax] === 0) values[at.tax] = null;
}

function deriveOwner(values: StoredValue[], context: DeriveContext): void {
  const name = values[at.ownerName];
  values[at.ownerType] ??= typeof name === 'string' ? ownerType(name) : null;
  values[at.situsState] ??= context.state;
  const [situs, mailing] = [stateCode(values[at.situsState]), stateCode(values[at.mailingState])];
  if (situs !== null && mailing !== null) values[at.outOfState] ??= situs === mailing ? 0 : 1;
  const [situsZip, mailingZip] = [values[at.situsZip], values[at.mailingZip]];
  if (typeof situsZip === 'string' && typeof mailingZip === 'string') {
    values[at.outOfZip] ??= mailingZip.startsWith(situsZip) ? 0 : 1;
  }
}

/** Completes `values` (one for each of `importColumns`) and returns the look-up keys. */
export function deriveValues(
  values: StoredValue[],
  polygons: MultiPolygon | null,
  context: DeriveContext,
): DerivedKeys {
  if (polygons) values[at.acres] ??= hundredths(acresOfMultiPolygon(polygons));
  deriveOwner(values, context);
  dropEmptyValues(values, context);
  values[at.improvementPercent] ??= improvementPercent(values);
  const sold = values[at.saleDate];
  if (typeof sold === 'string') values[at.ownershipMonths] ??= wholeMonths(sold, context.date);
  const delinquentSince = values[at.taxDelinquentYear];
  if (typeof delinquentSince === 'number') values[at.taxDelinquent] ??= 1;
  const text = (position: number) => values[position] as string | null;
  const apn = text(at.apn);
  return {
    apn_key: apn === null ? null : apnKey(apn) || null,
    mailing_key: mailingKey({
      address: text(at.mailingAddress),
      city: text(at.mailingCity),
      state: text(at.mailingState),
      zip: text(at.mailingZip),
    }),
    tax_delinquent_years:
      typeof delinquentSince === 'number' ? Math.max(Number(context.date.slice(0, 4)) - delinquentSince, 0) : null,
  };
}
