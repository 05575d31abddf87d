/** The latest changes, newest first: what undo would revert, and redo repeat. */
import Type from 'typebox';
import { strict, type ValueOf, wholeNumberSchema } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

const line = Type.Object(
  { entry: Type.Integer(), made_at: Type.String(), sentence: Type.String(), is_undone: Type.Boolean() },
  strict,
);

export const journal = defineRead({
  name: 'journal',
  docs: 'The last changes of the user’s own work, newest first, and which of them are undone.',
  input: Type.Object({ limit: Type.Optional(wholeNumberSchema(1, 200)) }, strict),
  output: Type.Array(line),
  run: ({ limit = 50 }, { account }) =>
    account.file
      .all<Omit<ValueOf<typeof line>, 'is_undone'> & { undone_at: string | null }>(
        'SELECT entry, made_at, sentence, undone_at FROM journal ORDER BY entry DESC LIMIT ?',
        limit,
      )
      .map(({ undone_at: undone, ...rest }) => ({ ...rest, is_undone: undone !== null })),
});
