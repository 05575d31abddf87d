/** Works out the owners of a home from its parcels, and stores them in the land file. */
import { createHash } from 'node:crypto';
import type { SqliteFile } from '../store/sqlite.ts';
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
}

const listBuilds = (file: SqliteFile): CountyBuild[] =>
  file.all<CountyBuild>(
    `SELECT c.fips, c.build_id, c.state, o.build_id AS made_of, o.verdicts
     FROM column_indexes c LEFT JOIN owner_counties o USING (fips) ORDER BY c.fips`,
  );

/** Counties whose parcels or verdicts changed since their owners were worked out. Call it in the question's snapshot. */
export function staleOwnerCounties(file: SqliteFile, verdicts: readonly Verdict[]): string[] {
  const digest = digestOf(verdicts);
  return listBuilds(file)
    .filter(
      ({ build_id: id, state, made_of: of, verdicts: said }) => state !== 'current' || id !== of || said !== digest,
    )
    .map(({ fips }) => fips);
}

/** Whether parcels changed since; verdicts of the user aside. */
export const hasStaleOwners = (file: SqliteFile): boolean =>
  listBuilds(file).some(({ build_id: id, state, made_of: of }) => state !== 'current' || id !== of);

interface OwnedParcel extends RecordedOwner {
  readonly property_id: number;
}

interface WorkedOut {
  readonly identities: readonly OwnerIdentity[];
  readonly groups: OwnerGroups;
  /** Of every parcel with a known owner, the place of its identity. */
  readonly owners: ReadonlyMap<number, number>;
}

/** @param onStep called every few hundred parcels; an error it throws ends the work */
function workOut(file: SqliteFile, verdicts: readonly Verdict[], onStep: () => void): WorkedOut {
  const places = new Map<string, number>();
  const identities: OwnerIdentity[] = [];
  const owners = new Map<number, number>();
  /** Parsing a name costs more than all else: each spelling is parsed once. */
  const known = new Map<string, number | null>();
  for (const parcel of file.iterate<OwnedParcel>(
    `SELECT property_id, owner_name, owner_type, mailing_key FROM parcels
     WHERE status = 'current' AND owner_name IS NOT NULL ORDER BY property_id`,
  )) {
    const spelling = `${parcel.owner_name}\n${parcel.mailing_key ?? ''}`;
    let place = known.get(spelling);
    if (place === undefined) {
      if (known.size % 500 === 0) onStep();
      place = placeOf(identityOf(parcel), identities, places);
      known.set(spelling, place);
    }
    if (place !== null) owners.set(parcel.property_id, place);
  }
  return { identities, groups: linkOwners(identities, verdicts), owners };
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
      file.run('DELETE FROM owner_counties');
      file.run(
        "INSERT INTO owner_counties SELECT fips, build_id, ? FROM column_indexes WHERE state = 'current'",
        digestOf(verdicts),
      );
      return true;
    });
  });
  return isDone ? stale : [];
}

const buildsOf = (file: SqliteFile): string =>
  JSON.stringify(listBuilds(file).map(({ fips, build_id: id, state }) => [fips, id, state]));
