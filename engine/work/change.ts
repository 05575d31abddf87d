/**
 * A change is one free write of the app: a note, a list, a saved search, the start of an import. Changes never charge
 * and are no part of the public API; what a user does by mistake can be undone through the journal.
 */
import type { TObject, TSchema } from 'typebox';
import type { Engine } from '../engine.ts';
import type { ValueOf } from '../spec/value-schemas.ts';
import { type JournalMark, journaled, type WriteOutcome } from './journal.ts';
import { prepareRecording } from './record-rows.ts';

/** How a change is taken back: another change, and what the toast says was done. */
export interface Inverse {
  /** In the past tense, for the toast and the journal: `Added a note to 12-151`. */
  readonly sentence: string;
  readonly change: string;
  readonly input: unknown;
}

export interface Done<Output> {
  readonly data: Output;
  /** Absent: nothing to undo. */
  readonly undo?: Inverse;
  /** In place of `undo`, where the change has written its journal's entry itself (`defineWork`). */
  readonly mark?: JournalMark | null;
}

export interface ChangeDefinition<Input, Output, In extends TObject = TObject, Out extends TSchema = TSchema> {
  readonly name: string;
  readonly docs: string;
  readonly input: In;
  readonly output: Out;
  /**
   * Everything between reading and writing a database is synchronous and in one IMMEDIATE transaction.
   * @throws EngineError
   */
  readonly run: (input: Input, engine: Engine) => Done<Output> | Promise<Done<Output>>;
  /** Made by `defineWork`: its rows are noted, and can be put back. */
  readonly isWork?: true;
}

/** The definition itself; the types of its function are those of its schemas. */
export const defineChange = <In extends TObject, Out extends TSchema>(
  definition: ChangeDefinition<ValueOf<In>, ValueOf<Out>, In, Out>,
) => definition;

export interface WorkContext {
  readonly engine: Engine;
  /** ISO date-time of the change. */
  readonly at: string;
}

export interface WorkDefinition<Input, Output, In extends TObject, Out extends TSchema>
  extends Omit<ChangeDefinition<Input, Output, In, Out>, 'run' | 'isWork'> {
  /**
   * Writes tables of account.sqlite that the journal knows (record-rows.ts). Synchronous: it runs in one IMMEDIATE
   * transaction with its journal's entry, and the rows it wrote are the way back.
   * @throws EngineError; then nothing is written
   */
  readonly write: (input: Input, context: WorkContext) => WriteOutcome<Output>;
}

/** A change of the user's own work: what it writes can be undone and redone without a word more. */
export const defineWork = <In extends TObject, Out extends TSchema>({
  write,
  ...definition
}: WorkDefinition<ValueOf<In>, ValueOf<Out>, In, Out>): ChangeDefinition<ValueOf<In>, ValueOf<Out>, In, Out> => ({
  ...definition,
  isWork: true,
  run: (input, engine) => {
    const { file } = engine.account;
    const at = engine.now().toISOString();
    prepareRecording(file);
    return file.transaction(() =>
      journaled(file, { change: definition.name, input, at }, () => write(input, { engine, at })),
    );
  },
});
