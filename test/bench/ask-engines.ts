/** Runs the same queries on every engine, one kind after the other, and compares the answers. */
import { type Disagreement, findDisagreements } from './agreement.ts';
import { EngineProcess } from './engine-process.ts';
import type { Asked, EngineFacts } from './engine-worker.ts';
import type { BenchEngine } from './engines/engine.ts';
import { platbook } from './engines/platbook.ts';
import type { GeneratedCounty } from './generated-county.ts';
import { buildQuestions, type Question, type QuestionKind } from './questions.ts';
import { median, quantile } from './statistics.ts';

const seed = 9;
const warmUps = 2;

export interface Timing {
  readonly median: number;
  readonly p95: number;
}

export interface QuestionFigures {
  readonly id: string;
  readonly title: string;
  readonly variants: number;
  readonly medianMatches: number;
  /** By engine: count and page. Absent: unsupported, or not queried. */
  readonly times: Readonly<Record<string, Timing>>;
  /** Platbook's count alone. */
  readonly count: Timing;
  /** Bytes that the count reads; null until the engine reports them. */
  readonly bytesTouched: number | null;
}

export interface AskedAll {
  readonly figures: readonly QuestionFigures[];
  /** After all queries. */
  readonly engines: Readonly<Record<string, EngineFacts>>;
  readonly disagreements: readonly Disagreement[];
}

export interface AskOptions {
  readonly kinds: readonly QuestionKind[];
  readonly counties: readonly GeneratedCounty[];
  readonly variants: number;
  readonly peers: readonly BenchEngine[];
  readonly home: string;
  readonly folder: string;
  readonly note: (text: string) => void;
}

interface Running {
  readonly engine: BenchEngine;
  readonly process: EngineProcess;
}

const timingOf = (times: readonly number[]): Timing => ({ median: median(times), p95: quantile(times, 0.95) });

/** Queries of one kind go to all engines within seconds, so that a busy machine affects all alike. */
export async function askEngines(options: AskOptions): Promise<AskedAll> {
  const running: Running[] = [];
  const figures: QuestionFigures[] = [];
  const disagreements: Disagreement[] = [];
  try {
    for (const engine of [platbook, ...options.peers]) {
      const process = new EngineProcess(engine.name);
      const folder = engine === platbook ? options.home : options.folder;
      running.push({ engine, process });
      await process.call('open', { folder });
    }
    for (const kind of options.kinds) {
      options.note(`asking ${kind.id}`);
      const questions = buildQuestions(kind, options.counties, options.variants + warmUps, seed);
      const { asked, differences } = await askKind(kind, questions, running);
      figures.push(figuresOf(kind, asked, options.variants));
      disagreements.push(...differences);
    }
    const engines: Record<string, EngineFacts> = {};
    for (const { engine, process } of running) {
      engines[engine.name] = await process.call('facts', null);
      await process.call('close', null);
    }
    return { figures, engines, disagreements };
  } finally {
    for (const { process } of running) process.end();
  }
}

type AskedByName = Readonly<Record<string, Asked>>;

async function askKind(
  kind: QuestionKind,
  questions: readonly Question[],
  running: readonly Running[],
): Promise<{ asked: AskedByName; differences: Disagreement[] }> {
  const asked: Record<string, Asked> = {};
  const differences: Disagreement[] = [];
  for (const { engine, process } of running) {
    if (engine.cannot[kind.id] !== undefined) continue;
    const theirs = await process.call('ask', { questions, warmUps });
    asked[engine.name] = theirs;
    const ours = asked[platbook.name] ?? theirs;
    differences.push(...findDisagreements(kind.id, engine.name, questions, ours.answers, theirs.answers));
  }
  return { asked, differences };
}

const medianKnown = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === values.length ? median(known) : null;
};

function figuresOf(kind: QuestionKind, asked: AskedByName, variants: number): QuestionFigures {
  const ours = asked[platbook.name];
  if (!ours) throw new Error('Platbook was not asked');
  return {
    id: kind.id,
    title: kind.title,
    variants,
    medianMatches: median(ours.answers.map(({ count }) => count)),
    times: Object.fromEntries(Object.entries(asked).map(([name, { times }]) => [name, timingOf(times)])),
    count: timingOf(ours.countTimes ?? []),
    bytesTouched: medianKnown(ours.bytesTouched),
  };
}
