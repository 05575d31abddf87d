/** The page `/docs`: every operation with its inputs, answer, price, errors and examples, made from the operations. */
import type { TSchema } from 'typebox';
import { fieldPlaces } from '../http/request-input.ts';
import { type AnyOperation, operations } from '../operations/index.ts';
import { apiBase } from '../operations/operation.ts';
import { wireErrors } from '../spec/errors.ts';
import { filterKinds } from '../spec/filter-kinds.ts';
import { filters } from '../spec/filters.ts';
import { parcelColumnsByName } from '../spec/parcel-columns.ts';
import { expectedWords } from '../spec/value-schemas.ts';
import { callExamples, shownExamples } from './call-examples.ts';

type Schema = TSchema & {
  readonly type?: string;
  readonly const?: unknown;
  readonly default?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly description?: string;
};

export const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Words of docs: code between backticks, emphasis between stars. */
const prose = (text: string): string =>
  escaped(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g, '<em>$1</em>');

const names: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'true or false',
  null: 'null',
  object: 'object',
};
/** Choices that a cell lists; of more it gives the number. */
const mostChoices = 8;

function typeWords({ type, const: only, anyOf, items }: Schema): string {
  if (only !== undefined) return JSON.stringify(only);
  if (anyOf) {
    const words = [...new Set(anyOf.map(typeWords))];
    return words.length > mostChoices ? `one of ${words.length} names` : words.join(' or ');
  }
  if (type === 'array') return `list of ${items ? typeWords(items) : 'anything'}`;
  return names[type ?? ''] ?? 'anything';
}

const unitOf = (name: string): string => parcelColumnsByName.get(name.replace(/_(?:min|max)$/, ''))?.unit ?? '';

interface FieldRow {
  readonly name: string;
  readonly type: string;
  readonly unit: string;
  /** Bounds, choices and the default of an input. */
  readonly expected: string;
  readonly isRequired: boolean;
  readonly docs: string;
}

function inputRow(operation: AnyOperation, name: string, schema: Schema): FieldRow {
  const own = schema.default === undefined ? '' : `; default ${JSON.stringify(schema.default)}`;
  return {
    name,
    type: typeWords(schema),
    unit: unitOf(name),
    expected: `${expectedWords(schema) ?? ''}${own}`,
    isRequired: operation.input.required?.includes(name) ?? false,
    docs: schema.description ?? '',
  };
}

/** The fields of an answer with those below them: `results[].apn`. */
function answerRows(schema: Schema, before = ''): FieldRow[] {
  if (schema.anyOf) return schema.anyOf.flatMap((one) => answerRows(one, before));
  if (schema.items) return answerRows(schema.items, `${before}[]`);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = before === '' ? name : `${before}.${name}`;
    const row = { name: path, type: typeWords(field), unit: unitOf(name), expected: '', isRequired: true };
    return [{ ...row, docs: field.description ?? '' }, ...answerRows(field, path)];
  });
}

function fieldTable(rows: readonly FieldRow[], caption: string, isInput: boolean): string {
  const cells = rows.map(
    ({ name, type, unit, expected, isRequired, docs }) =>
      `<tr><th scope="row"><code>${escaped(name)}</code>${isInput && isRequired ? '<span class="need">required</span>' : ''}</th><td>${escaped(type)}${unit ? `<span class="unit">${escaped(unit)}</span>` : ''}</td>${isInput ? `<td>${escaped(expected)}</td>` : ''}<td>${prose(docs)}</td></tr>`,
  );
  const heads = ['field', 'type and unit', ...(isInput ? ['expected'] : []), 'meaning'];
  return `<div class="wide" tabindex="0" role="region" aria-label="${escaped(caption)}"><table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${cells.join('')}</tbody></table></div>`;
}

const folded = (summary: string, inner: string, isOpen: boolean): string =>
  `<details${isOpen ? ' open' : ''}><summary>${escaped(summary)}</summary>${inner}</details>`;

const filterGroups = new Map<string, string>(
  filters.flatMap((row) =>
    Object.keys(filterKinds[row.kind].fields(row)).map((name): [string, string] => [name, row.group]),
  ),
);

/** The table of inputs; filters in their groups. */
function inputsOf(operation: AnyOperation): string {
  const rows = Object.entries(operation.input.properties as Record<string, Schema>).map(([name, schema]) =>
    inputRow(operation, name, schema),
  );
  if (rows.length === 0) return '<p>No input.</p>';
  const groupOf = ({ name }: FieldRow): string => (operation.takesFilters && filterGroups.get(name)) || 'Input';
  const groups = [...Map.groupBy(rows, groupOf)];
  return groups
    .map(([group, some]) => {
      const title =
        groups.length === 1
          ? `Input: ${counted(some)}`
          : `${group === 'Input' ? 'Also' : `Filters: ${group}`}: ${counted(some)}`;
      return folded(title, fieldTable(some, `${operation.name}: ${title}`, true), groups.length === 1);
    })
    .join('');
}

const counted = ({ length }: readonly unknown[]): string => `${length} ${length === 1 ? 'field' : 'fields'}`;

function errorsOf({ needsPlan }: AnyOperation): string {
  const links = Object.entries(wireErrors)
    .filter(([, { status }]) => status !== 402 || needsPlan)
    .map(([code, { status }]) => `<a href="#error-${code}"><code>${code}</code> ${status}</a>`);
  return `<p class="errors">Errors: ${links.join(', ')}</p>`;
}

function examplesOf(operation: AnyOperation, address: string): string {
  return shownExamples(operation)
    .map(({ title, input }) => {
      const panels = callExamples(operation, input, address).map(
        ({ language, code, note }) =>
          `<div class="panel" data-language="${language}"><h4>${language}</h4><pre tabindex="0" aria-label="${escaped(`${language}: ${title}`)}"><code>${escaped(code)}</code></pre>${note ? `<p class="note">${escaped(note)}</p>` : ''}</div>`,
      );
      return `<div class="example"><h3>${escaped(title)}</h3>${panels.join('')}</div>`;
    })
    .join('');
}

/** The form is filled and sent by the script. Its price stands on its button. */
function tryItOf(operation: AnyOperation): string {
  const { name, http, priceDocs } = operation;
  const { query, body } = fieldPlaces(operation);
  const input = JSON.stringify(shownExamples(operation)[0]?.input ?? {}, null, 2);
  const places = { method: http.method, path: http.path, query: [...query], body: [...body] };
  return `<div class="try" data-request="${escaped(JSON.stringify(places))}"><h3>Try it</h3><label for="try-${name}">Input as JSON</label><textarea id="try-${name}" spellcheck="false" rows="${Math.min(12, input.split('\n').length)}">${escaped(input)}</textarea><p class="send"><button type="button" class="press" aria-describedby="price-${name}">Send</button> <span id="price-${name}">Price: ${escaped(priceDocs)}.${http.method === 'GET' || operation.meteringKey !== null ? '' : ' It changes your data.'}</span></p><div class="answer" role="status"></div></div>`;
}

function section(operation: AnyOperation, address: string): string {
  const { name, summary, docs, http, scope, priceDocs } = operation;
  const rows = answerRows(operation.output as Schema);
  const answer =
    rows.length === 0
      ? '<p>The answer has no body.</p>'
      : folded(`Answer: ${counted(rows)}`, fieldTable(rows, `${name}: answer`, false), false);
  const csv = operation.table ? '<p>As CSV with <code>?format=csv</code>.</p>' : '';
  return `<section class="operation" id="${name}" aria-labelledby="title-${name}"><h2 id="title-${name}"><a href="#${name}">${name}</a></h2><p class="lead">${escaped(summary)}</p><p class="line"><code class="route"><b>${http.method}</b> ${escaped(`${apiBase}${http.path}`)}</code><span class="chip price">${escaped(priceDocs)}</span><span class="chip">scope ${scope ?? 'any'}</span></p><p>${prose(docs)}</p>${inputsOf(operation)}${answer}${csv}${errorsOf(operation)}<div class="examples">${examplesOf(operation, address)}</div>${tryItOf(operation)}</section>`;
}

/** The first word of a price, for the list of operations. */
const shortPrice = (price: string): string => /^\d+/.exec(price)?.[0] ?? price;

const errorRows = Object.entries(wireErrors)
  .map(
    ([code, { status, docs }]) =>
      `<tr id="error-${code}"><th scope="row"><code>${code}</code></th><td>${status}</td><td>${prose(docs)}</td></tr>`,
  )
  .join('');

const introduction = (
  address: string,
  version: string,
): string => `<header class="intro" id="start"><h1>Platbook API</h1>
<p class="lead">Land-parcel data on this computer. ${operations.length} operations, version ${escaped(version)}. Nothing on this page leaves the computer.</p>
<dl><div><dt>Address</dt><dd><code>${escaped(address + apiBase)}</code></dd></div><div><dt>Key</dt><dd><code>platbook keys create --name NAME</code>, sent as <code>Authorization: Bearer plat_…</code></dd></div><div><dt>Described for programs</dt><dd><a href="${apiBase}openapi.json">openapi.json</a>, <a href="${apiBase}">index</a></dd></div><div><dt>Python</dt><dd><code>platbook python-client &gt; platbook_api.py</code></dd></div></dl>
<p>Prices are in tokens, a counter on this computer; they cost no money. Unknown fields are refused. A value that the county did not publish is null. Lists come in pages with <code>count</code>, <code>next</code>, <code>previous</code> and <code>results</code>. A repeat with the same <code>Idempotency-Key</code> header within 24 hours runs again uncharged. Every answer has <code>X-Tokens-Used</code> and <code>X-Request-Id</code>. The examples ask the synthetic sample county, FIPS 99001.</p></header>`;

/** @param address `http://127.0.0.1:PORT`, for the examples */
export function docsPage(address: string, version: string): string {
  const list = operations
    .map(
      ({ name, priceDocs }) =>
        `<li data-for="${name}"><a href="#${name}"><span>${name}</span><span class="tokens">${escaped(shortPrice(priceDocs))}</span></a></li>`,
    )
    .join('');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>Platbook API</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/page.css"></head>
<body><a class="skip" href="#start">To the text</a>
<nav aria-label="Operations"><p class="brand"><a href="#start">Platbook API</a></p><div class="find"><label for="search">Search operations and fields</label><input id="search" type="search" placeholder="flood, owner, price" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd></div><p id="found" role="status"></p><details class="list" open><summary>Operations <span class="tokens">tokens</span></summary><ul>${list}</ul></details><div class="key"><label for="key">Your key, for Try it</label><input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="plat_…" aria-describedby="key-note"><p id="key-note">Stays in this page's memory and goes only to ${escaped(address.replace(/^http:\/\//, ''))}; gone when you leave.</p></div></nav>
<main>${introduction(address, version)}${operations.map((operation) => section(operation, address)).join('')}
<section id="errors" aria-labelledby="title-errors"><h2 id="title-errors">Errors</h2><p>Every error is <code>{"error": {"code", "message", "request_id", "details"}}</code>; <code>details</code> comes with <code>validation_error</code> and names each rejected field.</p><div class="wide" tabindex="0" role="region" aria-label="Table of errors"><table><thead><tr><th scope="col">code</th><th scope="col">status</th><th scope="col">meaning</th></tr></thead><tbody>${errorRows}</tbody></table></div></section></main>
<script src="/docs/page.js"></script></body></html>
`;
}
