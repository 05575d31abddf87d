/** Keeps what a window remembers in the home: a view, no work of the user, so the journal does not have it. */
import Type from 'typebox';
import { oneOf, strict } from '../spec/value-schemas.ts';
import { longestMemory, windowMemories } from '../spec/window-memory.ts';
import { defineChange } from './change.ts';

export const keepWindowMemory = defineChange({
  name: 'keep_window_memory',
  docs: 'Keeps what a window remembers, such as the theme, the filter and the place of the map.',
  input: Type.Object(
    {
      name: oneOf(windowMemories),
      writer: Type.String({ minLength: 1, maxLength: 40 }),
      value: Type.String({ minLength: 2, maxLength: longestMemory }),
    },
    strict,
  ),
  output: Type.Null(),
  run: (input, { account }) => {
    // A window asks again: nobody waits for a view while another program holds the file.
    account.file.withoutWaiting(() =>
      account.file.run(
        `INSERT INTO window_memory (name, writer, value) VALUES (:name, :writer, :value)
         ON CONFLICT (name) DO UPDATE SET writer = excluded.writer, value = excluded.value`,
        input,
      ),
    );
    return { data: null };
  },
});
