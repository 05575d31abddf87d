/**
 * Adds photos of the air: all files of one call are one layer. First each is looked at, and the layer is there; then its
 * halved levels are made (make-pyramid.ts).
 */
import path from 'node:path';
import { EngineError } from '../spec/errors.ts';
import { noteImageryWrite, openImagery } from '../store/imagery-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { markOf } from './file-mark.ts';
import { findStretch } from './find-stretch.ts';
import { addFile, filesOf, imageryRows, type NewFile, removeRows, renameLayer, storedFiles } from './imagery-rows.ts';
import { lookAtPhoto } from './look-at-photo.ts';
import { openPhoto, photoKind } from './open-photo.ts';
import type { Stretch } from './photo.ts';
import { photoFilesOf } from './photo-files.ts';
import { placeOf } from './photo-place.ts';
import { keepCopy, keepPicture } from './picture-copy.ts';
import { removeKept } from './remove-imagery.ts';
import { isDamage, type SharpenTools, sharpenImagery } from './sharpen-imagery.ts';

export interface AddedImagery {
  readonly paths: readonly string[];
  readonly name?: string;
  readonly flown?: string;
  readonly credit?: string;
  readonly crs?: string;
  readonly copy?: boolean;
}

export interface ImageryReport {
  readonly id: number;
  readonly name: string;
  readonly files: number;
  readonly refused: readonly { readonly file: string; readonly why: string }[];
  readonly bounds: readonly number[];
}

export interface AddTools extends SharpenTools {
  /** Bounds and name of a file of tiles. @throws EngineError import_refused */
  readonly tilesBounds: (filePath: string) => readonly [number, number, number, number];
  /** Called once the layer is there. */
  readonly keep: (report: ImageryReport) => void;
}

/** @throws EngineError import_refused if no file is a photo, disk_full (the layer is then not there), file_missing */
export async function addImagery(home: string, input: AddedImagery, tools: AddTools): Promise<ImageryReport> {
  const paths = photoFilesOf(input.paths);
  const file = openImagery(home);
  let id = 0;
  const before = layerWith(file, paths);
  try {
    const known = new Set(before === null ? [] : filesOf(file, before).map((each) => each.path));
    const fresh = paths.filter((each) => !known.has(each));
    const { looked, refused, stretch } = await lookAtAll(home, file, { ...input, paths: fresh }, before, tools);
    if (looked.length === 0 && before === null)
      throw refused[0]?.error ?? new EngineError('import_refused', 'Found no photo.');
    id = file.transaction(() => {
      const layer = before ?? newLayer(file, input, looked, tools.now());
      if (before !== null) renameLayer(file, before, input);
      for (const each of looked) addFile(file, layer, each, stretch);
      noteImageryWrite(file);
      return layer;
    });
    const report = reportOf(
      file,
      id,
      refused.map(({ name, error }) => ({ file: name, why: error.message })),
    );
    tools.keep(report);
    const damaged = await sharpenImagery(home, file, tools, id);
    return { ...report, refused: [...report.refused, ...damaged] };
  } catch (error) {
    if (before === null && id > 0 && error instanceof EngineError && error.code === 'disk_full')
      dropAgain(home, file, id);
    throw error;
  } finally {
    file.close();
  }
}

/** A layer that could not be made whole gives its room back, as far as the full disk lets it. */
function dropAgain(home: string, file: SqliteFile, id: number): void {
  try {
    removeKept(home, removeRows(file, id));
    file.checkpoint();
  } catch {
    // It is listed, as far as it was made; removing it gives the room back.
  }
}

/** The layer that has one of the files: more files of it join it. */
const layerWith = (file: SqliteFile, paths: readonly string[]): number | null => {
  const wanted = new Set(paths);
  return storedFiles(file).find((each) => wanted.has(each.path))?.imagery_id ?? null;
};

interface Refused {
  readonly name: string;
  readonly error: EngineError;
}

interface LookedAll {
  readonly looked: readonly NewFile[];
  readonly refused: readonly Refused[];
  readonly stretch: Stretch | null;
}

async function lookAtAll(
  home: string,
  file: SqliteFile,
  input: AddedImagery,
  before: number | null,
  tools: AddTools,
): Promise<LookedAll> {
  const looked: NewFile[] = [];
  const refused: Refused[] = [];
  let stretch = before === null ? null : (filesOf(file, before)[0]?.stretch ?? null);
  const began = performance.now();
  for (const [at, each] of input.paths.entries()) {
    try {
      const found = await lookAtOne(home, each, input, stretch, tools);
      stretch = found.stretch;
      looked.push(found);
    } catch (error) {
      refused.push({ name: path.basename(each), error: refusalOf(error, each) });
    }
    const rate = ((at + 1) * 1000) / (performance.now() - began);
    tools.progress({ phase: 'looking at photos', rows: at + 1, total: input.paths.length, rows_per_second: rate });
  }
  return { looked, refused, stretch };
}

/** @throws what is no refusal of the file */
function refusalOf(error: unknown, filePath: string): EngineError {
  if (error instanceof EngineError && error.code === 'import_refused') return error;
  if (!isDamage(error)) throw error;
  return new EngineError('import_refused', `${filePath}: the photo is damaged (${error.message}). Download it again.`, {
    cause: error,
  });
}

async function lookAtOne(
  home: string,
  each: string,
  input: AddedImagery,
  known: Stretch | null,
  tools: AddTools,
): Promise<NewFile & { stretch: Stretch | null }> {
  const mark = markOf(each);
  const kind = photoKind(each);
  if (kind === 'tiles') return { ...tilesFile(each, mark, tools), stretch: null };
  // Refused before minutes of copying.
  const place = kind === 'picture' ? placeOf(each, null, input.crs) : null;
  let kept: string | null = null;
  if (kind === 'picture') kept = await keepPicture(home, each, mark.fingerprint);
  const photo = openPhoto(kept === null ? each : `${home}/imagery/${kept}`);
  try {
    // One for all photos of a layer: a seam would show.
    const stretch = known ?? (await findStretch(photo));
    if (stretch) photo.stretch(stretch);
    const looked = await lookAtPhoto(each, photo, input.crs, place);
    if (input.copy && kept === null) kept = await keepCopy(home, each, mark.fingerprint);
    return { path: each, kept, mark: kept === null ? mark : markOf(`${home}/imagery/${kept}`), looked, stretch };
  } finally {
    photo.close();
  }
}

const tilesFile = (each: string, mark: NewFile['mark'], { tilesBounds }: AddTools): NewFile => ({
  ...{ path: each, kept: null, mark },
  looked: {
    ...{ width: 0, height: 0, place: { affine: [0, 0, 0, 0, 0, 0], crs: '' }, frame: null, flown: null },
    ...{ bounds: tilesBounds(each), base: { width: 0, height: 0 }, firstLevel: 1, steps: 0 },
  },
});

function newLayer(file: SqliteFile, input: AddedImagery, looked: readonly NewFile[], now: Date): number {
  const days = looked.flatMap(({ looked: { flown } }) => flown ?? []).sort();
  const kind = looked.every(({ looked: { width } }) => width === 0) ? 'tiles' : 'pixels';
  if (kind === 'tiles' && looked.length > 1)
    throw new EngineError(
      'import_refused',
      'Expected one file of tiles at a time, found several: add them one by one.',
    );
  if (kind === 'pixels' && looked.some(({ looked: { width } }) => width === 0))
    throw new EngineError('import_refused', 'Expected photos or a file of tiles, found both: add them apart.');
  const first = input.paths[0] ?? '';
  const { lastInsertRowid } = file.run(
    'INSERT INTO imagery (kind, title, flown, credit, added_at) VALUES (?, ?, ?, ?, ?)',
    kind,
    input.name ?? path.basename(first, path.extname(first)),
    input.flown ?? days.at(-1) ?? null,
    input.credit ?? '',
    now.toISOString(),
  );
  return Number(lastInsertRowid);
}

function reportOf(file: SqliteFile, id: number, refused: ImageryReport['refused']): ImageryReport {
  const files = storedFiles(file).filter(({ imagery_id: layer }) => layer === id);
  const title = imageryRows(file).find(({ imagery_id: layer }) => layer === id)?.title ?? '';
  const least = (values: number[]) => values.reduce((one, other) => Math.min(one, other));
  const most = (values: number[]) => values.reduce((one, other) => Math.max(one, other));
  const bounds = [
    least(files.map(({ west }) => west)),
    least(files.map(({ south }) => south)),
    most(files.map(({ east }) => east)),
    most(files.map(({ north }) => north)),
  ];
  return { id, name: title, files: files.length, refused, bounds };
}
