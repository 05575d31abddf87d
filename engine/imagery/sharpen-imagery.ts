/** Makes the halved levels that photos still lack; what an earlier run made stays. */
import { EngineError } from '../spec/errors.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { framedLevel } from './frame.ts';
import { filesOf, type ImageryFile, imageryRows, isThere, readPath } from './imagery-rows.ts';
import { makePyramid } from './make-pyramid.ts';
import { openPhoto } from './open-photo.ts';
import type { PhotoLevel, Progress } from './photo.ts';

export interface SharpenTools {
  readonly now: () => Date;
  readonly progress: (event: Progress) => void;
  readonly onStep: () => void;
}

/** @param only of this layer; absent: of all. @returns files that could not be read, with the reason */
export async function sharpenImagery(
  home: string,
  file: SqliteFile,
  tools: SharpenTools,
  only?: number,
): Promise<{ file: string; why: string }[]> {
  const files = imageryRows(file)
    .filter(({ imagery_id: id }) => only === undefined || id === only)
    .flatMap(({ imagery_id: id }) => filesOf(file, id))
    .filter(({ done, steps }) => done < steps);
  const total = files.reduce((sum, { steps }) => sum + steps, 0);
  const failed: { file: string; why: string }[] = [];
  const began = performance.now();
  let [before, made] = [0, 0];
  for (const each of files) {
    const onStep = (done: number) => {
      tools.onStep();
      made++;
      const rate = (made * 1000) / (performance.now() - began);
      tools.progress({ phase: 'sharpening', rows: before + done, total, rows_per_second: rate });
    };
    const why = isThere(home, each)
      ? await sharpenOne(home, file, each, onStep)
      : 'it is not where it was, or has changed';
    if (why !== null) failed.push({ file: each.path, why });
    before += each.steps;
  }
  return failed;
}

async function sharpenOne(
  home: string,
  file: SqliteFile,
  row: ImageryFile,
  onStep: (done: number) => void,
): Promise<string | null> {
  const photo = openPhoto(readPath(home, row));
  try {
    if (row.stretch) photo.stretch(row.stretch);
    const base = framedLevel(photo.levels.at(-1) as PhotoLevel, row.frame);
    await makePyramid(file, { fileId: row.file_id, base, firstLevel: row.first_level, done: row.done, onStep });
    return null;
  } catch (error) {
    // One damaged photo of hundreds does not end the others.
    if (isRefusal(error)) return error.message;
    if (!isDamage(error)) throw error;
    // Its bytes will be no better the next time; a stick that was pulled out is another matter.
    if (!/^E[A-Z]/.test(String((error as NodeJS.ErrnoException).code)))
      file.run('UPDATE imagery_files SET steps = done WHERE file_id = ?', row.file_id);
    return `it is damaged: ${error.message}`;
  } finally {
    photo.close();
  }
}

/** The file cannot be read, or not as a photo; the disk may be fine. */
export const isRefusal = (error: unknown): error is EngineError =>
  error instanceof EngineError && (error.code === 'import_refused' || error.code === 'file_missing');

/** What decoders say of damaged bytes; a fault of Platbook's own has another kind. */
export const isDamage = (error: unknown): error is Error =>
  error instanceof RangeError ||
  (error instanceof Error && ('errno' in error || /^(?:Input|VipsJpeg|vips|webp)/i.test(error.message)));
