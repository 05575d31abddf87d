/** A client that orval writes from the served `openapi.json`: strict TypeScript, `fields` among it, against a listener. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { emptyHome } from '../support/homes.ts';
import { requireOrSkip } from '../support/require.ts';
import { base, serving } from './client.ts';

const run = promisify(execFile);
const tools = path.resolve(import.meta.dirname, '../orval/node_modules');
const hasOrval = requireOrSkip(
  'orval',
  fs.existsSync(tools),
  'a client of its is compiled (npm ci --prefix test/orval)',
);

const program = (field: string): string => `
import { filterProperties, getAiCompValues } from './client.ts';

const key = { headers: { Authorization: \`Bearer \${process.env.KEY}\` } };
const fields = ['market_total_value', 'shape_wkt', ${field}] as const;
const found = await filterProperties({ county: '99001', acres_min: 5, fields: [...fields] }, {}, key);
if (found.status !== 200) throw new Error(JSON.stringify(found.data));
const worth: (number | null | undefined)[] = found.data.results.map((parcel) => parcel.market_total_value);
const values = await getAiCompValues({ property_ids: [999_999] }, {}, key);
if (values.status !== 200) throw new Error(JSON.stringify(values.data));
console.log(JSON.stringify({ count: found.data.count, worth, codes: values.data.results.map((row) => row.error?.code) }));
`;

test.runIf(hasOrval)(
  'compiles as strictly as TypeScript can, and runs; a misspelt field does not compile',
  async () => {
    const { server, key, send } = await serving();
    const folder = emptyHome();
    const api = `http://127.0.0.1:${server.port}${base}`;
    const document = await (await fetch(`${api}openapi.json`)).text();
    const files = {
      'package.json': '{"type":"module"}',
      'openapi.json': document,
      'orval.config.mjs': `export default { api: { input: './openapi.json', output: { target: './client.ts', client: 'fetch', baseUrl: ${JSON.stringify(api.replace(/\/$/, ''))} } } };`,
      'program.ts': program("'zoning'"),
      'misspelt.ts': program("'zonning'"),
    };
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
    fs.symlinkSync(path.resolve(import.meta.dirname, '../../node_modules'), path.join(folder, 'node_modules'));
    await run(process.execPath, [path.join(tools, 'orval/dist/bin/orval.mjs'), '--config', 'orval.config.mjs'], {
      cwd: folder,
    });
    const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
    const shape = ['--allowImportingTsExtensions', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
    const lib = ['--lib', 'es2024,dom,dom.iterable'];
    const tsc = path.join(tools, 'typescript/bin/tsc');
    const { stdout: told } = await run(
      process.execPath,
      [tsc, ...strict, ...shape, ...lib, 'program.ts', 'misspelt.ts'],
      { cwd: folder },
    ).catch(({ stdout }: { stdout: string }) => ({ stdout }));
    const errors = told.split('\n').filter((line) => line.includes('error TS'));
    expect(errors).toEqual([expect.stringMatching(/^misspelt\.ts.*"zonning"/)]);

    const env = { ...process.env, KEY: key };
    const { stdout } = await run(process.execPath, [path.join(folder, 'program.ts')], { env });
    const body = { county: '99001', acres_min: 5, fields: ['market_total_value'] };
    const { json } = await send({ method: 'POST', path: 'properties/filter/', body });
    expect(JSON.parse(stdout)).toEqual({
      count: json.count,
      worth: json.results.map((row: { market_total_value: number | null }) => row.market_total_value),
      codes: ['not_found'],
    });
  },
);
