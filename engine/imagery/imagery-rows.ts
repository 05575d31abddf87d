/** The layers of photos in imagery.sqlite, and their files. */
import path from 'node:path';
import { imageryFolder, noteImageryWrite } from '../store/imagery-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { type FileMark, isSameFile, markOf } from './file-mark.ts';
import type { LookedPhoto } from './look-at-photo.ts';
import type { Frame, PhotoPlace, Stretch } from './photo.ts';

export interface ImageryRow {
  readonly imagery_id: number;
  readonly kind: 'pixels' | 'tiles';
  readonly title: string;
  readonly flown: string | null;
  readonly credit: string;
  readonly added_at: string;
}

interface StoredFile {
  readonly file_id: number;
  readonly imagery_id: number;
  readonly path: string;
  readonly kept: string | null;
  readonly bytes: number;
  readonly written_ms: number;
  readonly fingerprint: string;
  readonly flown: string | null;
  readonly width: number;
  readonly height: number;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  readonly base_width: number;
  readonly base_height: number;
  readonly first_level: 0 | 1;
  readonly steps: number;
  readonly done: number;
}

export interface ImageryFile extends StoredFile {
  readonly place: PhotoPlace;
  readonly stretch: Stretch | null;
  readonly frame: Frame | null;
}

export const imageryRows = (file: SqliteFile): ImageryRow[] =>
  file.all<ImageryRow>('SELECT * FROM imagery ORDER BY imagery_id');

/** What lists need, without the texts of frames. */
export const storedFiles = (file: SqliteFile): StoredFile[] =>
  file.all<StoredFile>(
    `SELECT file_id, imagery_id, path, kept, bytes, written_ms, fingerprint, flown, width, height, west, south, east, north,
       base_width, base_height, first_level, steps, done FROM imagery_files ORDER BY file_id`,
  );

type Texts = StoredFile & { readonly place: string; readonly stretch: string | null; readonly frame: string | null };

/**
 * The files of a layer, the one that lies on top first: the newest, and of one day the one added last.
 * @param box west, south, east, north: only those that touch it
 */
export const filesOf = (
  file: SqliteFile,
  imageryId: number,
  [west, south, east, north]: readonly number[] = [-180, -90, 180, 90],
): ImageryFile[] =>
  file
    .all<Texts>(
      `SELECT * FROM imagery_files WHERE imagery_id = ? AND west <= ? AND east >= ? AND south <= ? AND north >= ?
       ORDER BY coalesce(flown, '') DESC, file_id DESC`,
      ...[imageryId, east, west, north, south],
    )
    .map(({ place, stretch, frame, ...row }) => ({
      ...row,
      place: JSON.parse(place) as PhotoPlace,
      stretch: stretch === null ? null : (JSON.parse(stretch) as Stretch),
      frame: frame === null ? null : (JSON.parse(frame) as Frame),
    }));

/** The file that is read: the one that the user named, or the one in the home. */
export const readPath = (home: string, { path: named, kept }: Pick<StoredFile, 'path' | 'kept'>): string =>
  kept === null ? named : path.join(home, imageryFolder, path.basename(kept));

/** Whether it is where it was, unchanged. */
export const isThere = (home: string, row: StoredFile): boolean =>
  isSameFile(readPath(home, row), { bytes: row.bytes, writtenMs: row.written_ms, fingerprint: row.fingerprint });

/** Whether the user's own file is the one that was added; a kept one has the fingerprint of the user's in its name. */
export const isAsAdded = (home: string, row: StoredFile): boolean =>
  row.kept === null ? isThere(home, row) : row.kept.startsWith(keptName(markOf(row.path).fingerprint));

/** The name of a file that the home keeps, without its ending. */
export const keptName = (fingerprint: string): string => fingerprint.slice(0, 24);

export interface NewFile {
  readonly path: string;
  readonly kept: string | null;
  readonly mark: FileMark;
  readonly looked: LookedPhoto;
}

/** @returns its number */
export function addFile(
  file: SqliteFile,
  imageryId: number,
  { path: named, kept, mark, looked }: NewFile,
  stretch: Stretch | null,
): number {
  const { width, height, place, frame, flown, bounds, base, firstLevel, steps } = looked;
  const { lastInsertRowid } = file.run(
    `INSERT INTO imagery_files (imagery_id, path, kept, bytes, written_ms, fingerprint, flown, width, height, place, stretch,
       frame, west, south, east, north, base_width, base_height, first_level, steps)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[
      imageryId,
      named,
      kept,
      mark.bytes,
      mark.writtenMs,
      mark.fingerprint,
      flown,
      width,
      height,
      JSON.stringify(place),
    ],
    ...[stretch && JSON.stringify(stretch), frame && JSON.stringify(frame), ...bounds],
    ...[base.width, base.height, firstLevel, steps],
  );
  return Number(lastInsertRowid);
}

/** Call it in a transaction. @returns the names of files in the home that no photo needs any more */
export function removeFiles(file: SqliteFile, imageryId: number, paths: readonly string[]): string[] {
  const keptOfAll = () => file.column<string>('SELECT kept FROM imagery_files WHERE kept IS NOT NULL');
  const before = keptOfAll();
  for (const each of paths) file.run('DELETE FROM imagery_files WHERE imagery_id = ? AND path = ?', imageryId, each);
  const after = new Set(keptOfAll());
  return before.filter((name) => !after.has(name));
}

/** @returns as `removeFiles` */
export function removeRows(file: SqliteFile, imageryId: number): string[] {
  const kept = file.transaction(() => {
    const paths = file.column<string>('SELECT path FROM imagery_files WHERE imagery_id = ?', imageryId);
    const names = removeFiles(file, imageryId, paths);
    file.run('DELETE FROM imagery WHERE imagery_id = ?', imageryId);
    noteImageryWrite(file);
    return names;
  });
  file.pragmaRows('incremental_vacuum');
  return kept;
}

export interface ImageryNames {
  readonly name?: string;
  readonly flown?: string | null;
  readonly credit?: string;
}

export const renameLayer = (file: SqliteFile, id: number, { name, flown, credit }: ImageryNames): void => {
  file.run(
    'UPDATE imagery SET title = coalesce(?, title), credit = coalesce(?, credit) WHERE imagery_id = ?',
    name ?? null,
    credit ?? null,
    id,
  );
  if (flown !== undefined) file.run('UPDATE imagery SET flown = ? WHERE imagery_id = ?', flown, id);
};
