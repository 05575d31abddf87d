/** Refuses a home in a network folder, and warns of one in a synced folder. */
import fs from 'node:fs';
import path from 'node:path';
import { EngineError } from '../spec/errors.ts';
import { homeFiles } from './home-files.ts';

/** Programs that sync folders to other machines, recognized by a part of the path. */
const syncing: readonly { readonly name: string; readonly part: RegExp }[] = [
  { name: 'OneDrive', part: /^OneDrive(?:$| - )/i },
  { name: 'Dropbox', part: /^Dropbox(?:$| \()/i },
  { name: 'iCloud Drive', part: /^(?:iCloud ?Drive|com~apple~CloudDocs|Mobile Documents)$/i },
  { name: 'Google Drive', part: /^(?:Google ?Drive|GoogleDrive-.*|My Drive)$/i },
  { name: 'Box', part: /^(?:Box|Box Sync)$/ },
  { name: 'Nextcloud', part: /^(?:Nextcloud|ownCloud)$/i },
];

/** The program that syncs this folder, judged by its path; null if none is recognized. */
export function syncedBy(folder: string): string | null {
  const parts = path.resolve(folder).split(/[\\/]+/);
  return syncing.find(({ part }) => parts.some((one) => part.test(one)))?.name ?? null;
}

/** The warning for the banner; null if the folder is not synced. */
export function syncWarning(folder: string): string | null {
  const name = syncedBy(folder);
  return name === null
    ? null
    : `The data folder lies in ${name}, which copies files while they are being written and can damage them, and sends your notes elsewhere. Move it to a folder of this computer alone.`;
}

/** `statfs` types of Linux whose files are on another machine: NFS, SMB 1 and 2, CIFS, AFS, Coda, NCP, Ceph, 9P. */
const networkTypes = new Set([
  0x6969, 0x517b, 0xfe534d42, 0xff534d42, 0x5346414f, 0x73757245, 0x564c, 0x00c36400, 0x01021997,
]);

/** Whether a folder, or its nearest existing parent, is on another machine. */
export function isNetworkFolder(folder: string, platform: string = process.platform): boolean {
  const full = path.resolve(folder);
  if (platform === 'win32' || /^\\\\[^\\?.]/.test(folder))
    return /^\\\\[^\\?.]/.test(folder) || /^\\\\\?\\UNC\\/i.test(folder);
  if (platform !== 'linux') return false;
  let existing = full;
  while (!fs.existsSync(existing) && path.dirname(existing) !== existing) existing = path.dirname(existing);
  try {
    return networkTypes.has(Number(fs.statfsSync(existing).type) >>> 0);
  } catch {
    return false;
  }
}

/**
 * SQLite's write-ahead log needs shared memory, which a network folder lacks: two machines would damage the file.
 * @throws EngineError home_missing
 */
export function refuseNetworkFolder(folder: string, platform?: string): void {
  if (!isNetworkFolder(folder, platform)) return;
  throw new EngineError(
    'home_missing',
    `${folder} lies on another machine (a network folder), where a database that two programs open gets damaged. Copy the folder to this computer, and name that copy with --home or in PLATBOOK_HOME.`,
  );
}

/**
 * An empty folder may become a home; a missing one, or one of other files, is a wrong path.
 * @param advice a sentence on how to make a home
 * @throws EngineError home_missing
 */
export function requireHome(home: string, advice: string): void {
  const names = entriesOf(home);
  if (names?.length === 0 || homeFiles.some(({ name }) => names?.includes(name))) return;
  const found =
    names === null ? 'no folder that can be read' : `a folder without ${homeFiles.map(({ name }) => name).join(', ')}`;
  throw new EngineError('home_missing', `There is no home in ${home}: ${found}. ${advice}`);
}

function entriesOf(folder: string): string[] | null {
  try {
    return fs.readdirSync(folder);
  } catch {
    return null;
  }
}
