/** Visits to land, the fields of their form, and what a new one would hold. */
import Type from 'typebox';
import { strict } from '../spec/value-schemas.ts';
import { visitFields, visitSchema } from '../spec/visits.ts';
import { idSchema } from '../work/chosen-parcels.ts';
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
