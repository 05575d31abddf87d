/**
 * The land on a server, for the operations: each answer from one snapshot, a read-only transaction. A question that takes
 * longer than two seconds is stopped and not charged, as at home.
 */
import type { LandReader } from '../land/land-reader.ts';
import type { ServerAccess } from './connect.ts';
import { KeptCounties, usualKeptBytes } from './county-cache.ts';
import { KeptLand } from './land-cache.ts';
import { LandSnapshot } from './land-snapshot.ts';
import type { ServerAddress } from './server-address.ts';
import { ServerPool } from './server-pool.ts';

/**
 * For every answer. Machine code takes longer to make than it saves in two seconds; the rows of a county lie together, so
 * that its pages are read one after the other; matches need more memory than PostgreSQL gives by itself.
 */
const settings = `SET LOCAL statement_timeout = '2s'; SET LOCAL jit = off; SET LOCAL random_page_cost = 1.1;
  SET LOCAL work_mem = '32MB'`;

export class PostgisLand implements LandReader {
  readonly #pool: ServerPool;
  readonly #kept = new KeptLand();
  /** What is asked again. */
  readonly keptCounties: KeptCounties;

  /** @param keptBytes of memory for counties; 0 keeps none */
  constructor(address: ServerAddress, access: ServerAccess = {}, keptBytes = usualKeptBytes) {
    this.#pool = new ServerPool(address, access);
    this.keptCounties = new KeptCounties(this.#pool, keptBytes);
  }

  reading: LandReader['reading'] = (work) =>
    this.#pool.use((server) =>
      server.transaction(
        async () => work(new LandSnapshot(server, this.#kept, this.keptCounties)),
        `ISOLATION LEVEL REPEATABLE READ READ ONLY; ${settings}`,
      ),
    );

  findParcels: LandReader['findParcels'] = (...asked) => this.reading((land) => land.findParcels(...asked));
  countMatches: LandReader['countMatches'] = (request) => this.reading((land) => land.countMatches(request));
  hasMatch: LandReader['hasMatch'] = (request) => this.reading((land) => land.hasMatch(request));
  searchParcels: LandReader['searchParcels'] = (...asked) => this.reading((land) => land.searchParcels(...asked));
  parcel: LandReader['parcel'] = (id) => this.reading((land) => land.parcel(id));
  fields: LandReader['fields'] = (...asked) => this.reading((land) => land.fields(...asked));
  neighbours: LandReader['neighbours'] = (...asked) => this.reading((land) => land.neighbours(...asked));
  owner: LandReader['owner'] = (id) => this.reading((land) => land.owner(id));
  hasStaleOwners: LandReader['hasStaleOwners'] = () => false;
  knownNeighbours: LandReader['knownNeighbours'] = () => 1;
  recordedOwners: LandReader['recordedOwners'] = (ids) => this.reading((land) => land.recordedOwners(ids));
  deskParcels: LandReader['deskParcels'] = (ids) => this.reading((land) => land.deskParcels(ids));
  ownerCard: LandReader['ownerCard'] = (...asked) => this.reading((land) => land.ownerCard(...asked));
  coverage: LandReader['coverage'] = (request) => this.reading((land) => land.coverage(request));
  values: LandReader['values'] = (...asked) => this.reading((land) => land.values(...asked));
  counties: LandReader['counties'] = (codes) => this.reading((land) => land.counties(codes));
  datasets: LandReader['datasets'] = () => this.reading((land) => land.datasets());
  regions: LandReader['regions'] = () => this.reading((land) => land.regions());
  comps: LandReader['comps'] = (query) => this.reading((land) => land.comps(query));
  hasComps: LandReader['hasComps'] = () => this.reading((land) => land.hasComps());
  marketComps: LandReader['marketComps'] = (...asked) => this.reading((land) => land.marketComps(...asked));
  compValue: LandReader['compValue'] = (...asked) => this.reading((land) => land.compValue(...asked));

  /** Connects, and checks version, tables, collations and rights. @throws EngineError postgis_… */
  async expect(): Promise<void> {
    await this.#pool.use(async () => {});
  }

  async close(): Promise<void> {
    await this.keptCounties.stop();
    await this.#pool.close();
  }
}
