/** The description of the API: complete, consistent in itself, and true. */
import { Compile } from 'typebox/schema';
import { describe, expect, test } from 'vitest';
import { buildOpenApi } from '../../engine/http/openapi.ts';
import { operations } from '../../engine/operations/index.ts';
import { wireErrors } from '../../engine/spec/errors.ts';
import { serving } from './client.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape is walked through
type Json = any;

const document = buildOpenApi('1.2.3') as Json;

function* nodes(node: Json, path = '#'): Generator<[string, Json]> {
  if (typeof node !== 'object' || node === null) return;
  yield [path, node];
  for (const [name, value] of Object.entries(node)) yield* nodes(value, `${path}/${name}`);
}

const resolve = (ref: string): Json =>
  ref
    .slice(2)
    .split('/')
    .reduce((node: Json, name) => node?.[name], document);

const followed = (node: Json): Json => (node.$ref ? resolve(node.$ref) : node);

const endpoints: [string, string, Json][] = Object.entries(document.paths as Record<string, Json>).flatMap(
  ([path, methods]) => Object.entries(methods).map(([method, node]): [string, string, Json] => [path, method, node]),
);

describe('the document', () => {
  test('is OpenAPI 3.1 of this version', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info.version).toBe('1.2.3');
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  test('resolves every reference', () => {
    const refs = [...nodes(document)].flatMap(([path, node]) => (node.$ref ? [[path, node.$ref]] : []));
    expect(refs.length).toBeGreaterThan(50);
    for (const [path, ref] of refs) expect(resolve(ref), `${path} → ${ref}`).toBeDefined();
  });

  test('uses every component', () => {
    const refs = new Set([...nodes(document)].flatMap(([, node]) => (node.$ref ? [node.$ref] : [])));
    for (const kind of ['schemas', 'parameters', 'headers', 'responses'])
      for (const name of Object.keys(document.components[kind]))
        expect(refs, `${kind}/${name}`).toContain(`#/components/${kind}/${name}`);
  });

  test('has every operation once, under its name, method and path', () => {
    const found = endpoints.map(([path, method, node]) => [node.operationId, method.toUpperCase(), path]);
    expect(found.sort()).toEqual(
      operations
        .flatMap(({ name, http: { method, path, bodyInQuery } }) => [
          ...(bodyInQuery ? [[`${name}_by_${bodyInQuery}`, 'GET', `/${path}`]] : []),
          [name, method, `/${path}`],
        ])
        .sort(),
    );
    expect(new Set(endpoints.map(([, , node]) => node.operationId)).size).toBe(endpoints.length);
  });

  // openapi-typescript with openapi-fetch types an answer as the union of its media types: `string | …` beside CSV.
  test('describes each answer in one media type, JSON; CSV in words and columns', () => {
    const answers = [
      ...endpoints.flatMap(([, , node]) => Object.values(node.responses as Json)),
      ...Object.values(document.components.responses as Json),
    ].map(followed);
    const media = new Set(answers.flatMap(({ content }: Json) => (content ? [Object.keys(content).join()] : [])));
    expect([...media]).toEqual(['application/json']);
    for (const { name, table } of operations) {
      const node = endpoints.find(([, , one]) => one.operationId === name)?.[2];
      expect((Object.values(node.responses) as Json[])[0]['x-csv-columns'], name).toEqual(table?.columns);
    }
  });

  test('says what else an answer may be than what it mostly is', () => {
    const { responses } = endpoints.find(([, , node]) => node.operationId === 'save_market')?.[2] ?? {};
    expect(responses[200]).toEqual(responses[201]);
    expect(responses[201].content['application/json'].schema).toBeDefined();
  });

  test('declares the parameters of each path, and only those, and each name once', () => {
    for (const [path, , node] of endpoints) {
      const parameters = node.parameters.map(followed);
      const inPath = parameters.filter((one: Json) => one.in === 'path');
      expect(inPath.map((one: Json) => one.name)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
      expect(inPath.every((one: Json) => one.required === true)).toBe(true);
      const names = parameters.map((one: Json) => `${one.in} ${one.name}`);
      expect(new Set(names).size).toBe(names.length);
      for (const one of parameters) expect(one.schema, one.name).toBeDefined();
    }
  });

  test('puts every input field in exactly one place, but for those that may stand in either', () => {
    for (const operation of operations) {
      const node = document.paths[`/${operation.http.path}`][operation.http.method.toLowerCase()];
      const inUrl = node.parameters.map(followed).filter((one: Json) => one.in !== 'header' && one.name !== 'format');
      const inBody = Object.keys(node.requestBody?.content['application/json'].schema.properties ?? {});
      const places = [...inUrl.map((one: Json) => one.name), ...inBody].sort();
      const either = operation.http.eitherFields ?? [];
      expect(places).toEqual([...Object.keys(operation.input.properties), ...either].sort());
    }
  });

  test('gives every error of the table with its status and the one schema', () => {
    const statuses = [...new Set(Object.values(wireErrors).map(({ status }) => String(status)))];
    for (const [, , node] of endpoints) {
      const needsPlan = !node.operationId.startsWith('get_usage');
      for (const status of statuses.filter((one) => one !== '402' || needsPlan)) {
        const response = followed(node.responses[status]);
        expect(response.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Error' });
        expect(Object.keys(response.headers)).toEqual(expect.arrayContaining(['X-Request-Id', 'X-Tokens-Used']));
      }
    }
    const codes = document.components.schemas.Error.properties.error.properties.code.enum;
    expect(codes).toEqual(Object.keys(wireErrors));
  });

  test('says what each operation costs', () => {
    for (const [, , node] of endpoints) {
      const operation = operations.find(({ name }) => name === node.operationId.replace(/_by_q$/, ''));
      expect(node['x-tokens']).toBe(operation?.priceDocs);
      expect(node.description).toContain(operation?.priceDocs);
    }
  });

  test('has examples that fit the schemas beside them', () => {
    let seen = 0;
    for (const [, , node] of endpoints) {
      const holders = [
        ...node.parameters.map(followed),
        ...(node.requestBody ? [node.requestBody.content['application/json']] : []),
      ];
      for (const { schema, examples = {} } of holders) {
        for (const { value } of Object.values(examples) as Json[]) {
          expect(Compile(schema).Check(value), JSON.stringify(value)).toBe(true);
          seen++;
        }
      }
    }
    expect(seen).toBeGreaterThanOrEqual(operations.length - 2);
  });
});

describe('over HTTP', () => {
  test('is served without a key, and free', async () => {
    const it = await serving();
    const response = await it.send({ path: 'openapi.json', key: null });
    expect(response.status).toBe(200);
    expect(response.headers['x-tokens-used']).toBe('0');
    expect(response.json.paths).toEqual(document.paths);
    expect((await it.send({ path: 'openapi.json', key: null, headers: { Origin: 'null' } })).status).toBe(403);
  });

  test('holds nothing of the home or the port', async () => {
    const it = await serving();
    const { text } = await it.send({ path: 'openapi.json', key: null });
    expect(text).not.toContain(it.engine.home);
    expect(text).not.toContain(`:${it.server.port}`);
  });
});
