/** The owner of a parcel as worked out: spellings with reasons, what is perhaps the same, all land by county. */
import type { SqliteFile } from '../store/sqlite.ts';
import { acresOf, holdingsAmong, type LandOfOwner, shapeColumnsSql } from './holding-columns.ts';
import type { LinkState } from './owner-links.ts';
import type { Reason } from './owner-score.ts';

export interface OwnerSpelling {
  /** One of its parcels, which names it in a verdict. */
  readonly property_id: number;
  readonly name: string;
  readonly mailing_address: string | null;
  readonly parcels: number;
  /** Why it is joined: null for the first spelling, which most parcels have. */
  readonly joined: 'automatic' | 'same' | null;
  readonly score: number | null;
  readonly reasons: readonly Reason[];
}

/** Another owner: perhaps the same, or sharing a person. */
export interface RelatedOwner {
  readonly property_id: number;
  readonly name: string;
  readonly mailing_address: string | null;
  readonly parcels: number;
  readonly acres: number | null;
  readonly score: number;
  readonly reasons: readonly Reason[];
}

export interface OwnerParcel {
  readonly property_id: number;
  readonly apn: string | null;
  readonly fips: string;
  readonly acres: number | null;
}

export interface OwnerCounty {
  readonly fips: string;
  readonly county_name: string | null;
  readonly parcels: number;
  readonly acres: number | null;
  readonly market_total_value: number | null;
  readonly assessed_total_value: number | null;
}

export interface OwnerHolding {
  readonly parcels: number;
  readonly acres: number | null;
  /** The first hundred. */
  readonly property_ids: readonly number[];
}

export interface Owner {
  readonly name: string | null;
  readonly owner_type: string | null;
  readonly parcel_count: number;
  readonly acres: number | null;
  readonly spellings: readonly OwnerSpelling[];
  readonly perhaps_same: readonly RelatedOwner[];
  readonly shares_person: readonly RelatedOwner[];
  /** Largest first. */
  readonly holdings: readonly OwnerHolding[];
  readonly counties: readonly OwnerCounty[];
  readonly parcels: readonly OwnerParcel[];
}

/** Parcels listed; their number and acres count all. */
const mostListed = 1000;
const mostOfHolding = 100;
/** Perhaps the same, surest first. */
const mostRelated = 50;

export const acresSql = 'coalesce(p.acres, p.calculated_acres)';

interface IdentityRow {
  readonly identity_id: number;
  readonly name: string;
  readonly owner_type: string;
  readonly parcels: number;
  readonly property_id: number;
}

/** Null: there is no such parcel. A parcel whose owner is unknown or not worked out yet has no spellings. */
export function readOwner(file: SqliteFile, propertyId: number): Owner | null {
  const parcel = file.get<{ owner_name: string | null; owner_type: string | null; group_id: number | null }>(
    `SELECT p.owner_name, p.owner_type, (SELECT group_id FROM parcel_owners o JOIN owner_identities USING (identity_id)
       WHERE o.property_id = p.property_id) AS group_id
     FROM parcels p WHERE p.property_id = ?`,
    propertyId,
  );
  if (!parcel) return null;
  const { group_id: group } = parcel;
  if (group === null) return { ...unknown, name: parcel.owner_name, owner_type: parcel.owner_type };
  const identities = file.all<IdentityRow>(
    `SELECT i.identity_id, i.name, i.owner_type, count(*) AS parcels, min(o.property_id) AS property_id
     FROM owner_identities i JOIN parcel_owners o USING (identity_id) WHERE i.group_id = ?
     GROUP BY i.identity_id ORDER BY parcels DESC, i.identity_id`,
    group,
  );
  const counties = countiesOf(file, group);
  const land = file.all<LandOfOwner>(
    `SELECT p.property_id, ${acresSql} AS acres, ${shapeColumnsSql} ${ofGroup} ORDER BY p.property_id`,
    group,
  );
  return {
    name: identities[0]?.name ?? parcel.owner_name,
    owner_type: identities[0]?.owner_type ?? parcel.owner_type,
    parcel_count: counties.reduce((sum, { parcels }) => sum + parcels, 0),
    acres: acresOf(land),
    spellings: spellingsOf(file, identities),
    perhaps_same: relatedOf(file, group, 'proposed'),
    shares_person: relatedOf(file, group, 'shares'),
    holdings: piecesOf(file, land).map(holdingOf),
    counties,
    parcels: file.all<OwnerParcel>(
      `SELECT p.property_id, p.apn, p.fips, ${acresSql} AS acres ${ofGroup} ORDER BY acres DESC, p.property_id LIMIT ${mostListed}`,
      group,
    ),
  };
}

const unknown: Omit<Owner, 'name' | 'owner_type'> = {
  parcel_count: 0,
  acres: null,
  spellings: [],
  perhaps_same: [],
  shares_person: [],
  holdings: [],
  counties: [],
  parcels: [],
};

/** Current parcels `p` of an owner, by the group of its identities. */
export const ofGroup = `FROM owner_identities i JOIN parcel_owners o USING (identity_id) JOIN parcels p USING (property_id)
  WHERE i.group_id = ? AND p.status = 'current'`;

/** By the rule of the columns, largest first. */
export function piecesOf<Land extends LandOfOwner>(file: SqliteFile, land: readonly Land[]): Land[][] {
  const ids = JSON.stringify(land.map(({ property_id: id }) => id));
  const pairs = file.rawRows(
    `SELECT property_id, other_id FROM parcel_neighbours WHERE property_id IN (SELECT value FROM json_each(:ids))
       AND other_id > property_id AND other_id IN (SELECT value FROM json_each(:ids))`,
    { ids },
  );
  return holdingsAmong(land, () => 0, pairs as [number, number][])
    .map((parcels) => ({ parcels, acres: acresOf(parcels) ?? 0 }))
    .sort((a, b) => b.acres - a.acres)
    .map(({ parcels }) => parcels);
}

const holdingOf = (parcels: readonly LandOfOwner[]): OwnerHolding => ({
  ...{ parcels: parcels.length, acres: acresOf(parcels) },
  property_ids: parcels.slice(0, mostOfHolding).map(({ property_id: id }) => id),
});

const countiesOf = (file: SqliteFile, group: number): OwnerCounty[] =>
  file.all<OwnerCounty>(
    `SELECT p.fips, (SELECT name FROM counties c WHERE c.fips = p.fips) AS county_name, count(*) AS parcels,
       sum(${acresSql}) AS acres, sum(p.market_total_value) AS market_total_value,
       sum(p.assessed_total_value) AS assessed_total_value
     ${ofGroup} GROUP BY p.fips ORDER BY parcels DESC, p.fips`,
    group,
  );

interface LinkRow {
  readonly a: number;
  readonly b: number;
  readonly score: number;
  readonly reasons: string;
  readonly state: LinkState;
}

const linksSql = `SELECT a, b, score, reasons, state FROM owner_links
  WHERE a IN (SELECT value FROM json_each(:ids)) OR b IN (SELECT value FROM json_each(:ids)) ORDER BY score DESC, a, b`;

function spellingsOf(file: SqliteFile, identities: readonly IdentityRow[]): OwnerSpelling[] {
  const ids = new Set(identities.map(({ identity_id: id }) => id));
  const links = file
    .all<LinkRow>(linksSql, { ids: JSON.stringify([...ids]) })
    .filter(({ a, b, state }) => ids.has(a) && ids.has(b) && (state === 'automatic' || state === 'same'));
  return identities.map(({ identity_id: id, name, property_id, parcels }, index) => {
    // What the user said explains a join better than a score.
    const own = links.filter(({ a, b }) => a === id || b === id);
    const link = index === 0 ? undefined : (own.find(({ state }) => state === 'same') ?? own[0]);
    return {
      ...{ property_id, name, mailing_address: addressOf(file, property_id), parcels },
      joined: (link?.state as 'automatic' | 'same' | undefined) ?? null,
      ...{ score: link?.score ?? null, reasons: reasonsOf(link) },
    };
  });
}

const reasonsOf = (link: LinkRow | undefined): Reason[] => (link ? (JSON.parse(link.reasons) as Reason[]) : []);

function relatedOf(file: SqliteFile, group: number, wanted: 'proposed' | 'shares'): RelatedOwner[] {
  const rows = file.all<LinkRow & { readonly other: number }>(
    `SELECT l.*, other.group_id AS other FROM owner_identities i
       JOIN (SELECT a AS own, b AS far, * FROM owner_links UNION ALL SELECT b AS own, a AS far, * FROM owner_links) l
         ON l.own = i.identity_id AND l.state IN (:wanted, 'different')
       JOIN owner_identities other ON other.identity_id = l.far AND other.group_id <> :group
     WHERE i.group_id = :group ORDER BY l.score DESC, l.a, l.b`,
    { group, wanted },
  );
  // What is different from one spelling is no longer asked of the others.
  const answered = new Set(rows.filter(({ state }) => state === 'different').map(({ other }) => other));
  const asked = rows.filter(({ state, other }) => state === wanted && !answered.has(other));
  const groups = [...Map.groupBy(asked, ({ other }) => other)].slice(0, mostRelated);
  return groups.flatMap(([other, [link]]) => {
    const first = file.get<Omit<RelatedOwner, 'score' | 'reasons' | 'mailing_address'>>(
      `SELECT min(p.property_id) AS property_id, i.name, count(*) AS parcels, sum(${acresSql}) AS acres ${ofGroup} GROUP BY i.group_id`,
      other,
    );
    if (!first || !link) return [];
    return {
      ...first,
      mailing_address: addressOf(file, first.property_id),
      score: link.score,
      reasons: reasonsOf(link),
    };
  });
}

function addressOf(file: SqliteFile, propertyId: number): string | null {
  const found = file.get<Record<'street' | 'city' | 'state' | 'zip', string | null>>(
    `SELECT mailing_address AS street, mailing_city AS city, mailing_state AS state, mailing_zip AS zip
     FROM parcels WHERE property_id = ?`,
    propertyId,
  );
  const { street, city, state, zip } = found ?? { street: null, city: null, state: null, zip: null };
  return [street, city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ') || null;
}
