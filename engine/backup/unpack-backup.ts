/**
 * Unpacks a backup, which may come from anywhere: accepts only names that a backup has, no more bytes than its directory
 * declares and the disk holds, and files whose checksum is right.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { fileStatus } from '../plain-file.ts';
import { bytesWords } from '../spec/bytes-words.ts';
import { EngineError } from '../spec/errors.ts';
import { countProblem, nameProblem, sizeProblem } from './backup-limits.ts';
import { type Manifest, manifestName, notBackup, parseManifest } from './manifest.ts';

/**
 * Unpacks the files into `folder` under their names.
 * @throws EngineError validation_error, file_from_future; the caller then removes the folder
 */
export async function unpackBackup(file: string, folder: string): Promise<Manifest> {
  const zip = await openZip(file);
  try {
    const entries = await entriesOf(zip, file);
    // First, so that a backup of a newer Platbook is reported as such, whatever else it holds.
    const manifest = await readManifest(zip, entries, file);
    refuseStrangers(entries, file);
    refuseLarge(entries, file, folder);
    if (!manifest) throw notBackup(file, 'it has no manifest, so it is not a backup of Platbook');
    refuseTwice(manifest, file);
    for (const { name, bytes, sha256 } of manifest.files) {
      const entry = entries.get(name);
      if (!entry || name === manifestName)
        throw notBackup(file, `it lacks ${JSON.stringify(name)}, which its manifest names`);
      const found = await unpackEntry(zip, entry, path.join(folder, name));
      if (found.bytes !== bytes || found.sha256 !== sha256)
        throw notBackup(file, `${name} in it is damaged (its checksum differs)`);
    }
    const strangers = [...entries.keys()].filter(
      (name) => name !== manifestName && !manifest.files.some((each) => each.name === name),
    );
    if (strangers.length > 0)
      throw notBackup(file, `it holds ${JSON.stringify(strangers[0])}, which its manifest does not name`);
    return manifest;
  } finally {
    zip.close();
  }
}

function refuseTwice({ files }: Manifest, file: string): void {
  const twice = files.find(({ name }, at) => files.findIndex((each) => each.name === name) < at);
  if (twice) throw notBackup(file, `its manifest names ${JSON.stringify(twice.name.slice(0, 60))} twice`);
}

async function openZip(file: string): Promise<ZipFile> {
  try {
    fileStatus(file);
    return await openPromise(file, {
      lazyEntries: true,
      autoClose: false,
      strictFileNames: true,
      validateEntrySizes: true,
    });
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'EACCES') throw notBackup(file, `it cannot be read (${code})`);
    throw notBackup(file, `it is not a backup of Platbook, or it is cut off (${(error as Error).message})`);
  }
}

async function entriesOf(zip: ZipFile, file: string): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName;
      if (entries.has(name)) throw notBackup(file, `it holds ${JSON.stringify(name)} twice`);
      entries.set(name, entry);
      refuse(file, countProblem(entries.size));
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'EngineError') throw error;
    throw notBackup(file, `its directory is damaged (${(error as Error).message})`);
  }
  return entries;
}

function refuse(file: string, problem: string | null): void {
  if (problem !== null) throw notBackup(file, problem);
}

function refuseStrangers(entries: ReadonlyMap<string, Entry>, file: string): void {
  for (const name of entries.keys()) refuse(file, nameProblem(name));
}

/** Judged before a byte is inflated; yauzl lets no entry inflate to more than it declares. */
function refuseLargeEntry(
  { fileName: name, uncompressedSize: size, compressedSize: packed }: Entry,
  file: string,
): void {
  refuse(file, sizeProblem(name, size, packed));
}

function refuseLarge(entries: ReadonlyMap<string, Entry>, file: string, folder: string): void {
  for (const entry of entries.values()) refuseLargeEntry(entry, file);
  const total = [...entries.values()].reduce((sum, { uncompressedSize: size }) => sum + size, 0);
  const { bavail, bsize } = fs.statfsSync(folder);
  if (total > bavail * bsize * 0.9) throw notBackup(file, `it needs ${bytesWords(total)}, more than the disk has left`);
}

/** Null if there is none. */
async function readManifest(zip: ZipFile, entries: ReadonlyMap<string, Entry>, file: string): Promise<Manifest | null> {
  const entry = entries.get(manifestName);
  if (!entry) return null;
  refuseLargeEntry(entry, file);
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
  return parseManifest(Buffer.concat(chunks).toString('utf8'), file);
}

async function unpackEntry(zip: ZipFile, entry: Entry, target: string): Promise<{ bytes: number; sha256: string }> {
  fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
  const sum = createHash('sha256');
  let bytes = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sum.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const source = await zip.openReadStreamPromise(entry);
  await pipeline(source, counter, fs.createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }));
  return { bytes, sha256: sum.digest('hex') };
}
