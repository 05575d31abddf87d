/** Takes a layer of photos out, and what the home keeps of them. */
import fs from 'node:fs';
import path from 'node:path';
import { imageryFolder } from '../store/imagery-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { imageryRows, removeRows } from './imagery-rows.ts';

/** @returns false if there is none of that number */
export function removeImagery(home: string, file: SqliteFile | null, id: number): boolean {
  if (file === null || !imageryRows(file).some(({ imagery_id: each }) => each === id)) return false;
  removeKept(home, removeRows(file, id));
  file.checkpoint();
  return true;
}

/** @param names as the rows have them */
export function removeKept(home: string, names: readonly string[]): void {
  const folder = path.join(home, imageryFolder);
  for (const name of names.flatMap((each) => [each, `${each}.ovr`, `${each}.msk`]))
    fs.rmSync(path.join(folder, path.basename(name)), { force: true });
}
