/** What a dropped file would be: a photo of the air, heights, or tiles. */
import Type from 'typebox';
import { oneOf, strict } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

export const imageryKind = defineRead({
  name: 'imagery_kind',
  docs: 'What a file on this computer is to the map: a photo of the air, heights, tiles, or, with the reason, none of them.',
  input: Type.Object({ path: Type.String({ minLength: 1, maxLength: 4096 }) }, strict),
  output: Type.Object({ kind: oneOf(['photo', 'heights', 'tiles', 'unknown']), words: Type.String() }, strict),
  run: async ({ path }, { jobs }) =>
    (await jobs.inTurn('imagery_kind', { path })) as { kind: 'photo' | 'heights' | 'tiles' | 'unknown'; words: string },
});
