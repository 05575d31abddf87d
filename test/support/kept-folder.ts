/** Folders that take seconds to make and follow from sources alone: made once for each state of these, and kept. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..', '..');
const cache = path.join(root, 'node_modules', '.cache', 'platbook');

/** A run that began earlier may still read it. */
const keptDays = 3;

/** Files and folders below the root, by name and content. */
function digestOf(sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const source of sources) {
    const full = path.join(root, source);
    const files = fs.statSync(full).isDirectory()
      ? fs
          .readdirSync(full, { recursive: true, encoding: 'utf8' })
          .sort()
          .map((file) => path.join(full, file))
      : [full];
    for (const file of files.filter((one) => fs.statSync(one).isFile()))
      hash.update(path.relative(root, file)).update(fs.readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}

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
  const kept = path.join(cache, `${name}-${digestOf(sources)}`);
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
