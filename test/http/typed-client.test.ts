/**
 * A program typed by the `openapi.json` that the listener serves, by openapi-typescript and openapi-fetch: it compiles as
 * strictly as TypeScript can, its answers are typed, and a misspelt filter does not compile (docs/contract.md).
 */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { emptyHome } from '../support/homes.ts';
import { base, serving } from './client.ts';

const run = promisify(execFile);
const tools = path.resolve(import.meta.dirname, '../typed-client/node_modules');
const root = path.resolve(import.meta.dirname, '../..');

const program = (filter: string): string => `
import createClient from 'openapi-fetch';
import type { operations, paths } from './openapi.d.ts';

const client = createClient<paths>({ baseUrl: process.argv[2] ?? '', headers: { Authorization: \`Bearer \${process.argv[3]}\` } });
const filter = ${filter} satisfies operations['filter_properties']['requestBody']['content']['application/json'];
const { data, error } = await client.POST('/properties/filter/', { body: filter });
if (!data) throw new Error(error.error.message);
const acres: (number | null)[] = data.results.map((parcel) => parcel.acres);
const first = await client.GET('/properties/{id}/', { params: { path: { id: data.results[0]?.property_id ?? 0 } } });
const owner: string | null | undefined = first.data?.owner_name;
console.log(JSON.stringify({ count: data.count, acres, owner }));
`;

test('a program typed by the served document compiles strictly and runs; a misspelt filter does not compile', async () => {
  const { server, key, send } = await serving();
  const folder = emptyHome();
  fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const api = `http://127.0.0.1:${server.port}${base}`;
  await run(process.execPath, [
    path.join(tools, 'openapi-typescript/bin/cli.js'),
    `${api}openapi.json`,
    '--output',
    path.join(folder, 'openapi.d.ts'),
  ]);
  const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const shape = ['--allowImportingTsExtensions', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
  fs.writeFileSync(path.join(folder, 'program.ts'), program("{ county: '99001', acres_min: 5, vacant_only: true }"));
  fs.writeFileSync(path.join(folder, 'misspelt.ts'), program("{ county: '99001', acers_min: 5 }"));
  const tsc = path.join(tools, 'typescript/bin/tsc');
  const compiled = await run(process.execPath, [tsc, ...options, ...shape, 'program.ts', 'misspelt.ts'], {
    cwd: folder,
  }).catch(({ stdout }: { stdout: string }) => ({ stdout }));
  const errors = compiled.stdout.split('\n').filter((line) => line.includes('error TS'));
  expect(errors).toEqual([expect.stringMatching(/^misspelt\.ts.*'acers_min' does not exist in type/)]);

  const { stdout } = await run(process.execPath, [path.join(folder, 'program.ts'), api, key]);
  const body = { county: '99001', acres_min: 5, vacant_only: true };
  const { json } = await send({ method: 'POST', path: 'properties/filter/', body });
  expect(json.count).toBeGreaterThan(0);
  expect(JSON.parse(stdout)).toMatchObject({
    count: json.count,
    acres: json.results.map((parcel: { acres: number }) => parcel.acres),
  });
});
