/**
 * Writes a backup: one zip with a copy of each database at its last commit, the user's small files, and a manifest with
 * checksums. It is a zip so that any computer can unpack it in ten years, without Platbook.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { type Sink, withFile, writeWhole } from '../exporting/file-sink.ts';
import { ZipWriter } from '../exporting/zip-writer.ts';
import { packageVersion } from '../package-root.ts';
import { bytesWords, freeWords } from '../spec/bytes-words.ts';
import { EngineError } from '../spec/errors.ts';
import { makePrivateFile, type SqliteFile } from '../store/sqlite.ts';
import { countProblem, sizeProblem } from './backup-limits.ts';
import { type HomeFile, homeFiles, sideFiles, workFiles } from './home-files.ts';
import {
  backupFormat,
  backupVersion,
  type Identity,
  type Manifest,
  type ManifestFile,
  manifestName,
} from './manifest.ts';

interface BackupOptions {
  readonly onlyMyWork: boolean;
  readonly now: Date;
}

export interface BackupReport {
  readonly file: string;
  readonly bytes: number;
  readonly contents: Manifest['contents'];
  /** Unpacked size of each file. */
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
}

/** Entries of this size or more get 64-bit fields. */
const largeBytes = 2 ** 31;

/**
 * Writes the whole file or nothing. Other processes may write meanwhile: each database is copied as of its last commit.
 * @throws EngineError disk_full, file_read_only, home_missing; validation_error if a restore would refuse the backup;
 *   any error of opening a database
 */
export async function backupHome(home: string, target: string, options: BackupOptions): Promise<BackupReport> {
  const wanted = options.onlyMyWork ? workFiles : homeFiles;
  const missing = wanted.find(({ name }) => !fs.existsSync(path.join(home, name)));
  if (missing) throw new EngineError('home_missing', `${home} has no ${missing.name}, so there is nothing to back up.`);
  refuseFullDisk(home, path.dirname(path.resolve(target)), wanted);
  const besides = sideFiles(home);
  refuseUnreadable(home, [...wanted.map(({ name }) => name), ...besides]);
  const manifest = await writeWhole(path.resolve(target), (temporary, folder) =>
    withFile(temporary, async (sink) => {
      const zip = new ZipWriter(sink, options.now);
      // Read before and after the copy: stars and notes may be added or removed meanwhile.
      const ids = new Set(workedIds(home));
      const files: ManifestFile[] = [];
      for (const each of wanted) files.push(await addDatabase(zip, home, each, folder));
      for (const id of workedIds(home)) ids.add(id);
      const identities = withOpen(landFile, home, (file) => registered(file, [...ids]));
      for (const name of besides) files.push(await addFile(zip, name, path.join(home, name)));
      const made = manifestOf(home, options, files, identities);
      const text = Buffer.from(JSON.stringify(made));
      refuse(sizeProblem(manifestName, text.length, null));
      await zip.add(manifestName, async (entry) => entry.put(text));
      await zip.finish();
      return made;
    }),
  );
  return {
    file: target,
    bytes: fs.statSync(target).size,
    contents: manifest.contents,
    files: manifest.files.map(({ name, bytes }) => ({ name, bytes })),
  };
}

function refuse(problem: string | null): void {
  if (problem === null) return;
  throw new EngineError('validation_error', `The backup could not be read back: ${problem}. Nothing was written.`);
}

/** Applies the limits of a restore, so that every backup written can be restored. */
function refuseUnreadable(home: string, names: readonly string[]): void {
  refuse(countProblem(names.length + 1));
  for (const name of names) refuse(sizeProblem(name, fs.statSync(path.join(home, name)).size, null));
}

/** Needs room for the archive and, while it is packed, for a copy of the largest database. */
function refuseFullDisk(home: string, folder: string, wanted: readonly HomeFile[]): void {
  let free: number;
  try {
    const { bavail, bsize } = fs.statfsSync(folder);
    free = bavail * bsize;
  } catch {
    // The folder is missing; writing reports it.
    return;
  }
  const sizes = wanted.map(({ name }) => fs.statSync(path.join(home, name)).size);
  const needed = Math.max(...sizes) + sizes.reduce((sum, size) => sum + size, 0) / 2;
  if (free >= needed) return;
  throw new EngineError(
    'disk_full',
    `The disk of ${folder} has ${freeWords(free)} left, and the backup may need ${bytesWords(needed)}. Nothing was written.`,
  );
}

async function addDatabase(
  zip: ZipWriter,
  home: string,
  { name, open }: HomeFile,
  folder: string,
): Promise<ManifestFile> {
  const copy = path.join(folder, name);
  const opened = open(home);
  try {
    vacuumInto(opened.file, copy);
  } finally {
    opened.close();
  }
  const added = await addFile(zip, name, copy);
  fs.rmSync(copy);
  return added;
}

/**
 * Copies a database at its last commit into one file without a log; other programs may write meanwhile.
 * @throws EngineError disk_full; the partial copy is removed
 */
export function vacuumInto(file: SqliteFile, target: string): void {
  makePrivateFile(target);
  try {
    file.run('VACUUM INTO ?', target);
  } catch (error) {
    fs.rmSync(target, { force: true });
    throw error;
  }
}

async function addFile(zip: ZipWriter, name: string, file: string): Promise<ManifestFile> {
  const sum = createHash('sha256');
  const { size } = fs.statSync(file);
  const copy = async (sink: Sink): Promise<void> => {
    for await (const chunk of fs.createReadStream(file, { highWaterMark: 1 << 20 })) {
      sum.update(chunk as Buffer);
      sink.put(chunk as Buffer);
      await sink.flush();
    }
  };
  // The fastest level already shrinks a database to a third; higher levels gain little.
  await zip.add(name, copy, { level: 1, mayBeLarge: size >= largeBytes });
  return { name, bytes: size, sha256: sum.digest('hex') };
}

function manifestOf(
  home: string,
  { onlyMyWork, now }: BackupOptions,
  files: readonly ManifestFile[],
  identities: readonly Identity[],
): Manifest {
  return {
    format: backupFormat,
    version: backupVersion,
    platbook: packageVersion,
    made_at: now.toISOString(),
    contents: onlyMyWork ? 'my work' : 'whole',
    kind: kindOf(home),
    files,
    identities,
  };
}

const landFile = homeFiles.find(({ name }) => name === 'land.sqlite') as HomeFile;
const accountFile = homeFiles.find(({ name }) => name === 'account.sqlite') as HomeFile;

function kindOf(home: string): Manifest['kind'] {
  return withOpen(
    landFile,
    home,
    (file) => file.get<{ kind: 'sample' | 'real' }>('SELECT kind FROM home_kind')?.kind ?? null,
  );
}

export function withOpen<Result>({ open }: HomeFile, folder: string, work: (file: SqliteFile) => Result): Result {
  const opened = open(folder);
  try {
    return work(opened.file);
  } finally {
    opened.close();
  }
}

/** Tables of account.sqlite whose rows refer to a parcel. */
const worked = ['stars', 'notes', 'parcel_tags', 'list_members', 'stored_values', 'waypoints', 'photos'];

const workedIdsSql = worked
  .map((table) => `SELECT property_id FROM ${table} WHERE property_id IS NOT NULL`)
  .join(' UNION ');

/** property_id of every parcel that has stars, notes, tags, list rows, stored values, waypoints or photos. */
const workedIds = (home: string): number[] => withOpen(accountFile, home, (file) => file.column<number>(workedIdsSql));

/** The registry rows of these property_ids in this home. */
export const registered = (file: SqliteFile, ids: readonly number[]): Identity[] =>
  file.rawRows(
    `SELECT property_id, fips, jurisdiction, apn, sequence FROM parcel_registry
     WHERE property_id IN (SELECT value FROM json_each(?)) ORDER BY property_id`,
    JSON.stringify(ids),
  ) as unknown as Identity[];
