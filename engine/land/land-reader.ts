/**
 * What operations ask of the land: the home's own file (local-land.ts), or a server's tables. Both give equal answers;
 * account and people are not here: they always stay in the home.
 */
import type { CompValueExplanation, NoCompValue } from '../comps/comp-value.ts';
import type { MarketComp } from '../comps/market-stats.ts';
import type { County } from '../comps/regions.ts';
import type { ValueDay } from '../comps/value-day.ts';
import type { RecordedOwner } from '../owners/owner-identity.ts';
import type { Verdict } from '../owners/owner-links.ts';
import type { Owner } from '../owners/read-owner.ts';
import type { CompPage, CompQuery } from '../query/comp-query.ts';
import type { DatasetDetail } from '../query/datasets.ts';
import type { FilterRequest } from '../query/filter-request.ts';
import type { Coverage, Facet } from '../query/live-values.ts';
import type { FoundNeighbours } from '../query/neighbours.ts';
import type { Ordering, ParcelPage } from '../query/parcel-query.ts';
import type { RegionTable } from '../query/region-query.ts';
import type { TracedOwner } from '../query/traced-owner.ts';
import type { Page } from '../spec/paging.ts';
import type { AddedFields, ParcelField } from '../spec/parcel-fields.ts';
import type { ParcelSummary } from '../spec/parcel-summary.ts';
import type { ParcelDetail } from '../spec/wire-types.ts';
import type { Answered } from './answered.ts';

/** What a search looks for in one county; null: anything. */
export interface ParcelSearch {
  readonly fips: string;
  readonly apn: string | null;
  readonly ownerName: string | null;
  /** A place in the public land survey, as filters ask for it. */
  readonly place: FilterRequest | null;
}

export interface SearchPage extends ParcelPage {
  /** APNs of other parcels that are equal in letters and digits alone, where one is equal as it is written. */
  readonly alike: readonly string[];
}

/** A county of the nation, and whether it is loaded. */
export interface CountyState extends County {
  readonly hasParcels: boolean;
  readonly hasComps: boolean;
}

/** A parcel as its deal shows it; also one that left the county's file. */
export interface DeskParcel {
  readonly fips: string | null;
  readonly apn: string | null;
  readonly owner_name: string | null;
  readonly acres: number | null;
  readonly situs_address: string | null;
  readonly situs_city: string | null;
  readonly point_lon: number | null;
  readonly point_lat: number | null;
}

export interface LoadedLand {
  readonly datasets: DatasetDetail[];
  readonly counties: (Coverage & { readonly fips: string; readonly comps: number })[];
}

/** Every method throws EngineError: validation_error when a question takes too long, not_found for a page past the end. */
export interface LandReader {
  /** Runs `work` on one state of the land; over a local home, `work` that only goes on by `andThen` is one synchronous piece. */
  reading<Result>(work: (land: LandReader) => Answered<Result>): Answered<Result>;
  /** @throws EngineError validation_error also if the parcel of `owner_parcel_id` is unknown or has no address */
  findParcels(request: FilterRequest, page: Page, ordering: Ordering | null): Answered<ParcelPage>;
  /** How many parcels meet a filter; null if that takes too long. */
  countMatches(request: FilterRequest): Answered<number | null>;
  /** Whether any parcel meets a filter; null if that takes too long. */
  hasMatch(request: FilterRequest): Answered<boolean | null>;
  searchParcels(search: ParcelSearch, page: Page, ordering: Ordering | null): Answered<SearchPage>;
  /** Also finds retired parcels. */
  parcel(id: number): Answered<ParcelDetail | null>;
  /** Columns of parcels beside their summaries, by id. */
  fields(parcels: readonly ParcelSummary[], names: readonly ParcelField[]): Answered<ReadonlyMap<number, AddedFields>>;
  /** Null if there is no such parcel. @param feet of its boundary; null: what abuts or lies across a road alone */
  neighbours(id: number, feet: number | null): Answered<FoundNeighbours | null>;
  owner(id: number): Answered<TracedOwner | null>;
  /** Whose a parcel is, as worked out; null if there is no such parcel. @throws EngineError not_found on a server */
  ownerCard(id: number, verdicts: readonly Verdict[]): Answered<(Owner & { readonly is_current: boolean }) | null>;
  /** Whether parcels changed since owners and holdings were worked out. */
  hasStaleOwners(): Answered<boolean>;
  /** Share of the parcels, 0 to 1, that lie in counties whose neighbors are known. */
  knownNeighbours(): Answered<number>;
  /** What parcels record of their owners, by id; unknown ids are left out. */
  recordedOwners(ids: readonly number[]): Answered<ReadonlyMap<number, RecordedOwner>>;
  /** What the desk says of parcels, by id; unknown ids are left out. */
  deskParcels(ids: readonly number[]): Answered<ReadonlyMap<number, DeskParcel>>;
  /** Which columns have data in the place of a request; null if that takes too long. */
  coverage(request: FilterRequest): Answered<Coverage | null>;
  /** The values of a text column in a county. */
  values(fips: string, column: string, limit: number): Answered<Facet>;
  /** Those of the codes that exist. */
  counties(codes: readonly string[]): Answered<CountyState[]>;
  datasets(): Answered<LoadedLand>;
  regions(): Answered<RegionTable>;
  comps(query: CompQuery): Answered<CompPage>;
  hasComps(): Answered<boolean>;
  marketComps(fips: string, now: Date): Answered<MarketComp[]>;
  /** The comp value with its derivation, or why there is none; null if there is no such parcel. */
  compValue(id: number, on: ValueDay): Answered<CompValueExplanation | NoCompValue | null>;
}
