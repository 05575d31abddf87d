/**
 * Hands files that the engine has made (exports, sheets, backups) to the user. Main copies them from the shelf of the
 * page's home: the scheme serves no user data, so no address can leak it.
 */
import fs from 'node:fs';
import path from 'node:path';
import type { ShelvedFile } from '../engine/exporting/export-shelf.ts';

/** @throws Error with a sentence if the file no longer exists */
async function getShelved(home: string, id: string): Promise<ShelvedFile> {
  // Imports the writers of all formats: not during the app's start.
  const { findShelved } = await import('../engine/exporting/export-shelf.ts');
  const found = findShelved(home, id);
  if (found) return found;
  throw new Error('This file is gone: exports are kept for a day. Export it again.');
}

/**
 * @param askWhere shows the system's dialog with a suggested name; undefined if it was closed
 * @returns the file's new path; null if the dialog was closed
 * @throws Error with a sentence; an earlier file at that path stays
 */
export async function saveShelved(
  home: string,
  id: string,
  askWhere: (name: string) => Promise<string | undefined>,
): Promise<string | null> {
  const { path: from, name } = await getShelved(home, id);
  const target = await askWhere(name);
  if (!target) return null;
  // Whole or not at all: a full disk must not cost yesterday's file.
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

/** @param open like Electron's `shell.openPath`: returns the problem, or an empty text */
export async function openShelvedPdf(home: string, id: string, open: (file: string) => Promise<string>): Promise<void> {
  const { path: file, mediaType } = await getShelved(home, id);
  // Only formats for a viewer: a page must not start a program through an export.
  if (mediaType !== 'application/pdf') throw new Error('Only a PDF is opened by the system.');
  const problem = await open(file);
  if (problem) throw new Error(`No program opened the PDF: ${problem}. Save it instead.`);
}
