/** Changes of the photos of the air; their files stay where they are. */
import Type from 'typebox';
import { renameLayer } from '../imagery/imagery-rows.ts';
import { listImagery } from '../imagery/list-imagery.ts';
import { removeImagery } from '../imagery/remove-imagery.ts';
import { EngineError } from '../spec/errors.ts';
import { orNull, strict } from '../spec/value-schemas.ts';
import { noteImageryWrite } from '../store/imagery-store.ts';
import { defineChange } from './change.ts';
import { starting } from './long-work.ts';

export const addImagery = starting('add_imagery', 'add_imagery');
export const sharpenImagery = starting('sharpen_imagery', 'sharpen_imagery');

const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const name = Type.String({ minLength: 1, maxLength: 200 });

export const changeImagery = defineChange({
  name: 'change_imagery',
  docs: 'Renames photos of the air, or says when they were flown and by whom they were published.',
  input: Type.Object(
    {
      id,
      name: Type.Optional(name),
      flown: Type.Optional(orNull(Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' }))),
      credit: Type.Optional(Type.String({ maxLength: 200 })),
    },
    strict,
  ),
  output: Type.Null(),
  run: ({ id: layer, ...names }, { home, land }) => {
    const before = listImagery(home, land.imagery).find(({ imagery_id: each }) => each === layer);
    const file = land.imagery;
    if (before === undefined || file === null) throw notFound(layer);
    file.transaction(() => {
      renameLayer(file, layer, names);
      noteImageryWrite(file);
    });
    const { title, flown, credit } = before;
    return {
      data: null,
      undo: {
        sentence: `Changed ${title}`,
        change: 'change_imagery',
        input: { id: layer, name: title, flown, credit },
      },
    };
  },
});

export const removeImageryChange = defineChange({
  name: 'remove_imagery',
  docs: 'Takes photos of the air off the map, with their coarser levels and the copies in the home. The files that were named stay.',
  input: Type.Object({ id }, strict),
  output: Type.Null(),
  run: ({ id: layer }, { home, land }) => {
    if (!removeImagery(home, land.imagery, layer)) throw notFound(layer);
    return { data: null };
  },
});

const notFound = (layer: number): EngineError => new EngineError('not_found', `There are no photos ${layer}.`);
