/**
 * The HTTP listener as the app sees it. Two hosts have one: the desktop app switches it on and off; `platbook serve` is
 * one, so there it stays as it is. The engine knows of neither; a host attaches its own.
 */
import Type from 'typebox';
import { EngineError } from '../spec/errors.ts';
import { orNull, strict, type ValueOf } from '../spec/value-schemas.ts';

export const listenerSchema = Type.Object(
  {
    on: Type.Boolean(),
    port: Type.Integer({ description: 'The one that was asked for last; of a running listener, the one it has.' }),
    url: orNull(Type.String(), { description: 'Without a slash at the end; null while off.' }),
    problem: orNull(Type.String(), { description: 'Why it could not start; null while nothing is wrong.' }),
    switchable: Type.Boolean({
      description: 'Whether it can be switched: false where the page itself comes over it.',
    }),
  },
  strict,
);
export type ListenerState = ValueOf<typeof listenerSchema>;

export interface ListenerControl {
  readonly state: () => ListenerState;
  /** A listener that cannot start is off, and its state says why. @throws EngineError where it cannot be switched */
  readonly set: (wanted: { readonly on: boolean; readonly port: number }) => Promise<ListenerState>;
}

/** By the engine they belong to: a script's engine has none. */
const controls = new WeakMap<object, ListenerControl>();

export const attachListener = (engine: object, control: ListenerControl): void => {
  controls.set(engine, control);
};

const none: ListenerControl = {
  state: () => ({ on: false, port: 0, url: null, problem: null, switchable: false }),
  set: () => Promise.reject(new EngineError('validation_error', 'This engine has no listener that could be switched.')),
};

export const listenerOf = (engine: object): ListenerControl => controls.get(engine) ?? none;

/** The listener that the page itself comes over. */
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
        `This window comes over the listener on port ${port}; it ends where Platbook was started. Start it with --port for another one.`,
      ),
    ),
});
