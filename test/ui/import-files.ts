/** A place for the import screen's files. */
import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../importing/fixtures.ts';

/** A folder with a home in it, so that the folder above the home, where the screen begins, holds the files alone. */
export function importFolder(): { folder: string; home: string } {
  const folder = temporaryFolder();
  const home = path.join(folder, 'home');
  fs.mkdirSync(home);
  onTestFinished(() => fs.rmSync(home, { recursive: true, force: true }));
  return { folder, home };
}
