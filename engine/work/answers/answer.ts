/**
 * An answer is a free question of the app that takes a promise: about a file, or for a file to be fetched. It changes
 * nothing and has no undo. Reads are synchronous, so it comes in through the door of changes.
 */
import type { TObject, TSchema } from 'typebox';
import type { Engine } from '../../engine.ts';
import type { ValueOf } from '../../spec/value-schemas.ts';
import type { ChangeDefinition } from '../change.ts';

interface AnswerDefinition<Input, Output, In extends TObject, Out extends TSchema>
  extends Omit<ChangeDefinition<Input, Output, In, Out>, 'run' | 'isWork'> {
  /** @throws EngineError */
  readonly run: (input: Input, engine: Engine) => Promise<Output>;
}

export const defineAnswer = <In extends TObject, Out extends TSchema>({
  run,
  ...definition
}: AnswerDefinition<ValueOf<In>, ValueOf<Out>, In, Out>): ChangeDefinition<ValueOf<In>, ValueOf<Out>, In, Out> => ({
  ...definition,
  run: async (input, engine) => ({ data: await run(input, engine) }),
});
