/** The land on a server within one transaction. */
import type { Answered } from '../land/answered.ts';
import type { LandReader } from '../land/land-reader.ts';
import { EngineError } from '../spec/errors.ts';
import type { ServerConnection } from './connect.ts';
import type { KeptCounties } from './county-cache.ts';
import type { KeptLand } from './land-cache.ts';
import { findComps, findMarketComps, hasAnyComps, valueParcel } from './server-comps.ts';
import { findNeighbours } from './server-neighbours.ts';
import {
  countMatches,
  findDeskParcels,
  findFields,
  findOwner,
  findParcel,
  findParcels,
  findRecordedOwners,
  hasMatch,
  searchParcels,
} from './server-parcels.ts';
import { describeLand, findCounties, findCoverage, findRegionTable, findValues } from './server-places.ts';
import { SnapshotRows } from './snapshot-rows.ts';

export class LandSnapshot implements LandReader {
  readonly #rows: SnapshotRows;
  readonly #kept: KeptLand;
  readonly #counties: KeptCounties;

  constructor(server: ServerConnection, kept: KeptLand, counties: KeptCounties) {
    this.#rows = new SnapshotRows(server);
    this.#kept = kept;
    this.#counties = counties;
  }

  reading<Result>(work: (land: LandReader) => Answered<Result>): Answered<Result> {
    return work(this);
  }

  findParcels: LandReader['findParcels'] = (...asked) => findParcels(this.#rows, this.#counties, ...asked);
  countMatches: LandReader['countMatches'] = (request) => countMatches(this.#rows, this.#counties, request);
  hasMatch: LandReader['hasMatch'] = (request) => hasMatch(this.#rows, this.#counties, request);
  searchParcels: LandReader['searchParcels'] = (...asked) => searchParcels(this.#rows, ...asked);
  parcel: LandReader['parcel'] = (id) => findParcel(this.#rows, id);
  fields: LandReader['fields'] = (...asked) => findFields(this.#rows, ...asked);
  neighbours: LandReader['neighbours'] = (...asked) => findNeighbours(this.#rows, ...asked);
  owner: LandReader['owner'] = (id) => findOwner(this.#rows, id);
  /** Columns come as the home that pushed them had them. */
  hasStaleOwners: LandReader['hasStaleOwners'] = () => false;
  knownNeighbours: LandReader['knownNeighbours'] = () => 1;
  recordedOwners: LandReader['recordedOwners'] = (ids) => findRecordedOwners(this.#rows, ids);
  deskParcels: LandReader['deskParcels'] = (ids) => findDeskParcels(this.#rows, ids);
  ownerCard: LandReader['ownerCard'] = () => {
    throw new EngineError(
      'not_found',
      'This land is on a server, and owners are worked out in a home: open a home with this county. Here owner_parcels, owner_acres and the columns of holdings are as the home that pushed them had them, and filter_properties asks them. Nothing was charged.',
    );
  };
  coverage: LandReader['coverage'] = (request) => findCoverage(this.#rows, request);
  values: LandReader['values'] = (...asked) => findValues(this.#rows, ...asked);
  counties: LandReader['counties'] = (codes) => findCounties(this.#rows, codes);
  datasets: LandReader['datasets'] = () => describeLand(this.#rows);
  regions: LandReader['regions'] = () => findRegionTable(this.#rows, this.#kept);
  comps: LandReader['comps'] = (query) => findComps(this.#rows, query);
  hasComps: LandReader['hasComps'] = () => hasAnyComps(this.#rows);
  marketComps: LandReader['marketComps'] = (...asked) => findMarketComps(this.#rows, ...asked);
  compValue: LandReader['compValue'] = (...asked) => valueParcel(this.#rows, this.#kept, ...asked);
}
