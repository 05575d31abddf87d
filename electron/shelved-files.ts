/**
 * Files that the engine has made (exports, sheets, backups), handed to the user. Main copies them from the shelf of the
 * page's home: the scheme serves no user data, so that there is no address that a page could be led to, and nothing to
 * download.
 */
import fs from 'node:fs';
import path from 'node:path';
import type { ShelvedFile } from '../engine/exporting/export-shelf.ts';

/** @throws Error with a sentence when the file is no longer there */
async function getShelved(home: string, id: string): Promise<ShelvedFile> {
  // The writers of all formats come with it: not while the app starts.
  const { findShelved } = await import('../engine/exporting/export-shelf.ts');
  const found = findShelved(home, id);
  if (found) return found;
  throw new Error('This file is gone: exports are kept for a day. Export it again.');
}

/**
 * @param askWhere shows the system's dialog with a name to begin with; undefined when it was closed
 * @returns where the file is now; null when the dialog was closed
 * @throws Error with a sentence; what stood at that place is as it was
 */
export async function saveShelved(
  home: string,
  id: string,
  askWhere: (name: string) => Promise<string | undefined>,
): Promise<string | null> {
  const { path: from, name } = await getShelved(home, id);
  const target = await askWhere(name);
  if (!target) return null;
  // Whole or not at all: a disk that fills up must not cost the file of yesterday.
  const part = path.join(path.dirname(target), `.${path.basename(target)}.part`);
  try {
    await fs.promises.copyFile(from, part);
    await fs.promises.rename(part, target);
  } catch (error) {
    await fs.promises.rm(part, { force: true });
    throw new Error(`${path.basename(target)} could not be saved: ${(error as Error).message}.`);
  }
  return target;
}

/** @param open as Electron's `shell.openPath`: gives what went wrong, empty when nothing did */
export async function openShelvedPdf(home: string, id: string, open: (file: string) => Promise<string>): Promise<void> {
  const { path: file, mediaType } = await getShelved(home, id);
  // Only what a viewer shows: no page may have a program started by what it exports.
  if (mediaType !== 'application/pdf') throw new Error('Only a PDF is opened by the system.');
  const problem = await open(file);
  if (problem) throw new Error(`No program opened the PDF: ${problem}. Save it instead.`);
}
