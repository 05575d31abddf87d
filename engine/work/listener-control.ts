/**
 * The app's control of the HTTP listener. The desktop app switches it on and off; in `platbook serve` it is fixed. The
 * engine knows neither host; each attaches its own control.
 */
import Type from 'typebox';
import { EngineError } from '../spec/errors.ts';
import { orNull, strict, type ValueOf } from '../spec/value-schemas.ts';

export const listenerSchema = Type.Object(
  {
    on: Type.Boolean(),
    port: Type.Integer({ description: 'The requested one; for a running listener, its actual one.' }),
    url: orNull(Type.String(), { description: 'Without a slash at the end; null while off.' }),
    problem: orNull(Type.String(), { description: 'Why it could not start; null if nothing is wrong.' }),
    switchable: Type.Boolean({
      description: 'Whether it can be switched: false if it also serves this page.',
    }),
  },
  strict,
);
export type ListenerState = ValueOf<typeof listenerSchema>;

export interface ListenerControl {
  readonly state: () => ListenerState;
  /** If the listener cannot start it stays off, and its state says why. @throws EngineError if it cannot be switched */
  readonly set: (wanted: { readonly on: boolean; readonly port: number }) => Promise<ListenerState>;
}

/** By engine: a script's engine has none. */
const controls = new WeakMap<object, ListenerControl>();

export const attachListener = (engine: object, control: ListenerControl): void => {
  controls.set(engine, control);
};

const none: ListenerControl = {
  state: () => ({ on: false, port: 0, url: null, problem: null, switchable: false }),
  set: () => Promise.reject(new EngineError('validation_error', 'This engine has no listener that could be switched.')),
};

export const listenerOf = (engine: object): ListenerControl => controls.get(engine) ?? none;

/** The listener that serves the page itself. */
export const fixedListener = ({
  port,
  baseUrl,
}: {
  readonly port: number;
  readonly baseUrl: string;
}): ListenerControl => ({
  state: () => ({ on: true, port, url: baseUrl, problem: null, switchable: false }),
  set: () =>
    Promise.reject(
      new EngineError(
        'validation_error',
        `The listener on port ${port} also serves this window, so it cannot be switched here. To change the port, restart Platbook with --port.`,
      ),
    ),
});
