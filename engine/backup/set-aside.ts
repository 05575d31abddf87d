/** Moves what does not belong in a home out of its way, into a folder of the home, so that nothing is lost and it opens. */
import fs from 'node:fs';
import path from 'node:path';
import { stampOf } from './home-files.ts';

export const asideForm = /^set-aside-\d{8}-\d{6}(?:-\d+)?$/;

/**
 * A link moves as a link: what it leads to is not touched.
 * @param name below the home
 * @returns the folder it lies in now, below the home
 */
export function setAside(home: string, name: string, now: Date): string {
  for (let number = 1; ; number++) {
    const folder = `set-aside-${stampOf(now)}${number === 1 ? '' : `-${number}`}`;
    const target = path.join(home, folder, name);
    if (fs.lstatSync(target, { throwIfNoEntry: false })) continue;
    fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
    fs.renameSync(path.join(home, name), target);
    return folder;
  }
}
