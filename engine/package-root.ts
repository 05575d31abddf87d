/** Folder and version of the package; the same for the sources and for the built files in dist/. */
import fs from 'node:fs';
import path from 'node:path';

function findRoot(): string {
  for (let folder = import.meta.dirname; ; folder = path.dirname(folder)) {
    if (fs.existsSync(path.join(folder, 'data', 'counties.csv')) && fs.existsSync(path.join(folder, 'package.json')))
      return folder;
    if (folder === path.dirname(folder))
      throw new Error(`the files of the package were not found above ${import.meta.dirname}`);
  }
}

export const packageRoot = findRoot();

/** `version` of package.json. */
export const packageVersion = (
  JSON.parse(fs.readFileSync(path.join(packageRoot, 'package.json'), 'utf8')) as { version: string }
).version;
