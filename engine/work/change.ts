/**
 * A change is a free write of the app: a note, a list, a saved search, the start of an import. Changes never charge and
 * are not part of the public API. Its rows are journaled and can be undone (`write`), or it does what the journal cannot
 * take back (`run`). What changes nothing is a read (reads/read.ts).
 */
import type { TObject, TSchema } from 'typebox';
import { type JournalMark, journaled, type WriteOutcome } from '../account/journal.ts';
import { prepareRecording } from '../account/record-rows.ts';
import type { Engine } from '../engine.ts';
import type { ValueOf } from '../spec/value-schemas.ts';

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
  /** Replaces `undo` for a change that has written its own journal entry (`write`). */
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
  /** Its rows are recorded and can be restored. */
  readonly isJournaled?: true;
}

export interface ChangeContext {
  readonly engine: Engine;
  /** ISO date-time of the change. */
  readonly at: string;
}

interface JournaledDefinition<Input, Output, In extends TObject, Out extends TSchema>
  extends Omit<ChangeDefinition<Input, Output, In, Out>, 'run' | 'isJournaled'> {
  /**
   * Writes tables of account.sqlite that the journal knows (record-rows.ts). Synchronous: it runs in one IMMEDIATE
   * transaction with its journal entry, and the rows it wrote define the undo.
   * @throws EngineError; then nothing is written
   */
  readonly write: (input: Input, context: ChangeContext) => WriteOutcome<Output>;
}

/** Derives the types of its function from the schemas. With `write`, undo and redo follow from the rows it writes. */
export const defineChange = <In extends TObject, Out extends TSchema>(
  definition:
    | ChangeDefinition<ValueOf<In>, ValueOf<Out>, In, Out>
    | JournaledDefinition<ValueOf<In>, ValueOf<Out>, In, Out>,
): ChangeDefinition<ValueOf<In>, ValueOf<Out>, In, Out> => {
  if ('run' in definition) return definition;
  const { write, ...rest } = definition;
  const run = (input: ValueOf<In>, engine: Engine) =>
    writeJournaled(engine, rest.name, input, (context) => write(input, context));
  return { ...rest, isJournaled: true, run };
};

/**
 * Writes rows with their journal entry, for a change that does more than write rows (it then says `isJournaled` itself).
 * @param noted the input as the journal keeps it
 */
export function writeJournaled<Output>(
  engine: Engine,
  change: string,
  noted: unknown,
  write: (context: ChangeContext) => WriteOutcome<Output>,
): Done<Output> {
  const { file } = engine.account;
  const at = engine.now().toISOString();
  prepareRecording(file);
  return file.transaction(() => journaled(file, { change, input: noted, at }, () => write({ engine, at })));
}
