/** One call of an operation in each language that a reader may use. Addresses begin with `address`; the key is in PLATBOOK_KEY. */
import type { TSchema } from 'typebox';
import { fieldPlaces } from '../http/request-input.ts';
import { filterProperties } from '../operations/filter-properties.ts';
import type { AnyOperation } from '../operations/index.ts';
import { apiBase } from '../operations/operation.ts';

type Input = Readonly<Record<string, unknown>>;

export interface CallExample {
  readonly language: string;
  readonly code: string;
  /** How to run it, where the code does not show it. */
  readonly note?: string;
}

/** What a feed of an operation is called in `make_feed`. */
const feedKinds: Readonly<Record<string, string>> = {
  filter_properties: 'search',
  list_comps: 'comps',
  get_property_ai_comp_value: 'value',
};

interface Parts {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** Null: the request has no body. */
  readonly body: Input | null;
}

/** An example's input as a request. */
function partsOf(operation: AnyOperation, input: Input): Parts {
  const { query, body } = fieldPlaces(operation);
  const { method } = operation.http;
  const given = Object.entries(input);
  const pairs = given
    .filter(([name]) => query.has(name))
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, String(one)]),
    );
  const inBody = given.filter(([name]) => body.has(name) && !query.has(name));
  return {
    method,
    path: operation.http.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(String(input[name]))),
    query: pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : '',
    body: method === 'POST' || method === 'PATCH' ? Object.fromEntries(inBody) : null,
  };
}

/** Inside single quotes of a shell. */
const shell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function curl({ method, path, query, body }: Parts, address: string): string {
  return [
    `curl -s ${method === 'GET' || method === 'POST' ? '' : `-X ${method} `}${shell(`${address}${apiBase}${path}${query}`)}`,
    '-H "Authorization: Bearer $PLATBOOK_KEY"',
    ...(body ? ["-H 'Content-Type: application/json'", `-d ${shell(JSON.stringify(body))}`] : []),
  ].join(' \\\n  ');
}

function javascript({ method, path, query, body }: Parts, address: string): string {
  const headers = body
    ? `{\n    Authorization: \`Bearer \${process.env.PLATBOOK_KEY}\`,\n    'Content-Type': 'application/json',\n  }`
    : `{ Authorization: \`Bearer \${process.env.PLATBOOK_KEY}\` }`;
  const lines = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    `  headers: ${headers},`,
    ...(body ? [`  body: JSON.stringify(${JSON.stringify(body)}),`] : []),
  ];
  return `const response = await fetch(${JSON.stringify(`${address}${apiBase}${path}${query}`)}, {
${lines.join('\n')}
});
const answer = response.status === 204 ? null : await response.json();
if (!response.ok) throw new Error(answer.error.message);
console.log(JSON.stringify(answer));`;
}

/** A value as Python writes it. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([name, one]) => `${JSON.stringify(name)}: ${literal(one)}`)
      .join(', ')}}`;
  return JSON.stringify(value);
}

function python({ name }: AnyOperation, input: Input, address: string): string {
  const given = Object.entries(input).map(([field, value]) => `${field}=${literal(value)}`);
  const call = given.join(', ').length > 70 ? `\n    ${given.join(',\n    ')},\n` : given.join(', ');
  return `import json
from platbook_api import Platbook

platbook = Platbook(${JSON.stringify(address)})
answer = platbook.${name}(${call})
print(json.dumps(answer))`;
}

/** A feed, whose address needs no key; else the CSV of a GET by Power Query, which sends one. */
function spreadsheet(operation: AnyOperation, input: Input, parts: Parts, address: string): CallExample[] {
  const kind = feedKinds[operation.name];
  if (kind !== undefined) {
    // A feed has every column and every row.
    const { page: _page, page_size: _size, fields: _fields, ordering, ...asked } = input;
    const order = kind === 'search' && ordering !== undefined ? { ordering } : {};
    const feed = kind === 'value' ? { field: 'mean_adjusted_price' } : asked;
    const made = JSON.stringify({ name: 'Spreadsheet', kind, input: feed, ...order });
    const formula =
      kind === 'value'
        ? `=WEBSERVICE("ADDRESS?id=${String(input.id)}")`
        : 'Data > From Web (Excel), Sheet > External Links (LibreOffice): ADDRESS';
    return [
      {
        language: 'Spreadsheet',
        code: `platbook call make_feed ${shell(made)}\n${formula}`,
        note: 'The first line prints the address of a feed, once; put it for ADDRESS. It needs no key, so keep it to yourself. Sheets on the web cannot reach this computer.',
      },
    ];
  }
  if (!operation.table || parts.method !== 'GET') return [];
  const csv = `${address}${apiBase}${parts.path}${parts.query}${parts.query === '' ? '?' : '&'}format=csv`;
  const code = `= Csv.Document(Web.Contents("${csv.replaceAll('"', '""')}", [Headers = [Authorization = "Bearer " & Key]]), [Encoding = 65001])`;
  return [
    { language: 'Spreadsheet', code, note: 'Power Query of Excel, with a parameter Key; the address gives CSV.' },
  ];
}

type Field = TSchema & { readonly type?: string; readonly anyOf?: readonly { readonly const?: unknown }[] };

/** A value for a required field: the first choice, number 1, a filter for an object. */
function standIn({ type, anyOf }: Field): unknown {
  if (anyOf) return anyOf[0]?.const ?? null;
  if (type === 'integer' || type === 'number') return 1;
  return type === 'object' ? filterProperties.examples[0]?.input : 'Example';
}

/**
 * The examples of an operation; of one whose call depends on others (a feed, a saved market), its required fields, with
 * one more where it changes something.
 */
export function shownExamples({ examples, input, http }: AnyOperation): readonly { title: string; input: Input }[] {
  if (examples.length > 0) return examples as readonly { title: string; input: Input }[];
  const required: readonly string[] = input.required ?? [];
  const others = Object.keys(input.properties).filter((name) => !required.includes(name));
  const given = [...required, ...(http.method === 'PATCH' ? others.slice(0, 1) : [])];
  const values = given.map((name) => [name, standIn(input.properties[name] as Field)]);
  return [{ title: given.length > 0 ? 'With the fields that it needs' : 'All', input: Object.fromEntries(values) }];
}

/** @param address `http://127.0.0.1:PORT` */
export function callExamples(operation: AnyOperation, input: Input, address: string): CallExample[] {
  const parts = partsOf(operation, input);
  const tool = JSON.stringify({ name: operation.name, arguments: input }, null, 2);
  return [
    { language: 'curl', code: curl(parts, address) },
    { language: 'JavaScript', code: javascript(parts, address) },
    {
      language: 'Python',
      code: python(operation, input, address),
      note: 'platbook python-client > platbook_api.py writes the module; the key is read from PLATBOOK_KEY.',
    },
    ...spreadsheet(operation, input, parts, address),
    {
      language: 'MCP',
      code: tool,
      note: `A tool call of an assistant: by "platbook mcp", or by POST ${address}/mcp with the key.`,
    },
  ];
}
