/** Where staged photos would go. */
import path from 'node:path';
import Type from 'typebox';
import { strict } from '../spec/value-schemas.ts';
import { photosIn, placingInput, planPhotos, planSchema } from '../work/import-photos.ts';
import { defineRead } from './read.ts';

export const planPhotosRead = defineRead({
  name: 'plan_photos',
  docs: 'Where photos that stage_photo kept would go: by the place written in them, or by their time on a track; which cameras’ clocks must be asked, and what stays out and why.',
  input: placingInput,
  output: planSchema,
  run: (asked, engine) => planPhotos(engine, asked).plan,
});

export const photosInRead = defineRead({
  name: 'photos_in',
  docs: 'The photos of a folder on this computer and of those below it; a path of a photo is that photo.',
  input: Type.Object({ path: Type.String({ minLength: 1, maxLength: 4096 }) }, strict),
  output: Type.Object({ files: Type.Array(Type.String()) }, strict),
  run: ({ path: place }) => ({ files: photosIn(path.resolve(place)) }),
});
