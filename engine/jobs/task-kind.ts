/** What is known of a task before a worker does it: one table each of jobs, questions and errands has rows of this shape. */
import Type, { type TObject } from 'typebox';
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

const shortText = { minLength: 1, maxLength: 4096 };
/** A path, a name, a code. */
export const text = Type.String(shortText);

/** A text that is an option of the command line too, with the description as its help: `--county <fips>`. */
export const option = (value: string, description: string) =>
  Type.String({ ...shortText, 'x-option': value, description });
export const optional = (value: string, description: string) => Type.Optional(option(value, description));

/** How a file of parcels or of a layer is read. */
export const readingFields = {
  layer: optional('<name>', 'which layer, where the file holds several ("platbook look" lists them)'),
  crs: optional('<code>', 'coordinate system, like EPSG:3437, where the file does not say it'),
};
export const joinField = { join: optional('<table>', 'CSV, DBF or XLSX table to join') };

/** @throws EngineError validation_error */
export function checkInput(kind: TaskKind, input: unknown): void {
  const problems = findProblems(kind.input, input);
  if (problems) throw validationError(problems);
}
