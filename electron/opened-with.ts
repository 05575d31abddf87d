/** Links and files in a command line, at the start of Platbook or passed on while it runs. */
import fs from 'node:fs';
import path from 'node:path';
import { importEndings } from '../engine/spec/import-formats.ts';
import { parseDeepLink } from './deep-link.ts';

/** Extensions that the importer reads. Base maps are files too. */
const readable = [...importEndings, 'pmtiles', 'mbtiles'].map((ending) => `.${ending}`);

export interface Opened {
  readonly parcel: number | null;
  /** Absolute. */
  readonly files: readonly string[];
}

/** The kind of entry at a path; null: missing or unreadable. */
export type Look = (path: string) => 'file' | 'folder' | null;

export const lookAt: Look = (file) => {
  const status = fs.statSync(file, { throwIfNoEntry: false });
  return status?.isDirectory() ? 'folder' : status?.isFile() ? 'file' : null;
};

/** A county's data often comes as a folder: the importer inspects it. */
const isReadable = (file: string, look: Look): boolean => {
  const kind = look(file);
  return kind === 'folder' || (kind === 'file' && readable.includes(path.extname(file).toLowerCase()));
};

/**
 * @param args of the command line, without the program
 * @param folder base of relative paths
 */
export function openedWith(args: readonly string[], folder: string, look: Look): Opened {
  const plain = args.filter((arg) => arg !== '' && !arg.startsWith('-'));
  const links = plain.flatMap((arg) => parseDeepLink(arg) ?? []);
  const files = plain
    .filter((arg) => !/^[a-z][a-z\d+.-]+:/i.test(arg))
    .map((arg) => path.resolve(folder, arg))
    .filter((file) => isReadable(file, look));
  return { parcel: links.at(-1)?.parcel ?? null, files: [...new Set(files)] };
}

export const isNothing = ({ parcel, files }: Opened): boolean => parcel === null && files.length === 0;
