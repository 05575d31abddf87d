/**
 * Builds the input of an operation from a request: path, query string and body each hold their own fields. Called at the
 * input step, so that a caller without key, plan, scope or rate learns nothing from it.
 */
import type { IncomingMessage } from 'node:http';
import type { TSchema } from 'typebox';
import type { AnyOperation } from '../operations/index.ts';
import { pathFields } from '../operations/operation.ts';
import { type ErrorDetails, validationError } from '../spec/errors.ts';
import { fromQuery, listPart, nearNames, shown } from '../spec/validate.ts';
import type { Format } from './answer.ts';
import { type Body, parseJsonBody, parseJsonObject } from './json-body.ts';
import { parseQuery, repeatedWords } from './query-string.ts';
import { headerValues, isVisibleText } from './raw-headers.ts';

/** A request after routing. `body` is null if the method has none. */
interface RequestParts {
  readonly request: IncomingMessage;
  readonly pathValues: Readonly<Record<string, string>>;
  readonly query: string;
  readonly body: Body | null;
}

type Problem = readonly [name: string, message: string];

/** Which part of a request holds which fields; `either` fields may be in the query string or the body. */
export interface FieldPlaces {
  readonly path: ReadonlySet<string>;
  readonly query: ReadonlySet<string>;
  readonly either: ReadonlySet<string>;
  readonly body: ReadonlySet<string>;
}

export const takesBody = ({ http }: AnyOperation): boolean => http.method === 'POST' || http.method === 'PATCH';

/** The field of a GET that holds the operation's body as JSON; null: the body is the request's. */
export const bodyField = ({ http }: AnyOperation, { method }: IncomingMessage): string | null =>
  method === http.method ? null : (http.bodyInQuery ?? null);

const placesOf = new WeakMap<AnyOperation, FieldPlaces>();

/** Sorted once: a filter has some two hundred fields. */
export function fieldPlaces(operation: AnyOperation): FieldPlaces {
  const places = placesOf.get(operation) ?? sortFields(operation);
  placesOf.set(operation, places);
  return places;
}

function sortFields(operation: AnyOperation): FieldPlaces {
  const path = new Set(pathFields(operation.http.path));
  const others = Object.keys(operation.input.properties).filter((name) => !path.has(name));
  const either = new Set(operation.http.eitherFields ?? []);
  const query = new Set(takesBody(operation) ? (operation.http.queryFields ?? []) : others);
  return { path, query, either, body: new Set(others.filter((name) => !query.has(name) || either.has(name))) };
}

const propertyOf = (operation: AnyOperation, name: string): TSchema | undefined =>
  Object.hasOwn(operation.input.properties, name) ? operation.input.properties[name] : undefined;

/** @throws EngineError validation_error for misplaced, repeated or unknown parameters, a bad format, key or body */
export function buildInput(operation: AnyOperation, parts: RequestParts): Record<string, unknown> {
  const places = fieldPlaces(operation);
  const given = parseQuery(parts.query);
  const field = bodyField(operation, parts.request);
  const written = (field !== null && given.get(field)) || [];
  if (field !== null) given.delete(field);
  const problems: Problem[] = [...formatProblems(operation, given), ...idempotencyProblems(parts.request)];
  given.delete('format');
  for (const [name, values] of given) {
    const message = queryProblem(operation, places, name, values, field);
    if (message) problems.push([name, message]);
  }
  if (problems.length > 0) throw validationError(detailsOf(problems));
  const fromUrl = fromQuery(operation.input, singles(given));
  const fromBody =
    field === null
      ? parts.body
        ? parseJsonBody(parts.request, parts.body, places.body.size === 0)
        : {}
      : parseBodyField(field, written);
  refuseMisplaced(fromBody, fromUrl, places, field);
  return { ...fromUrl, ...fromBody, ...typedPath(operation, parts.pathValues) };
}

/** @throws EngineError validation_error */
function parseBodyField(field: string, written: readonly string[]): Record<string, unknown> {
  const [text = ''] = written;
  const example = 'the JSON of a request body, like {"county":"99001"}';
  if (written.length > 1) throw validationError({ [field]: [repeatedWords(written.length)] });
  if (text.trim() === '') throw validationError({ [field]: [`expected ${example}, found nothing`] });
  return parseJsonObject(text, (message) => validationError({ [field]: [message] }), example);
}

/** Without a prototype, so that a parameter named `__proto__` is a name like any other. */
const detailsOf = (problems: readonly Problem[]): ErrorDetails => {
  const details = Object.create(null) as ErrorDetails;
  for (const [name, message] of problems) details[name] = [message];
  return details;
};

/** Only known names arrive here, so a plain object is safe. */
const singles = (given: ReadonlyMap<string, string[]>): Record<string, string | string[]> =>
  Object.fromEntries([...given].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]));

function queryProblem(
  operation: AnyOperation,
  places: FieldPlaces,
  name: string,
  values: readonly string[],
  bodyIn: string | null,
): string | null {
  if (!places.query.has(name)) {
    if (places.body.has(name)) return `belongs in ${bodyIn ?? 'the body'}, not in the query string`;
    const near = nearNames(name, [...places.query, ...places.body, ...(bodyIn ? [bodyIn] : []), 'format']);
    return near.length > 0 ? `unknown query parameter; did you mean ${near.join(' or ')}?` : 'unknown query parameter';
  }
  const isList = listPart(propertyOf(operation, name)) !== undefined;
  return values.length > 1 && !isList ? repeatedWords(values.length) : null;
}

function refuseMisplaced(
  fromBody: Readonly<Record<string, unknown>>,
  fromUrl: Readonly<Record<string, unknown>>,
  places: FieldPlaces,
  bodyIn: string | null,
): void {
  const body = bodyIn ?? 'the body';
  const problems: ErrorDetails = {};
  for (const [name, value] of Object.entries(fromBody)) {
    if (places.path.has(name)) problems[name] = [`belongs in the path, not in ${body}`];
    else if (places.query.has(name) && !places.either.has(name))
      problems[name] = [`belongs in the query string, not in ${body}`];
    else if (Object.hasOwn(fromUrl, name) && JSON.stringify(value) !== JSON.stringify(fromUrl[name]))
      problems[name] = [`given as ${shown(fromUrl[name])} in the query string and as ${shown(value)} in ${body}`];
  }
  if (Object.keys(problems).length > 0) throw validationError(problems);
}

/** Stricter than a query string: `/properties/1e3/` does not mean 1000. */
function typedPath(
  operation: AnyOperation,
  pathValues: Readonly<Record<string, string>>,
): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(pathValues).map(([name, text]) => {
      const isInteger = (propertyOf(operation, name) as { type?: string } | undefined)?.type === 'integer';
      return [name, isInteger && /^\d+$/.test(text) ? Number(text) : text];
    }),
  );
}

/** The requested format, JSON if unclear; errors before the input step use it too. */
export function formatOf(query: string, request: IncomingMessage): Format {
  const named = query === '' ? [] : new URLSearchParams(query).getAll('format');
  if (named.length > 0) return named.length === 1 && named[0] === 'csv' ? 'csv' : 'json';
  return acceptsCsv(request) ? 'csv' : 'json';
}

/** Whether Accept names CSV and does not prefer JSON; `*` means JSON. */
function acceptsCsv(request: IncomingMessage): boolean {
  const accepted = headerValues(request, 'accept');
  if (accepted.length === 0) return false;
  const ranges = accepted.join(',').toLowerCase().split(',');
  const quality = (type: string): number => {
    const range = ranges.find((one) => one.split(';')[0]?.trim() === type);
    return range === undefined ? 0 : Number(/;\s*q\s*=\s*([\d.]+)/.exec(range)?.[1] ?? 1);
  };
  const csv = quality('text/csv');
  return csv > 0 && csv >= quality('application/json');
}

function formatProblems(operation: AnyOperation, given: ReadonlyMap<string, string[]>): Problem[] {
  const named = given.get('format');
  if (named && (named.length > 1 || (named[0] !== 'json' && named[0] !== 'csv'))) {
    return [['format', `expected json or csv, found ${shown(named.length === 1 ? named[0] : named)}`]];
  }
  // If only Accept asks for CSV, an answer without a table comes as JSON.
  if (named?.[0] !== 'csv' || operation.table) return [];
  return [['format', `${operation.name} answers JSON only: its answer is not a table`]];
}

function idempotencyProblems(request: IncomingMessage): Problem[] {
  const keys = headerValues(request, 'idempotency-key');
  if (keys.length === 0 || (keys.length === 1 && isVisibleText(keys[0] ?? ''))) return [];
  return [['Idempotency-Key', `expected 1 to 128 visible ASCII characters, found ${shown(keys.join(', '))}`]];
}
