/** The code of tasks that read photos of the air. */
import fs from 'node:fs';
import { addImagery } from '../../imagery/add-imagery.ts';
import { drawTile } from '../../imagery/draw-tile.ts';
import { isHeights, openPhoto, photoKind } from '../../imagery/open-photo.ts';
import { photoFilesOf } from '../../imagery/photo-files.ts';
import { hasPlaceBeside } from '../../imagery/photo-place.ts';
import { sharpenImagery } from '../../imagery/sharpen-imagery.ts';
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
  imagery_kind: ({ path }) => kindOf(path),
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
}

/** Of a folder, what the first of its files is that the map can draw. */
function kindOf(place: string): KindOf {
  if (!fs.statSync(place, { throwIfNoEntry: false })?.isDirectory()) return kindOfFile(place);
  try {
    const kinds = photoFilesOf([place]).slice(0, filesTried).map(kindOfFile);
    return kinds.find(({ kind }) => kind === 'photo') ?? kinds[0] ?? { kind: 'unknown', words: '' };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { kind: 'unknown', words: error.message };
  }
}

/** Photos of the air lie together; one of a camera may lie among them. */
const filesTried = 5;

function kindOfFile(filePath: string): KindOf {
  try {
    const kind = photoKind(filePath);
    if (kind === 'picture' && !hasPlaceBeside(filePath))
      return { kind: 'unknown', words: 'Nothing beside it says where it lies: a photo of a camera.' };
    if (kind !== 'tiff') return { kind: kind === 'picture' ? 'photo' : 'tiles', words: '' };
    if (isHeights(filePath)) return { kind: 'heights', words: '' };
    openPhoto(filePath).close();
    return { kind: 'photo', words: '' };
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'import_refused') throw error;
    return { kind: 'unknown', words: error.message };
  }
}
