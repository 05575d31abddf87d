/**
 * What `list_datasets` and `list_regions` count, counted at each push: no question then reads every parcel of the server.
 * Beside the counts stands when they were made, `pushed_counties.pushed_at`.
 */
import { sql } from 'kysely';
import { type Coverage, coverageColumns, coverageOf } from '../query/live-values.ts';
import type { Row, ServerConnection } from './connect.ts';
import { columnSql, compiled } from './postgres-dialect.ts';

export interface CountyCounts {
  /** Current parcels. */
  readonly parcels: number;
  /** Current parcels with a value, by column. */
  readonly known: Readonly<Record<string, number>>;
  /** Current parcels by ZIP. */
  readonly zips: Readonly<Record<string, number>>;
  /** Current and retired parcels by dataset. */
  readonly datasets: Readonly<Record<string, readonly [current: number, retired: number]>>;
}

const knownSql = coverageColumns
  .map((name) => `count(${compiled(sql`${columnSql(name)}`).sql}) AS "${name}"`)
  .join(', ');

/** SQL of the counts of one county. @param fips SQL of its code */
export function countsSql(fips: string): string {
  const current = `FROM parcels WHERE fips = ${fips} AND status = 'current'`;
  return `jsonb_build_object(
    'parcels', (SELECT count(*) ${current}),
    'known', (SELECT to_jsonb(known) FROM (SELECT ${knownSql} ${current}) known),
    'zips', (SELECT coalesce(jsonb_object_agg(situs_zip, n), '{}') FROM
      (SELECT situs_zip, count(*) AS n ${current} AND situs_zip IS NOT NULL GROUP BY 1) zips),
    'datasets', (SELECT coalesce(jsonb_object_agg(dataset_id, jsonb_build_array(n, retired)), '{}') FROM
      (SELECT dataset_id, count(*) FILTER (WHERE status = 'current') AS n,
        count(*) FILTER (WHERE status <> 'current') AS retired
        FROM parcels WHERE fips = ${fips} AND dataset_id IS NOT NULL GROUP BY 1) datasets))`;
}

/** Counts the counties that an older Platbook pushed, without counts or without those of a later filter. */
export async function countOlderCounties(server: ServerConnection): Promise<void> {
  await server.rows(
    `UPDATE pushed_counties p SET counts = ${countsSql('p.fips')} WHERE NOT coalesce(counts -> 'known' ?& $1, false)`,
    [coverageColumns],
  );
  await server.run('ALTER TABLE pushed_counties ALTER COLUMN counts SET NOT NULL');
}

/** Counted by a question of its own: several processes answer it, which no INSERT has. */
export async function countPush(server: ServerConnection, fips: string): Promise<void> {
  const [counted] = await server.rows<{ parcels: number; comps: number; counts: string }>(
    `SELECT (SELECT count(*) FROM parcels WHERE fips = $1) AS parcels,
       (SELECT count(*) FROM comps WHERE fips = $1) AS comps, (${countsSql('$1')})::text AS counts`,
    [fips],
  );
  await server.rows(
    `INSERT INTO pushed_counties (fips, generation, pushed_at, parcels, comps, counts)
     VALUES ($1, 1, now(), $2, $3, $4::jsonb)
     ON CONFLICT (fips) DO UPDATE SET generation = pushed_counties.generation + 1, pushed_at = excluded.pushed_at,
       parcels = excluded.parcels, comps = excluded.comps, counts = excluded.counts`,
    [fips, counted?.parcels, counted?.comps, counted?.counts],
  );
}

export type CountedCounty = Row & { readonly fips: string; readonly comps: number; readonly counts: CountyCounts };

/** Null where a county's column was not counted: a later Platbook filters by it. */
export function storedCoverage(counties: readonly CountyCounts[]): Coverage | null {
  if (counties.some(({ known }) => coverageColumns.some((name) => known[name] === undefined))) return null;
  const sumOf = (count: (county: CountyCounts) => number) => counties.reduce((sum, county) => sum + count(county), 0);
  return coverageOf({
    parcels: sumOf(({ parcels }) => parcels),
    known: new Map(coverageColumns.map((name) => [name, sumOf(({ known }) => known[name] as number)])),
  });
}
