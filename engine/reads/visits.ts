/** Visits to land, the fields of their form, what a new one would hold; and where photos of a visit would go. */
import path from 'node:path';
import Type from 'typebox';
import { strict } from '../spec/value-schemas.ts';
import { visitFields, visitSchema } from '../spec/visits.ts';
import { idSchema } from '../work/chosen-parcels.ts';
import { photosIn, placingInput, planPhotos, planSchema } from '../work/import-photos.ts';
import { draftVisit, keptVisitSchema, visitFieldsOf, visitsOf } from '../work/visits.ts';
import { defineRead } from './read.ts';

export const visits = defineRead({
  name: 'visits',
  docs: 'The visits that are kept, the newest first, of all land or of a parcel; and the fields of the form.',
  input: Type.Object({ property_id: Type.Optional(idSchema) }, strict),
  output: Type.Object({ fields: Type.Array(Type.String()), visits: Type.Array(keptVisitSchema) }, strict),
  run: ({ property_id: parcel }, engine) => ({ fields: visitFieldsOf(engine), visits: visitsOf(engine, parcel) }),
});

export const visitDraft = defineRead({
  name: 'visit_draft',
  docs: 'What a visit to these parcels would hold: the photos on them and the tracks across them of a day, the last one with any if none is named, and the form to fill in.',
  input: Type.Object({ parcels: visitFields.parcels, day: Type.Optional(visitFields.day) }, strict),
  output: Type.Object({ days: Type.Array(Type.String()), visit: visitSchema }, strict),
  run: ({ parcels, day }, engine) => draftVisit(engine, parcels, day),
});

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
