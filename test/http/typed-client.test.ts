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

/** `fields` in body and query, a filter as one address, values of several parcels. */
const asking = (field: string): string => `
import createClient from 'openapi-fetch';
import type { components, paths } from './openapi.d.ts';

const client = createClient<paths>({ baseUrl: process.argv[2] ?? '', headers: { Authorization: \`Bearer \${process.argv[3]}\` } });
const filter = { county: '99001', acres_min: 5, fields: ['zoning', 'market_total_value', 'shape_wkt', ${field}] as const };
const inBody = await client.POST('/properties/filter/', { body: { ...filter, fields: [...filter.fields] } });
if (!inBody.data) throw new Error(inBody.error.error.message);
const worth: (number | null | undefined)[] = inBody.data.results.map((parcel) => parcel.market_total_value);
const wkt: string | null | undefined = inBody.data.results[0]?.shape_wkt;
const found = await client.GET('/properties/search/', {
  params: { query: { fips: '99001', owner_name: 'a', fields: ['zoning', 'last_sale_date'], page_size: 2 } },
});
const zoning: (string | null | undefined)[] = (found.data?.results ?? []).map((parcel) => parcel.zoning);
const address = await client.GET('/properties/filter/', {
  params: { query: { q: JSON.stringify({ county: '99001', acres_min: 5 }), fields: 'all', page_size: 2 } },
});
const years: (number | null | undefined)[] = (address.data?.results ?? []).map((parcel) => parcel.year_built);
const { data: values } = await client.POST('/values/', { body: { property_ids: [6, 999999] } });
const rows: components['schemas']['ParcelValue'][] = values?.results ?? [];
const prices: (number | null)[] = rows.map((row) => row.mean_adjusted_price);
const codes: ('not_found' | 'validation_error' | undefined)[] = rows.map((row) => row.error?.code);
console.log(JSON.stringify({ worth, wkt, zoning, years, prices, codes, valued: values?.valued }));
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
  fs.writeFileSync(path.join(folder, 'fields.ts'), asking("'apn'"));
  fs.writeFileSync(path.join(folder, 'misfield.ts'), asking("'zonning'"));
  const tsc = path.join(tools, 'typescript/bin/tsc');
  const sources = ['program.ts', 'misspelt.ts', 'fields.ts', 'misfield.ts'];
  const compiled = await run(process.execPath, [tsc, ...options, ...shape, ...sources], {
    cwd: folder,
  }).catch(({ stdout }: { stdout: string }) => ({ stdout }));
  const errors = compiled.stdout.split('\n').filter((line) => line.includes('error TS'));
  expect(errors).toHaveLength(2);
  expect(errors).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^misspelt\.ts.*'acers_min' does not exist in type/),
      expect.stringMatching(/^misfield\.ts.*"zonning"/),
    ]),
  );

  const { stdout } = await run(process.execPath, [path.join(folder, 'program.ts'), api, key]);
  const body = { county: '99001', acres_min: 5, vacant_only: true };
  const { json } = await send({ method: 'POST', path: 'properties/filter/', body });
  expect(json.count).toBeGreaterThan(0);
  expect(JSON.parse(stdout)).toMatchObject({
    count: json.count,
    acres: json.results.map((parcel: { acres: number }) => parcel.acres),
  });

  const asked = JSON.parse((await run(process.execPath, [path.join(folder, 'fields.ts'), api, key])).stdout);
  const fields = ['market_total_value', 'shape_wkt'];
  const full = await send({
    method: 'POST',
    path: 'properties/filter/',
    body: { county: '99001', acres_min: 5, fields },
  });
  const worth = full.json.results.map((row: { market_total_value: number }) => row.market_total_value);
  expect(asked.worth).toEqual(worth);
  expect(asked.wkt).toBe(full.json.results[0].shape_wkt);
  expect([asked.zoning.length, asked.years.length]).toEqual([2, 2]);
  expect(asked).toMatchObject({ codes: ['not_found', 'not_found'], prices: [null, null], valued: 0 });
});
