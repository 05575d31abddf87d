/** What is known of a task before a worker does it: one table each of jobs, questions and errands has rows of this shape. */
import type { TObject } from 'typebox';
import { validationError } from '../spec/errors.ts';
import { findProblems } from '../spec/validate.ts';
import type { ValueOf } from '../spec/value-schemas.ts';

export interface TaskKind<In extends TObject = TObject> {
  readonly docs: string;
  readonly input: In;
}

type TaskKinds = Readonly<Record<string, TaskKind>>;
export type TaskInput<Kinds extends TaskKinds, Name extends keyof Kinds> = ValueOf<Kinds[Name]['input']>;

/** What does each task of a table, in the worker alone. */
export type Works<Kinds extends TaskKinds, Tools> = {
  readonly [Name in keyof Kinds]: (input: TaskInput<Kinds, Name>, tools: Tools) => unknown;
};

/** @throws EngineError validation_error */
export function checkInput(kind: TaskKind, input: unknown): void {
  const problems = findProblems(kind.input, input);
  if (problems) throw validationError(problems);
}
