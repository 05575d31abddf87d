/**
 * A read is a free query of the app: what the user sees while typing, scrolling and opening, what a file holds, a file
 * made to be fetched. It changes nothing and never charges, does not touch the ledger, and is not part of the public API,
 * whose keys cannot reach it.
 */
import type { TObject, TSchema } from 'typebox';
import type { Engine } from '../engine.ts';
import type { ValueOf } from '../spec/value-schemas.ts';

/** What a read may access. */
export type ReadContext = Pick<Engine, 'home' | 'land' | 'account' | 'people' | 'jobs' | 'now'>;

export interface ReadDefinition<
  Input,
  Output,
  In extends TObject = TObject,
  Out extends TSchema = TSchema,
  Answer extends Output | Promise<Output> = Output | Promise<Output>,
> {
  readonly name: string;
  readonly docs: string;
  readonly input: In;
  readonly output: Out;
  /**
   * Synchronous, in one snapshot of the files; a promise where a file, a worker or another program answers.
   * @throws EngineError
   */
  readonly run: (input: Input, context: ReadContext) => Answer;
}

/** Returns the definition; derives the types of its function from the schemas. */
export function defineRead<In extends TObject, Out extends TSchema>(
  definition: ReadDefinition<ValueOf<In>, ValueOf<Out>, In, Out, ValueOf<Out>>,
): ReadDefinition<ValueOf<In>, ValueOf<Out>, In, Out, ValueOf<Out>>;
export function defineRead<In extends TObject, Out extends TSchema>(
  definition: ReadDefinition<ValueOf<In>, ValueOf<Out>, In, Out, Promise<ValueOf<Out>>>,
): ReadDefinition<ValueOf<In>, ValueOf<Out>, In, Out, Promise<ValueOf<Out>>>;
export function defineRead<In extends TObject, Out extends TSchema>(
  definition: ReadDefinition<ValueOf<In>, ValueOf<Out>, In, Out>,
): ReadDefinition<ValueOf<In>, ValueOf<Out>, In, Out> {
  return definition;
}
