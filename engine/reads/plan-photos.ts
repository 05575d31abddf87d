/** Where staged photos would go. */
import { placingInput, planPhotos, planSchema } from '../work/import-photos.ts';
import { defineRead } from './read.ts';

export const planPhotosRead = defineRead({
  name: 'plan_photos',
  docs: 'Where photos that stage_photo kept would go: by the place written in them, or by their time on a track; which cameras’ clocks must be asked, and what stays out and why.',
  input: placingInput,
  output: planSchema,
  run: (asked, engine) => planPhotos(engine, asked).plan,
});
