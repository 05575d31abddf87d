/** Lists the files in `<home>/basemaps/`: the base maps, and the others with the reason why they are not. */
import fs from 'node:fs';
import path from 'node:path';
import { entryKind, kindWords } from '../../plain-file.ts';
import { EngineError } from '../../spec/errors.ts';
import { type Basemap, UnfitBasemap } from './basemap.ts';
import { openMbtiles } from './mbtiles.ts';
import { openPmtiles } from './pmtiles-file.ts';

export interface ListedBasemap {
  /** Letters, digits and hyphens, from the name of the file. */
  readonly name: string;
  readonly file: string;
  /** Changes when the file changes. */
  readonly generation: string;
  readonly map: Basemap;
}

export interface RefusedBasemap {
  readonly file: string;
  /** Why the file is refused, as a sentence. */
  readonly reason: string;
}

export interface Basemaps {
  readonly maps: readonly ListedBasemap[];
  readonly refused: readonly RefusedBasemap[];
}

const openers: Readonly<Record<string, (filePath: string) => Basemap>> = {
  '.mbtiles': openMbtiles,
  '.pmtiles': openPmtiles,
};

/** Limit, since each base map is an open file. */
const mostFiles = 100;

interface Looked {
  readonly generation: string;
  readonly map: Basemap | null;
  readonly reason: string;
}

/** Open base maps by home and file; a file is opened again only after it changed. */
const looked = new Map<string, Map<string, Looked>>();

const basemapFolder = (home: string): string => path.join(home, 'basemaps');

/** @param named files of tiles that the user has named, as whole paths */
export function listBasemaps(home: string, named: readonly string[] = []): Basemaps {
  const before = looked.get(home) ?? new Map<string, Looked>();
  const files = [...filesIn(basemapFolder(home)), ...named];
  const after = new Map(files.map((file) => [file, lookAt(path.resolve(basemapFolder(home), file), before.get(file))]));
  for (const [file, { map }] of before) if (map && after.get(file)?.map !== map) map.close();
  if (after.size > 0) looked.set(home, after);
  else looked.delete(home);
  return sorted(after);
}

/** Closes the open base maps of a home. */
export function closeBasemaps(home: string): void {
  for (const { map } of looked.get(home)?.values() ?? []) map?.close();
  looked.delete(home);
}

function filesIn(folder: string): string[] {
  try {
    if (entryKind(folder) !== 'folder') return [];
    return fs
      .readdirSync(folder)
      .filter((file) => path.extname(file).toLowerCase() in openers)
      .sort()
      .slice(0, mostFiles);
  } catch {
    // No folder, no base maps.
    return [];
  }
}

/** An open file of tiles, or why it is none. */
export const openBasemap = (filePath: string): Looked => lookAt(filePath, undefined);

function lookAt(filePath: string, before: Looked | undefined): Looked {
  let generation = '';
  try {
    const kind = entryKind(filePath);
    if (kind !== null && kind !== 'file') throw new UnfitBasemap(`It is ${kindWords(kind)}; expected the file itself.`);
    const { mtimeMs, size, ino } = fs.statSync(filePath);
    generation = `${Math.round(mtimeMs)}-${size}-${ino}`;
    if (before?.generation === generation) return before;
    const open = openers[path.extname(filePath).toLowerCase()] as (filePath: string) => Basemap;
    return { generation, map: open(filePath), reason: '' };
  } catch (error) {
    return { generation, map: null, reason: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof UnfitBasemap || error instanceof EngineError) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  return code?.startsWith('E') ? `It cannot be read (${code}).` : `It is damaged: ${message}`;
}

/** A file name as part of a URL; a file that the user named elsewhere has its path, which no URL has. */
const nameOf = (file: string): string =>
  path.isAbsolute(file)
    ? file
    : path
        .basename(file, path.extname(file))
        .normalize('NFKD')
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '') || 'map';

function sorted(files: ReadonlyMap<string, Looked>): Basemaps {
  const maps = new Map<string, ListedBasemap>();
  const refused: RefusedBasemap[] = [];
  for (const [file, { map, generation, reason }] of files) {
    const name = nameOf(file);
    const other = maps.get(name);
    if (!map) refused.push({ file, reason });
    else if (other) refused.push({ file, reason: `Its name is too like that of ${other.file}: rename one of them.` });
    else maps.set(name, { name, file, generation, map });
  }
  return { maps: [...maps.values()], refused };
}
