/**
 * A read is a free query of the app: what the user sees while typing, scrolling and opening. Reads never charge, never
 * touch the ledger, and are not part of the public API: its keys cannot reach them.
 */
import type { TObject, TSchema } from 'typebox';
import type { JobRunner } from '../jobs/job-runner.ts';
import type { ValueOf } from '../spec/value-schemas.ts';
import type { AccountStore } from '../store/account-store.ts';
import type { LandStore } from '../store/land-store.ts';
import type { PeopleStore } from '../store/people-store.ts';

/** What a read may access. An `Engine` satisfies it. */
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
   * Synchronous throughout: one snapshot of the files.
   * @throws EngineError
   */
  readonly run: (input: Input, context: ReadContext) => Output;
}

/** Returns the definition; derives the types of its function from the schemas. */
export const defineRead = <In extends TObject, Out extends TSchema>(
  definition: ReadDefinition<ValueOf<In>, ValueOf<Out>, In, Out>,
) => definition;
