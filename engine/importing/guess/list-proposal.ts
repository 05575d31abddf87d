/** How Platbook reads a file of contacts or comps, shown for review before the import. */
import { EngineError } from '../../spec/errors.ts';
import { nearNames } from '../../spec/validate.ts';
import type { Expression, Mapping } from '../mapping/mapping-schema.ts';
import { columnsRead, headingsRead } from './fit-mapping.ts';

export const listKinds = ['contacts', 'comps'] as const;
export type ListKind = (typeof listKinds)[number];

/** The source of one field. */
export interface ListField {
  /** `last_name`, `phone 2`, `phone 2 dnc`, `sold_date` */
  readonly field: string;
  readonly label: string;
  /** Heading of the file; null: none. */
  readonly source: string | null;
  /** Why, in words; null if a person chose it. */
  readonly reason: string | null;
  /** The first value, as in the file. */
  readonly sample: string | null;
  /** Options besides headings; null: only headings. */
  readonly options: readonly string[] | null;
}

export interface ListProposal {
  readonly file: string;
  readonly as: ListKind;
  /** Headings of the file. */
  readonly columns: readonly string[];
  readonly fields: readonly ListField[];
  readonly mapping: Readonly<Record<string, unknown>>;
  /** The recognized published layout; null: guessed. */
  readonly profile: string | null;
  /** Unused headings, each with a sample. */
  readonly unused: readonly { readonly name: string; readonly sample: string | null }[];
  /** What an import still needs, in words; null: nothing. */
  readonly lack: string | null;
  /** What of the file is not read, in words; null: nothing. */
  readonly left_out: string | null;
  /** The first rows as they will be stored, or why one will not. */
  readonly first: readonly string[];
}

/** A person's choice: a heading for a field, or an empty text for none. */
export type ListChoices = Readonly<Record<string, string>>;

/** Rows used to tell columns apart. */
export const listSampleRows = 500;
/** Rows shown as they will be stored. */
export const listShownRows = 5;

/** @throws EngineError mapping_invalid for an unknown field or heading */
export function checkChoices(choices: ListChoices, fields: readonly string[], columns: readonly string[]): void {
  for (const [field, heading] of Object.entries(choices)) {
    if (!fields.includes(field)) throw unknownChoice('field', field, fields);
    if (heading !== '' && !columns.includes(heading)) throw unknownChoice('column of the file', heading, columns);
  }
}

function unknownChoice(what: string, found: string, known: readonly string[]): EngineError {
  const near = nearNames(found, known);
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ` There are ${known.slice(0, 40).join(', ')}.`;
  return new EngineError('mapping_invalid', `${JSON.stringify(found)} is not a ${what}.${hint}`);
}

/** First value of each column; null if the first rows have none. */
function firstValues(
  columns: readonly string[],
  rows: readonly (readonly (string | null)[])[],
): ReadonlyMap<string, string | null> {
  return new Map(columns.map((name, at) => [name, rows.find((row) => row[at])?.[at]?.slice(0, 80) ?? null]));
}

/** A column's source, and the reason; null if a person chose it. */
export interface ListRead {
  readonly expression: Expression;
  readonly reason: string | null;
}

interface ListFacts {
  readonly file: string;
  readonly as: ListKind;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** Columns of the target on display; `options` are choices besides headings. */
  readonly fields: readonly { readonly name: string; readonly label: string; readonly options?: readonly string[] }[];
  readonly reads: ReadonlyMap<string, ListRead>;
  readonly mapping: Mapping;
  readonly profile: string | null;
  readonly lack: string | null;
  readonly left_out: string | null;
  readonly first: readonly string[];
}

/** A telephone number, a ZIP code, a price or an address of mail is no heading. */
const isOfRecord = (heading: string): boolean =>
  /^[+\-$(]?\d[\d\s().,-]*$/.test(heading) ? heading.replace(/\D/g, '').length > 4 : /^\S+@\S+\.\w+$/.test(heading);

/** What a file without headings lacks: its first row would be taken for them, and its record lost. */
function lackOfHeadings(columns: readonly string[]): string | null {
  const values = columns.filter(isOfRecord).slice(0, 3);
  return values.length === 0
    ? null
    : `a row of headings (${values.map((one) => JSON.stringify(one)).join(', ')} in the row that was taken for it ${values.length === 1 ? 'is a value' : 'are values'})`;
}

export function listProposal({ rows, fields, reads, mapping, ...facts }: ListFacts): ListProposal {
  const lack = [lackOfHeadings(facts.columns), facts.lack].filter((one) => one !== null).join('; ') || null;
  const columns = facts.columns.filter((name) => name !== '');
  const samples = firstValues(facts.columns, rows);
  const used = new Set([...reads.values()].flatMap(({ expression }) => headingsRead(expression, columns)));
  return {
    ...facts,
    lack,
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

/** In words; null if the file lacks it. */
function sourceOf(expression: Expression, headings: readonly string[]): string | null {
  if (headings.length > 0) return headings.join(isAlternatives(expression) ? ' or ' : ' + ');
  const isConstant = typeof expression === 'object' && columnsRead(expression).length === 0;
  return isConstant && expression.constant !== undefined ? String(expression.constant) : null;
}

const isAlternatives = (expression: Expression): boolean =>
  typeof expression === 'object' && Array.isArray(expression.from);

export const percentWords = (share: number): string => `${Math.round(share * 100)} %`;
