/** A small disk of its own, to be filled: only the superuser of a Linux machine may make one. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export interface SmallDisk {
  readonly folder: string;
  /** After the last file on it is closed. */
  readonly remove: () => void;
}

/** @throws where none may be made */
export function smallDisk(megabytes: number): SmallDisk {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch (error) {
    fs.rmdirSync(folder);
    throw error;
  }
  return {
    folder,
    remove: () => {
      execFileSync('umount', [folder]);
      fs.rmdirSync(folder);
    },
  };
}

export function canMakeDisk(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    smallDisk(1).remove();
    return true;
  } catch {
    return false;
  }
}
