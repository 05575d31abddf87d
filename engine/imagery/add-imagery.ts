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
import {
  addFile,
  filesOf,
  isAsAdded,
  type NewFile,
  removeFiles,
  removeRows,
  renameLayer,
  storedFiles,
} from './imagery-rows.ts';
import { type ListedImagery, listImagery } from './list-imagery.ts';
import { lookAtPhoto } from './look-at-photo.ts';
import { openPhoto, photoKind } from './open-photo.ts';
import type { Stretch } from './photo.ts';
import { photoFilesOf } from './photo-files.ts';
import { placeOf } from './photo-place.ts';
import { keepCopy, keepPicture } from './picture-copy.ts';
import { removeKept } from './remove-imagery.ts';
import { isDamage, isRefusal, type SharpenTools, sharpenImagery } from './sharpen-imagery.ts';

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
  let [id, replaced] = [0, [] as string[]];
  const before = layerWith(file, paths);
  try {
    const rows = before === null ? [] : filesOf(file, before);
    const known = new Set(rows.filter((each) => isAsAdded(home, each)).map((each) => each.path));
    const fresh = paths.filter((each) => !known.has(each));
    const { looked, refused, stretch } = await lookAtAll(home, file, { ...input, paths: fresh }, before, tools);
    if (looked.length === 0 && before === null)
      throw refused[0]?.error ?? new EngineError('import_refused', 'Found no photo.');
    id = file.transaction(() => {
      const layer = before ?? newLayer(file, input, kindOf(looked), looked, tools.now());
      if (before !== null) {
        const named = looked.map((each) => each.path);
        const others = rows.filter((each) => !named.includes(each.path));
        kindOf([...looked, ...others.map((each) => ({ looked: each }))]);
        renameLayer(file, before, input);
        replaced = removeFiles(file, before, named);
      }
      for (const each of looked) addFile(file, layer, each, stretch);
      noteImageryWrite(file);
      return layer;
    });
    removeKept(home, replaced);
    const report = reportOf(
      listImagery(home, file).find(({ imagery_id: each }) => each === id) as ListedImagery,
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

/** The error that refuses the file. @throws the given error if the file is not at fault */
function refusalOf(error: unknown, filePath: string): EngineError {
  if (isRefusal(error)) return error;
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

/** @throws EngineError import_refused for tiles beside other files */
function kindOf(files: readonly { readonly looked: { readonly width: number } }[]): 'pixels' | 'tiles' {
  const tiles = files.filter(({ looked: { width } }) => width === 0).length;
  if (tiles > 0 && tiles < files.length)
    throw new EngineError('import_refused', 'Expected photos or a file of tiles, found both: add them apart.');
  if (tiles <= 1) return tiles === 0 ? 'pixels' : 'tiles';
  throw new EngineError('import_refused', 'Expected one file of tiles at a time, found several: add them one by one.');
}

function newLayer(
  file: SqliteFile,
  input: AddedImagery,
  kind: 'pixels' | 'tiles',
  looked: readonly NewFile[],
  now: Date,
): number {
  const days = looked.flatMap(({ looked: { flown } }) => flown ?? []).sort();
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

const reportOf = (
  { imagery_id: id, title: name, files, bounds }: ListedImagery,
  refused: ImageryReport['refused'],
): ImageryReport => ({ id, name, files, refused, bounds });
