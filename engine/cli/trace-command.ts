/** `platbook trace call`: the life of a request, made from running it: which files work, how long, in which steps. */
import { type Profiler, Session } from 'node:inspector/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import type { Engine } from '../engine.ts';
import { packageRoot } from '../package-root.ts';
import { parseJson } from './arguments.ts';
import { withEngine } from './home.ts';
import type { Output } from './output.ts';

/** Runs before the measure, until V8 has compiled the code, and runs that are measured. */
const warmRuns = 30;
const measuredRuns = 100;
const sampleMicroseconds = 100;

export function addTraceCommand(program: Command, output: Output): void {
  program
    .command('trace')
    .command('call <operation> [json]')
    .description('print which files an operation runs, warm, with milliseconds; it costs nothing')
    .addHelpText('after', `\nExample:\n  platbook trace call filter_properties '{"county":"33019","acres_min":5}'`)
    .action((operation: string, json: string | undefined, _options: object, command: Command) =>
      withEngine(command, output, async (engine) => {
        const { files, steps } = await traceCall(engine, operation, parseJson(json));
        for (const { name, milliseconds } of steps) output.print(`${inMilliseconds(milliseconds)}  ${name}`);
        output.print('');
        for (const { file, milliseconds, functions } of files)
          output.print(`${inMilliseconds(milliseconds)}  ${file}: ${functions.join(', ')}`);
        output.note(
          `${files.length} files. Milliseconds of one warm run, uncharged: steps in all, files by themselves.`,
        );
      }),
    );
}

const inMilliseconds = (milliseconds: number): string => milliseconds.toFixed(3).padStart(8);

interface Trace {
  /** Functions of engine.ts, with all that they call. */
  readonly steps: readonly { readonly name: string; readonly milliseconds: number }[];
  readonly files: readonly {
    /** Relative to the package. */
    readonly file: string;
    readonly milliseconds: number;
    /** Those that ran, as they stand in the file. */
    readonly functions: readonly string[];
  }[];
}

/** @throws EngineError as the call does */
export async function traceCall(engine: Engine, operation: string, input: unknown): Promise<Trace> {
  const call = () => engine.callUnchecked(operation, input, { mode: 'script', isFree: true });
  for (let run = 0; run < warmRuns; run++) await call();
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await session.post('Profiler.takePreciseCoverage');
    await call();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    await session.post('Profiler.stopPreciseCoverage');
    await session.post('Profiler.setSamplingInterval', { interval: sampleMicroseconds });
    await session.post('Profiler.start');
    for (let run = 0; run < measuredRuns; run++) await call();
    const { profile } = await session.post('Profiler.stop');
    const { byFile, byStep } = timesOf(profile);
    return {
      steps: [...byStep].map(([name, milliseconds]) => ({ name, milliseconds })),
      files: result
        .flatMap(({ url, functions }) => {
          const ran = functions.filter(
            ({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0,
          );
          const names = [...new Set(ran.map(({ functionName }) => functionName))];
          const file = ownFile(url);
          return file === null || names.length === 0 || url === import.meta.url
            ? []
            : [{ file, milliseconds: byFile.get(url) ?? 0, functions: names }];
        })
        .sort((one, other) => other.milliseconds - one.milliseconds),
    };
  } finally {
    session.disconnect();
  }
}

/** Null for Node and packages. */
function ownFile(url: string): string | null {
  const file = url.startsWith('file:') ? path.relative(packageRoot, fileURLToPath(url)) : '..';
  return file.startsWith('..') || file.includes('node_modules') ? null : file.replaceAll(path.sep, '/');
}

/** Milliseconds of one run: of each file alone, and of each step of engine.ts with all that it calls. */
function timesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const [byFile, byStep] = [new Map<string, number>(), new Map<string, number>()];
  const add = (times: Map<string, number>, key: string, microseconds: number) =>
    times.set(key, (times.get(key) ?? 0) + microseconds / 1000 / measuredRuns);
  for (const [index, sample] of samples.entries()) {
    const microseconds = timeDeltas[index] ?? 0;
    add(byFile, byId.get(sample)?.callFrame.url ?? '', microseconds);
    const steps = new Set<string>();
    for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) {
      const { url = '', functionName = '' } = byId.get(id)?.callFrame ?? {};
      if (ownFile(url) === 'engine/engine.ts' && functionName !== '') steps.add(functionName);
    }
    for (const step of steps) add(byStep, step, microseconds);
  }
  return { byFile, byStep };
}
