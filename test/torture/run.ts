/**
 * `npm run test:torture`: each promise of docs/reliability.md, "What must hold", tested in its full size, and a table of
 * what was measured. `--row R3` runs one (it may stand several times), `--small` the size of `npm test`, `--parcels` that of
 * R5 and R6. The tests of a row are those that the document names. A test fails by what is wrong, never by a time: a time that
 * misses its target is said here. R5 and R6 promise little else, and fail by what the import itself misses.
 */
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fuzz, outside } from '../projects.ts';
import { type Measured, measuredVariable } from '../support/runs.ts';

interface Row {
  readonly id: string;
  readonly size: string;
  /** On a calm machine of two processors. */
  readonly minutes: number;
  /** Names of tests, of those in the row's files; without it, all. */
  readonly only?: string;
  /** Figures of a script, by what they are called; one that breaks a promise fails the row. */
  readonly lines?: RegExp;
}

const rows: readonly Row[] = [
  { id: 'R1', size: '100 kills, at least 20,000 calls', minutes: 5, only: 'a charge that was acknowledged' },
  { id: 'R2', size: '120 cuts of 8,000 calls, and the control', minutes: 2 },
  {
    id: 'R3',
    size: '20 kills each of import, enrichment, undo',
    minutes: 5,
    only: 'import that is killed|killed import|enrichment that is killed|undo that is killed',
  },
  { id: 'R4', size: '16 clients, 15 s, 100,000 parcels', minutes: 1, only: 'filters of sixteen clients' },
  {
    id: 'R5',
    size: '1,000,000 parcels, two formats',
    minutes: 15,
    lines: /, beside: (the import|answers a second|every answer)/,
  },
  { id: 'R6', size: '1,000,000 parcels, two formats', minutes: 15, lines: /: our import$/ },
  { id: 'R7', size: '50,000 requests', minutes: 4 },
  { id: 'R8', size: 'every case', minutes: 1 },
  { id: 'R9', size: '400 slow clients', minutes: 2 },
  { id: 'R10', size: 'every format', minutes: 4 },
  { id: 'R11', size: 'every bomb', minutes: 1, only: 'WKT|1,000 times|more than its directory' },
  { id: 'R12', size: '100,000 parcels', minutes: 1, only: 'takes too long|broadest areas' },
  { id: 'R13', size: 'disks of 1 to 100 MB', minutes: 1, only: 'disk|does not fit' },
  { id: 'R14', size: 'every kind, each file of a home', minutes: 1 },
  { id: 'R15', size: 'GDAL, SpatiaLite, the GeoPackage validator', minutes: 1 },
  { id: 'R16', size: 'three processes', minutes: 1, only: 'the limit' },
  { id: 'R17', size: '10,000 calls, and 1,000 by three doors', minutes: 3 },
  { id: 'R18', size: '20 backups', minutes: 1, only: 'made while others write' },
  { id: 'R19', size: 'every limit', minutes: 1, only: 'clock that' },
  { id: 'R20', size: 'four programs, 500 charges and notes each', minutes: 2, only: 'at once' },
  { id: 'R21', size: '94,000 requests, 100,000 parcels', minutes: 4, only: 'memory stays flat' },
];

const root = path.resolve(import.meta.dirname, '..', '..');
const { values } = parseArgs({
  options: {
    row: { type: 'string', multiple: true },
    small: { type: 'boolean' },
    parcels: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});

/** What the document promises, and by which tests, by row; its table of figures has rows of the same names. */
const promised = new Map(
  [
    ...fs.readFileSync(path.join(root, 'docs/reliability.md'), 'utf8').matchAll(/^\| (R\d+) ([^|]+) \| (`.+) \|$/gm),
  ].map(([, id = '', promise = '', tests = '']) => [
    id,
    { promise, tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name) },
  ]),
);

interface Result {
  readonly held: string;
  readonly measured: string;
}

/** @returns the exit code; what the program prints goes to standard error, and into `heard` */
function run(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  heard: string[],
): Promise<number | null> {
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill());
  child.stdout.on('data', (chunk: Buffer) => {
    heard.push(chunk.toString());
    process.stderr.write(chunk);
  });
  return new Promise((resolve) => child.on('exit', resolve));
}

const metText = ({ what, isMet }: Measured): string =>
  isMet === null ? what : `${what}: ${isMet ? 'met' : '**missed**'}`;

/** "20 files" and "3 files" are 23. */
function summed(lines: readonly Measured[]): string[] {
  const counts = new Map<string, number>();
  const others: string[] = [];
  for (const { what, isMet } of lines) {
    const [, count, noun] = /^(\d+) (\w+)$/.exec(what) ?? [];
    if (noun) counts.set(noun, (counts.get(noun) ?? 0) + Number(count));
    else others.push(metText({ what, isMet }));
  }
  return [...[...counts].map(([noun, count]) => `${count} ${noun}`), ...others];
}

const projectOf = (file: string): string =>
  [...outside, ...fuzz].some((pattern) => path.matchesGlob(file, pattern)) ? 'outside' : 'engine';

async function runTests({ only }: Row, files: readonly string[], folder: string): Promise<Result> {
  const [figures, report] = [path.join(folder, 'measured'), path.join(folder, 'report.json')];
  fs.writeFileSync(figures, '');
  const projects = [...new Set(files.map(projectOf))].flatMap((name) => ['--project', name]);
  const named = only ? ['-t', only] : [];
  const how = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`, '--testTimeout=1800000'];
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const heard: string[] = [];
  const env = { [measuredVariable]: figures, ...(values.small ? {} : { PLATBOOK_TORTURE: '1' }) };
  const code = await run(process.execPath, [vitest, 'run', ...projects, ...named, ...how, ...files], env, heard);
  const { numPassedTests: passed = 0, numFailedTests: failed = 0 } = fs.existsSync(report)
    ? (JSON.parse(fs.readFileSync(report, 'utf8')) as { numPassedTests?: number; numFailedTests?: number })
    : {};
  const lines = fs.readFileSync(figures, 'utf8').split('\n').filter(Boolean);
  const skipped = [...heard.join('').matchAll(/^SKIPPED in .*: (.*)$/gm)].map(([, why = '']) => `not run here: ${why}`);
  const isHeld = code === 0 && failed === 0 && passed > 0;
  return {
    held: isHeld ? 'held' : `**FAILED** (${failed} of ${passed + failed})`,
    measured: [`${passed} tests`, ...summed(lines.map((line) => JSON.parse(line) as Measured)), ...skipped].join('; '),
  };
}

/** Scripts that several rows share run once. */
const ran = new Map<string, ScriptLine[] | null>();

interface ScriptLine {
  readonly what: string;
  readonly figure: string;
  readonly targets: readonly (Measured & { readonly isBroken: boolean })[];
}

const asked = (): string[] => (values.parcels ? ['--parcels', values.parcels] : []);

async function runScript({ lines }: Row, command: string, folder: string): Promise<Result> {
  const report = path.join(folder, 'script.json');
  if (!ran.has(command)) {
    const sizes = values.small ? ['--parcels', '20000', '--standing', '5000', '--turns', '20'] : asked();
    const code = await run(process.execPath, [...command.split(' ').slice(1), ...sizes, '--json', report], {}, []);
    ran.set(command, code === 0 ? JSON.parse(fs.readFileSync(report, 'utf8')).lines : null);
  }
  const found = ran.get(command)?.filter(({ what }) => lines?.test(what)) ?? [];
  const words = found.map(({ what, figure, targets }) => `${what}: ${figure} (${targets.map(metText).join('; ')})`);
  const broken = found.flatMap(({ targets }) => targets).filter(({ isBroken }) => isBroken).length;
  const isHeld = found.length > 0 && broken === 0;
  return { held: isHeld ? 'held' : `**FAILED** (${broken})`, measured: words.join('; ') };
}

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** Where tests stand uncommitted, the table says so. */
const commitText = (): string =>
  git('rev-parse', '--short=10', 'HEAD') + (git('status', '--porcelain') ? ' with changes' : '');

function headText(): string {
  const gigabytes = Math.round(os.totalmem() / 1024 ** 3);
  const machine = `${os.cpus()[0]?.model ?? 'unknown processor'}, ${os.availableParallelism()} processors, ${gigabytes} GB`;
  const size = values.small ? ', in the size of npm test' : '';
  return `${new Date().toISOString().slice(0, 10)}, ${machine}, Node ${process.versions.node}${size}.`;
}

function helpText(): string {
  const lines = rows.map(
    ({ id, size, minutes }) =>
      `  ${id.padEnd(4)} ${String(minutes).padStart(2)} min  ${promised.get(id)?.promise ?? ''} (${size})`,
  );
  const all = rows.reduce((sum, { minutes }) => sum + minutes, 0);
  const usage = 'npm run test:torture -- [--row R3] … [--small] [--parcels 200000]';
  return [usage, '', `All rows take about ${all} minutes on a calm machine of two processors:`, ...lines].join('\n');
}

function sizeText({ size, lines }: Row): string {
  if (values.small) return 'small';
  return lines && values.parcels ? `${values.parcels} parcels` : size;
}

async function main(): Promise<number> {
  if (values.help) {
    console.log(helpText());
    return 0;
  }
  const wanted = rows.filter(({ id }) => values.row?.includes(id) ?? true);
  const unknown = [...(values.row ?? []), ...promised.keys()].filter((id) => !rows.some((row) => row.id === id));
  const unsaid = wanted.filter(({ id }) => !promised.has(id)).map(({ id }) => id);
  if (unknown.length + unsaid.length > 0) throw new RangeError(`No such row: ${[...unknown, ...unsaid].join(', ')}.`);
  const [head, commit] = [headText(), commitText()];
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-torture-'));
  process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  const table: string[] = [];
  let failures = 0;
  for (const row of wanted) {
    const { promise = '', tests = [] } = promised.get(row.id) ?? {};
    console.error(`${row.id} ${promise} (about ${row.minutes} min)`);
    const [load, began] = [os.loadavg()[0] ?? 0, performance.now()];
    const [first = ''] = tests;
    const isScript = first.startsWith('node ');
    const { held, measured } = await (isScript ? runScript(row, first, folder) : runTests(row, tests, folder));
    if (held !== 'held') failures++;
    const minutes = ((performance.now() - began) / 60_000).toFixed(1);
    table.push(
      `| ${row.id} | ${sizeText(row)} | ${held} | ${measured} | ${commit} | ${minutes} | ${load.toFixed(1)} |`,
    );
  }
  console.log(`${head}\n`);
  console.log(
    [
      '| row | size | held | measured | commit | minutes | load before |',
      '| --- | --- | --- | --- | --- | --- | --- |',
      ...table,
    ].join('\n'),
  );
  return failures > 0 ? 1 : 0;
}

const code = await main();
process.exit(code);
