/** Folders that take seconds to make and follow from sources alone: made once for each state of these, and kept. */
import fs from 'node:fs';
import path from 'node:path';
import { contentHash } from '../../engine/bin/content-hash.mjs';

const root = path.resolve(import.meta.dirname, '..', '..');
const cache = path.join(root, 'node_modules', '.cache', 'platbook');

/** Of the launcher too. */
export const compiledFolder = path.join(cache, 'compiled');

/** A run that began earlier may still read it. */
const keptDays = 3;

function forgetOld(): void {
  const oldest = Date.now() - keptDays * 24 * 3600 * 1000;
  for (const name of fs.readdirSync(cache)) {
    const folder = path.join(cache, name);
    if ((fs.statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? oldest) < oldest)
      fs.rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param sources inputs of the folder, relative to the root of the project
 * @param make fills an empty folder, which gets its name once that is done
 * @returns the folder; do not write in it
 */
export async function keptFolder(
  name: string,
  sources: readonly string[],
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const kept = path.join(cache, `${name}-${contentHash(sources)}`);
  if (!fs.existsSync(kept)) {
    fs.mkdirSync(cache, { recursive: true });
    forgetOld();
    const temporary = fs.mkdtempSync(`${kept}-`);
    await make(temporary);
    try {
      fs.renameSync(temporary, kept);
    } catch {
      // Another process was faster.
      fs.rmSync(temporary, { recursive: true, force: true });
    }
  }
  const now = new Date();
  fs.utimesSync(kept, now, now);
  return kept;
}
