/** Which parcel is which, as the home knows it, in the server's spelling of towns. */
import { foldSpaces } from '../spec/text-fold.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import type { ServerConnection } from './connect.ts';
import { pairRows, type RegistryRow } from './match-registry.ts';

type CountyRow = RegistryRow & Readonly<Record<string, unknown>> & { readonly fips: string };

/** Registered parcels, and those without a row there, which another program has added. */
const registrySql = (registered: string, unregistered: string): string =>
  `SELECT r.fips, r.property_id, r.jurisdiction, r.apn, r.sequence, r.geometry_hash FROM parcel_registry r WHERE ${registered}
  UNION ALL SELECT p.fips, p.property_id, coalesce(d.jurisdiction, ''), fold_spaces(coalesce(p.apn, '')),
    coalesce(p.apn_sequence_number, 1000000 + p.property_id), NULL
  FROM parcels p LEFT JOIN datasets d ON d.dataset_id = p.dataset_id
  WHERE ${unregistered} AND p.property_id NOT IN (SELECT property_id FROM parcel_registry)
  ORDER BY 2`;

const countySql = registrySql('r.fips = :fips', 'p.fips = :fips');

/** Parcels of other counties that the county's comps lie on, and those of their numbers. */
const linked = `SELECT p.property_id FROM comps c CROSS JOIN parcels p ON p.property_id = c.property_id
  WHERE c.fips = :fips AND p.fips <> :fips`;
const linkedSql = registrySql(
  `(r.fips, r.jurisdiction, r.apn) IN
    (SELECT k.fips, k.jurisdiction, k.apn FROM parcel_registry k WHERE k.property_id IN (${linked}))`,
  `p.property_id IN (${linked})`,
);

/** A town is one jurisdiction, however it is spelled: the server's spelling stands. */
async function asSpelled(server: ServerConnection, rows: readonly CountyRow[]): Promise<CountyRow[]> {
  const spellings = await server.rows<{ fips: string; jurisdiction: string }>(
    'SELECT DISTINCT fips, jurisdiction FROM parcel_registry WHERE fips = ANY($1)',
    [[...new Set(rows.map(({ fips }) => fips))]],
  );
  const keyOf = (fips: string, jurisdiction: string) => fips + foldSpaces(jurisdiction);
  const spelled = new Map(
    spellings.map(({ fips, jurisdiction }) => [keyOf(fips, jurisdiction), jurisdiction] as const),
  );
  return rows.map((row) => ({
    ...row,
    jurisdiction: spelled.get(keyOf(row.fips, row.jurisdiction)) ?? row.jurisdiction,
  }));
}

export const registryOfCounty = (server: ServerConnection, file: SqliteFile, fips: string): Promise<CountyRow[]> =>
  asSpelled(server, file.all<CountyRow>(countySql, { fips }));

/** The server's numbers of parcels beyond the county that its comps lie on, by the number in the home. */
export async function numbersBeyond(
  server: ServerConnection,
  file: SqliteFile,
  fips: string,
): Promise<ReadonlyMap<number, number>> {
  const home = await asSpelled(server, file.all<CountyRow>(linkedSql, { fips }));
  if (home.length === 0) return new Map();
  const standing = await server.rows<CountyRow>(
    `SELECT fips, property_id, jurisdiction, apn, sequence, geometry_hash FROM parcel_registry
     WHERE (fips, jurisdiction, apn) IN (SELECT * FROM unnest($1::text[], $2::text[], $3::text[]))`,
    [home.map((row) => row.fips), home.map(({ jurisdiction }) => jurisdiction), home.map(({ apn }) => apn)],
  );
  const counties = Map.groupBy(home, (row) => row.fips);
  const pairs = [...counties].flatMap(([county, rows]) => [
    ...pairRows(
      rows,
      standing.filter((row) => row.fips === county),
      true,
    ),
  ]);
  return new Map(pairs.map(([here, there]) => [here.property_id, there.property_id]));
}
