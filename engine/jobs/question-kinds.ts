/**
 * Questions about files, and the plan of a book. Each takes up to seconds of processor time, too long for the process that
 * answers everything else. Questions change nothing, are not listed as jobs, and do not queue behind them.
 */
import Type from 'typebox';
import { bookFields } from '../book/book-fields.ts';
import { listKinds } from '../importing/guess/list-proposal.ts';
import { oneOf, strict } from '../spec/value-schemas.ts';
import { headerField, joinField, parcelReadingFields, type TaskInput, type TaskKind, text } from './task-kind.ts';

const reading = { path: text, ...parcelReadingFields };
const choices = Type.Optional(
  Type.Record(Type.String(), Type.String({ maxLength: 1000 }), {
    description: 'Heading of a field, an empty text for none; what is left out is guessed.',
  }),
);
const joins = Type.Optional(
  Type.Array(Type.Unknown(), {
    description:
      'How each table is joined, as in a mapping; without them it is guessed, by one column of each or by the parts of a parcel number.',
  }),
);
const proposing = {
  ...reading,
  county: Type.Optional(
    Type.String({
      'x-option': '<fips>',
      pattern: '^[0-9]{4,5}$',
      description: 'county FIPS code: its state helps to tell columns apart',
    }),
  ),
  ...joinField,
};

export const questions = {
  look_file: {
    docs: 'The content of a file on this computer: layers, columns with samples, coordinate system, place. Reads headers and the first rows. A layer may hold lines too.',
    input: Type.Object(
      {
        ...reading,
        purpose: Type.Optional(
          oneOf(['parcels', 'layer'], { description: 'What it is to become; without it parcels.' }),
        ),
      },
      strict,
    ),
  },
  propose_mapping: {
    docs: 'For a file on this computer: its profile, else a guess for each column of the dictionary, with confidence, reasons, a sample before and after, and the mapping itself. Reads the first rows.',
    input: Type.Object({ ...proposing, choices, joins }, strict),
  },
  choose_mapping: {
    docs: 'The mapping of an import that names none: none is needed, or one is sure enough, or a person has to decide.',
    input: Type.Object(proposing, strict),
  },
  preview_mapping: {
    docs: 'The first rows of a file under a mapping: a sample before and after for each column, and the first row as it will be kept.',
    input: Type.Object({ ...reading, mapping: Type.Record(Type.String(), Type.Unknown()), ...joinField }, strict),
  },
  propose_list: {
    docs: 'For a file of contacts or comps: the heading that each field is read from and why, the mapping itself, what is missing, and the first rows as they will be kept. `choices` name headings that replace guesses.',
    input: Type.Object(
      {
        path: text,
        as: oneOf(listKinds),
        kept: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 4096,
            description: 'Name of a mapping that was kept: in place of guesses, where it is there and fits.',
          }),
        ),
        choices,
        ...headerField,
      },
      strict,
    ),
  },
  plan_book: {
    docs: 'The map pages of a plat book as they will be, with about how many pages in all, bytes and seconds it takes, and the share of holdings that get a number instead of a name.',
    input: Type.Object(bookFields, strict),
  },
} as const satisfies Record<string, TaskKind>;

export type QuestionName = keyof typeof questions;
export type QuestionInput<Name extends QuestionName> = TaskInput<typeof questions, Name>;
