/** The code of tasks that read photos of the air. */
import fs from 'node:fs';
import { addImagery } from '../../imagery/add-imagery.ts';
import { drawTile } from '../../imagery/draw-tile.ts';
import { isHeights, type OpenPhoto, openPhoto, photoKind } from '../../imagery/open-photo.ts';
import { photoFilesOf } from '../../imagery/photo-files.ts';
import { PhotoGround } from '../../imagery/photo-ground.ts';
import { hasPlaceBeside, placeOf } from '../../imagery/photo-place.ts';
import { isRefusal, sharpenImagery } from '../../imagery/sharpen-imagery.ts';
import { EngineError } from '../../spec/errors.ts';
import { hasImagery, openImagery } from '../../store/imagery-store.ts';
import { openBasemap } from '../../tiles/basemaps/list-basemaps.ts';
import type { Code } from './on-land.ts';

export const code: Code<'add_imagery' | 'sharpen_imagery' | 'imagery_tile' | 'imagery_kind'> = {
  add_imagery: (input, { home, ...tools }) => addImagery(home, input, { ...tools, tilesBounds }),
  sharpen_imagery: async (_input, { home, ...tools }) => {
    if (!hasImagery(home)) return { refused: [] };
    const file = openImagery(home);
    try {
      return { refused: await sharpenImagery(home, file, tools) };
    } finally {
      file.close();
    }
  },
  imagery_tile: ({ id, z, x, y }, { home }) => drawTile(home, id, { z, x, y }),
  imagery_kind: ({ path, crs }) => kindOf(path, crs),
};

function tilesBounds(filePath: string): readonly [number, number, number, number] {
  const { map, reason } = openBasemap(filePath);
  if (map === null) throw new EngineError('import_refused', `${filePath}: ${reason}`);
  map.close();
  return map.bounds ?? [-180, -85, 180, 85];
}

interface KindOf {
  kind: 'photo' | 'heights' | 'tiles' | 'unknown';
  words: string;
  needs_crs: boolean;
}

const known = (kind: KindOf['kind'], words = ''): KindOf => ({ kind, words, needs_crs: false });

/** Of a folder, what the first of its files is that the map can draw. */
function kindOf(place: string, crs: string | undefined): KindOf {
  if (!fs.statSync(place, { throwIfNoEntry: false })?.isDirectory()) return kindOfFile(place, crs);
  try {
    const kinds = photoFilesOf([place])
      .slice(0, filesTried)
      .map((each) => kindOfFile(each, crs));
    return kinds.find(({ kind }) => kind === 'photo') ?? kinds[0] ?? known('unknown');
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return known('unknown', error.message);
  }
}

/** Photos of the air lie together; one of a camera may lie among them. */
const filesTried = 5;

function kindOfFile(filePath: string, crs: string | undefined): KindOf {
  try {
    const kind = photoKind(filePath);
    if (kind === 'picture' && !hasPlaceBeside(filePath))
      return known('unknown', 'Nothing beside it says where it lies: a photo of a camera.');
    if (kind === 'tiles') return known('tiles');
    if (kind === 'picture') return photoOf(filePath, null, crs);
    if (isHeights(filePath)) return known('heights');
    const photo = openPhoto(filePath);
    try {
      return photoOf(filePath, photo, crs);
    } finally {
      photo.close();
    }
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'import_refused') throw error;
    return known('unknown', error.message);
  }
}

/** Any system shows whether the system alone is what it lacks. */
const anySystem = 'EPSG:4326';

/** @param photo null for a JPG or PNG, which has its place beside it */
function photoOf(filePath: string, photo: OpenPhoto | null, crs: string | undefined): KindOf {
  const tags = photo?.tiff.all[0] ?? null;
  const problem = refusalOf(() => {
    const place = placeOf(filePath, tags, crs);
    if (photo) new PhotoGround(place, photo.width, photo.height, filePath).bounds();
  });
  const needs = problem !== null && refusalOf(() => placeOf(filePath, tags, anySystem)) === null;
  return { kind: 'photo', words: problem ?? '', needs_crs: needs };
}

function refusalOf(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (isRefusal(error)) return error.message;
    throw error;
  }
}
