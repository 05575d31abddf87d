/** Undo and redo: changes that the journal does not record. */
import Type from 'typebox';
import {
  changedRows,
  findRedoable,
  findUndoable,
  type JournalEntry,
  type JournalMark,
  rowsInverse,
  setInverse,
  setUndone,
} from '../account/journal.ts';
import { prepareRecording, putRows } from '../account/record-rows.ts';
import type { Engine } from '../engine.ts';
import { EngineError } from '../spec/errors.ts';
import { orNull, strict, wholeNumberSchema } from '../spec/value-schemas.ts';
import { type Done, defineChange } from './change.ts';
import { strikeBySaid } from './sale-verdicts.ts';

/** Runs a change by name without recording it. */
type RunUnnoted = (engine: Engine, name: string, input: unknown) => Promise<Done<unknown>>;

const input = Type.Object({ entry: Type.Optional(wholeNumberSchema(1, Number.MAX_SAFE_INTEGER)) }, strict);

const output = orNull(Type.Object({ entry: Type.Integer(), sentence: Type.String() }, strict));

interface Step {
  readonly name: 'undo' | 'redo';
  readonly docs: string;
  readonly find: (engine: Engine, entry?: number) => JournalEntry | null;
  readonly direction: 'back' | 'again';
  /** The change that does it if the journal does not hold the rows. */
  readonly other: (entry: JournalEntry) => { readonly name: string; readonly input: string };
}

const undoStep: Step = {
  name: 'undo',
  docs: 'Undoes the latest change that is not undone, or the given one. Null: there is none.',
  find: findUndoable,
  direction: 'back',
  other: ({ inverse_change: name, inverse_input: text }) => ({ name, input: text }),
};

const redoStep: Step = {
  name: 'redo',
  docs: 'Redoes the last undone change, or the given one. Null: there is none.',
  find: findRedoable,
  direction: 'again',
  other: ({ change: name, input: text }) => ({ name, input: text }),
};

export const undoChange = (runOther: RunUnnoted) => stepChange(undoStep, runOther);
export const redoChange = (runOther: RunUnnoted) => stepChange(redoStep, runOther);

const stepChange = (step: Step, runOther: RunUnnoted) =>
  defineChange({
    name: step.name,
    docs: step.docs,
    input,
    output,
    run: async ({ entry }, engine) => {
      const found = step.find(engine, entry);
      if (!found) return { data: noEntry(step, entry) };
      if (found.inverse_change === rowsInverse) {
        const mark = stepRows(engine, step, found.entry);
        // the land follows what is said of its sales
        const verdicts = changedRows(found).find(({ table }) => table === 'sale_verdicts');
        if (verdicts)
          strikeBySaid(
            engine,
            verdicts.rows.map(([was, is]) => String((was ?? is)?.[0])),
          );
        return { data: mark };
      }
      return { data: await stepByChange(engine, step, found, runOther) };
    },
  });

/** Runs the change named in the entry. After a redo its undo may need another input. */
async function stepByChange(
  engine: Engine,
  step: Step,
  found: JournalEntry,
  runOther: RunUnnoted,
): Promise<JournalMark> {
  const { file } = engine.account;
  const { name, input: text } = step.other(found);
  const { undo } = await runOther(engine, name, JSON.parse(text));
  file.transaction(() => {
    setUndone(file, found.entry, step.direction === 'back' ? engine.now().toISOString() : null);
    if (step.direction === 'again' && undo) setInverse(file, found.entry, JSON.stringify(undo.input));
  });
  return { entry: found.entry, sentence: found.sentence };
}

/** Nothing to undo is not an error; a named entry that is missing is. */
function noEntry({ name }: Step, entry: number | undefined): null {
  if (entry === undefined) return null;
  throw new EngineError(
    'not_found',
    `Entry ${entry} cannot be ${name === 'undo' ? 'undone' : 'redone'}: it already was, or is too old.`,
  );
}

/** Looked up again in the transaction: another window may have been faster. */
function stepRows(engine: Engine, step: Step, entry: number): JournalMark | null {
  const { file } = engine.account;
  prepareRecording(file);
  return file.transaction(() => {
    const found = step.find(engine, entry);
    if (!found) return noEntry(step, entry);
    putRows(file, changedRows(found), step.direction);
    setUndone(file, entry, step.direction === 'back' ? engine.now().toISOString() : null);
    return { entry, sentence: found.sentence };
  });
}
