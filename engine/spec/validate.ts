/** Checks values against an input schema; messages say for each field what was expected and found. */

import { closest, distance } from 'fastest-levenshtein';
import type { TObject, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { counted, grouped } from './counted.ts';
import { EngineError, type ErrorDetails, nonFieldErrors } from './errors.ts';
import { expectedWords } from './value-schemas.ts';

const compiled = new WeakMap<TSchema, Validator>();

function validatorOf(schema: TSchema): Validator {
  const known = compiled.get(schema);
  if (known) return known;
  const made = Compile(schema) as unknown as Validator;
  compiled.set(schema, made);
  return made;
}

/** A value as an error message shows it: JSON, cut to 60 characters. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : typeof value === 'number' ? String(value) : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** Up to three known names similar to a misspelt one. */
export function nearNames(name: string, known: readonly string[]): string[] {
  const equal = known.filter((k) => k.toLowerCase() === name.toLowerCase());
  if (equal.length > 0) return equal;
  const family = known.filter((k) => k === `${name}_min` || k === `${name}_max`);
  if (family.length > 0) return family;
  // What is left out of a name is likelier than what is added to it: out_of_county is out_of_county_owner, not county.
  const parts =
    name.length < 4
      ? []
      : [...known.filter((k) => k.includes(name)), ...known.filter((k) => name.includes(k) && k !== name)];
  const nearest = known.length > 0 ? closest(name, [...known]) : '';
  const near = nearest !== '' && distance(name, nearest) <= Math.max(2, Math.floor(name.length / 3)) ? [nearest] : [];
  return [...new Set([...near, ...parts])].slice(0, 3);
}

/** Names that are listed where none is near. */
const mostListed = 12;

function unknownFieldMessage(name: string, known: readonly string[]): string {
  const near = nearNames(name, known);
  if (near.length > 0) return `unknown field; did you mean ${near.join(' or ')}?`;
  return known.length > 0 && known.length <= mostListed
    ? `unknown field; expected ${known.join(', ')}`
    : 'unknown field';
}

/** The not_found error for an unknown operation, read or change, with similar names. */
export function unknownName(what: string, name: string, known: readonly string[]): EngineError {
  const near = nearNames(name, known);
  const hint = near.length > 0 ? `; did you mean ${near.join(' or ')}?` : '.';
  return new EngineError('not_found', `There is no ${what} ${JSON.stringify(name)}${hint}`);
}

/** All problems of `value` against `schema`; null if it is valid. */
export function findProblems(schema: TObject, value: unknown): ErrorDetails | null {
  const validator = validatorOf(schema);
  if (validator.Check(value)) return null;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return { [nonFieldErrors]: [`expected a JSON object, found ${shown(value)}`] };
  }
  const given = value as Record<string, unknown>;
  const known = Object.keys(schema.properties);
  const details: ErrorDetails = Object.create(null) as ErrorDetails;
  for (const name of Object.keys(given)) {
    const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (!property) details[name] = [unknownFieldMessage(name, known)];
    else if (!validatorOf(property).Check(given[name])) details[name] = fieldMessages(property, given[name]);
  }
  return Object.assign(details, missingFields(schema, given));
}

function missingFields(schema: TObject, given: Record<string, unknown>): ErrorDetails {
  const missing = (schema.required ?? []).filter((name) => !Object.hasOwn(given, name));
  return Object.fromEntries(
    missing.map((name) => {
      const property = schema.properties[name];
      return [name, [`required: expected ${(property && expectedWords(property)) ?? 'a value'}`]];
    }),
  );
}

function mismatch(schema: TSchema, found: unknown): string {
  const choices = ((schema as { anyOf?: { const?: unknown }[] }).anyOf ?? []).flatMap((one) =>
    typeof one.const === 'string' ? [one.const] : [],
  );
  const near = typeof found === 'string' ? nearNames(found, choices) : [];
  const hint = near.length > 0 ? `; did you mean ${near.map((name) => JSON.stringify(name)).join(' or ')}?` : '';
  const written = hint === '' ? writtenOtherwise(schema, found) : '';
  return `expected ${expectedWords(schema) ?? 'another value'}, found ${shown(found)}${hint}${written}`;
}

/** What would fit if it were in quotes, without them, or in a list. */
function writtenOtherwise(schema: TSchema, found: unknown): string {
  const fits = (value: unknown) => validatorOf(schema).Check(value);
  if (typeof found === 'number' && fits(String(found))) return `; write it in quotes: ${shown(String(found))}`;
  const isNumber = /^(number|integer)$/.test((schema as { type?: string }).type ?? '');
  if (isNumber && typeof found === 'string' && found.trim() !== '' && fits(Number(found)))
    return `; did you mean ${Number(found)}?`;
  return !Array.isArray(found) && fits([found]) ? `; did you mean [${shown(found)}]?` : '';
}

/** At most five messages for one field; for a list one per wrong item, for a record one per wrong entry. */
function fieldMessages(schema: TSchema, found: unknown): string[] {
  const entries = entryMessages(schema, found);
  if (entries.length > 0) return entries;
  const { items } = listPart(schema) ?? {};
  if (!items || !Array.isArray(found) || found.length === 0) return [mismatch(schema, found)];
  const validator = validatorOf(items);
  const wrong = found.flatMap((item, i) => (validator.Check(item) ? [] : [`item ${i + 1}: ${mismatch(items, item)}`]));
  return wrong.length > 0 ? wrong.slice(0, 5) : [lengthMessage(schema, found.length)];
}

/** The schema of a list, also where a word may stand instead of it; undefined if it is none. */
export const listPart = (schema: TSchema | undefined) =>
  [schema, ...((schema as { anyOf?: TSchema[] } | undefined)?.anyOf ?? [])].find(
    (one) => (one as { type?: string } | undefined)?.type === 'array',
  ) as { readonly items?: TSchema; readonly maxItems?: number; readonly 'x-commas'?: true } | undefined;

function lengthMessage(schema: TSchema, found: number): string {
  const { maxItems = Number.POSITIVE_INFINITY } = listPart(schema) ?? {};
  return found > maxItems
    ? `expected at most ${grouped(maxItems)} items, found ${grouped(found)}`
    : mismatch(schema, counted(found, 'item', 'items'));
}

function entryMessages(schema: TSchema, found: unknown): string[] {
  const [entry] = Object.values((schema as { patternProperties?: Record<string, TSchema> }).patternProperties ?? {});
  const hasWords = entry !== undefined && expectedWords(entry) !== undefined;
  if (!hasWords || found === null || typeof found !== 'object' || Array.isArray(found)) return [];
  const validator = validatorOf(entry);
  return Object.entries(found)
    .flatMap(([name, value]) => (validator.Check(value) ? [] : [`${shown(name)}: ${mismatch(entry, value)}`]))
    .slice(0, 5);
}

/**
 * Converts the texts of a query string to the numbers, booleans and lists of the schema. A text that does not convert stays
 * a text, which the error message then shows.
 */
export function fromQuery(
  schema: TObject,
  query: Readonly<Record<string, string | string[]>>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(query)) {
    const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    values[name] = property ? queryValue(property, text) : text;
  }
  return values;
}

/** An integer is digits only: `1.0` and `1e3` are not pages. */
const numberForms: Readonly<Record<string, RegExp>> = {
  integer: /^-?\d+$/,
  number: /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/,
};

function queryValue(schema: TSchema, text: string | string[]): unknown {
  const { type } = schema as { type?: string };
  const { items, 'x-commas': hasCommas } = listPart(schema) ?? {};
  if (items) {
    const texts = Array.isArray(text) ? text : [text];
    return (hasCommas ? texts.flatMap((one) => one.split(',')) : texts).map((one) => queryValue(items, one));
  }
  if (Array.isArray(text)) return text;
  const form = type === undefined ? undefined : numberForms[type];
  if (form?.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
