/** Whether the HTTP API is on, and its address. */
import { noInput } from '../spec/value-schemas.ts';
import { listenerOf, listenerSchema } from '../work/listener-control.ts';
import { defineRead } from './read.ts';

export const listener = defineRead({
  name: 'listener',
  docs: 'Whether the HTTP API is on, its port and address, why it could not start, and whether it can be switched.',
  input: noInput,
  output: listenerSchema,
  run: (_input, context) => listenerOf(context).state(),
});
