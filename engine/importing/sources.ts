/**
 * The readiness of a county (docs/importing.md, "Readiness of a county"): what is loaded, what is missing, which
 * filters each file unlocks, and where to get it. The caller passes what layers compute, because enrichment imports
 * importing.
 */

import fs from 'node:fs';
import path from 'node:path';
import { listDatasets } from '../query/datasets.ts';
import { counted } from '../spec/counted.ts';
import { formatDate } from '../spec/date-words.ts';
import { EngineError } from '../spec/errors.ts';
import { type FilterRow, filters } from '../spec/filters.ts';
import { layerTitle } from '../spec/layer-titles.ts';
import { parcelColumnsByName } from '../spec/parcel-columns.ts';
import { normalFips } from '../spec/value-schemas.ts';
import type { LandStore } from '../store/land-store.ts';
import { findCounty } from './sources-counties.ts';
import { type Box, filesFor, type PublicFile, readSourceTable, type SourceRow } from './sources-files.ts';

interface UnlockedFilter {
  readonly name: string;
  readonly label: string;
}

export interface SourceState {
  readonly kind: string;
  readonly title: string;
  readonly docs: string;
  readonly isLoaded: boolean;
  /** What is loaded, in words; empty: nothing. */
  readonly loaded: readonly string[];
  /** For a loaded layer: new or redrawn parcels since, in a sentence. */
  readonly waiting: string | null;
  /** Filters that need it. */
  readonly unlocks: readonly UnlockedFilter[];
  /** Columns that the county's own file already has, with their number of parcels. */
  readonly published: readonly { readonly column: string; readonly parcels: number }[];
  readonly files: readonly PublicFile[];
  readonly command: string;
}

export interface CountySources {
  readonly fips: string;
  readonly county_name: string;
  readonly state: string;
  readonly parcels: number;
  readonly sources: readonly SourceState[];
  readonly notes: readonly string[];
}

/** Facts about the county's own parcels. */
interface LoadedFacts {
  readonly parcels: number;
  readonly box: Box | null;
  /** Parcels with a value, for each requested column. */
  readonly known: ReadonlyMap<string, number>;
}

interface SourcesInput {
  /** Null while there is no home. */
  readonly land: LandStore | null;
  /** Passed by the caller too: the column index knows a county of a million parcels. */
  readonly factsOf: (land: LandStore, fips: string, columns: readonly string[]) => LoadedFacts;
  readonly home: string;
  readonly fips: string;
  /** Columns that each kind of layer computes. */
  readonly layers: Readonly<Record<string, { readonly columns: readonly string[] }>>;
  /** Parcels of the county that a layer has no values for yet. */
  readonly waiting?: readonly { readonly kind: string; readonly sentence: string }[];
}

/** @throws EngineError validation_error for an unknown code */
export function listSources(input: SourcesInput): CountySources {
  const { land, layers } = input;
  const fips = normalFips(input.fips);
  const county = land ? land.county(fips) : findCounty(fips);
  if (!county) {
    throw new EngineError('validation_error', `No county has the FIPS code ${JSON.stringify(input.fips)}.`, {
      details: { fips: [`expected the FIPS code of a county, found ${JSON.stringify(input.fips)}`] },
    });
  }
  const table = readSourceTable();
  const computed = Object.values(layers).flatMap(({ columns }) => columns.filter(isPublishable));
  const facts = land && input.factsOf(land, fips, computed);
  const place = { fips, state: county.state, box: facts?.box ?? null };
  const loaded = loadedByKind(input, fips);
  return {
    fips,
    county_name: county.name,
    state: county.state,
    parcels: facts?.parcels ?? 0,
    sources: table.kinds.map((row): SourceState => {
      const found = loaded.get(row.kind) ?? [];
      return {
        kind: row.kind,
        title: row.title ?? layerTitle(row.kind),
        docs: row.docs,
        isLoaded: found.length > 0,
        loaded: found,
        waiting: input.waiting?.find(({ kind }) => kind === row.kind)?.sentence ?? null,
        unlocks: unlockedBy(row, layers),
        published: publishedOf(facts, layers[row.kind]?.columns ?? []),
        files: filesFor(row, place, table),
        command: row.command.replaceAll('{fips}', fips).replaceAll('{basemaps}', path.join(input.home, 'basemaps')),
      };
    }),
    notes: notesOf(table.states[county.state]?.parcels === undefined, county),
  };
}

const notesOf = (isWithoutProgram: boolean, { name, state }: { name: string; state: string }): string[] =>
  isWithoutProgram
    ? [
        `${state} is not known to publish all of its parcels in one place: ask the assessor or the GIS office of ${name}.`,
      ]
    : [];

/** The column of the parcels table that a filter reads. */
function columnRead(filter: FilterRow): string | null {
  if (filter.kind === 'slope_area') return 'slope_area_percent';
  if (filter.kind === 'plss') return 'township';
  if (!('column' in filter)) return null;
  return filter.column === 'vacant' ? 'structure_count' : filter.column;
}

/** For a layer: filters on its columns. For parcels: all others, whose columns only the county's file has. */
function unlockedBy({ kind }: SourceRow, layers: SourcesInput['layers']): UnlockedFilter[] {
  if (kind !== 'parcels' && layers[kind] === undefined) return [];
  const ofLayers = new Set(Object.values(layers).flatMap(({ columns }) => columns));
  const own = new Set(layers[kind]?.columns ?? []);
  return filters
    .filter((filter) => {
      const column = columnRead(filter);
      if (column === null) return false;
      return kind === 'parcels' ? !ofLayers.has(column) : own.has(column);
    })
    .map(({ name, label }) => ({ name, label }));
}

/** Whether a county's own file may have what a layer would compute. */
const isPublishable = (column: string): boolean => parcelColumnsByName.get(column)?.origin === 'published';

/** Values that a layer would compute, and that the parcels already have. */
const publishedOf = (facts: LoadedFacts | null, columns: readonly string[]): { column: string; parcels: number }[] =>
  columns.map((column) => ({ column, parcels: facts?.known.get(column) ?? 0 })).filter(({ parcels }) => parcels > 0);

function loadedByKind({ land, home }: SourcesInput, fips: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const add = (kind: string, words: string) => found.set(kind, [...(found.get(kind) ?? []), words]);
  for (const name of baseMaps(home)) add('basemap', name);
  if (land === null) return found;
  const { file } = land;
  for (const row of listDatasets(land, fips)) {
    const place = row.jurisdiction ? `, ${row.jurisdiction}` : '';
    add(
      'parcels',
      `${row.source_name}${place}, ${formatDate(row.source_date)}: ${counted(row.parcels, 'parcel', 'parcels')}`,
    );
  }
  for (const { kind, source, date, n } of file.all<{ kind: string; source: string; date: string; n: number }>(
    'SELECT kind, source_name AS source, source_date AS date, feature_count AS n FROM layers WHERE fips = ? ORDER BY kind',
    fips,
  )) {
    add(kind, `${source}, ${formatDate(date)}: ${counted(n, 'feature', 'features')}`);
  }
  for (const { source, n } of file.all<{ source: string; n: number }>(
    'SELECT source, count(*) AS n FROM comps WHERE fips = ? GROUP BY source ORDER BY source',
    fips,
  )) {
    add('sales', `${source}: ${counted(n, 'comp', 'comps')}`);
  }
  return found;
}

function baseMaps(home: string): string[] {
  const folder = path.join(home, 'basemaps');
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((name) => /\.(?:pmtiles|mbtiles)$/i.test(name))
    .sort();
}
