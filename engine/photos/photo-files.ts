/**
 * The originals of photos, in `photos/` of the home, named by their content. Call what writes here in a transaction of
 * account.sqlite: its lock keeps another program from removing a file that a row is just about to name.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { entryKind, requirePlainFile } from '../plain-file.ts';
import { EngineError } from '../spec/errors.ts';
import type { AccountStore } from '../store/account-store.ts';
import { isOfDead, markForm, ownMark } from '../store/owner-mark.ts';
import { namedFolderError } from '../store/sqlite-errors.ts';

export const photosFolder = 'photos';

/** No name of this form leads into another folder. */
export const photoFileForm = /^[0-9a-f]{32}\.(?:jpg|png|heic)$/;
const partForm = new RegExp(`^[0-9a-f]{32}\\.(?:jpg|png|heic)-(${markForm})\\.part$`);

/**
 * Writes the file, whole or not at all, if it is not there.
 * @param at ISO date-time
 * @returns its name in the folder
 * @throws EngineError disk_full, home_missing, file_suspicious
 */
export function keepPhotoFile(
  home: string,
  { file }: AccountStore,
  { bytes, ending, at }: { readonly bytes: Buffer; readonly ending: string; readonly at: string },
): string {
  const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}${ending}`;
  const folder = path.join(home, photosFolder);
  const target = path.join(folder, name);
  requirePlainFile(target);
  file.run('INSERT INTO photo_files (file, kept_at) VALUES (?, ?) ON CONFLICT DO NOTHING', name, at);
  if (fs.statSync(target, { throwIfNoEntry: false })?.size === bytes.length) return name;
  const part = `${target}-${ownMark}.part`;
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    // What a killed program left, whatever it is: never written through.
    fs.rmSync(part, { force: true });
    fs.writeFileSync(part, bytes, { flag: 'wx', mode: 0o600, flush: true });
    fs.renameSync(part, target);
  } catch (error) {
    fs.rmSync(part, { force: true });
    throw namedFolderError(error, target) ?? error;
  }
  return name;
}

/** A photo's original, to be shown. @throws EngineError not_found */
export function readPhotoFile(
  home: string,
  { file }: AccountStore,
  id: number,
): { readonly bytes: Buffer; readonly mediaType: string } {
  const photo = file.get<{ file: string; media_type: string }>(
    'SELECT file, media_type FROM photos WHERE photo_id = ?',
    id,
  );
  if (!photo) throw new EngineError('not_found', `There is no photo ${id}: it may have been deleted.`);
  const target = photoFilePath(home, photo.file);
  if (target) return { bytes: fs.readFileSync(target), mediaType: photo.media_type };
  throw new EngineError('not_found', `The original of photo ${id} is gone from the home; a backup may hold it.`);
}

/** Null: it is gone, or it is no plain file. */
export function photoFilePath(home: string, name: string): string | null {
  if (!photoFileForm.test(name) || entryKind(path.join(home, photosFolder)) !== 'folder') return null;
  const target = path.join(home, photosFolder, name);
  return entryKind(target) === 'file' ? target : null;
}

function namesIn(home: string): string[] {
  return entryKind(path.join(home, photosFolder)) === 'folder' ? fs.readdirSync(path.join(home, photosFolder)) : [];
}

/** Names that a photo has, or would have again after an undo. */
const neededSql = `SELECT file FROM photos UNION SELECT file FROM staged_photos UNION
  SELECT json_extract(side.value, '$[' || (SELECT key FROM json_each(t.value, '$.columns') WHERE value = 'file') || ']')
  FROM journal j, json_each(CASE WHEN json_valid(j.inverse_input) THEN j.inverse_input ELSE '[]' END) t, json_each(t.value, '$.rows') r, json_each(r.value) side
  WHERE j.change IN ('add_photo', 'delete_photo', 'import_photos', 'caption_photo') AND side.type = 'array'`;

/** A damaged entry does not say which files it needs. */
const unreadableSql = 'SELECT 1 FROM journal WHERE NOT json_valid(inverse_input) LIMIT 1';

/** Removes the files that Platbook kept and that no photo and no undo needs. @returns their names */
export function forgetPhotoFiles(home: string, { file }: AccountStore): string[] {
  const kept = 'SELECT file FROM photo_files WHERE file NOT IN';
  if (file.column<string>(`${kept} (${neededSql})`).length === 0 || file.get(unreadableSql)) return [];
  return file.transaction(() => {
    const gone = file.column<string>(`${kept} (${neededSql})`);
    for (const name of gone) {
      const found = photoFilePath(home, name);
      if (found) fs.rmSync(found, { force: true });
      file.run('DELETE FROM photo_files WHERE file = ?', name);
    }
    return gone;
  });
}

interface PhotoFilesFound {
  readonly files: number;
  /** Sentences: a photo whose file is gone, a file that belongs to no photo. */
  readonly problems: readonly string[];
}

/** For `platbook check`. */
export function checkPhotoFiles(home: string, { file }: AccountStore): PhotoFilesFound {
  const needed = new Set(file.column<string>(neededSql));
  const names = namesIn(home);
  const missing = file
    .all<{ photo_id: number; name: string; file: string }>('SELECT photo_id, name, file FROM photos')
    .filter((photo) => !names.includes(photo.file))
    .map(
      (photo) =>
        `the original of photo ${photo.photo_id} (${photo.name}), ${photosFolder}/${photo.file}, is gone: a backup may hold it`,
    );
  const orphans = names
    .filter((name) => !needed.has(name))
    .map((name) => `${photosFolder}/${name} belongs to no photo: delete it, or move it out of the home`);
  return { files: names.length, problems: [...missing, ...orphans] };
}

/** Removes what killed programs left half-written. @returns paths below the home */
export function removePhotoParts(home: string): string[] {
  const parts = namesIn(home).filter((name) => {
    const [, mark] = partForm.exec(name) ?? [];
    return mark !== undefined && isOfDead(mark);
  });
  for (const name of parts) fs.rmSync(path.join(home, photosFolder, name), { force: true });
  return parts.map((name) => `${photosFolder}/${name}`);
}
