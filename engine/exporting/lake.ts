/**
 * A folder of GeoParquet that every tool reads, `state=KS/county=20163/part-0.parquet`. Each county's file is written
 * beside and renamed, so that a reader finds the old one or the new one; counties that another home wrote stay.
 */
import fs from 'node:fs';
import path from 'node:path';
import { EngineError } from '../spec/errors.ts';
import { type LandStore, openLandStore } from '../store/land-store.ts';
import type { ExportColumn } from './export-columns.ts';
import { dictionaryColumns } from './export-columns.ts';
import { cacheKibibytes, openExportSource } from './export-source.ts';
import { writeWhole } from './file-sink.ts';
import { writeGeoParquet } from './geoparquet.ts';
import { openSql } from './lake-sql.ts';

const [schemaFile, sqlFile] = ['SCHEMA.md', 'open.sql'];
const part = 'part-0.parquet';

export interface LakeReport {
  readonly folder: string;
  readonly counties: number;
  readonly parcels: number;
  readonly bytes: number;
  /** Counties of the folder that this home does not have; they stay. */
  readonly kept: number;
  readonly notes: readonly string[];
}

interface LakeCounty {
  readonly fips: string;
  readonly state: string;
}

interface LakeOptions {
  readonly now: Date;
  /** FIPS codes; absent: all counties of the home. */
  readonly counties?: readonly string[];
  readonly onCounty?: (fips: string, done: number, of: number) => void;
}

/** @throws EngineError usage, not_found, disk_full, file_read_only; counties that were written before stay whole */
export async function writeLake(home: string, folder: string, options: LakeOptions): Promise<LakeReport> {
  const land = openLandStore(home, () => 0);
  try {
    land.file.pragma(`cache_size = -${cacheKibibytes}`);
    expectLake(folder);
    const counties = chosenCounties(land, options.counties);
    const notes: string[] = [];
    let [parcels, bytes] = [0, 0];
    for (const [done, { fips, state }] of counties.entries()) {
      options.onCounty?.(fips, done, counties.length);
      const ids = land.file.column<number>(
        "SELECT property_id FROM parcels WHERE fips = ? AND status = 'current'",
        fips,
      );
      const source = openExportSource(home, { title: `Parcels of ${fips}`, ids, now: options.now });
      try {
        const target = path.join(folder, `state=${state}`, `county=${fips}`, part);
        makeFolder(path.dirname(target));
        const told = await writeWhole(target, (temporary) => writeGeoParquet(source, temporary));
        notes.push(...told.map((note) => `${fips}: ${note}`));
        parcels += source.count;
        bytes += fs.statSync(target).size;
      } finally {
        source.close();
      }
    }
    await writeText(path.join(folder, schemaFile), schemaText(dictionaryColumns));
    await writeText(path.join(folder, sqlFile), openSql(dictionaryColumns));
    const written = new Set(counties.map(({ fips }) => fips));
    const kept = countiesIn(folder).filter((fips) => !written.has(fips)).length;
    return { folder, counties: counties.length, parcels, bytes, kept, notes };
  } finally {
    land.close();
  }
}

const writeText = (file: string, text: string): Promise<void> =>
  writeWhole(file, (temporary) => fs.promises.writeFile(temporary, text, { mode: 0o600 }));

function makeFolder(folder: string): void {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new EngineError('file_read_only', `${folder} cannot be made (${(error as NodeJS.ErrnoException).code}).`, {
      cause: error,
    });
  }
}

/** A new or empty folder, or a lake. */
function expectLake(folder: string): void {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  if (names.length === 0 || names.some((name) => name === sqlFile || name.startsWith('state='))) return;
  throw new EngineError(
    'usage',
    `Expected a new or empty folder, or one that a lake was written into, found ${names.slice(0, 3).join(', ')} in ${folder}.`,
  );
}

function chosenCounties(land: LandStore, named: readonly string[] | undefined): readonly LakeCounty[] {
  const all = land.loadedCounties;
  land.expectLoaded(
    named ?? null,
    all.map(({ fips }) => fips),
  );
  return named ? all.filter(({ fips }) => named.includes(fips)) : all;
}

const countiesIn = (folder: string): string[] =>
  fs
    .readdirSync(folder)
    .filter((state) => state.startsWith('state='))
    .flatMap((state) => fs.readdirSync(path.join(folder, state)))
    .flatMap((county) => /^county=(\d{5})$/.exec(county)?.slice(1) ?? []);

const schemaText = (columns: readonly ExportColumn[]): string => `# Parcels

One row for each parcel, in files \`state=KS/county=20163/${part}\`: GeoParquet 1.1, packed with zstd, sorted along a Hilbert curve. \`geometry\` is WKB in longitude and latitude (OGC:CRS84), \`bbox\` the box around it, rounded outwards. A value that the county did not publish is null. Sources and their dates stand in the columns and in each file's metadata (\`platbook\`). Boundaries are approximate, not a survey. \`${sqlFile}\` opens the folder in DuckDB, PostGIS and BigQuery.

| column | type | unit | meaning |
| --- | --- | --- | --- |
${columns.map(({ name, kind, unit = '', docs }) => `| ${name} | ${kind} | ${unit} | ${docs.replaceAll('|', '\\|').replaceAll('\n', ' ')} |`).join('\n')}
| geometry | WKB | ° | Boundary (MultiPolygon), or a point where there is no boundary. |
| bbox | four numbers | ° | xmin, ymin, xmax, ymax of the geometry. |
`;
