/** How a file of contacts or comps is understood, before it is applied: shown to a person, who may say otherwise. */
import { EngineError } from '../../spec/errors.ts';
import { nearNames } from '../../spec/validate.ts';
import type { Expression, Mapping } from '../mapping/mapping-schema.ts';
import { columnsRead, headingsRead } from './fit-mapping.ts';

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
function firstValues(
  columns: readonly string[],
  rows: readonly (readonly (string | null)[])[],
): ReadonlyMap<string, string | null> {
  return new Map(columns.map((name, at) => [name, rows.find((row) => row[at])?.[at]?.slice(0, 80) ?? null]));
}

/** What a column is read from, and why; null where a person said it. */
export interface ListRead {
  readonly expression: Expression;
  readonly reason: string | null;
}

interface ListFacts {
  readonly file: string;
  readonly as: ListKind;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** Columns of the target that are shown; `options` are what else can be chosen than headings. */
  readonly fields: readonly { readonly name: string; readonly label: string; readonly options?: readonly string[] }[];
  readonly reads: ReadonlyMap<string, ListRead>;
  readonly mapping: Mapping;
  readonly profile: string | null;
  readonly lack: string | null;
  readonly first: readonly string[];
}

export function listProposal({ rows, fields, reads, mapping, ...facts }: ListFacts): ListProposal {
  const columns = facts.columns.filter((name) => name !== '');
  const samples = firstValues(facts.columns, rows);
  const used = new Set([...reads.values()].flatMap(({ expression }) => headingsRead(expression, columns)));
  return {
    ...facts,
    columns,
    fields: fields.map(({ name, label, options = null }): ListField => {
      const read = reads.get(name);
      if (!read) return { field: name, label, source: null, reason: null, sample: null, options };
      const headings = headingsRead(read.expression, columns);
      const sample = samples.get(headings[0] ?? '') ?? null;
      return { field: name, label, source: sourceOf(read.expression, headings), reason: read.reason, sample, options };
    }),
    mapping: { ...mapping },
    unused: columns.filter((name) => !used.has(name)).map((name) => ({ name, sample: samples.get(name) ?? null })),
  };
}

/** In words; null for what the file lacks. */
function sourceOf(expression: Expression, headings: readonly string[]): string | null {
  if (headings.length > 0) return headings.join(isAlternatives(expression) ? ' or ' : ' + ');
  const isConstant = typeof expression === 'object' && columnsRead(expression).length === 0;
  return isConstant && expression.constant !== undefined ? String(expression.constant) : null;
}

const isAlternatives = (expression: Expression): boolean =>
  typeof expression === 'object' && Array.isArray(expression.from);

export const percentWords = (share: number): string => `${Math.round(share * 100)} %`;
