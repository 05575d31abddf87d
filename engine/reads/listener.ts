/** Whether the HTTP API answers, and where. */
import Type from 'typebox';
import { listenerSchema } from '../work/listener.ts';
import { type ListenerState, listenerOf } from '../work/listener-control.ts';
import { defineRead } from './read.ts';

export const listener = defineRead<Record<string, never>, ListenerState>({
  name: 'listener',
  docs: 'Whether the HTTP API is on, its port and address, why it could not start, and whether it can be switched.',
  input: Type.Object({}, { additionalProperties: false }),
  output: listenerSchema,
  run: (_input, context) => listenerOf(context).state(),
});
