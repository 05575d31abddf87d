/** The last changes, newest first: what undo would take back, and redo make again. */
import Type from 'typebox';
import { wholeNumberSchema } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

export interface JournalLine {
  readonly entry: number;
  /** ISO date-time. */
  readonly made_at: string;
  readonly sentence: string;
  readonly is_undone: boolean;
}

export const journal = defineRead<{ limit?: number }, JournalLine[]>({
  name: 'journal',
  docs: 'The last changes of the user’s own work, newest first, and which of them are undone.',
  input: Type.Object({ limit: Type.Optional(wholeNumberSchema(1, 200)) }, { additionalProperties: false }),
  output: Type.Array(
    Type.Object(
      { entry: Type.Integer(), made_at: Type.String(), sentence: Type.String(), is_undone: Type.Boolean() },
      { additionalProperties: false },
    ),
  ),
  run: ({ limit = 50 }, { account }) =>
    account.file
      .all<Omit<JournalLine, 'is_undone'> & { undone_at: string | null }>(
        'SELECT entry, made_at, sentence, undone_at FROM journal ORDER BY entry DESC LIMIT ?',
        limit,
      )
      .map(({ undone_at: undone, ...line }) => ({ ...line, is_undone: undone !== null })),
});
