/**
 * Places accounts without a shape of their own on the lot whose ground they share: condominiums, mobile homes. They get the
 * lot's point and no acres, so that no ground counts twice.
 */
import { foldSpaces } from '../../spec/text-fold.ts';
import type { SqliteFile } from '../../store/sqlite.ts';
import type { ImportReport } from '../stage/import-report.ts';

const listed = 20;

/** `012-201-000` is the lot `012-201`. */
const zeroGroups = /(?:[-./ ]+0+)+$/;
const lastGroup = /[-./ ]+[^-./ ]+$/;

const bareLot = (apn: string): string => apn.replace(zeroGroups, '');

/** The keys by which an account finds its lot, the nearest first: its number without its last groups. */
function* lotKeys(apn: string): Generator<string> {
  for (let key = bareLot(apn); ; key = bareLot(key.replace(lastGroup, ''))) {
    yield key;
    if (!lastGroup.test(key)) return;
  }
}

interface Shapeless {
  readonly stage_id: number;
  readonly apn: string;
  readonly lot: string | null;
  readonly acres: number | null;
}

interface Ground {
  readonly stage_id: number;
  readonly apn: string;
  readonly lot: string | null;
  readonly size: number;
}

/** The largest piece of each lot; among equal pieces the first by APN. */
const isBetter = (one: Ground, other: Ground | undefined): boolean =>
  other === undefined || one.size > other.size || (one.size === other.size && one.apn < other.apn);

const apnSql = "coalesce(apn, nullif(identity, ''))";

/** Numbers and the mapping's lots are told apart: either may look like the other. */
const keysOf = ({ apn, lot }: Pick<Shapeless, 'apn' | 'lot'>): readonly string[] =>
  lot === null ? [...lotKeys(foldSpaces(apn))].map((key) => `apn ${key}`) : [`lot ${lot}`];

/** The grounds that accounts ask for: many parcels, of which few are kept. */
function groundsOf(file: SqliteFile, wanted: ReadonlySet<string>): ReadonlyMap<string, Ground> {
  const grounds = new Map<string, Ground>();
  const lots = file.iterate<Ground>(
    `SELECT stage_id, ${apnSql} AS apn, lot, coalesce(calculated_acres, acres, 0) AS size FROM staging.staged_parcels
     WHERE geom IS NOT NULL AND ${apnSql} IS NOT NULL`,
  );
  for (const ground of lots) {
    const keys = [`apn ${bareLot(foldSpaces(ground.apn))}`, ...(ground.lot === null ? [] : [`lot ${ground.lot}`])];
    for (const key of keys) if (wanted.has(key) && isBetter(ground, grounds.get(key))) grounds.set(key, ground);
  }
  return grounds;
}

/** Call it before identities are matched; it writes the staged parcels alone. */
export function stackAccounts(file: SqliteFile): ImportReport['stacked'] & { acres: number } {
  const accounts = file.all<Shapeless>(
    `SELECT stage_id, ${apnSql} AS apn, lot, coalesce(acres, calculated_acres) AS acres FROM staging.staged_parcels
     WHERE geom IS NULL AND point_lon IS NULL AND ${apnSql} IS NOT NULL ORDER BY stage_id`,
  );
  const grounds = groundsOf(file, new Set(accounts.flatMap(keysOf)));
  const stacked = { count: 0, first: [] as { apn: string; lot: string }[], acres: 0 };
  for (const account of accounts) {
    const key = keysOf(account).find((each) => grounds.has(each));
    const ground = key === undefined ? undefined : grounds.get(key);
    if (ground === undefined) continue;
    file.run(
      `UPDATE staging.staged_parcels AS s SET (point_lon, point_lat, hilbert) =
         (SELECT point_lon, point_lat, hilbert FROM staging.staged_parcels WHERE stage_id = :ground),
         stacked_on = :apn, acres = NULL, calculated_acres = NULL WHERE stage_id = :id`,
      { ground: ground.stage_id, apn: ground.apn, id: account.stage_id },
    );
    stacked.count++;
    if (account.acres !== null) stacked.acres++;
    if (stacked.first.length < listed) stacked.first.push({ apn: account.apn, lot: ground.apn });
  }
  return stacked;
}
