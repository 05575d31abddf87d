/**
 * A change is a free write of the app: a note, a list, a saved search, the start of an import. Changes never charge and
 * are not part of the public API; the journal can undo a user's mistakes.
 */
import type { TObject, TSchema } from 'typebox';
import type { Engine } from '../engine.ts';
import type { ValueOf } from '../spec/value-schemas.ts';
import { type JournalMark, journaled, type WriteOutcome } from './journal.ts';
import { prepareRecording } from './record-rows.ts';

/** The undo of a change: another change, and a sentence about what was done, for the toast. */
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
  /** Replaces `undo` for a change that has written its own journal entry (`defineWork`). */
  readonly mark?: JournalMark | null;
}

export interface ChangeDefinition<Input, Output, In extends TObject = TObject, Out extends TSchema = TSchema> {
  readonly name: string;
  readonly docs: string;
  readonly input: In;
  readonly output: Out;
  /**
   * All reads and writes of a database are synchronous, in one IMMEDIATE transaction.
   * @throws EngineError
   */
  readonly run: (input: Input, engine: Engine) => Done<Output> | Promise<Done<Output>>;
  /** Set by `defineWork`: its rows are recorded and can be restored. */
  readonly isWork?: true;
}

/** Returns the definition; derives the types of its function from the schemas. */
export const defineChange = <In extends TObject, Out extends TSchema>(
  definition: ChangeDefinition<ValueOf<In>, ValueOf<Out>, In, Out>,
) => definition;

export interface WorkContext {
  readonly engine: Engine;
  /** ISO date-time of the change. */
  readonly at: string;
}

interface WorkDefinition<Input, Output, In extends TObject, Out extends TSchema>
  extends Omit<ChangeDefinition<Input, Output, In, Out>, 'run' | 'isWork'> {
  /**
   * Writes tables of account.sqlite that the journal knows (record-rows.ts). Synchronous: it runs in one IMMEDIATE
   * transaction with its journal entry, and the rows it wrote define the undo.
   * @throws EngineError; then nothing is written
   */
  readonly write: (input: Input, context: WorkContext) => WriteOutcome<Output>;
}

/** A change of the user's own work: undo and redo follow from the rows it writes. */
export const defineWork = <In extends TObject, Out extends TSchema>({
  write,
  ...definition
}: WorkDefinition<ValueOf<In>, ValueOf<Out>, In, Out>): ChangeDefinition<ValueOf<In>, ValueOf<Out>, In, Out> => ({
  ...definition,
  isWork: true,
  run: (input, engine) => writeWork(engine, definition.name, input, (context) => write(input, context)),
});

/**
 * Writes rows with their journal entry, for a work that first has to wait for something (`isWork: true` is then its own).
 * @param noted the input as the journal keeps it
 */
export function writeWork<Output>(
  engine: Engine,
  change: string,
  noted: unknown,
  write: (context: WorkContext) => WriteOutcome<Output>,
): Done<Output> {
  const { file } = engine.account;
  const at = engine.now().toISOString();
  prepareRecording(file);
  return file.transaction(() => journaled(file, { change, input: noted, at }, () => write({ engine, at })));
}
