/** What the windows of this home remember: appearance, filter, paid searches, place of the map. */
import Type from 'typebox';
import { noInput, oneOf, strict, type ValueOf } from '../spec/value-schemas.ts';
import { windowMemories } from '../spec/window-memory.ts';
import { defineRead } from './read.ts';

const memory = Type.Object(
  {
    name: oneOf(windowMemories),
    writer: Type.String({ description: 'The browser that kept it.' }),
    value: Type.String({ description: 'JSON, which only the window reads.' }),
  },
  strict,
);

export const windowMemory = defineRead({
  name: 'window_memory',
  docs: 'What the windows of this home remember, such as the theme, the filter and the place of the map.',
  input: noInput,
  output: Type.Array(memory),
  run: (_input, { account }) =>
    account.file
      .all<ValueOf<typeof memory>>('SELECT name, writer, value FROM window_memory ORDER BY name')
      .filter(({ name }) => windowMemories.includes(name)),
});
