/**
 * Files that the app has made and the browser has not fetched yet: each in a folder of its own under `<home>/exports`,
 * named by chance, so that no address can lead anywhere else. They hold what the user exported, so they do not stay: after
 * 24 hours the next export or start removes them.
 */
import fs from 'node:fs';
import path from 'node:path';
import { exportFormats } from './index.ts';

const keepMilliseconds = 24 * 60 * 60 * 1000;

export interface ShelvedFile {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
  readonly mediaType: string;
}

const shelfOf = (home: string): string => path.join(home, 'exports');

/** 128 bits of chance as they stand in an address. */
const idForm = /^[0-9a-f]{32}$/;

const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** A name that every system takes, and no path: letters, digits, blanks, dots and dashes. */
export function safeFileName(title: string, ending: string): string {
  const plain = title
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}., ()_-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    // No hidden file, and none that ends as Windows cuts off.
    .replace(/^[. ]+|[. ]+$/g, '')
    .slice(0, 80)
    .trim();
  const name = plain === '' || reserved.test(plain) ? `parcels ${plain}`.trim() : plain;
  return `${name}.${ending}`;
}

/** @returns where a new file is to be written; its folder is made */
export async function shelfPlace(home: string, id: string, name: string): Promise<string> {
  if (!idForm.test(id)) throw new Error('expected an id of 32 hexadecimal digits');
  const folder = path.join(shelfOf(home), id);
  // Only the user of this machine may look into it.
  await fs.promises.mkdir(folder, { recursive: true, mode: 0o700 });
  return path.join(folder, name);
}

const mediaTypes: Readonly<Record<string, string>> = {
  ...Object.fromEntries(exportFormats.map(({ ending, mediaType }) => [ending, mediaType])),
  pdf: 'application/pdf',
  platbook: 'application/zip',
};

/** Null for an id that is none, and for a file that is gone. */
export function findShelved(home: string, id: string): ShelvedFile | null {
  if (!idForm.test(id)) return null;
  const folder = path.join(shelfOf(home), id);
  const entry = readFolder(folder).find((one) => one.isFile());
  if (!entry) return null;
  const file = path.join(folder, entry.name);
  return {
    path: file,
    name: entry.name,
    bytes: fs.statSync(file).size,
    mediaType: mediaTypes[path.extname(entry.name).slice(1)] ?? 'application/octet-stream',
  };
}

function readFolder(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Removes what is older than a day. Whatever else lies there is left alone. */
export function clearShelf(home: string, now: Date): void {
  for (const entry of readFolder(shelfOf(home))) {
    if (!entry.isDirectory() || !idForm.test(entry.name)) continue;
    const folder = path.join(shelfOf(home), entry.name);
    try {
      if (now.getTime() - fs.statSync(folder).mtimeMs > keepMilliseconds) fs.rmSync(folder, { recursive: true });
    } catch {
      // Another process was faster, or a browser still reads it on a system that minds: the next time, then.
    }
  }
}
