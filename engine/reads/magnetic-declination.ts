/** Where a compass points, for bearings by compass. */
import Type from 'typebox';
import { magneticDeclination as findDeclination } from '../geo/magnetic-declination.ts';
import { latitudeSchema, longitudeSchema, orNull, strict } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

export const magneticDeclination = defineRead({
  name: 'magnetic_declination',
  docs: 'How far a compass points beside true north at a place today, in degrees, east positive: a bearing by compass is the true one less this. Null beyond the years of the shipped models.',
  input: Type.Object({ longitude: longitudeSchema, latitude: latitudeSchema }, strict),
  output: Type.Object(
    { declination: orNull(Type.Object({ degrees: Type.Number(), model: Type.String() }, strict)) },
    strict,
  ),
  run: async ({ longitude, latitude }, { now }) => ({ declination: await findDeclination(longitude, latitude, now()) }),
});
