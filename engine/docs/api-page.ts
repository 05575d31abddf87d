/** The text of engine/API.md: operations, filters and errors, from their tables. */
import type { TSchema } from 'typebox';
import { type AnyOperation, operations } from '../operations/index.ts';
import { apiBase, scopeWords } from '../operations/operation.ts';
import { unknownableFilters } from '../query/filter-request.ts';
import { wireErrors } from '../spec/errors.ts';
import { filterKinds } from '../spec/filter-kinds.ts';
import { type FilterRow, filters } from '../spec/filters.ts';
import { expectedWords } from '../spec/value-schemas.ts';
import { code, generatedNote, markdownTable } from './markdown.ts';

const groups = [...new Set(filters.map((row) => row.group))];

export function apiPage(): string {
  return [
    generatedNote('engine/operations, engine/spec/filters.ts and engine/spec/errors.ts'),
    '# The Platbook API',
    introduction,
    '## Operations',
    markdownTable(
      ['operation', 'HTTP', 'scope', 'tokens'],
      operations.map((operation) => [
        code(operation.name),
        code(`${operation.http.method} ${operation.http.path}`),
        operation.scope ?? 'any',
        operation.priceDocs,
      ]),
    ),
    ...operations.map(operationSection),
    '## Filters',
    filterIntroduction,
    ...groups.map((group) => `### ${group}\n\n${filterTable(filters.filter((row) => row.group === group))}`),
    '## Errors',
    'Every error is `{"error": {"code", "message", "request_id", "details"}}`; `details` comes with `validation_error` only and names each rejected field (`non_field_errors`: several together).',
    markdownTable(
      ['code', 'status', 'meaning'],
      Object.entries(wireErrors).map(([name, row]) => [code(name), String(row.status), row.docs]),
    ),
    '',
  ].join('\n\n');
}

const introduction = `Base: \`http://127.0.0.1:PORT${apiBase}\`; every path ends in \`/\` (a missing one is served too). Send \`Authorization: Bearer plat_…\`; make a key with \`platbook keys create --name NAME\`.
The same operations are called from a script with \`engine.call(name, input)\` and from the command line with \`platbook call NAME JSON\`. In a browser, \`http://127.0.0.1:PORT/docs\` shows all of this with examples in curl, JavaScript, Python, spreadsheets and MCP, and sends a call with your key. The machine-readable form is \`GET ${apiBase}openapi.json\` (also \`/openapi.json\`); \`GET ${apiBase}\` lists the operations with their prices.
List answers come as CSV with \`?format=csv\` or \`Accept: text/csv\`. A repeat with the same \`Idempotency-Key\` header within 24 hours runs again uncharged.
In Python, \`platbook python-client > platbook_api.py\` writes all of it as one typed file of the standard library: a method for each operation, \`each_…\` for all pages of a list. It waits where the rate refuses, repeats a request whose connection broke without a second charge, and raises \`PlatbookError\` with code, message, details and request id.
Examples run against the synthetic sample county (Alder County, FIPS 99001: no real people or places).`;

const filterIntroduction = `Fields of the body of \`filter_properties\`; all that are given must hold, \`county\` and \`counties\` OR-ed. At least one scope (${filters
  .filter((row) => row.scope)
  .map((row) => code(row.name))
  .join(', ')}) is needed. Bounds are inclusive.
A value that the county did not publish satisfies no filter and is never removed by an *exclude*. \`include_unknown\` names filters that unknown values pass: ${unknownableFilters.map(code).join(', ')}.`;

function operationSection(operation: AnyOperation): string {
  const { method, path } = operation.http;
  const fields = Object.entries(operation.input.properties as Record<string, TSchema>).filter(
    ([name]) => !isFilterField(operation, name),
  );
  const required = new Set(operation.input.required ?? []);
  const rows = fields.map(([name, schema]) => [
    code(name),
    required.has(name) ? 'yes' : 'no',
    expectedWords(schema) ?? '',
    docsOf(schema),
  ]);
  const examples = operation.examples.map(
    ({ title, input }) => `${title}:\n\n\`\`\`sh\nplatbook call ${operation.name} '${JSON.stringify(input)}'\n\`\`\``,
  );
  return [
    `### ${operation.name}`,
    `\`${method} ${apiBase}${path}\` · ${operation.priceDocs} · scope ${scopeWords(operation.scope)}`,
    operation.docs,
    ...(operation.takesFilters ? ['Input: the fields of [Filters](#filters), and:'] : []),
    ...(rows.length > 0 ? [markdownTable(['field', 'required', 'expected', 'meaning'], rows)] : ['No input.']),
    ...examples,
  ].join('\n\n');
}

const filterFields = new Set(filters.flatMap((row) => Object.keys(filterKinds[row.kind].fields(row))));

const isFilterField = (operation: AnyOperation, name: string): boolean =>
  operation.takesFilters === true && filterFields.has(name);

const docsOf = (schema: TSchema): string => (schema as { description?: string }).description ?? '';

function filterTable(rows: readonly FilterRow[]): string {
  return markdownTable(
    ['filter', 'fields', 'kind', 'meaning'],
    rows.map((row) => {
      const kind = filterKinds[row.kind];
      const fields = Object.keys(kind.fields(row)).map(code).join(', ');
      return [row.label, fields, kind.docs, row.docs];
    }),
  );
}
