/**
 * Checks that the disks have room for an import before anything is written, because a disk that fills half-way stops
 * everything else.
 */
import fs from 'node:fs';
import path from 'node:path';
import { bytesWords, freeWords } from '../../spec/bytes-words.ts';
import { EngineError } from '../../spec/errors.ts';
import { endsAs, partEndings } from '../../spec/import-formats.ts';
import type { DiskSpace, SpaceUse } from '../../spec/space-uses.ts';
import { foldSpaces } from '../../spec/text-fold.ts';
import { normalFips } from '../../spec/value-schemas.ts';
import type { LandStore } from '../../store/land-store.ts';
import { makeRoom, temporaryPlace } from '../../store/temporary-disk.ts';
import { undoFolder } from '../../store/undo-store.ts';
import { bytesOfCounty, isPartsFolder } from '../formats/parquet/county-bytes.ts';
import type { ImportOptions } from './import-options.ts';

/**
 * Room per byte of a text file, 2.5 bytes in all (docs/importing.md, "Room on the disk"). Measured on 120 MB of newline
 * GeoJSON, 60,000 parcels: 45 MB staged, 140 MB for land.sqlite with the log of the transaction.
 */
const [landFactor, stagingFactor] = [1.5, 1];
/** A zip of parcels unpacks to about this many times its size. */
const zipFactor = 5;
/** 2.5 with staging: this much must be free before an archive is unpacked. */
const unpackedFactor = 1.5;
/** A byte of a compact format corresponds to this many in text. */
const compactFactor = 2.5;
/** A row in the undo file is JSON: it adds the column names to what land.sqlite holds. */
const undoBytesPerRow = 2000;
/** The comparison with the home sorts on disk. */
const sortedBytesPerRow = 1000;

export interface SpaceEstimate {
  /** Every disk that the import writes to, once. */
  readonly disks: readonly DiskSpace[];
}

const isPacked = (file: string): boolean => /\.(zip|kmz|xlsx)$/i.test(file);
const isCompact = (file: string): boolean => endsAs(file, (format) => format.isCompact === true);

function sizeOf(file: string): number {
  const stats = fs.statSync(file, { throwIfNoEntry: false });
  if (!stats) return 0;
  if (!stats.isDirectory()) return isPacked(file) ? stats.size * zipFactor : stats.size;
  return fs
    .readdirSync(file, { recursive: true, encoding: 'utf8' })
    .reduce((sum, name) => sum + fs.statSync(path.join(file, name)).size, 0);
}

/** The parts of a Shapefile or TAB lie beside the named one. */
function sizeOfParts(file: string): number {
  const endings = partEndings(file);
  const folder = path.dirname(file);
  if (endings.length === 0 || !fs.existsSync(folder)) return 0;
  const stemOf = (name: string) => path.basename(name, path.extname(name)).toLowerCase();
  return fs
    .readdirSync(folder)
    .filter((name) => stemOf(name) === stemOf(file) && endings.includes(path.extname(name).slice(1).toLowerCase()))
    .reduce((sum, name) => sum + sizeOf(path.join(folder, name)), 0);
}

/** @param fips of the county that is taken out of a file of many; empty: all of it */
function sizeOfParcels(file: string, fips = ''): number {
  const size = (fips === '' ? null : bytesOfCounty(file, fips)) ?? sizeOf(file) + sizeOfParts(file);
  return isCompact(file) || isPartsFolder(file) ? compactFactor * size : size;
}

/** Archives are unpacked, and what GDAL reads is converted, before reading. */
function sizeOfCopies(file: string): number {
  if (isPacked(file)) return unpackedFactor * sizeOf(file);
  return endsAs(file, (format) => format.gdal !== undefined) ? sizeOfParcels(file) : 0;
}

/** A row of a text file is longer, with its shape or its column names. */
const fewestBytesPerRow = 50;

/** The import being checked: `fips` is empty for a statewide file, `state` is its declared state. */
type AskedImport = ImportOptions & { readonly state?: string };

/** Parcels of the county and town, all of which may be replaced. */
function countStanding({ file }: LandStore, { fips, jurisdiction, mapping }: ImportOptions): number {
  const folded = foldSpaces(jurisdiction ?? mapping?.jurisdiction ?? '');
  return file.column<number>(
    `SELECT count(*) FROM parcels WHERE dataset_id IN
       (SELECT dataset_id FROM datasets WHERE fips = :fips AND fold_spaces(jurisdiction) = :folded)`,
    { fips: normalFips(fips), folded },
  )[0] as number;
}

/**
 * The counties of a statewide file are unknown before reading: assumes all of its state, but no more than it has rows.
 */
function countStatewide({ file }: LandStore, { state }: AskedImport, bytes: number): number {
  const [standing = 0] = file.column<number>(
    'SELECT count(*) FROM parcels WHERE :state IS NULL OR fips IN (SELECT fips FROM counties WHERE state = :state)',
    { state: state?.toUpperCase() ?? null },
  );
  return Math.min(standing, Math.ceil(bytes / fewestBytesPerRow));
}

/** Includes the log. */
const bytesOf = ({ file }: LandStore): number => Number(file.pragma('page_count')) * Number(file.pragma('page_size'));

const sumOf = (files: readonly string[], size: (file: string) => number): number =>
  files.reduce((sum, file) => sum + size(file), 0);

/** Bytes needed for each use. */
function needsOf(land: LandStore, options: AskedImport): Readonly<Record<SpaceUse, number>> {
  const { files = [], joinFiles = [] } = options;
  const fips = options.fips === '' ? '' : normalFips(options.fips);
  const data = sumOf(files, (file) => sizeOfParcels(file, fips)) + sumOf(joinFiles, sizeOf);
  const copies = sumOf([...files, ...joinFiles], sizeOfCopies);
  const rows = options.fips === '' ? countStatewide(land, options, data) : countStanding(land, options);
  const share = rows === 0 ? 0 : rows / (land.file.column<number>('SELECT count(*) FROM parcels')[0] ?? rows);
  const standing = share * bytesOf(land);
  return {
    home: landFactor * data + standing,
    undo: undoBytesPerRow * rows + standing,
    temporary: stagingFactor * data + copies + sortedBytesPerRow * rows,
  };
}

/** @param home the folder of the land file */
export function estimateSpace(land: LandStore, home: string, options: AskedImport): SpaceEstimate {
  const needs = needsOf(land, options);
  const undo = undoFolder(home);
  const places: readonly { use: SpaceUse; folder: string; on: string }[] = [
    // The file itself: it may be a link to another disk, and its log lies beside it there.
    { use: 'home', folder: home, on: land.file.path },
    { use: 'undo', folder: undo, on: fs.existsSync(undo) ? undo : home },
    { use: 'temporary', folder: temporaryPlace(), on: temporaryPlace() },
  ];
  const byDisk = Map.groupBy(places, ({ on }) => fs.statSync(on).dev);
  const disks = [...byDisk.values()].map((held): DiskSpace => {
    const [{ folder, on }] = held as [(typeof places)[number]];
    const uses = held.map(({ use }) => use);
    const needed = Math.ceil(uses.reduce((sum, use) => sum + needs[use], 0));
    return { folder, uses, needed, free: freeOf(on) };
  });
  return { disks };
}

function freeOf(place: string): number {
  const { bavail, bsize } = fs.statfsSync(place);
  return bavail * bsize;
}

/** The remedy, by the first use of a disk that is too small. */
const remedies: Readonly<Record<SpaceUse, (folder: string) => string>> = {
  home: (folder) => `are free on the disk of ${folder}. Make room, or keep the home on another disk.`,
  undo: (folder) => `are free on the disk of ${folder}, for its undo file. Make room there.`,
  temporary: () => `are free where temporary files go: ${makeRoom()}.`,
};

function shortageText({ uses, folder, needed, free }: DiskSpace): string {
  const [first] = uses as [SpaceUse];
  return `This import may need ${bytesWords(needed)} for a while, and ${freeWords(free)} ${remedies[first](folder)}`;
}

/** Names every disk that is too small. @throws EngineError disk_full */
export function expectSpace(land: LandStore, home: string, options: AskedImport): void {
  if (!options.files) return;
  const { disks } = (options.space ?? estimateSpace)(land, home, options);
  const short = disks.filter(({ needed, free }) => needed > free);
  if (short.length === 0) return;
  throw new EngineError('disk_full', `${short.map(shortageText).join(' ')} Nothing was changed.`);
}
