/**
 * Questions about files that the app waits for: each takes a second or more of a processor, too long for the process that
 * answers everything else. They change nothing, are not listed among the jobs, and do not wait for them.
 */
import Type, { type TObject } from 'typebox';
import { type ListKind, listKinds } from '../importing/list-proposal.ts';
import type { ReadPurpose } from '../importing/readers/parcel-source.ts';

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1, maxLength: 4096 });
const optionalText = Type.Optional(text);
const fips = Type.String({ pattern: '^[0-9]{4,5}$', 'x-expected': 'a county FIPS code of 4 or 5 digits' });

export interface LookInput {
  readonly path: string;
  readonly layer?: string;
  readonly crs?: string;
}

export interface LookFileInput extends LookInput {
  /** What it is to become; without it parcels. */
  readonly purpose?: ReadPurpose;
}

export interface ProposeMappingInput extends LookInput {
  /** FIPS code: its state tells what the columns of a schema mean. */
  readonly county?: string;
  /** Path of the table to join. */
  readonly join?: string;
}

export interface PreviewMappingInput extends LookInput {
  readonly mapping: Readonly<Record<string, unknown>>;
  readonly join?: string;
}

export interface ProposeListInput {
  readonly path: string;
  readonly as: ListKind;
  /** Name of a mapping that was kept: in place of guesses, where it is there and fits. */
  readonly kept?: string;
  /** Heading of a field, an empty text for none; what is left out is guessed. */
  readonly choices?: Readonly<Record<string, string>>;
}

export interface QuestionInputs {
  look_file: LookFileInput;
  propose_mapping: ProposeMappingInput;
  preview_mapping: PreviewMappingInput;
  propose_list: ProposeListInput;
}

export type QuestionName = keyof QuestionInputs;

export interface QuestionKind {
  readonly docs: string;
  readonly input: TObject;
}

const reading = { path: text, layer: optionalText, crs: optionalText };

export const questions: { readonly [Name in QuestionName]: QuestionKind } = {
  look_file: {
    docs: 'What a file of this computer holds: layers, columns with samples, coordinate system, place. Reads headers and the first rows. For a layer lines are fine too.',
    input: Type.Object(
      { ...reading, purpose: Type.Optional(Type.Union([Type.Literal('parcels'), Type.Literal('layer')])) },
      strict,
    ),
  },
  propose_mapping: {
    docs: 'For a file of this computer: the profile it is of, else a guess for each column of the dictionary, with confidence, reasons, a sample before and after, and the mapping itself. Reads the first rows.',
    input: Type.Object({ ...reading, county: Type.Optional(fips), join: optionalText }, strict),
  },
  preview_mapping: {
    docs: 'What a mapping makes of the first rows of a file: a sample before and after for each column, and the first row as it will be kept.',
    input: Type.Object({ ...reading, mapping: Type.Record(Type.String(), Type.Unknown()), join: optionalText }, strict),
  },
  propose_list: {
    docs: 'For a file of contacts or comps: which heading each field is read from and why, the mapping itself, what is lacking, and the first rows as they will be kept. `choices` name headings in place of what is guessed.',
    input: Type.Object(
      {
        path: text,
        as: Type.Union(listKinds.map((kind) => Type.Literal(kind))),
        kept: optionalText,
        choices: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 1000 }))),
      },
      strict,
    ),
  },
};

export const isQuestion = (name: string): name is QuestionName => Object.hasOwn(questions, name);
