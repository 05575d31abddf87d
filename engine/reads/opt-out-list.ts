/** How many entries the opt-out list has: it names no one, so nothing more can be read from it. */
import Type from 'typebox';
import { count, noInput, orNull, strict } from '../spec/value-schemas.ts';
import { readOptOuts } from '../store/opt-out-rows.ts';
import { defineRead } from './read.ts';

export const optOutList = defineRead({
  name: 'opt_out_list',
  docs: 'The number of entries of the opt-out list: places of persons (one person may have two: ZIP and town) and numbers; and when the newest was added.',
  input: noInput,
  output: Type.Object({ persons: count(), numbers: count(), newest: orNull(Type.String()) }, strict),
  run: (_input, { people }) => {
    const rows = readOptOuts(people.file);
    const numbers = rows.filter(({ kind }) => kind === 'phone').length;
    return {
      persons: rows.length - numbers,
      numbers,
      newest:
        rows
          .map((row) => row.added_at)
          .sort()
          .at(-1) ?? null,
    };
  },
});
