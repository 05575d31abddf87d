/** Pushes counties of a home into PostgreSQL, one transaction each. */
import { expectKind, type HomeKind } from '../store/home-kind.ts';
import { type LandStore, openLandStore } from '../store/land-store.ts';
import type { ServerConnection } from './connect.ts';
import { migrateServer } from './migrate.ts';
import { type CountyPush, pushCounty } from './push-county.ts';
import { Turns } from './turns.ts';

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
  /** Compares every row on the server by its values; else those of counties that another program wrote into. */
  readonly verify?: boolean;
  /** Version of this program. */
  readonly platbook: string;
  readonly onPhase?: (fips: string, phase: string) => void;
  /** After each commit. */
  readonly onCounty?: (county: CountyPush) => void;
}

/** Pushed at once: while the server checks and counts one, another is read and sent. */
const mostAtOnce = 2;

/** @throws EngineError not_found, push_refused, sample_and_real, postgis_…; counties that were pushed before stay */
export async function pushLand(server: ServerConnection, home: string, options: PushOptions): Promise<PushReport> {
  return withLand(home, async (land) => {
    const counties = chosenCounties(land, options.counties);
    const notes = await migrateServer(server, {
      counties: land.file.all('SELECT fips, state, name, superseded_by FROM counties ORDER BY fips'),
      platbook: options.platbook,
    });
    await settleKind(server, land.kind ?? 'real');
    const pushed = await pushCounties(server, land, counties, { ...options, home });
    await updateStatistics(server, pushed);
    return { counties: pushed, notes };
  });
}

/** A connection of its own: its snapshot lasts as long as a county travels. */
async function withLand<Result>(home: string, work: (land: LandStore) => Promise<Result>): Promise<Result> {
  const land = openLandStore(home, () => 0);
  try {
    return await work(land);
  } finally {
    land.close();
  }
}

async function pushCounties(
  server: ServerConnection,
  land: LandStore,
  counties: readonly string[],
  { home, ...options }: PushOptions & { readonly home: string },
): Promise<CountyPush[]> {
  const sizeOf = (fips: string) =>
    land.file.column<number>('SELECT count(*) FROM parcels WHERE fips = ?', fips)[0] ?? 0;
  const sizes = new Map(counties.map((fips) => [fips, sizeOf(fips)]));
  // Neighbours in this order take about as long: none waits long for its turn.
  const waiting = counties.toSorted((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0));
  const pushed = new Map<string, CountyPush>();
  const common = { renumber: options.renumber === true, verify: options.verify === true, taken: new Set<number>() };
  const turns = new Turns();
  const pushWaiting = async (on: ServerConnection, from: LandStore): Promise<void> => {
    try {
      for (let fips = waiting.shift(); fips !== undefined; fips = waiting.shift()) {
        const turn = turns.next();
        const county = await pushCounty(on, from, {
          ...{ fips, ...common, before: turn.before },
          onPhase: (phase) => options.onPhase?.(fips as string, phase),
        }).finally(turn.end);
        options.onCounty?.(county);
        pushed.set(fips, county);
      }
    } finally {
      // After an error the others end with their county.
      waiting.length = 0;
    }
  };
  const pushBeside = async (): Promise<void> => {
    const other = waiting.length > 1 ? server.beside() : null;
    if (!other) return;
    await other.open();
    try {
      await withLand(home, (from) => pushWaiting(other, from));
    } finally {
      await other.close();
    }
  };
  const others = Array.from({ length: mostAtOnce - 1 }, pushBeside);
  const ends = await Promise.allSettled([pushWaiting(server, land), ...others]);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
  return counties.flatMap((fips) => pushed.get(fips) ?? []);
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
