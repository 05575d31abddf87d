/**
 * A read is one free question of the app: what the user sees while typing, scrolling and opening. Reads never charge,
 * never touch the ledger, and are no part of the public API: its key cannot reach them.
 */
import type { TObject, TSchema } from 'typebox';
import type { JobRunner } from '../jobs/job-runner.ts';
import type { ValueOf } from '../spec/value-schemas.ts';
import type { AccountStore } from '../store/account-store.ts';
import type { LandStore } from '../store/land-store.ts';
import type { PeopleStore } from '../store/people-store.ts';

/** What a read may look at. An `Engine` is one. */
export interface ReadContext {
  readonly home: string;
  readonly land: LandStore;
  readonly account: AccountStore;
  readonly people: PeopleStore;
  readonly jobs: JobRunner;
  readonly now: () => Date;
}

export interface ReadDefinition<Input, Output, In extends TObject = TObject, Out extends TSchema = TSchema> {
  readonly name: string;
  readonly docs: string;
  readonly input: In;
  readonly output: Out;
  /**
   * Synchronous from start to end: one snapshot of the files.
   * @throws EngineError
   */
  readonly run: (input: Input, context: ReadContext) => Output;
}

/** The definition itself; the types of its function are those of its schemas. */
export const defineRead = <In extends TObject, Out extends TSchema>(
  definition: ReadDefinition<ValueOf<In>, ValueOf<Out>, In, Out>,
) => definition;
