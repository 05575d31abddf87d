/**
 * `npm run bench`: Platbook beside DuckDB, PostGIS and SpatiaLite on the same generated parcels, in one run. Everything
 * is seeded; every answer is compared; a difference between two engines ends it with code 1. A missed target does not:
 * limits that fail on a slow morning teach nothing.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type AskedAll, askEngines } from './ask-engines.ts';
import { measureBandwidth } from './bandwidth.ts';
import type { BenchRun } from './bench-run.ts';
import { Cleanup } from './cleanup.ts';
import { measureCold } from './cold-figures.ts';
import type { BenchEngine } from './engines/engine.ts';
import { peers } from './engines/index.ts';
import { installPeers } from './engines/peer-packages.ts';
import { makeFiguresHome, measureFigures } from './figures.ts';
import { LoadedData } from './loading.ts';
import { type BenchOptions, parseOptions, usage } from './options.ts';
import { type QuestionKind, questionKinds } from './questions.ts';
import { disagreementText, headText, otherTable, questionTable, spreadTable } from './report.ts';

const cleanup = new Cleanup();
const began = performance.now();
const note = (text: string): void =>
  console.error(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${text}`);

interface Peers {
  readonly present: readonly BenchEngine[];
  readonly missing: Record<string, string>;
}

function findPeers({ without }: BenchOptions): Peers {
  const wanted = peers.filter(({ name }) => !without.has(name.toLowerCase()));
  const problem = installPeers();
  if (problem) note(problem);
  const missing: Record<string, string> = {};
  for (const engine of wanted) {
    const why = engine.missing();
    if (why !== null) missing[engine.name] = why;
  }
  return { present: wanted.filter(({ name }) => missing[name] === undefined), missing };
}

function benchFolder(keep: string | null): string {
  if (keep !== null) return path.resolve(keep);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-bench-'));
  // The server of PostGIS runs as a user of its own and has to reach its folder within.
  fs.chmodSync(folder, 0o711);
  cleanup.add(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Loads every engine; the servers that it starts run until `stop`. */
async function loadPeers(data: LoadedData, present: readonly BenchEngine[]): Promise<() => void> {
  const stops: (() => void)[] = [];
  const stop = () => {
    for (const one of stops.splice(0)) one();
  };
  cleanup.add(stop);
  for (const engine of present) {
    const server = await engine.start?.(data.folder, !data.isLoaded(engine));
    if (server) stops.push(() => server.stop());
    await data.load(engine);
  }
  return stop;
}

async function makeParcels(data: LoadedData): Promise<void> {
  data.generate();
  await data.import();
}

interface Part {
  readonly data: LoadedData;
  readonly asked: AskedAll;
}

/** The steps for one folder's parcels. */
interface Steps {
  readonly data: LoadedData;
  readonly kinds: readonly QuestionKind[];
  /** Before all queries, and not measured. */
  readonly afterLoading: () => Promise<void>;
}

async function askPart(
  { data, kinds }: Steps,
  present: readonly BenchEngine[],
  variants: number,
  stop: () => void,
): Promise<Part> {
  const { folder, home, counties } = data;
  const asked = await askEngines({ kinds, counties, variants, peers: present, home, folder, note });
  stop();
  return { data, asked };
}

async function loadAll({ data, afterLoading }: Steps, present: readonly BenchEngine[]): Promise<() => void> {
  const stop = await loadPeers(data, present);
  await afterLoading();
  return stop;
}

async function run(options: BenchOptions): Promise<BenchRun> {
  const loadBefore = os.loadavg()[0] ?? 0;
  const { present, missing } = findPeers(options);
  const folder = benchFolder(options.keep);
  const { variants, parts: wanted } = options;
  const kinds = questionKinds.filter(({ id }) => wanted.has(id));
  const one: Steps = {
    data: new LoadedData(path.join(folder, 'one'), options.parcels, false, note),
    kinds: kinds.filter(({ isOfManyCounties }) => !isOfManyCounties),
    afterLoading: async () => {
      if (!wanted.has('figures')) return;
      note('making comps');
      await makeFiguresHome(one.data.home, one.data.folder);
    },
  };
  const isOneAsked = one.kinds.length > 0 || ['import', 'cold', 'figures', 'window'].some((part) => wanted.has(part));
  const manyKinds = kinds.filter(({ isOfManyCounties }) => isOfManyCounties);
  const openMany = (): Steps => ({
    data: new LoadedData(path.join(folder, 'many'), options.manyParcels, true, note),
    kinds: manyKinds,
    afterLoading: async () => {},
  });
  const loadMany = async () => {
    const many = openMany();
    await makeParcels(many.data);
    return { many, stop: await loadAll(many, present) };
  };
  const parts: Part[] = [];
  let beside: Beside = { cold: null, figures: [] };
  let early: ReturnType<typeof loadMany> | null = null;
  if (isOneAsked) {
    // Alone, and one after the other: their times are compared.
    await makeParcels(one.data);
    const problem = wanted.has('import') ? one.data.convert() : null;
    if (problem !== null) missing.ogr2ogr = problem;
    early = options.isQuick && manyKinds.length > 0 ? loadMany() : null;
    // A failure of the one that is awaited later is not to go unheard.
    const [stop] = await Promise.all([loadAll(one, present), early]);
    parts.push(await askPart(one, present, variants, stop));
    beside = await measureBeside(one.data, present, options);
  }
  if (manyKinds.length > 0) {
    if (options.keep === null) fs.rmSync(one.data.folder, { recursive: true, force: true });
    const { many, stop } = await (early ?? loadMany());
    parts.push(await askPart(many, present, variants, stop));
  }
  return summary(options, parts, { missing, ...beside, loadBefore });
}

type Beside = Pick<BenchRun, 'cold' | 'figures'>;

async function measureBeside(
  { home, folder, counties }: LoadedData,
  present: readonly BenchEngine[],
  { parts: wanted, coldRounds, variants, isQuick }: BenchOptions,
): Promise<Beside> {
  let cold: BenchRun['cold'] = null;
  let figures: BenchRun['figures'] = [];
  if (wanted.has('cold')) {
    note('asking cold');
    const all = questionKinds.filter(({ isOfManyCounties }) => !isOfManyCounties);
    // Each is a new process of each engine.
    const kinds = all.filter((_, i) => !isQuick || i % 2 === 0);
    cold = await measureCold({ kinds, peers: present, home, folder, counties, rounds: coldRounds });
  }
  if (wanted.has('figures')) {
    note('asking for parcels, comps and values');
    for (const county of counties) figures = await measureFigures(folder, county, variants);
  }
  if (wanted.has('window')) {
    note('looking at it in Chromium');
    showWindow(home);
  }
  return { cold, figures };
}

/** Prints its own table. Runs in a separate process: it measures how a window meets its host, not this script. */
function showWindow(home: string): void {
  const script = path.join(import.meta.dirname, '..', 'ui', 'bench-window.ts');
  const { status } = spawnSync(process.execPath, [script, home], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) note(`the window was not measured (code ${status})`);
}

function summary(
  options: BenchOptions,
  parts: readonly Part[],
  more: Pick<BenchRun, 'missing' | 'cold' | 'figures'> & { loadBefore: number },
): BenchRun {
  const [{ data, asked } = parts[0] as Part] = parts;
  const questions = parts.flatMap((part) => part.asked.figures);
  const { missing, cold, figures, loadBefore } = more;
  const warm = questions.reduce((sum, { times }) => sum + (Object.keys(times).length - 1) * (options.variants + 2), 0);
  const coldEngines = Object.entries(cold?.engines ?? {}).filter(([name]) => name !== 'Platbook');
  return {
    parcels: options.parcels,
    manyParcels: options.manyParcels,
    variants: options.variants,
    machine: {
      processor: os.cpus()[0]?.model ?? 'unknown processor',
      processors: os.cpus().length,
      node: process.versions.node,
      loadBefore,
      loadAfter: os.loadavg()[0] ?? 0,
    },
    missing,
    withoutEngines: [...options.without],
    reused: parts.flatMap((part, i) => part.data.reused.map((name) => (i === 0 ? name : `${name} (Q9)`))),
    loading: {
      generatedSeconds: data.generatedSeconds,
      imported: data.imported,
      converted: data.converted,
      loaded: data.loaded,
    },
    engines: asked.engines,
    questions,
    cold,
    figures,
    bandwidth: measureBandwidth(),
    compared: warm + coldEngines.reduce((sum, [, { queries }]) => sum + queries, 0),
    disagreements: [...parts.flatMap((part) => part.asked.disagreements), ...(cold?.disagreements ?? [])],
  };
}

function print(result: BenchRun): void {
  const tables = [questionTable(result), spreadTable(result), otherTable(result)];
  console.log(
    [headText(result), 'Count and page of 25, warm medians in milliseconds:', ...tables, disagreementText(result)].join(
      '\n\n',
    ),
  );
}

/** @returns the exit code: 1 when two engines disagree */
async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(usage);
    return 0;
  }
  const options = parseOptions(args);
  const result = await run(options);
  print(result);
  if (options.json !== null) fs.writeFileSync(options.json, `${JSON.stringify(result, null, 2)}\n`);
  return result.disagreements.length > 0 ? 1 : 0;
}

/** A typing error is no fault of the bench: no stack. */
const isOfTheCommandLine = (error: unknown): error is Error =>
  error instanceof RangeError || (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS') === true;

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(isOfTheCommandLine(error) ? `${error.message}\n\n${usage}` : error);
  process.exitCode = 2;
} finally {
  cleanup.run();
}
