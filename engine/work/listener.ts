/** Switching the HTTP API on and off. */
import Type from 'typebox';
import { strict, wholeNumberSchema } from '../spec/value-schemas.ts';
import { defineChange } from './change.ts';
import { listenerOf, listenerSchema } from './listener-control.ts';

export const setListener = defineChange({
  name: 'set_listener',
  docs: 'Switches the HTTP API on a port of 127.0.0.1 on or off. If the port is taken, `problem` says so, nothing is thrown, and the switch stays off.',
  input: Type.Object(
    { on: Type.Boolean(), port: wholeNumberSchema(0, 65535, { description: '0: any free port' }) },
    strict,
  ),
  output: listenerSchema,
  run: async (wanted, engine) => ({ data: await listenerOf(engine).set(wanted) }),
});
