/**
 * An assistant reads the list of tools on every turn, so each tool is short. Bounds and patterns are left out, because a
 * refusal names what it expected; `list_values` gives codes.
 */
import type { Tool } from '@modelcontextprotocol/server';
import type { AnyOperation } from '../operations/index.ts';
import type { Scope } from '../operations/operation.ts';
import { usualRows, wordsOfFields } from './light-answer.ts';

/** What of a JSON Schema is read here. */
interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly maximum?: number;
}

/** Longer lists of choices are asked for: 120 columns are 2 kB. */
const mostChoices = 12;

const sentences = (text: string): string[] => text.split(/(?<=\.) (?=[A-Z`])/);

const mostLetters = 240;

/** The first sentence, and the second where both are short. */
function wordsOfTool(docs: string): string {
  const [first = '', second = ''] = sentences(docs);
  const both = `${first} ${second}`.trim();
  return both.length > mostLetters ? first : both;
}

/** Describes a number by its unit alone, because its name says the rest: `Acres, at least (ac).` → `ac`. */
const wordsOf = (type: string | undefined, description: string): string | undefined =>
  type === 'number' || type === 'integer'
    ? (/, at (?:least|most)(?: \((.+)\))?\./.exec(description) ?? [null, clause(description)])[1]
    : clause(description);

/** Up to the first semicolon: a refusal says the rest. Every date is read as ISO 8601 has it. */
const clause = (description: string): string =>
  (sentences(description)[0] ?? '').replace(/;.*/, '').replace(/^.*YYYYMMDD or (YYYY-MM-DD).*/, '$1');

/** The choices of a union of constants; null for other schemas. */
const choicesOf = ({ anyOf, enum: named }: Schema): readonly unknown[] | null =>
  named ?? (anyOf?.every((one) => 'const' in one) ? anyOf.map((one) => one.const) : null);

/** What one needs to write a value: its kind, its choices, a sentence. */
function terse(schema: Schema): Schema {
  const { anyOf, type, items, properties, required, description } = schema;
  const word = description === undefined ? undefined : wordsOf(type, description);
  const words = word === undefined ? {} : { description: word };
  const choices = choicesOf(schema);
  if (choices) return choices.length > mostChoices ? { type: 'string', ...words } : { enum: choices, ...words };
  // A code is text or a number, and a value may be null: the first way of writing it is enough.
  const [first] = anyOf ?? [];
  if (first) return { ...terse(first), ...words };
  return {
    ...(type === undefined ? {} : { type }),
    ...words,
    ...(items ? { items: terse(items) } : {}),
    ...(properties ? { properties: propertiesOf(properties) } : {}),
    ...(required?.length ? { required } : {}),
  };
}

/** An upper bound is described by its lower one, and nothing is said twice. */
function propertiesOf(properties: Readonly<Record<string, Schema>>): Record<string, Schema> {
  const said = new Set<string>();
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const isUpper = name.endsWith('_max') && properties[name.replace(/_max$/, '_min')] !== undefined;
      const { description = '', ...rest } = terse(schema);
      const isSaid = isUpper || name === 'page' || (description.length > 12 && said.has(description));
      said.add(description);
      return [name, isSaid || description === '' ? rest : { ...rest, description }];
    }),
  );
}

/** What is done once, at a desk, by the window or a command: an assistant has it with `--tools all`. */
const isForDesk = ({ http: { method, path } }: AnyOperation): boolean =>
  /^\w+ (deals|feeds|markets|markets-stats|owners|regions|usage)\/|^POST values\//.test(`${method} ${path}`);

function inputOf({ name, input, pages }: AnyOperation) {
  const { properties = {}, ...rest } = terse(input as Schema);
  const words = wordsOfFields(name);
  const fields = { type: 'array', items: { type: 'string' }, description: words };
  const numbers = Object.entries(usualRows).flatMap(([field, rows]) => {
    const { maximum } = (input as Schema).properties?.[field] ?? {};
    const description = `${rows} unless given, at most ${pages?.maximum ?? maximum}`;
    return field in properties ? [[field, { type: 'integer', description }] as const] : [];
  });
  return {
    ...rest,
    type: 'object' as const,
    properties: { ...properties, ...(words === undefined ? {} : { fields }), ...Object.fromEntries(numbers) },
  };
}

/** Names that an answer may have; a longer answer is one thing with its columns. */
const mostNames = 10;

/** The names of an answer with their kinds. None is required, because a refusal is an object under the same schema. */
function outputOf({ output }: AnyOperation) {
  const { type, properties = {} } = output as Schema;
  const { previous: _previous, next, ...named } = type === 'array' ? { results: { type } } : properties;
  if (Object.keys(named).length > mostNames) return { type: 'object' as const };
  const kinds = Object.entries(named).flatMap(([name, { type: kind }]) => (kind ? [[name, { type: kind }]] : []));
  const page = next ? { next_page: { type: 'integer' } } : {};
  return { type: 'object' as const, properties: { ...Object.fromEntries(kinds), ...page } };
}

/** One tool as the protocol lists it. */
const toolOf = (operation: AnyOperation): Tool => ({
  name: operation.name,
  // What finds nothing is free: the instructions say it once.
  description: `${wordsOfTool(operation.docs)} Price: ${operation.priceDocs.replace(/;.*/, '')}.`,
  inputSchema: inputOf(operation) as unknown as Tool['inputSchema'],
  outputSchema: outputOf(operation) as Tool['outputSchema'],
  annotations: {
    readOnlyHint: operation.http.method === 'GET' || operation.scope === 'read' || operation.scope === 'trace',
    ...(operation.http.method === 'DELETE' ? { destructiveHint: true } : {}),
  },
});

/**
 * @param all also deals, feeds, markets, usage, verdicts on owners, and values by the thousand
 * @param scopes those of the caller's key: what it may not call is not listed
 */
export const toolList = (operations: readonly AnyOperation[], all: boolean, scopes?: ReadonlySet<Scope>) =>
  operations
    .filter((one) => (all || !isForDesk(one)) && (!scopes || one.scope === null || scopes.has(one.scope)))
    .map(toolOf);
