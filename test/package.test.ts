/** The package from outside: packed, installed in an empty folder, used from plain JavaScript and from TypeScript. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeNpmPackage } from '../engine/bin/release.mjs';
import { bytesOf } from '../engine/bin/stage-app.mjs';
import { copyOfHome, emptyHome, sampleHome } from './support/homes.ts';

const root = path.resolve(import.meta.dirname, '..');

/** npm with Node 24 first on the path, as npm scripts of this project have it. */
function npm(folder: string, ...args: string[]): string {
  const env = { ...process.env, PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}` };
  return execFileSync('npm', args, { cwd: folder, encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] });
}

const script = `
import { openEngine, EngineError } from 'platbook';
const engine = openEngine({ home: process.argv[2] });
const { data, tokens } = await engine.call('filter_properties', { county: '99001', acres_min: 100 });
let refused = '';
try { await engine.call('filter_properties', { acres_min: 1 }); } catch (error) { if (error instanceof EngineError) refused = error.code; }
let seen = 0;
for await (const parcel of engine.each('filter_properties', { county: '99001', acres_min: 100, page_size: 10 })) seen += parcel.property_id > 0 ? 1 : 0;
engine.close();
console.log(JSON.stringify({ count: data.count, tokens, refused, seen }));
`;

const typed = `
import { type Answer, type InputOf, openEngine, type ParcelSummary } from 'platbook';
const engine = openEngine({ home: String(process.argv[2]) });
const input: InputOf<'filter_properties'> = { county: '99001', acres_min: 100, include_unknown: ['year_built'] };
const answer = await engine.call('filter_properties', input);
const first: ParcelSummary | undefined = answer.data.results[0];
const acres: number | null = first === undefined ? null : first.acres;
// @ts-expect-error a misspelt filter is found by the compiler
const misspelt: InputOf<'filter_properties'> = { county: '99001', acers_min: 1 };
const usage: Answer<{ tokens_used: number }> = await engine.call('get_usage', {});
const land = engine.kysely().selectFrom('parcels').select(['apn', 'acres']).where('fips', '=', '99001');
const rows: { apn: string | null; acres: number | null }[] = await land.execute();
console.log(rows.length, acres, misspelt, usage.data.tokens_used);
engine.close();
`;

// It builds the project and installs packages: 60 s on a quiet machine, ten times that on a busy one.
test('is packed, installed elsewhere and imported from JavaScript and TypeScript', { timeout: 900_000 }, () => {
  const folder = emptyHome();
  npm(root, 'run', '-s', 'build');
  const packed = makeNpmPackage({ out: folder });
  const files = execFileSync('tar', ['-tzf', packed], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((file) => file.replace('package/', ''));
  expect(files).toContain('dist/engine/index.js');
  expect(files).toContain('dist/engine/index.d.ts');
  expect(files).toContain('dist/engine/columns/kernels.wasm');
  expect(
    files.filter(
      (file) => /^(test|renderer|electron)\//.test(file) || (file.endsWith('.ts') && !file.endsWith('.d.ts')),
    ),
  ).toEqual([]);

  const consumer = path.join(folder, 'consumer');
  fs.mkdirSync(consumer);
  fs.writeFileSync(
    path.join(consumer, 'package.json'),
    JSON.stringify({ name: 'consumer', type: 'module', private: true }),
  );
  npm(consumer, 'install', '--prefer-offline', '--no-audit', '--no-fund', packed);
  // A person who tries it with npx waits for all of it; 19 MB are the decoders of photos.
  expect(bytesOf(path.join(consumer, 'node_modules'))).toBeLessThan(115e6);
  const manifest = JSON.parse(
    fs.readFileSync(path.join(consumer, 'node_modules/platbook/package.json'), 'utf8'),
  ) as object;
  expect(Object.keys(manifest)).not.toContain('private');
  expect(Object.keys(manifest)).not.toContain('scripts');
  expect(npm(consumer, 'exec', '--offline', 'platbook', '--', '--version')).toMatch(/^\d+\.\d+\.\d+$/m);

  const home = copyOfHome(sampleHome());
  fs.writeFileSync(path.join(consumer, 'script.js'), script);
  const run = spawnSync(process.execPath, ['script.js', home], { cwd: consumer, encoding: 'utf8' });
  expect(run.stderr).toBe('');
  const result = JSON.parse(run.stdout) as { count: number; tokens: number; refused: string; seen: number };
  expect(result).toMatchObject({ tokens: 30, refused: 'validation_error' });
  expect(result.seen).toBe(result.count);

  fs.writeFileSync(path.join(consumer, 'typed.ts'), typed);
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--types',
    'node',
    '--typeRoots',
    path.join(root, 'node_modules', '@types'),
  ];
  const compiled = spawnSync(process.execPath, [tsc, ...options, 'typed.ts'], { cwd: consumer, encoding: 'utf8' });
  expect(compiled.stdout).toBe('');

  const command = spawnSync(
    process.execPath,
    [path.join(consumer, 'node_modules', 'platbook', 'engine', 'bin', 'platbook.mjs'), 'check', '--home', home],
    { encoding: 'utf8' },
  );
  expect(command.stdout).toContain('ok    land.sqlite is whole');
  expect(command.status).toBe(0);
});
