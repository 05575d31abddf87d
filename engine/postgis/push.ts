/** Pushes counties of a home into PostgreSQL, one transaction each. */
import { expectKind, type HomeKind } from '../store/home-kind.ts';
import { type LandStore, openLandStore } from '../store/land-store.ts';
import type { ServerConnection } from './connect.ts';
import { migrateServer } from './migrate.ts';
import { type CountyPush, pushCounty } from './push-county.ts';

interface PushReport {
  readonly counties: readonly CountyPush[];
  /** Sentences for the administrator of the server. */
  readonly notes: readonly string[];
}

export interface PushOptions {
  /** FIPS codes; absent: all counties of the home. */
  readonly counties?: readonly string[];
  /** Lets the server give colliding parcels numbers of its own. */
  readonly renumber?: boolean;
  /** Version of this program. */
  readonly platbook: string;
  readonly onPhase?: (fips: string, phase: string) => void;
  /** After each commit. */
  readonly onCounty?: (county: CountyPush) => void;
}

/** @throws EngineError not_found, push_refused, sample_and_real, postgis_…; counties that were pushed before stay */
export async function pushLand(server: ServerConnection, home: string, options: PushOptions): Promise<PushReport> {
  // A connection of its own: its snapshot lasts as long as a county travels.
  const land = openLandStore(home, () => 0);
  try {
    return await pushFrom(land, server, options);
  } finally {
    land.close();
  }
}

async function pushFrom(land: LandStore, server: ServerConnection, options: PushOptions): Promise<PushReport> {
  const counties = chosenCounties(land, options.counties);
  const notes = await migrateServer(server, {
    counties: land.file.all('SELECT fips, state, name, superseded_by FROM counties ORDER BY fips'),
    platbook: options.platbook,
  });
  await settleKind(server, land.kind ?? 'real');
  const pushed: CountyPush[] = [];
  for (const fips of counties) {
    const county = await pushCounty(server, land, {
      fips,
      renumber: options.renumber === true,
      onPhase: (phase) => options.onPhase?.(fips, phase),
    });
    options.onCounty?.(county);
    pushed.push(county);
  }
  await updateStatistics(server, pushed);
  return { counties: pushed, notes };
}

function chosenCounties(land: LandStore, named: readonly string[] | undefined): readonly string[] {
  const all = land.file.column<string>('SELECT DISTINCT fips FROM parcels WHERE fips IS NOT NULL ORDER BY 1');
  land.expectLoaded(named ?? null, all);
  return named ?? all;
}

async function settleKind(server: ServerConnection, own: HomeKind): Promise<void> {
  await server.rows('INSERT INTO land_kind (id, kind) VALUES (1, $1) ON CONFLICT (id) DO NOTHING', [own]);
  const [standing] = await server.rows<{ kind: HomeKind }>('SELECT kind FROM land_kind');
  expectKind('server', standing?.kind ?? null, own);
}

/** Plans of queries need them. A role that does not own the tables is not permitted to: autovacuum does it later. */
async function updateStatistics(server: ServerConnection, pushed: readonly CountyPush[]): Promise<void> {
  const isLarge = ({ added, changed, unchanged }: CountyPush) => (added + changed) * 10 > unchanged;
  const counties = pushed.filter(isLarge).map(({ fips }) => fips);
  if (counties.length === 0) return;
  // All partitions together would be sampled a second time, for statistics that no question needs.
  const parts = await server.rows<{ name: string }>(
    `SELECT DISTINCT p.name FROM unnest($1::text[]) AS county (fips),
       LATERAL (SELECT tableoid::regclass::text AS name FROM parcels WHERE fips = county.fips LIMIT 1) p`,
    [counties],
  );
  for (const { name } of parts) {
    // What a push left waiting beside the index of names, every question would read.
    const clean = `SELECT gin_clean_pending_list(i.indexrelid) FROM pg_index i
      JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
      WHERE i.indrelid = '${name}'::regclass AND a.amname = 'gin'`;
    await server.run(clean).catch(() => {});
  }
  for (const name of [...parts.map((part) => part.name), 'comps', 'parcel_registry'])
    await server.run(`ANALYZE ${name}`).catch(() => {});
}
