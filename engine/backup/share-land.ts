/**
 * Writes a copy of the land data to give away: parcels, comps and layers, nothing of people.sqlite and account.sqlite.
 * Import reports are removed, since they name files of this computer, and links of owners, which hold the user's verdicts;
 * the next home works them out again.
 */
import fs from 'node:fs';
import path from 'node:path';
import { writeWhole } from '../exporting/file-sink.ts';
import { EngineError } from '../spec/errors.ts';
import { leaveHome } from '../store/home-identity.ts';
import { openLandStore } from '../store/land-store.ts';
import { vacuumInto, withOpen } from './backup-home.ts';
import { homeFiles } from './home-files.ts';

export interface ShareReport {
  readonly file: string;
  readonly bytes: number;
  readonly parcels: number;
}

/** Writes the whole copy or nothing. @throws EngineError disk_full, home_missing; usage if `target` does not end in .sqlite */
export async function shareLand(home: string, target: string): Promise<ShareReport> {
  const land = homeFiles.find(({ name }) => name === 'land.sqlite');
  if (!land || !fs.existsSync(path.join(home, land.name)))
    throw new EngineError('home_missing', `${home} has no land.sqlite, so there is nothing to share.`);
  if (path.extname(target) !== '.sqlite')
    throw new EngineError(
      'usage',
      `Expected a file name that ends in .sqlite, so that QGIS opens it, found ${path.basename(target)}.`,
    );
  const parcels = await writeWhole(path.resolve(target), async (temporary, folder) => {
    withOpen(land, home, (file) => vacuumInto(file, path.join(folder, land.name)));
    const copy = openLandStore(folder, () => 0);
    try {
      copy.file.transaction(() => {
        copy.file.exec(`UPDATE datasets SET report = '{}';
          UPDATE layers SET report = '{}';
          DELETE FROM imports;
          DELETE FROM job_note;
          DELETE FROM owner_links;
          DELETE FROM owner_counties;`);
        leaveHome(copy.file);
      });
      // Otherwise deleted rows could still be read in free pages.
      copy.file.exec('VACUUM');
      copy.file.pragma('journal_mode = DELETE');
      return copy.parcelCount;
    } finally {
      copy.close();
      const made = path.join(folder, land.name);
      if (fs.existsSync(made)) fs.renameSync(made, temporary);
    }
  });
  return { file: target, bytes: fs.statSync(target).size, parcels };
}
