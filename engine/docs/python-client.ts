/**
 * The text of `platbook_api.py`: the API as one typed Python file of the standard library. Its classes are the schemas of
 * the operations, its methods the operations.
 */
import type { TSchema } from 'typebox';
import { fieldPlaces } from '../http/request-input.ts';
import { type AnyOperation, operations } from '../operations/index.ts';
import { apiBase, scopeWords } from '../operations/operation.ts';
import { standardPort } from '../spec/standard-port.ts';
import { expectedWords } from '../spec/value-schemas.ts';
import { pythonClient, pythonImports } from './python-runtime.ts';

type Schema = TSchema & {
  readonly type?: string;
  readonly title?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
};

const scalars: Readonly<Record<string, string>> = {
  string: 'str',
  number: 'float',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
};

const lineWidth = 110;
/** Choices that stand in a signature; more of them are a type with a name. */
const fewChoices = 5;

const keywords = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield self'.split(
    ' ',
  ),
);
const identifier = (name: string): string => (keywords.has(name) ? `${name}_` : name);
const pascal = (name: string): string => name.replace(/(?:^|_)(\w)/g, (_all, letter: string) => letter.toUpperCase());
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
/** Inside a docstring. */
const quoted = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"""', "'''");

function wrapped(text: string, indent: string, first = indent): string {
  const lines: string[] = [];
  let line = first;
  for (const word of oneLine(text).split(' ')) {
    const isBegun = line.trim() !== '' && line !== first;
    if (isBegun && line.length + 1 + word.length > lineWidth) {
      lines.push(line);
      line = indent + word;
    } else line += isBegun ? ` ${word}` : word;
  }
  return [...lines, line].join('\n');
}

/** Types with names: each once, in the order that they are met. */
class Names {
  readonly #texts = new Map<string, string>();
  readonly #names = new Map<string, string>();

  /** Equal texts share the first name; another text with a name that is taken gets the wish of its second place. */
  name(text: string, wishes: readonly string[], write: (name: string) => string): string {
    const found = this.#names.get(text);
    if (found !== undefined) return found;
    const name = wishes.find((wish) => !this.#texts.has(wish));
    if (name === undefined) throw new TypeError(`no free name among ${wishes.join(', ')}`);
    this.#names.set(text, name);
    this.#texts.set(name, write(name));
    return name;
  }

  get texts(): string[] {
    return [...this.#texts.values()];
  }
}

/** @param wish the name of an object without a title */
function typeOf(schema: Schema, wish: string, isInput: boolean, names: Names): string {
  const { type, const: only, anyOf, properties } = schema;
  const inner = (one: Schema | undefined): string => (one ? typeOf(one, wish, isInput, names) : 'Any');
  if (only !== undefined) return `Literal[${JSON.stringify(only)}]`;
  if (anyOf) return unionOf(anyOf, wish, inner, names);
  if (properties) return classOf(schema, wish, isInput, names);
  if (type === 'array') return `${isInput ? 'Sequence' : 'list'}[${inner(schema.items)}]`;
  if (type === 'object')
    return `${isInput ? 'Mapping' : 'Dict'}[str, ${inner(Object.values(schema.patternProperties ?? {})[0])}]`;
  return scalars[type ?? ''] ?? 'Any';
}

function unionOf(members: readonly Schema[], wish: string, inner: (one: Schema) => string, names: Names): string {
  const choices = members.flatMap((one) => (one.const === undefined ? [] : [JSON.stringify(one.const)]));
  const others = members.filter((one) => one.const === undefined).map(inner);
  const lines = choices.map((choice) => `    ${choice},`).join('\n');
  const literal =
    choices.length > fewChoices
      ? [names.name(lines, [`${wish}Name`, `${wish}Choice`], (name) => `${name} = Literal[\n${lines}\n]`)]
      : choices.length > 0
        ? [`Literal[${choices.join(', ')}]`]
        : [];
  const all = [...new Set([...literal, ...others])];
  // None stands last.
  return [...all.filter((one) => one !== 'None'), ...all.filter((one) => one === 'None')].join(' | ');
}

function classOf(schema: Schema, wish: string, isInput: boolean, names: Names): string {
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    if (!/^[A-Za-z_]\w*$/.test(name) || keywords.has(name))
      throw new TypeError(`${wish}: no field of a class: ${name}`);
    const type = typeOf(field, `${schema.title ?? wish}${pascal(name)}`, isInput, names);
    const note = field.description === undefined ? [] : [wrapped(field.description, '    #: ')];
    return [...note, `    ${name}: ${required.has(name) ? type : `NotRequired[${type}]`}`].join('\n');
  });
  const text = fields.length > 0 ? fields.join('\n') : '    pass';
  const about = schema.description ? `    """${quoted(oneLine(schema.description))}"""\n\n` : '';
  return names.name(
    text,
    [schema.title ?? wish, wish, `${wish}Object`],
    (name) => `class ${name}(TypedDict):\n${about}${text}`,
  );
}

interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** None is a value of its own. */
  readonly isNullable: boolean;
  readonly schema: Schema;
}

const isNull = (schema: Schema): boolean => schema.type === 'null' || (schema.anyOf?.some(isNull) ?? false);

function parametersOf(operation: AnyOperation, names: Names): Parameter[] {
  const required = new Set(operation.input.required ?? []);
  return Object.entries(operation.input.properties as Record<string, Schema>).map(([name, schema]) => ({
    name,
    schema,
    isRequired: required.has(name),
    isNullable: isNull(schema),
    type: typeOf(schema, pascal(name), true, names),
  }));
}

const declared = ({ name, type, isRequired, isNullable }: Parameter): string => {
  if (isRequired) return `${identifier(name)}: ${type}`;
  return isNullable ? `${identifier(name)}: ${type} | _Absent = ABSENT` : `${identifier(name)}: ${type} | None = None`;
};

const mapping = (names: readonly string[], indent: string): string =>
  names.length === 0
    ? '{}'
    : `{\n${names.map((name) => `${indent}    ${JSON.stringify(name)}: ${identifier(name)},`).join('\n')}\n${indent}}`;

/** The arguments of `_call` and `_each`. */
function requestOf(operation: AnyOperation, parameters: readonly Parameter[]): string {
  const { path, query, body } = fieldPlaces(operation);
  const { method } = operation.http;
  const inQuery = parameters.filter(({ name }) => query.has(name)).map(({ name }) => name);
  const inBody = parameters.filter(({ name }) => body.has(name) && !query.has(name)).map(({ name }) => name);
  const nullable = parameters.filter(({ isNullable, name }) => isNullable && inBody.includes(name));
  const target = operation.http.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => `{_part(${identifier(name)})}`);
  const given = [
    `"${method}"`,
    `${path.size > 0 ? 'f' : ''}"${target}"`,
    `repeatable=${operation.meteringKey === null ? 'False' : 'True'}`,
    `query=${mapping(inQuery, '                ')}`,
    ...(method === 'POST' || method === 'PATCH' ? [`body=${mapping(inBody, '                ')}`] : []),
    ...(nullable.length > 0 ? [`nullable=(${nullable.map(({ name }) => `"${name}",`).join(' ')})`] : []),
  ];
  return given.map((one) => `                ${one},`).join('\n');
}

function docsOf(operation: AnyOperation, parameters: readonly Parameter[]): string {
  const indent = '        ';
  const about = parameters.map(({ name, schema }) => {
    const expected = expectedWords(schema);
    const words = [schema.description ?? '', expected === undefined ? '' : `Expected: ${expected}.`].filter(Boolean);
    return wrapped(words.join(' '), `${indent}        `, `${indent}    ${identifier(name)}: `);
  });
  return [
    `${indent}"""${quoted(oneLine(operation.summary))}.`,
    quoted(wrapped(operation.docs, indent)),
    `${indent}Price: ${operation.priceDocs}. Scope of the key: ${scopeWords(operation.scope).replaceAll('`', '')}.`,
    ...(about.length > 0 ? [quoted([`${indent}Args:`, ...about].join('\n'))] : []),
    `${indent}Raises PlatbookError.\n${indent}"""`,
  ].join('\n\n');
}

function signature(name: string, parameters: readonly Parameter[], path: ReadonlySet<string>, result: string): string {
  const inPath = parameters.filter((one) => path.has(one.name));
  // A required one may not follow one with a default; behind the star the order is free.
  const others = parameters.filter((one) => !path.has(one.name));
  const all = ['self', ...inPath.map(declared), ...(others.length > 0 ? ['*'] : []), ...others.map(declared)];
  return `    def ${name}(\n${all.map((one) => `        ${one},`).join('\n')}\n    ) -> ${result}:`;
}

function methodsOf(operation: AnyOperation, names: Names): string[] {
  const parameters = parametersOf(operation, names);
  const { path } = fieldPlaces(operation);
  const output = operation.output as Schema;
  const item = output.properties?.results?.items;
  const wish = item?.title === undefined ? `${pascal(operation.name)}Answer` : `${item.title}Page`;
  const result = operation.http.status === 204 ? 'None' : typeOf(output, wish, false, names);
  const call = (method: string): string => `self.${method}(\n${requestOf(operation, parameters)}\n            )`;
  const one = [
    signature(operation.name, parameters, path, result),
    docsOf(operation, parameters),
    result === 'None'
      ? `        ${call('_call')}`
      : `        return cast(\n            "${result}",\n            ${call('_call')},\n        )`,
  ].join('\n');
  if (!operation.pages || !item) return [one];
  const row = typeOf(item, `${pascal(operation.name)}Result`, false, names);
  const largest = `${operation.pages.maximum}`;
  const each = signature(`each_${operation.name}`, parameters, path, `Iterator[${row}]`).replace(
    'page_size: int | None = None',
    `page_size: int | None = ${largest}`,
  );
  const words = `Each result of ${operation.name}, page by page as the answer's "next" leads, ${largest} a page. Every page is a request with its price: ${operation.priceDocs}.`;
  return [one, [each, `${wrapped(words, '        ', '        """')}"""`, `        return ${call('_each')}`].join('\n')];
}

export function pythonClientText(version: string): string {
  const names = new Names();
  const methods = operations.flatMap((operation) => methodsOf(operation, names));
  return `${[
    `"""The API of Platbook ${version} in one typed file: Python 3.9 or newer, standard library only.

Written by "platbook python-client > platbook_api.py" from the operations; write it again after an update.

    from platbook_api import Platbook

    platbook = Platbook(key="plat_...")  # or PLATBOOK_KEY; "platbook keys create --name NAME" makes one
    found = platbook.filter_properties(county="99001", acres_min=5, vacant_only=True)
    for parcel in platbook.each_filter_properties(county="99001", acres_min=5):
        print(parcel["apn"], parcel["acres"])
    print(platbook.tokens, "tokens")

Platbook must be running (the app with its listener on, or "platbook serve"). Tokens are a counter on that computer.
A request that is refused for its rate waits as Retry-After says. A request whose connection breaks is sent again with
the same Idempotency-Key, so that it is charged once; one that changes something and has no such key is sent again only
if it cannot have arrived. An object of this class is for one thread.
"""
${pythonImports}`,
    ...names.texts,
    pythonClient(`http://127.0.0.1:${standardPort}`, apiBase).trimEnd(),
    `class Platbook(_Client):\n    __doc__ = _Client.__doc__\n\n${methods.join('\n\n')}`,
  ].join('\n\n\n')}\n`;
}
