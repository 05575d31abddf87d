/** What a snapshot holds: counties, regions, datasets, the values of columns. */
import { sql } from 'kysely';
import type { County } from '../comps/regions.ts';
import type { CountyState, LoadedLand } from '../land/land-reader.ts';
import { coverageOfReport, type DatasetRow } from '../query/datasets.ts';
import { countiesOf, type FilterRequest, parseFilterRequest } from '../query/filter-request.ts';
import type { Sql } from '../query/filter-terms.ts';
import {
  type Coverage,
  coverageColumns,
  coverageOf,
  type Facet,
  facetOf,
  labelColumnOf,
} from '../query/live-values.ts';
import { nothingLookedUp } from '../query/looked-up.ts';
import { buildRegions, type RegionTable } from '../query/region-query.ts';
import { countedValues, type ValueRow } from '../query/sql-filters/live-by-sql.ts';
import type { Row } from './connect.ts';
import { type CountedCounty, storedCoverage } from './county-counts.ts';
import type { KeptLand } from './land-cache.ts';
import { columnSql, filterTerms } from './postgres-dialect.ts';
import { every, lookUp } from './server-parcels.ts';
import type { SnapshotRows } from './snapshot-rows.ts';

export const findCounties = (rows: SnapshotRows, codes: readonly string[]): Promise<CountyState[]> =>
  rows.all<CountyState & Row>(
    sql`SELECT c.fips, c.state, c.name, c.superseded_by,
      EXISTS (SELECT 1 FROM datasets d WHERE d.fips = c.fips) AS "hasParcels",
      EXISTS (SELECT 1 FROM comps s WHERE s.fips = c.fips) AS "hasComps"
    FROM unnest(${[...codes]}::text[]) WITH ORDINALITY AS asked (fips, place) JOIN counties c ON c.fips = asked.fips
    ORDER BY asked.place`,
  );

/** Equal while no push changed a county. */
export async function stampOf(rows: SnapshotRows): Promise<string> {
  const row = await rows.first<{ readonly stamp: string }>(
    sql`SELECT (SELECT count(*) FROM counties) || ' ' || count(*) || ' ' || coalesce(sum(generation), 0) || ' ' ||
      coalesce(max(pushed_at)::text, '') AS stamp FROM pushed_counties`,
  );
  return row?.stamp ?? '';
}

const countedCounties = (rows: SnapshotRows): Promise<CountedCounty[]> =>
  rows.all<CountedCounty>(sql`SELECT fips, comps, counts FROM pushed_counties ORDER BY fips`);

export const findRegionTable = async (rows: SnapshotRows, kept: KeptLand): Promise<RegionTable> =>
  kept.keep('regions', await stampOf(rows), async () =>
    buildRegions({
      counties: await rows.all<County & Row>(sql`SELECT fips, state, name, superseded_by FROM counties ORDER BY fips`),
      loaded: new Set(
        (await rows.all<{ readonly fips: string }>(sql`SELECT DISTINCT fips FROM datasets`)).map(({ fips }) => fips),
      ),
      zips: (await countedCounties(rows)).flatMap(({ fips, counts }) =>
        Object.entries(counts.zips).map(([zip, parcels]) => ({ zip, fips, parcels })),
      ),
    }),
  );

/** Counts the known values of the columns of filters. */
async function coverageWhere(rows: SnapshotRows, terms: readonly Sql[]): Promise<Coverage> {
  const counts = coverageColumns.map((column) => sql`count(${columnSql(column)}) AS ${sql.ref(column)}`);
  const row = await rows.first<Record<string, number>>(
    sql`SELECT count(*) AS parcels, ${sql.join(counts)} FROM parcels WHERE ${every(terms)}`,
  );
  const known = new Map(coverageColumns.map((column) => [column, row?.[column] ?? 0]));
  return coverageOf({ parcels: row?.parcels ?? 0, known });
}

/** What the pushes counted. Null where the place is no county, or a county's counts lack a column. */
async function countedCoverage(rows: SnapshotRows, place: FilterRequest): Promise<Coverage | null> {
  const isCounties = place.criteria.every(({ row }) => row.kind === 'county' || row.kind === 'counties');
  if (!isCounties) return null;
  const codes = countiesOf(place);
  const counted = await rows.all<CountedCounty>(
    sql`SELECT fips, comps, counts FROM pushed_counties WHERE fips = ANY(${codes}::text[])`,
  );
  return storedCoverage(counted.map(({ counts }) => counts));
}

export async function findCoverage(rows: SnapshotRows, request: FilterRequest): Promise<Coverage | null> {
  const place = { ...request, criteria: request.criteria.filter(({ row }) => row.scope) };
  const counted = await countedCoverage(rows, place);
  if (counted) return counted;
  const lookedUp = await lookUp(rows, request);
  return rows.inTime(() => coverageWhere(rows, filterTerms(place, lookedUp)));
}

const ofCounty = (fips: string): Sql[] => filterTerms(parseFilterRequest({ county: fips }), nothingLookedUp);

export async function findValues(rows: SnapshotRows, fips: string, column: string, limit: number): Promise<Facet> {
  const labelColumn = labelColumnOf(column);
  const label = labelColumn ? columnSql(labelColumn) : sql`NULL::text`;
  const counted = await rows.all<ValueRow & Row>(
    sql`SELECT ${columnSql(column)} AS value, ${label} AS label, count(*) AS count FROM parcels
      WHERE ${every(ofCounty(fips))} GROUP BY 1, 2`,
  );
  return facetOf(countedValues(counted), limit);
}

type DatasetOfServer = Omit<DatasetRow, 'parcels' | 'retired'> & { readonly report: string } & Row;

function parcelsOf(county: CountedCounty | undefined, dataset: number): Pick<DatasetRow, 'parcels' | 'retired'> {
  const [parcels, retired] = county?.counts.datasets[dataset] ?? [0, 0];
  return { parcels, retired };
}

type LayerRow = LoadedLand['datasets'][number]['layers'][number] & Row & { readonly fips: string };

export async function describeLand(rows: SnapshotRows): Promise<LoadedLand> {
  const datasets = await rows.all<DatasetOfServer>(
    sql`SELECT d.dataset_id, d.fips, c.name AS county_name, c.state, d.jurisdiction, d.source_name, d.source_date,
      d.imported_at, d.report FROM datasets d LEFT JOIN counties c ON c.fips = d.fips ORDER BY d.fips, d.jurisdiction`,
  );
  const counted = new Map((await countedCounties(rows)).map((county) => [county.fips, county]));
  const layers = await rows.all<LayerRow>(
    sql`SELECT fips, layer_id, kind, source_name, source_date FROM layers WHERE kind <> 'other' ORDER BY kind`,
  );
  const layersOf = (fips: string) =>
    layers.filter((layer) => layer.fips === fips).map(({ fips: _fips, ...layer }) => layer);
  const counties: LoadedLand['counties'] = [];
  for (const fips of new Set(datasets.map((dataset) => dataset.fips))) {
    const county = counted.get(fips);
    const coverage = (county && storedCoverage([county.counts])) ?? (await coverageWhere(rows, ofCounty(fips)));
    counties.push({ fips, comps: county?.comps ?? 0, ...coverage });
  }
  return {
    datasets: datasets.map(({ report, ...row }) => ({
      ...row,
      ...parcelsOf(counted.get(row.fips), row.dataset_id),
      layers: layersOf(row.fips),
      coverage: coverageOfReport(report),
    })),
    counties,
  };
}
