/** Market regions of a home: the nation's counties, and the ZIP codes of its parcels. */
import {
  type County,
  countiesOfZips,
  countyRegion,
  type Region,
  type RegionType,
  regionMatches,
  type SearchableRegion,
  searchable,
  type ZipShare,
  zipRegion,
} from '../comps/regions.ts';
import { regionId } from '../comps/stable-id.ts';
import type { LandStore } from '../store/land-store.ts';

/** All regions of one state of the land. */
export interface RegionTable {
  /** Counties with parcels, ZIPs, then the other counties; each by state, name and code. */
  readonly listed: readonly SearchableRegion[];
  /** Includes superseded counties, which are no longer listed. */
  readonly byId: ReadonlyMap<string, Region>;
}

/** Rebuilt when parcels or counties change: takes 60 ms for the nation, too much for every call. */
const tables = new WeakMap<LandStore, { readonly stamp: string; readonly table: RegionTable }>();

/** Changes with every import, every edit of a parcel by any program (triggers record the times), and new counties. */
function stampOf({ file }: LandStore): string {
  const row = file.get<{ stamp: string }>(
    `SELECT json_array(
       (SELECT json_array(last_insert, last_update, last_delete) FROM geometry_columns_time WHERE f_table_name = 'parcels'),
       (SELECT json_array(count(*), max(imported_at)) FROM datasets),
       (SELECT count(*) FROM counties)) AS stamp`,
  );
  return row?.stamp ?? '';
}

export function regionTable(land: LandStore): RegionTable {
  return land.file.snapshot(() => {
    const stamp = stampOf(land);
    const known = tables.get(land);
    if (known?.stamp === stamp) return known.table;
    const table = readTable(land);
    tables.set(land, { stamp, table });
    return table;
  });
}

const zipShares = ({ file }: LandStore): ZipShare[] =>
  // INDEXED BY: the index alone answers, without reading the parcels
  file
    .all<{ key: string; parcels: number }>(
      `SELECT situs_zip || ' ' || fips AS key, count(*) AS parcels FROM parcels INDEXED BY parcels_zip_county
       WHERE situs_zip IS NOT NULL AND status = 'current' GROUP BY situs_zip || ' ' || fips`,
    )
    .map(({ key, parcels }) => {
      const [zip = '', fips = ''] = key.split(' ');
      return { zip, fips, parcels };
    });

const readTable = (land: LandStore): RegionTable =>
  buildRegions({
    counties: land.file.all<County>('SELECT fips, state, name, superseded_by FROM counties'),
    loaded: new Set(land.file.column<string>('SELECT DISTINCT fips FROM datasets')),
    zips: zipShares(land),
  });

interface RegionRows {
  readonly counties: readonly County[];
  /** Counties with a dataset. */
  readonly loaded: ReadonlySet<string>;
  readonly zips: readonly ZipShare[];
}

export function buildRegions({ counties, loaded, zips: shares }: RegionRows): RegionTable {
  const byFips = new Map(counties.map((county) => [county.fips, county]));
  const zips = [...countiesOfZips(shares)].flatMap(([zip, fips]) => {
    const county = byFips.get(fips);
    return county && /^\d{5}$/.test(zip) ? [zipRegion(zip, county)] : [];
  });
  const regions = counties.map(countyRegion).sort(byPlace);
  const standing = regions.filter(({ fips }) => !byFips.get(fips)?.superseded_by || loaded.has(fips));
  const listed = [
    ...standing.filter(({ fips }) => loaded.has(fips)),
    ...zips.sort(byPlace),
    ...standing.filter(({ fips }) => !loaded.has(fips)),
  ];
  return {
    listed: listed.map(searchable),
    byId: new Map([...regions, ...zips].map((region) => [region.id, region])),
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const byPlace = (a: Region, b: Region): number =>
  compare(a.state, b.state) || compare(a.name, b.name) || compare(a.fips, b.fips);

interface RegionQuery {
  readonly search?: string;
  readonly type?: RegionType;
}

/** Every matching region, counties with loaded parcels first. */
export function findRegions({ listed }: RegionTable, { search, type }: RegionQuery): Region[] {
  const found = listed.filter(
    (row) => (type === undefined || row.region.type === type) && (search === undefined || regionMatches(row, search)),
  );
  return found.map(({ region }) => region);
}

/**
 * The region of an id issued earlier: a ZIP whose parcels left the home still shows its code, though its location is no
 * longer known.
 */
export const findFormerRegion = ({ byId }: RegionTable, id: string): Region => byId.get(id) ?? formerZip(id);

/** ZIP codes found from their ids: finding one takes 0.2 s. */
const formerZips = new Map<string, Region>();

function formerZip(id: string): Region {
  const known = formerZips.get(id);
  if (known) return known;
  const codes = Array.from({ length: 100_000 }, (_, number) => String(number).padStart(5, '0'));
  const name = codes.find((zip) => regionId('zip', zip) === id) ?? '';
  const region: Region = { id, type: 'zip', name, state: '', county_name: '', fips: '' };
  formerZips.set(id, region);
  return region;
}
