/** Works out the owners of a home from its parcels, and stores them in the land file. */
import { createHash } from 'node:crypto';
import { indexCounty } from '../columns/update-index.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import {
  type HoldingColumns,
  holdingColumnNames,
  holdingColumns,
  type LandOfOwner,
  shapeColumnsSql,
} from './holding-columns.ts';
import { identityOf, type OwnerIdentity, type RecordedOwner } from './owner-identity.ts';
import { linkOwners, type OwnerGroups, type Verdict } from './owner-links.ts';

export const readVerdicts = (account: SqliteFile): Verdict[] =>
  account.all<Verdict>('SELECT a_key, b_key, verdict FROM owner_verdicts ORDER BY a_key, b_key');

const digestOf = (verdicts: readonly Verdict[]): string =>
  createHash('sha256').update(JSON.stringify(verdicts)).digest('hex').slice(0, 16);

interface CountyBuild {
  readonly fips: string;
  readonly build_id: number;
  readonly state: string;
  /** The build from which its owners were made, and the verdicts; null: none. */
  readonly made_of: number | null;
  readonly verdicts: string | null;
  /** Whether its neighbors are known, and were when its owners were made. */
  readonly has_neighbours: number;
  readonly has_holdings: number | null;
}

const listBuilds = (file: SqliteFile): CountyBuild[] =>
  file.all<CountyBuild>(
    `SELECT c.fips, c.build_id, c.state, o.build_id AS made_of, o.verdicts, o.has_holdings,
       EXISTS (SELECT 1 FROM neighbour_counties n WHERE n.fips = c.fips AND n.state = 'current') AS has_neighbours
     FROM column_indexes c LEFT JOIN owner_counties o USING (fips) ORDER BY c.fips`,
  );

const isMade = ({ build_id: id, state, made_of: of, has_holdings: made, has_neighbours: found }: CountyBuild) =>
  state === 'current' && id === of && made === found;

/** Counties whose parcels or verdicts changed since their owners were worked out. Call it in the question's snapshot. */
export function staleOwnerCounties(file: SqliteFile, verdicts: readonly Verdict[]): string[] {
  const digest = digestOf(verdicts);
  return listBuilds(file)
    .filter((build) => !isMade(build) || build.verdicts !== digest)
    .map(({ fips }) => fips);
}

/** Whether parcels changed since; verdicts of the user aside. */
export const hasStaleOwners = (file: SqliteFile): boolean => listBuilds(file).some((build) => !isMade(build));

/** FIPS codes of counties whose holdings are known as their parcels now are; '' for parcels of no county. */
export const countiesWithHoldings = (file: SqliteFile): Set<string> =>
  new Set(listBuilds(file).flatMap((build) => (isMade(build) && build.has_holdings === 1 ? [build.fips] : [])));

type OwnedParcel = RecordedOwner & LandOfOwner;

interface WorkedOut {
  readonly identities: readonly OwnerIdentity[];
  readonly groups: OwnerGroups;
  /** Of every parcel with a known owner, the place of its identity. */
  readonly owners: ReadonlyMap<number, number>;
  readonly columns: ReadonlyMap<number, HoldingColumns>;
}

const parcelsSql = `SELECT p.property_id, p.owner_name, p.owner_type, p.mailing_key,
    coalesce(p.acres, p.calculated_acres) AS acres, ${shapeColumnsSql}
  FROM parcels p WHERE p.status = 'current' AND p.owner_name IS NOT NULL ORDER BY p.property_id`;

/** @param onStep called every few hundred spellings; an error it throws ends the work */
function workOut(file: SqliteFile, verdicts: readonly Verdict[], onStep: () => void): WorkedOut {
  const places = new Map<string, number>();
  const identities: OwnerIdentity[] = [];
  const owners = new Map<number, number>();
  const land: LandOfOwner[] = [];
  /** Parsing a name costs more than all else: each spelling is parsed once. */
  const known = new Map<string, number | null>();
  for (const parcel of file.iterate<OwnedParcel>(parcelsSql)) {
    const spelling = `${parcel.owner_name}\n${parcel.mailing_key ?? ''}`;
    let place = known.get(spelling);
    if (place === undefined) {
      if (known.size % 500 === 0) onStep();
      place = placeOf(identityOf(parcel), identities, places);
      known.set(spelling, place);
    }
    if (place === null) continue;
    owners.set(parcel.property_id, place);
    const { property_id, acres, geometry_hash, has_shape } = parcel;
    land.push({ property_id, acres, geometry_hash, has_shape });
  }
  const groups = linkOwners(identities, verdicts);
  const groupOf = (id: number) => groups.groupOf[owners.get(id) ?? -1];
  const pairs = file.rawRows('SELECT property_id, other_id FROM parcel_neighbours WHERE property_id < other_id');
  return { identities, groups, owners, columns: holdingColumns(land, groupOf, pairs as [number, number][]) };
}

function placeOf(found: OwnerIdentity | null, identities: OwnerIdentity[], places: Map<string, number>): number | null {
  if (found === null) return null;
  const place = places.get(found.key) ?? identities.push(found) - 1;
  places.set(found.key, place);
  return place;
}

/** Identity numbers begin at 1. */
const idOf = (place: number): number => place + 1;

function write(file: SqliteFile, { identities, groups, owners }: WorkedOut): void {
  for (const table of ['owner_identities', 'owner_links', 'parcel_owners']) file.run(`DELETE FROM ${table}`);
  for (const [at, { key, name, mailingKey, kind }] of identities.entries())
    file.run(
      'INSERT INTO owner_identities (identity_id, key, name, mailing_key, owner_type, group_id) VALUES (?, ?, ?, ?, ?, ?)',
      ...[idOf(at), key, name, mailingKey, kind, idOf(groups.groupOf[at] as number)],
    );
  for (const { a, b, score, reasons, state } of groups.links)
    file.run(
      'INSERT INTO owner_links (a, b, score, reasons, state) VALUES (?, ?, ?, ?, ?)',
      ...[idOf(a), idOf(b), score, JSON.stringify(reasons), state],
    );
  for (const [id, place] of owners)
    file.run('INSERT INTO parcel_owners (property_id, identity_id) VALUES (?, ?)', id, idOf(place));
}

/** Writes the columns of parcels that change. @returns the counties they lie in */
function writeColumns(file: SqliteFile, columns: ReadonlyMap<number, HoldingColumns>): Set<string> {
  const names = holdingColumnNames;
  const changed = new Set<string>();
  const rows = file.all<Record<string, number | null> & { property_id: number; fips: string }>(
    `SELECT property_id, coalesce(fips, '') AS fips, ${names.join(', ')} FROM parcels`,
  );
  const update = `UPDATE parcels SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE property_id = ?`;
  for (const row of rows) {
    const wanted = columns.get(row.property_id);
    const values = names.map((name) => wanted?.[name] ?? null);
    if (names.every((name, at) => row[name] === values[at])) continue;
    file.run(update, ...values, row.property_id);
    changed.add(row.fips);
  }
  return changed;
}

function note(file: SqliteFile, digest: string): void {
  file.run('DELETE FROM owner_counties');
  for (const { fips, state, build_id: id, has_neighbours: has } of listBuilds(file))
    if (state === 'current') file.run('INSERT INTO owner_counties VALUES (?, ?, ?, ?)', fips, id, digest, has);
}

/** Attempts while other programs keep changing parcels, before the rest is left for later. */
const tries = 3;

/**
 * Works out all owners again if any county is stale: an owner may have land in several. Others may write meanwhile: the file
 * is locked only to store the result, which is discarded if a county has changed since.
 * @param onStep called between two steps; an error it throws ends the work, and the counties stay stale
 * @returns the FIPS codes of the counties that were stale
 */
export function updateOwners(file: SqliteFile, verdicts: readonly Verdict[], onStep: () => void = () => {}): string[] {
  const stale = staleOwnerCounties(file, verdicts);
  if (stale.length === 0) return [];
  const isDone = Array.from({ length: tries }).some(() => {
    const { builds, made } = file.snapshot(() => ({ builds: buildsOf(file), made: workOut(file, verdicts, onStep) }));
    onStep();
    return file.transaction(() => {
      if (buildsOf(file) !== builds) return false;
      write(file, made);
      for (const fips of writeColumns(file, made.columns)) indexCounty(file, fips);
      note(file, digestOf(verdicts));
      return true;
    });
  });
  return isDone ? stale : [];
}

const buildsOf = (file: SqliteFile): string =>
  JSON.stringify(listBuilds(file).map(({ fips, build_id: id, state, has_neighbours: has }) => [fips, id, state, has]));
