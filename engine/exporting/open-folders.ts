/**
 * Keeps track of the temporary folders that this process writes to, since they hold personal data. A process that ends
 * early removes them first; folders of a killed process are removed when the next file is written beside them.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

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

/** A hash that identifies this machine: on a shared disk a process id may belong to another one. */
const machine = createHash('sha256').update(os.hostname()).digest('hex').slice(0, 8);

/** Earlier versions wrote no machine. */
const form = /^\.platbook-(?:([0-9a-f]{8})-)?(\d+)-\d+\.tmp$/;

let made = 0;

/** Makes a temporary folder beside the target, since a rename is atomic only within one disk. */
export async function makeFolderBeside(target: string): Promise<string> {
  const beside = path.dirname(target);
  removeLeftovers(beside);
  for (;;) {
    made += 1;
    const folder = path.join(beside, `.platbook-${machine}-${process.pid}-${made}.tmp`);
    try {
      await fs.promises.mkdir(folder);
      return folder;
    } catch (error) {
      // Left by a dead process with the same id.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function removeLeftovers(folder: string): void {
  for (const name of namesIn(folder)) {
    const [, of = machine, number] = form.exec(name) ?? [];
    if (number !== undefined && of === machine && !isAlive(Number(number))) remove(path.join(folder, name));
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

function isAlive(number: number): boolean {
  try {
    process.kill(number, 0);
    return true;
  } catch (error) {
    // EPERM: the process belongs to another user but is alive.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function remove(folder: string): void {
  try {
    fs.rmSync(folder, { recursive: true, force: true });
  } catch {
    // Windows still has a file in it open; the next call tries again.
  }
}
