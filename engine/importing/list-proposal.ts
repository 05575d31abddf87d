/** How a file of contacts or comps is understood, before it is applied: shown to a person, who may say otherwise. */
import { EngineError } from '../spec/errors.ts';
import { nearNames } from '../spec/validate.ts';

export const listKinds = ['contacts', 'comps'] as const;
export type ListKind = (typeof listKinds)[number];

/** What one thing that is wanted is read from. */
export interface ListField {
  /** `last_name`, `phone 2`, `phone 2 dnc`, `sold_date` */
  readonly field: string;
  readonly label: string;
  /** Heading of the file; null: from nothing. */
  readonly source: string | null;
  /** Why, in words; null where a person said it. */
  readonly reason: string | null;
  /** The first value that there is, as the file has it. */
  readonly sample: string | null;
  /** What else can be chosen than headings; null: headings. */
  readonly options: readonly string[] | null;
}

export interface ListProposal {
  readonly file: string;
  readonly as: ListKind;
  /** Headings of the file. */
  readonly columns: readonly string[];
  readonly fields: readonly ListField[];
  readonly mapping: Readonly<Record<string, unknown>>;
  /** The published layout that it is of; null: guessed. */
  readonly profile: string | null;
  /** Headings that are used for nothing, and what stands there. */
  readonly unused: readonly { readonly name: string; readonly sample: string | null }[];
  /** What an import still needs, in words; null: nothing. */
  readonly lack: string | null;
  /** The first rows as they will be kept, or why one is not. */
  readonly first: readonly string[];
}

/** What a person says: a heading for a field, or an empty text for none. */
export type ListChoices = Readonly<Record<string, string>>;

/** Rows that are looked at to tell columns apart. */
export const listSampleRows = 500;
/** Rows that are shown as they will be kept. */
export const listShownRows = 5;

/** @throws EngineError mapping_invalid for a field or heading that there is not */
export function checkChoices(choices: ListChoices, fields: readonly string[], columns: readonly string[]): void {
  for (const [field, heading] of Object.entries(choices)) {
    if (!fields.includes(field)) throw unknownChoice('field', field, fields);
    if (heading !== '' && !columns.includes(heading)) throw unknownChoice('column of the file', heading, columns);
  }
}

function unknownChoice(what: string, found: string, known: readonly string[]): EngineError {
  const near = nearNames(found, known);
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ` There are ${known.slice(0, 40).join(', ')}.`;
  return new EngineError('mapping_invalid', `${JSON.stringify(found)} is no ${what}.${hint}`);
}

/** First value of each column; null where the first rows have none. */
export function firstValues(
  columns: readonly string[],
  rows: readonly (readonly (string | null)[])[],
): ReadonlyMap<string, string | null> {
  return new Map(columns.map((name, at) => [name, rows.find((row) => row[at])?.[at]?.slice(0, 80) ?? null]));
}

export const unusedOf = (
  columns: readonly string[],
  used: ReadonlySet<string>,
  samples: ReadonlyMap<string, string | null>,
): ListProposal['unused'] =>
  columns.filter((name) => name !== '' && !used.has(name)).map((name) => ({ name, sample: samples.get(name) ?? null }));

export const percentWords = (share: number): string => `${Math.round(share * 100)} %`;
