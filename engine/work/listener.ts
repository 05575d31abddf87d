/** Switching the HTTP API on and off. */
import Type from 'typebox';
import { wholeNumberSchema } from '../spec/value-schemas.ts';
import { defineChange } from './change.ts';
import { type ListenerState, listenerOf } from './listener-control.ts';

export const listenerSchema = Type.Object(
  {
    on: Type.Boolean(),
    port: Type.Integer(),
    url: Type.Union([Type.String(), Type.Null()]),
    problem: Type.Union([Type.String(), Type.Null()]),
    switchable: Type.Boolean(),
  },
  { additionalProperties: false },
);

export const setListener = defineChange<{ on: boolean; port: number }, ListenerState>({
  name: 'set_listener',
  docs: 'Switches the HTTP API on a port of 127.0.0.1 on or off. A port that cannot be had is told in `problem`, not thrown: the switch stays off.',
  input: Type.Object(
    { on: Type.Boolean(), port: wholeNumberSchema(0, 65535, { description: '0: any free port' }) },
    { additionalProperties: false },
  ),
  output: listenerSchema,
  run: async (wanted, engine) => ({ data: await listenerOf(engine).set(wanted) }),
});
