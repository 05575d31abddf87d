/** The parcels of a mailing's list with what their letters are planned from: land, owners, paid values, choices. */
import { isDoNotMail, ownerKey, readDoNotMail } from '../query/do-not-mail.ts';
import type { ValueWarning } from '../spec/value-warnings.ts';
import type { AccountStore } from '../store/account-store.ts';
import type { LandStore } from '../store/land-store.ts';
import type { JudgedValue } from './letter-doubts.ts';
import type { MailedParcel } from './plan-letters.ts';

export interface Home {
  readonly land: LandStore;
  readonly account: AccountStore;
}

interface LandRow {
  readonly property_id: number;
  readonly status: string;
  readonly owner_name: string | null;
  readonly owner_name_2: string | null;
  readonly owner_type: string | null;
  readonly mailing_key: string | null;
  readonly has_full_address: number;
  readonly acres: number | null;
  readonly calculated_acres: number | null;
  readonly last_sale_date: string | null;
  readonly county_value: number | null;
  readonly is_exempt: number;
  readonly landlocked: number | null;
}

const among = 'property_id IN (SELECT value FROM json_each(?))';

const landSql = `SELECT property_id, status, owner_name, owner_name_2, owner_type, mailing_key,
  coalesce(mailing_address, '') <> '' AND coalesce(mailing_city, '') <> '' AND coalesce(mailing_zip, '') <> '' AS has_full_address,
  nullif(acres, 0) AS acres, nullif(calculated_acres, 0) AS calculated_acres, last_sale_date,
  nullif(coalesce(market_land_value, assessed_land_value), 0) AS county_value, landlocked,
  coalesce(property_class_id, '') LIKE '%exempt%' OR coalesce(land_use_code, '') LIKE '%exempt%' AS is_exempt
  FROM parcels WHERE ${among}`;

const groupSql = `SELECT property_id, group_id FROM parcel_owners JOIN owner_identities USING (identity_id) WHERE ${among}`;

/**
 * One text for each owner: the owner worked out from names and addresses (`get_owner`), else what the county wrote.
 * @returns by property_id; a parcel without owner is one of its own
 */
export function ownersOfParcels({ file }: LandStore, ids: readonly number[]): ReadonlyMap<number, string> {
  const json = JSON.stringify(ids);
  const groups = new Map(
    file.all<{ property_id: number; group_id: number }>(groupSql, json).map((row) => [row.property_id, row.group_id]),
  );
  const rows = file.all<{ property_id: number; owner_name: string | null; mailing_key: string | null }>(
    `SELECT property_id, owner_name, mailing_key FROM parcels WHERE ${among}`,
    json,
  );
  return new Map(
    rows.map(({ property_id: id, owner_name: name, mailing_key: address }) => {
      const group = groups.get(id);
      if (group !== undefined) return [id, `owner ${group}`];
      const key = ownerKey(name);
      return [id, key === null ? `parcel ${id}` : `${key}|${address ?? ''}`];
    }),
  );
}

/** The latest letter to each owner, from lists and earlier mailings. */
function mailedOwners({ land, account: { file } }: Home, mailing: number): ReadonlyMap<string, string> {
  const days = new Map(
    file
      .all<{ property_id: number; day: string }>(
        `SELECT property_id, max(day) AS day FROM (
           SELECT property_id, mailed_on AS day FROM list_members WHERE mailed_on IS NOT NULL
           UNION ALL SELECT l.property_id, m.mailed_on FROM letters l JOIN mailings m USING (mailing_id)
             WHERE m.mailed_on IS NOT NULL AND l.state IN ('sent', 'returned') AND m.mailing_id <> ?)
         GROUP BY property_id`,
        mailing,
      )
      .map((row) => [row.property_id, row.day]),
  );
  const latest = new Map<string, string>();
  for (const [id, owner] of ownersOfParcels(land, [...days.keys()])) {
    const day = days.get(id) ?? '';
    if (day > (latest.get(owner) ?? '')) latest.set(owner, day);
  }
  return latest;
}

interface ValueRow {
  readonly property_id: number;
  readonly low: number;
  readonly middle: number;
  readonly high: number;
  readonly confidence: number;
  readonly is_low: number;
  readonly acres: number;
  readonly county_ratio: number | null;
  readonly comps: number;
  readonly nearest_km: number | null;
  readonly warnings: string | null;
}

function valuesOf({ file }: AccountStore, ids: readonly number[]): ReadonlyMap<number, JudgedValue> {
  const rows = file.all<ValueRow>(
    `SELECT property_id, explained ->> '$.range.low' AS low, explained ->> '$.numbers.mean_adjusted_price' AS middle,
       explained ->> '$.range.high' AS high, explained ->> '$.numbers.confidence_score' AS confidence,
       explained ->> '$.is_low_confidence' AS is_low, explained ->> '$.acres' AS acres,
       explained ->> '$.county.usual_ratio' AS county_ratio,
       json_array_length(explained, '$.used') AS comps,
       (SELECT min(u.value ->> '$.distance_km') FROM json_each(explained, '$.used') u) AS nearest_km,
       explained -> '$.warnings' AS warnings
     FROM stored_values WHERE ${among}`,
    JSON.stringify(ids),
  );
  return new Map(
    rows.map(({ property_id: id, is_low: isLow, warnings, ...row }) => [
      id,
      { ...row, is_low_confidence: isLow === 1, warnings: warnings ? (JSON.parse(warnings) as ValueWarning[]) : [] },
    ]),
  );
}

interface Member {
  readonly property_id: number;
  readonly added_at: string;
  readonly owner_then: string | null;
  readonly choice: 'keep' | 'leave_out' | null;
}

const membersSql = `SELECT m.property_id, m.added_at, m.owner_then, c.choice FROM list_members m
  LEFT JOIN mailing_choices c ON c.mailing_id = ? AND c.property_id = m.property_id
  WHERE m.list_id = ? ORDER BY m.position`;

const gone: Omit<LandRow, 'property_id'> = {
  ...{ status: 'retired', owner_name: null, owner_name_2: null, owner_type: null, mailing_key: null },
  ...{ has_full_address: 0, acres: null, calculated_acres: null, last_sale_date: null, county_value: null },
  ...{ is_exempt: 0, landlocked: null },
};

export interface ReadParcel extends MailedParcel {
  readonly owner_name: string | null;
}

/** In the order of the list. */
export function mailedParcels(home: Home, mailing: { mailing_id: number; list_id: number }): ReadParcel[] {
  const { land, account } = home;
  const members = account.file.all<Member>(membersSql, mailing.mailing_id, mailing.list_id);
  const ids = members.map(({ property_id: id }) => id);
  const rows = new Map(land.file.all<LandRow>(landSql, JSON.stringify(ids)).map((row) => [row.property_id, row]));
  const [owners, values] = [ownersOfParcels(land, ids), valuesOf(account, ids)];
  const [mailed, blocked] = [mailedOwners(home, mailing.mailing_id), readDoNotMail(account)];
  return members.map(({ property_id: id, added_at: added, owner_then: then, choice }) => {
    const row = rows.get(id) ?? { ...gone, property_id: id };
    const owner = owners.get(id) ?? `parcel ${id}`;
    const isNew = then !== null && row.owner_name !== null && ownerKey(then) !== ownerKey(row.owner_name);
    const deed = row.last_sale_date;
    return {
      ...{ property_id: id, owner, owner_name: row.owner_name, address: row.mailing_key, choice },
      has_name: ownerKey(row.owner_name) !== null,
      has_full_address: row.has_full_address === 1,
      is_gone: row.status !== 'current',
      is_do_not_mail: isDoNotMail(blocked, row),
      is_public: row.owner_type === 'government',
      mailed_on: mailed.get(owner) ?? null,
      deed_on: deed,
      value: values.get(id) ?? null,
      recorded_acres: row.acres,
      mapped_acres: row.calculated_acres,
      county_value: row.county_value,
      owner_then: isNew ? then : null,
      deed_since: deed !== null && deed > added.slice(0, 10) ? deed : null,
      is_exempt: row.is_exempt === 1,
      is_landlocked: row.landlocked === 1,
    };
  });
}
