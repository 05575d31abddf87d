/** Whether a file holds a walk, parcels, or both: a KML, a GeoJSON and a CSV may be either. */
import Type from 'typebox';
import { holdsOf } from '../importing/walks/walk-or-parcels.ts';
import { EngineError } from '../spec/errors.ts';
import { oneOf, strict } from '../spec/value-schemas.ts';
import { walkFileSchema, walkOf } from '../work/walk-file.ts';
import { defineRead } from './read.ts';

export const tellWalk = defineRead({
  name: 'tell_walk',
  docs: 'Whether a file holds a walk (places with names or times, lines), parcels, or both. What no walk is read from counts as parcels: their import says what is wrong with it.',
  input: walkFileSchema,
  output: Type.Object({ holds: oneOf(['walk', 'parcels', 'both']) }, strict),
  run: async (file, engine) => {
    try {
      return { holds: holdsOf((await walkOf(engine, file)).walk) };
    } catch (error) {
      if (error instanceof EngineError && error.code === 'import_refused') return { holds: 'parcels' as const };
      throw error;
    }
  },
});
