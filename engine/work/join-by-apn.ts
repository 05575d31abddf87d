/** Joins rows of a file to parcels by APN, never by likeness: one parcel matches, several or none are counted. */
import { EngineError } from '../spec/errors.ts';
import { apnKey } from '../spec/text-fold.ts';
import type { LandStore } from '../store/land-store.ts';

interface ApnRow {
  readonly apn: string;
  /** Null: any county. */
  readonly fips: string | null;
}

export interface Joined<Row extends ApnRow> {
  /** The last row of a parcel counts. */
  readonly matched: ReadonlyMap<number, Row>;
  readonly several: readonly Row[];
  readonly none: readonly Row[];
}

/** `12-201` written so wins over `122-01`, whose letters and digits are equal; current parcels win over former ones. */
export function joinByApn<Row extends ApnRow>(
  { file }: Pick<LandStore, 'file'>,
  rows: readonly Row[],
  county: string | null,
): Joined<Row> {
  const matched = new Map<number, Row>();
  const [several, none]: [Row[], Row[]] = [[], []];
  for (const row of rows) {
    const found = file.all<{ property_id: number; apn: string; status: string }>(
      'SELECT property_id, apn, status FROM parcels WHERE apn_key = ? AND (? IS NULL OR fips = ?)',
      apnKey(row.apn),
      ...[row.fips ?? county, row.fips ?? county],
    );
    const current = found.filter(({ status }) => status === 'current');
    const among = current.length > 0 ? current : found;
    const exact = among.filter(({ apn }) => apn === row.apn);
    const [one, ...others] = exact.length > 0 ? exact : among;
    if (!one) none.push(row);
    else if (others.length > 0) several.push(row);
    else matched.set(one.property_id, row);
  }
  return { matched, several, none };
}

const leastShare = 0.01;

/** @throws EngineError import_refused, with five APNs of each side, where less than 1 % of the rows match */
export function requireMatches<Row extends ApnRow>(
  { file }: Pick<LandStore, 'file'>,
  { matched, none, several }: Joined<Row>,
  rows: number,
): void {
  if (rows > 0 && matched.size + several.length >= rows * leastShare) return;
  const words = (apns: readonly string[]) => apns.map((apn) => JSON.stringify(apn)).join(', ') || 'none';
  const own = file.column<string>("SELECT DISTINCT apn FROM parcels WHERE apn <> '' AND status = 'current' LIMIT 5");
  throw new EngineError(
    'import_refused',
    rows === 0
      ? 'Expected rows with an APN, found none.'
      : `Expected APNs of the parcels here, found ${matched.size} of ${rows.toLocaleString('en-US')}. In the file: ${words(none.slice(0, 5).map(({ apn }) => apn))}. Here: ${words(own)}.`,
  );
}
