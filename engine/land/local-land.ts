/** The land of a home, read from its own file: every answer is there at once. */
import type { County } from '../comps/regions.ts';
import type { ValueDay } from '../comps/value-day.ts';
import type { RecordedOwner } from '../owners/owner-identity.ts';
import type { Verdict } from '../owners/owner-links.ts';
import { readOwner } from '../owners/read-owner.ts';
import { hasStaleOwners, staleOwnerCounties } from '../owners/update-owners.ts';
import { compCount, hasAnyComps, marketComps, queryComps } from '../query/comp-query.ts';
import { describeDatasets } from '../query/datasets.ts';
import { type FilterRequest, namesParcels } from '../query/filter-request.ts';
import { filterQuestion, findParcels, parcelsOfApn, searchQuestion } from '../query/find-parcels.ts';
import { parseLiveRequest } from '../query/live-request.ts';
import { type Coverage, liveCoverage, liveFacet } from '../query/live-values.ts';
import { lookUp, nothingLookedUp } from '../query/looked-up.ts';
import { findNeighbours } from '../query/neighbours.ts';
import { findFields, findParcel } from '../query/parcel-detail.ts';
import type { Ordering } from '../query/parcel-query.ts';
import { regionTable } from '../query/region-query.ts';
import { findOwner } from '../query/traced-owner.ts';
import { explainValue } from '../query/value-query.ts';
import { EngineError } from '../spec/errors.ts';
import type { Page } from '../spec/paging.ts';
import type { ParcelField } from '../spec/parcel-fields.ts';
import type { ParcelSummary } from '../spec/parcel-summary.ts';
import type { LandStore } from '../store/land-store.ts';
import { knownNeighbourShare } from '../store/neighbour-store.ts';
import type { Answered } from './answered.ts';
import type { DeskParcel, LandReader, LoadedLand, ParcelSearch, SearchPage } from './land-reader.ts';

const noRows: Page = { number: 1, size: 0, offset: 0 };

/** Null if it takes too long. */
function inTime<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}

export class LocalLand implements LandReader {
  readonly #store: LandStore;

  constructor(store: LandStore) {
    this.#store = store;
  }

  reading<Result>(work: (land: LandReader) => Answered<Result>): Answered<Result> {
    return this.#store.file.snapshot(() => work(this));
  }

  findParcels(request: FilterRequest, page: Page, ordering: Ordering | null) {
    const lookedUp = namesParcels(request) ? lookUp(this.#store, request) : nothingLookedUp;
    return findParcels(this.#store, (land) => filterQuestion(land, request, lookedUp), page, ordering);
  }

  countMatches(request: FilterRequest) {
    return inTime(() => this.findParcels(request, noRows, null).count);
  }

  hasMatch(request: FilterRequest) {
    const count = this.countMatches(request);
    return count === null ? null : count > 0;
  }

  searchParcels({ fips, apn, ownerName, place }: ParcelSearch, page: Page, ordering: Ordering | null): SearchPage {
    let alike: readonly string[] = [];
    const ask = (land: LandStore) => {
      const byApn = apn === null ? null : parcelsOfApn(land, fips, apn);
      alike = byApn?.alike ?? [];
      return searchQuestion({ fips, ids: byApn?.ids ?? null, ownerName, place });
    };
    const found = findParcels(this.#store, ask, page, ordering);
    return { ...found, alike };
  }

  parcel(id: number) {
    return findParcel(this.#store, id);
  }

  fields(parcels: readonly ParcelSummary[], names: readonly ParcelField[]) {
    const ids = parcels.map(({ property_id: id }) => id);
    return findFields(this.#store, ids, names);
  }

  neighbours(id: number, feet: number | null) {
    return findNeighbours(this.#store, id, feet);
  }

  owner(id: number) {
    return findOwner(this.#store, id);
  }

  ownerCard(id: number, verdicts: readonly Verdict[]) {
    const { file } = this.#store;
    return file.snapshot(() => {
      const owner = readOwner(file, id);
      if (!owner) return null;
      const isCurrent = staleOwnerCounties(file, verdicts).length === 0;
      if (!isCurrent) this.#store.onStaleOwners();
      return { is_current: isCurrent, ...owner };
    });
  }

  hasStaleOwners() {
    const isStale = hasStaleOwners(this.#store.file);
    if (isStale) this.#store.onStaleOwners();
    return isStale;
  }

  knownNeighbours() {
    return knownNeighbourShare(this.#store.file);
  }

  recordedOwners(ids: readonly number[]) {
    const rows = this.#store.file.all<RecordedOwner & { property_id: number }>(
      `SELECT property_id, owner_name, owner_type, mailing_key FROM parcels
       WHERE property_id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(ids),
    );
    return new Map(rows.map((row) => [row.property_id, row]));
  }

  deskParcels(ids: readonly number[]) {
    const rows = this.#store.file.all<DeskParcel & { property_id: number }>(
      `SELECT property_id, fips, apn, owner_name, coalesce(acres, calculated_acres) AS acres, situs_address, situs_city,
         point_lon, point_lat
       FROM parcels WHERE property_id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(ids),
    );
    return new Map(rows.map(({ property_id: id, ...row }) => [id, row]));
  }

  /** Too long, as on a large county whose index is being rebuilt: what it was asked for remains valid. */
  coverage(request: FilterRequest): Coverage | null {
    const place = { ...request, onlyUnknown: new Set<string>(), work: [] };
    return inTime(() => liveCoverage(this.#store, place));
  }

  values(fips: string, column: string, limit: number) {
    return liveFacet(this.#store, parseLiveRequest({ county: fips }), column, limit);
  }

  counties(codes: readonly string[]) {
    return countyStates(this.#store, codes);
  }

  datasets(): LoadedLand {
    const datasets = describeDatasets(this.#store);
    const counties = [...new Set(datasets.map(({ fips }) => fips))].map((fips) => ({
      fips,
      comps: compCount(this.#store, fips),
      ...liveCoverage(this.#store, parseLiveRequest({ county: fips })),
    }));
    return { datasets, counties };
  }

  regions() {
    return regionTable(this.#store);
  }

  comps(query: Parameters<LandReader['comps']>[0]) {
    return queryComps(this.#store, query);
  }

  hasComps() {
    return hasAnyComps(this.#store);
  }

  marketComps(fips: string, now: Date) {
    return marketComps(this.#store, fips, now);
  }

  compValue(id: number, { time, isPast }: ValueDay) {
    return explainValue(this.#store, id, time, isPast);
  }
}

const countiesSql = `SELECT fips, state, name, superseded_by, EXISTS (SELECT 1 FROM datasets d WHERE d.fips = c.fips) AS parcels,
  EXISTS (SELECT 1 FROM comps m WHERE m.fips = c.fips) AS comps
FROM counties c WHERE fips`;
const oneCountySql = `${countiesSql} = ?`;
const manyCountiesSql = `${countiesSql} IN (SELECT value FROM json_each(?))`;

/** Those of the codes that exist, and whether they are loaded. */
const countyStates = ({ file }: LandStore, codes: readonly string[]) =>
  file
    .all<County & { parcels: number; comps: number }>(
      codes.length === 1 ? oneCountySql : manyCountiesSql,
      codes.length === 1 ? codes[0] : JSON.stringify(codes),
    )
    .map(({ parcels, comps, ...county }) => ({ ...county, hasParcels: parcels === 1, hasComps: comps === 1 }));
