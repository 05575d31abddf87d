// What was made from sources is kept under the hash of their names and contents, so that it is made once.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..', '..');

const filesBelow = (folder) =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();

/** @param sources files and folders, relative to the root of the project */
export function contentHash(sources) {
  const hash = createHash('sha256');
  for (const source of sources) {
    const full = path.join(root, source);
    for (const file of fs.statSync(full).isDirectory() ? filesBelow(full) : [full])
      hash.update(path.relative(root, file)).update(fs.readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}
