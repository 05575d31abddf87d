/** Which parcel of the server a comp lies on: its number there is not always the one in the home. */
import type { SqliteFile } from '../store/sqlite.ts';
import type { ServerConnection } from './connect.ts';
import type { ServerIdentity } from './home-county.ts';
import { numbersBeyond } from './home-registry.ts';

type Identities = ReadonlyMap<number, ServerIdentity>;

/** Comps of a county on parcels of another, or on none that is here. */
const beyondSql = `SELECT DISTINCT c.property_id AS id, p.fips FROM comps c
  LEFT JOIN parcels p ON p.property_id = c.property_id
  WHERE c.fips = :fips AND c.property_id IS NOT NULL AND p.fips IS NOT :fips`;

/** Comps of the server on parcels of other counties. */
const standingSql = `SELECT comp_id, property_id, county_of(property_id) AS county FROM comps c
  WHERE fips = $1 AND property_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM parcel_registry r WHERE r.fips = $1 AND r.property_id = c.property_id)`;

export class CompLinks {
  readonly #identities: Identities;
  /** Null: the server does not have the parcel. */
  readonly #beyond: ReadonlyMap<number, number | null>;
  readonly #kept: ReadonlyMap<string, number>;
  /** Comps without their parcel, because the server does not have it. */
  lost = 0;

  private constructor(identities: Identities, beyond: ReadonlyMap<number, number | null>, kept: Map<string, number>) {
    this.#identities = identities;
    this.#beyond = beyond;
    this.#kept = kept;
  }

  static async of(
    server: ServerConnection,
    file: SqliteFile,
    fips: string,
    identities: Identities,
  ): Promise<CompLinks> {
    const beyond = file.all<{ id: number; fips: string | null }>(beyondSql, { fips });
    const numbers = await numbersBeyond(server, file, fips);
    const standing = await server.rows<{ comp_id: string; property_id: number; county: string | null }>(standingSql, [
      fips,
    ]);
    const isHere = (county: string | null) => file.get('SELECT 1 FROM parcels WHERE fips = ? LIMIT 1', county);
    const away = new Set(
      [...new Set(standing.map(({ county }) => county))].filter((county) => county !== null && !isHere(county)),
    );
    return new CompLinks(
      identities,
      new Map(beyond.map(({ id }) => [id, numbers.get(id) ?? null])),
      new Map(standing.filter(({ county }) => away.has(county)).map((comp) => [comp.comp_id, comp.property_id])),
    );
  }

  /** @param parcel in the home; without one, that of a county which only the server has stands */
  parcelOf(comp: string, parcel: number | null): number | null {
    if (parcel === null) return this.#kept.get(comp) ?? null;
    const found = this.#beyond.has(parcel)
      ? (this.#beyond.get(parcel) ?? null)
      : (this.#identities.get(parcel)?.id ?? parcel);
    if (found === null) this.lost++;
    return found;
  }
}

/**
 * Comps of other counties that were pushed before the parcels of this one. What another push holds waits for that county's
 * next push.
 * @returns how many are linked now
 */
export async function linkFromBeyond(
  server: ServerConnection,
  file: SqliteFile,
  fips: string,
  identities: Identities,
): Promise<number> {
  const home = file.all<{ fips: string; comp: string; id: number }>(
    // CROSS JOIN keeps the order: comps are fewer than parcels
    `SELECT c.fips, c.comp_id AS comp, c.property_id AS id FROM comps c CROSS JOIN parcels p ON p.property_id = c.property_id
     WHERE p.fips = :fips AND c.fips <> :fips`,
    { fips },
  );
  if (home.length === 0) return 0;
  const linked = await server.rows(
    `WITH wanted AS (SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[]) AS w (fips, comp_id, id)),
       free AS (SELECT c.fips, c.comp_id, w.id FROM comps c JOIN wanted w ON w.fips = c.fips AND w.comp_id = c.comp_id
         WHERE c.property_id IS NULL FOR UPDATE OF c SKIP LOCKED)
     UPDATE comps c SET property_id = f.id FROM free f WHERE c.fips = f.fips AND c.comp_id = f.comp_id RETURNING 1`,
    [home.map((row) => row.fips), home.map(({ comp }) => comp), home.map(({ id }) => identities.get(id)?.id ?? id)],
  );
  return linked.length;
}
