/** Builds the OpenAPI 3.1 document of the public API from the operations and the error table. */
import type { TSchema } from 'typebox';
import { type AnyOperation, operations } from '../operations/index.ts';
import { apiBase, scopeWords } from '../operations/operation.ts';
import { wireErrors } from '../spec/errors.ts';
import { type FieldPlaces, fieldPlaces } from './request-input.ts';

type Node = Record<string, unknown>;

const ref = (kind: string, name: string): Node => ({ $ref: `#/components/${kind}/${name}` });
const text = (more: Node = {}): Node => ({ type: 'string', ...more });
const whole = (more: Node = {}): Node => ({ type: 'integer', minimum: 0, ...more });

const headers: Record<string, Node> = {
  'X-Request-Id': {
    description: "The caller's, when it is 1 to 128 visible ASCII characters, else issued.",
    schema: text(),
  },
  'X-Tokens-Used': { description: 'Tokens charged for this request; 0 on errors and empty results.', schema: whole() },
  'X-RateLimit-Limit': {
    description: 'Requests at once, from a full bucket; with the 429 of a skip trace, traces a minute.',
    schema: whole(),
  },
  'X-RateLimit-Remaining': { description: 'Requests that would be admitted now.', schema: whole() },
  'X-RateLimit-Reset': {
    description: 'Whole seconds until the bucket is full; with the 429 of a skip trace, until the next one fits.',
    schema: whole(),
  },
};

/** Headers that only some answers have, by status. */
const headersOfStatus: Record<number, Record<string, Node>> = {
  401: { 'WWW-Authenticate': { description: 'The scheme to use.', schema: text() } },
  405: { Allow: { description: 'The methods of this path.', schema: text() } },
  429: { 'Retry-After': { description: 'Whole seconds to wait.', schema: whole({ minimum: 1 }) } },
};

const tableHeaders: Record<string, Node> = {
  'X-Total-Count': { description: 'With CSV: matches on all pages.', schema: whole() },
  Link: { description: 'With CSV: `<…>; rel="next"` and `rel="prev"`, if there is such a page.', schema: text() },
};

/** The header for facts that an answer itself does not show. */
const noticeHeader = {
  'X-Platbook-Notice': {
    description:
      'If present: counties asked for that are not loaded, filters on columns that are empty there, values that no parcel has, or parcels that a filter keeps because their value is unknown.',
    schema: text(),
  },
};

const commonHeaders = Object.fromEntries(Object.keys(headers).map((name) => [name, ref('headers', name)]));

/** One row per code in the table, one response per status here. */
function errorResponses(): Record<string, Node> {
  const statuses = [...new Set(Object.values(wireErrors).map((row) => row.status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = Object.entries(wireErrors).filter(([, row]) => row.status === status);
      return [
        `Error${status}`,
        {
          description: codes.map(([code, row]) => `\`${code}\`: ${row.docs}`).join('\n\n'),
          headers: { ...commonHeaders, ...headersOfStatus[status] },
          content: { 'application/json': { schema: ref('schemas', 'Error') } },
        },
      ];
    }),
  );
}

const errorSchema: Node = {
  type: 'object',
  required: ['error'],
  additionalProperties: false,
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'request_id'],
      additionalProperties: false,
      properties: {
        code: text({ enum: Object.keys(wireErrors) }),
        message: text(),
        request_id: text(),
        details: {
          type: 'object',
          description: 'With `validation_error` only: each rejected field with its messages.',
          additionalProperties: { type: 'array', items: text() },
        },
      },
    },
  },
};

const sharedParameters: Record<string, Node> = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Echoed in the answer, and in the body of errors.',
    schema: text({ pattern: '^[\\x21-\\x7e]{1,128}$' }),
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A repeat with the same key and input within 24 hours runs again uncharged; with another input it is refused.',
    schema: text({ pattern: '^[\\x21-\\x7e]{1,128}$' }),
  },
  Format: {
    name: 'format',
    in: 'query',
    description: '`csv` is the same as `Accept: text/csv`; an error is then one row `error,code,message`.',
    schema: text({ enum: ['json', 'csv'], default: 'json' }),
  },
};

/** The document for one package version. Its URLs are relative, since the port is chosen at start. */
export function buildOpenApi(version: string): object {
  const named: Record<string, unknown> = { Error: errorSchema };
  const paths: Record<string, Node> = {};
  for (const operation of operations) {
    const path = `/${operation.http.path}`;
    const node = operationNode(operation, named);
    const { method, bodyInQuery } = operation.http;
    const bookmark = bodyInQuery === undefined ? {} : { get: bookmarkNode(operation, node, bodyInQuery) };
    paths[path] = { ...paths[path], ...bookmark, [method.toLowerCase()]: node };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Platbook',
      version,
      description:
        'Land-parcel data on this computer. Tokens are a counter and are never billed. Unknown fields and query parameters are refused, since a misspelt filter would silently widen a paid result.',
    },
    servers: [{ url: apiBase.slice(0, -1) }],
    security: [{ key: [] }],
    paths,
    components: {
      schemas: named,
      parameters: sharedParameters,
      headers,
      responses: errorResponses(),
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'A key `plat_…` made by `platbook keys create`.' },
      },
    },
  };
}

function operationNode(operation: AnyOperation, named: Record<string, unknown>): Node {
  const places = fieldPlaces(operation);
  const { status, otherStatus } = operation.http;
  return {
    operationId: operation.name,
    summary: operation.summary,
    description: `${operation.docs}\n\nTokens: ${operation.priceDocs}. Scope of the key: ${scopeWords(operation.scope)}.`,
    'x-tokens': operation.priceDocs,
    'x-scope': operation.scope,
    parameters: parametersOf(operation, places),
    ...(places.body.size > 0 ? { requestBody: bodyOf(operation, places) } : {}),
    responses: {
      [status]: status === 204 ? { description: 'Done.', headers: commonHeaders } : successOf(operation, named),
      ...(otherStatus ? { [otherStatus.status]: successOf(operation, named) } : {}),
      ...errorReferences(operation),
    },
  };
}

/** A GET with the body of an operation in its query. */
function bookmarkNode({ name, summary, examples }: AnyOperation, node: Node, field: string): Node {
  const { requestBody: _body, parameters, ...rest } = node;
  const value = JSON.stringify(examples[0]?.input ?? {});
  const parameter = {
    name: field,
    in: 'query',
    required: true,
    description: `The body of ${name} as JSON.`,
    schema: text({ contentMediaType: 'application/json' }),
    examples: { example1: { summary: examples[0]?.title ?? summary, value } },
  };
  return { ...rest, operationId: `${name}_by_${field}`, parameters: [parameter, ...(parameters as Node[])] };
}

/** Every error response; those of the plan (402) only if the operation needs one. */
const errorReferences = (operation: AnyOperation): Node =>
  Object.fromEntries(
    Object.values(wireErrors)
      .filter(({ status }) => status !== 402 || operation.needsPlan)
      .map(({ status }) => [status, ref('responses', `Error${status}`)]),
  );

/**
 * CSV stands in words: generators make one type of all media types of an answer, and every JSON answer would be
 * `string | …`.
 */
function successOf(operation: AnyOperation, named: Record<string, unknown>): Node {
  const { table } = operation;
  return {
    description: table
      ? `${operation.summary}. With \`format=csv\`, text/csv with the columns ${table.columns.join(', ')}.`
      : operation.summary,
    ...(table ? { 'x-csv-columns': table.columns } : {}),
    headers: {
      ...commonHeaders,
      ...(table ? tableHeaders : {}),
      ...(operation.hasNotices ? noticeHeader : {}),
    },
    content: { 'application/json': { schema: hoisted(plain(operation.output), named) } },
  };
}

function parametersOf(operation: AnyOperation, { path, query }: FieldPlaces): Node[] {
  const required = new Set(operation.input.required ?? []);
  const one = (name: string, place: 'path' | 'query'): Node => {
    const { description, ...schema } = plain(operation.input.properties[name] as TSchema);
    const examples = examplesOf(operation, (input) => (Object.hasOwn(input, name) ? input[name] : undefined));
    return {
      name,
      in: place,
      required: place === 'path' || required.has(name),
      ...(description === undefined ? {} : { description }),
      schema,
      ...(Object.keys(examples).length > 0 ? { examples } : {}),
    };
  };
  return [
    ...[...path].map((name) => one(name, 'path')),
    ...[...query].map((name) => one(name, 'query')),
    ...(operation.table ? [ref('parameters', 'Format')] : []),
    ref('parameters', 'RequestId'),
    ...(operation.meteringKey === null ? [] : [ref('parameters', 'IdempotencyKey')]),
  ];
}

function bodyOf(operation: AnyOperation, { body }: FieldPlaces): Node {
  const properties = Object.fromEntries(
    [...body].map((name) => [name, plain(operation.input.properties[name] as TSchema)]),
  );
  const examples = examplesOf(operation, (input) =>
    Object.fromEntries(Object.entries(input).filter(([name]) => body.has(name))),
  );
  const required = (operation.input.required ?? []).filter((name) => body.has(name));
  return {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties,
          ...(required.length > 0 ? { required } : {}),
          additionalProperties: false,
        },
        examples,
      },
    },
  };
}

/** The part of each example that `part` picks; examples without it are left out. */
function examplesOf(operation: AnyOperation, part: (input: Record<string, unknown>) => unknown): Node {
  const shown = operation.examples.map(({ title, input }, index) => [
    `example${index + 1}`,
    { summary: title, value: part(input as Record<string, unknown>) },
  ]);
  return Object.fromEntries(shown.filter(([, example]) => (example as { value: unknown }).value !== undefined));
}

/** A schema as plain JSON, without typebox's own properties. */
const plain = (schema: TSchema): Node => JSON.parse(JSON.stringify(schema)) as Node;

/** Moves schemas with a title to components of that name, so that a code generator makes one type of each. */
function hoisted(node: unknown, named: Record<string, unknown>): unknown {
  if (Array.isArray(node)) return node.map((item) => hoisted(item, named));
  if (typeof node !== 'object' || node === null) return node;
  const inner = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, hoisted(value, named)]));
  if (typeof inner.title !== 'string' || !('type' in inner)) return inner;
  named[inner.title] = inner;
  return ref('schemas', inner.title);
}
