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

/** Where the code lies: the sources, the build of the packed library, or the bundle (engine/bin/bundle.mjs). */
let code = { folder: import.meta.dirname, ending: path.extname(import.meta.filename) };

/** The script of another process or thread, by its place in engine/ without its ending. */
export const scriptPath = (name: string): string => path.join(code.folder, `${name}${code.ending}`);

/** A file beside the code, by its place in engine/. */
export const codeFile = (name: string): string => path.join(code.folder, name);

/** Lets processes and threads of a program that runs from the sources start from a bundle, which loads faster. */
export function startFromBundle(folder: string): void {
  code = { folder, ending: '.js' };
}

/** Of package.json; a packed app has the checksum of its files there (engine/bin/stage-app.mjs). */
export const { version: packageVersion, checksum: packageChecksum } = JSON.parse(
  fs.readFileSync(path.join(packageRoot, 'package.json'), 'utf8'),
) as { version: string; checksum?: string };
