/**
 * Temporary folders that this process is writing in, with plain copies of parcels and people: whoever ends the process in
 * the middle removes them first, and what a killed one has left beside a file goes with the next file there.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const open = new Set<string>();

/** Counts a folder as one that is written in. @returns what ends that */
export function holdFolder(folder: string): () => void {
  open.add(folder);
  return () => open.delete(folder);
}

/** At once, for a process that ends now. */
export function removeHeldFolders(): void {
  for (const folder of open) remove(folder);
  open.clear();
}

/** This machine, without its name: beside a file on a shared disk numbers of processes may be those of another one. */
const machine = createHash('sha256').update(os.hostname()).digest('hex').slice(0, 8);

/** Platbooks of before did not say the machine. */
const form = /^\.platbook-(?:([0-9a-f]{8})-)?(\d+)-\d+\.tmp$/;

let made = 0;

/** Makes a folder for what becomes one file: beside it, because only within one disk a rename is one step. */
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
      // Of a dead process that had the same number.
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
    // Whoever makes something there says why it cannot be.
    return [];
  }
}

function isAlive(number: number): boolean {
  try {
    process.kill(number, 0);
    return true;
  } catch (error) {
    // EPERM: it is somebody else's, but it lives.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function remove(folder: string): void {
  try {
    fs.rmSync(folder, { recursive: true, force: true });
  } catch {
    // Somebody reads in it, on a system that minds: the next time, then.
  }
}
