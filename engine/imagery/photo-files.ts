/** The photo files that paths name: files as they are, folders with what lies below them; links in folders are not followed. */
import fs from 'node:fs';
import path from 'node:path';
import { lookAtFile } from '../importing/formats/bytes/byte-window.ts';
import { entryKind } from '../plain-file.ts';
import { EngineError } from '../spec/errors.ts';

/** Endings of photos; the content decides what a file is. */
export const photoEndings: readonly string[] = ['.tif', '.tiff', '.jpg', '.jpeg', '.png', '.mbtiles', '.pmtiles'];
const mostDepth = 5;
const mostFiles = 20_000;

/** @throws EngineError file_missing; import_refused for a folder without photos */
export function photoFilesOf(paths: readonly string[]): string[] {
  const files = paths.flatMap((each) => {
    const whole = path.resolve(each);
    lookAtFile(whole);
    if (!fs.statSync(whole).isDirectory()) return [whole];
    const found = below(whole, mostDepth);
    if (found.length > 0) return found;
    throw new EngineError(
      'import_refused',
      `${each}: expected a folder of photos (${photoEndings.join(', ')}), found none in it.`,
    );
  });
  if (files.length <= mostFiles) return [...new Set(files)];
  throw new EngineError('import_refused', `Expected at most ${mostFiles} photos at once, found ${files.length}.`);
}

const below = (folder: string, depth: number): string[] =>
  fs
    .readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const each = path.join(folder, name);
      const kind = entryKind(each);
      if (kind === 'folder') return depth > 0 ? below(each, depth - 1) : [];
      const isPhoto = photoEndings.includes(path.extname(name).toLowerCase());
      return isPhoto && (kind === 'file' || kind === 'shared file') ? [each] : [];
    });
