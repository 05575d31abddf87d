/**
 * Keeps exported files until the browser or the desktop app has saved them: each in a folder with a random name under
 * `<home>/exports`. They hold personal data, so the next export or start removes them after 24 hours.
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

/** 128 random bits in hexadecimal. */
const idForm = /^[0-9a-f]{32}$/;

const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** A file name valid on every system, never a path: letters, digits, spaces, dots and dashes. */
export function safeFileName(title: string, ending: string): string {
  const plain = title
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}., ()_-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    // No hidden file, and no trailing dot or space, which Windows removes.
    .replace(/^[. ]+|[. ]+$/g, '')
    .slice(0, 80)
    .trim();
  const name = plain === '' || reserved.test(plain) ? `parcels ${plain}`.trim() : plain;
  return `${name}.${ending}`;
}

/** Creates the folder of a new file. @returns the path to write it to */
export async function shelfPlace(home: string, id: string, name: string): Promise<string> {
  if (!idForm.test(id)) throw new Error('expected an id of 32 hexadecimal digits');
  const folder = path.join(shelfOf(home), id);
  // Readable by this user only.
  await fs.promises.mkdir(folder, { recursive: true, mode: 0o700 });
  return path.join(folder, name);
}

const mediaTypes: Readonly<Record<string, string>> = {
  ...Object.fromEntries(exportFormats.map(({ ending, mediaType }) => [ending, mediaType])),
  pdf: 'application/pdf',
  platbook: 'application/zip',
};

/** Null if the id is malformed or the file is gone. */
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

/** Removes exports older than a day, or all of them; other files in the folder stay. */
export function clearShelf(home: string, now: Date, { isWhole = false } = {}): void {
  for (const entry of readFolder(shelfOf(home))) {
    if (!entry.isDirectory() || !idForm.test(entry.name)) continue;
    const folder = path.join(shelfOf(home), entry.name);
    try {
      if (isWhole || now.getTime() - fs.statSync(folder).mtimeMs > keepMilliseconds)
        fs.rmSync(folder, { recursive: true });
    } catch {
      // Another process removed it first, or Windows still has it open; the next call tries again.
    }
  }
}
