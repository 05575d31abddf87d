/**
 * Keeps track of the temporary folders that this process writes to, since they hold personal data. A process that ends
 * early removes them first; folders of a killed process are removed when the next file is written beside them.
 */
import fs from 'node:fs';
import path from 'node:path';
import { isAlive, isOfDead, markForm, ownMark } from '../store/owner-mark.ts';

const open = new Set<string>();

/** Registers a folder. @returns a function that releases it */
export function holdFolder(folder: string): () => void {
  open.add(folder);
  return () => open.delete(folder);
}

/** Removes all registered folders synchronously, for a process that is about to end. */
export function removeHeldFolders(): void {
  for (const folder of open) remove(folder);
  open.clear();
}

/** Earlier versions wrote no machine. */
const form = new RegExp(`^\\.platbook-(?:(${markForm})|(\\d+))-\\d+\\.tmp$`);

let made = 0;

/** Makes a temporary folder beside the target, since a rename is atomic only within one disk. */
export async function makeFolderBeside(target: string): Promise<string> {
  const beside = path.dirname(target);
  removeLeftovers(beside);
  for (;;) {
    made += 1;
    const folder = path.join(beside, `.platbook-${ownMark}-${made}.tmp`);
    try {
      // Readable by this user only, and so is what is written in it.
      await fs.promises.mkdir(folder, { mode: 0o700 });
      return folder;
    } catch (error) {
      // Left by a dead process with the same id.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Removes folders that processes which ended left in a folder. */
export function removeLeftovers(folder: string): void {
  for (const name of namesIn(folder)) {
    const [found, mark, number] = form.exec(name) ?? [];
    if (found === undefined) continue;
    if (mark === undefined ? !isAlive(Number(number)) : isOfDead(mark)) remove(path.join(folder, name));
  }
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    // Creating a folder there reports the reason.
    return [];
  }
}

function remove(folder: string): void {
  try {
    fs.rmSync(folder, { recursive: true, force: true });
  } catch {
    // Windows still has a file in it open; the next call tries again.
  }
}
