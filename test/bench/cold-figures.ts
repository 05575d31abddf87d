/** Cold first queries of every engine that runs in the calling process, over all kinds of queries it supports. */
import { type Disagreement, findDisagreements } from './agreement.ts';
import { askCold, missingEviction } from './cold.ts';
import type { ColdAnswer } from './cold-child.ts';
import type { Answer, BenchEngine } from './engines/engine.ts';
import { platbook } from './engines/platbook.ts';
import type { GeneratedCounty } from './generated-county.ts';
import { buildQuestions, type Question, type QuestionKind } from './questions.ts';
import { median } from './statistics.ts';

/** Other constants than those of the warm queries. */
const seed = 77;

export interface ColdFigure {
  readonly median: number;
  readonly least: number;
  readonly most: number;
  /** Median with the start of Node and of the modules. */
  readonly medianSinceStart: number;
  readonly queries: number;
}

export interface ColdFigures {
  readonly engines: Readonly<Record<string, ColdFigure>>;
  readonly leftOut: Readonly<Record<string, string>>;
  readonly disagreements: readonly Disagreement[];
}

export interface ColdOptions {
  readonly kinds: readonly QuestionKind[];
  readonly peers: readonly BenchEngine[];
  readonly home: string;
  readonly folder: string;
  readonly counties: readonly GeneratedCounty[];
  /** Queries of each kind. */
  readonly rounds: number;
}

/** Why an engine has no cold query here; by its name. */
function findLeftOut(all: readonly BenchEngine[], folder: string): Record<string, string> {
  const missing = missingEviction();
  const leftOut: Record<string, string> = {};
  for (const engine of all) {
    const files = engine.files(folder);
    if (typeof files === 'string') leftOut[engine.name] = files;
    else if (missing !== null) leftOut[engine.name] = `missing ${missing}`;
  }
  return leftOut;
}

export async function measureCold(options: ColdOptions): Promise<ColdFigures> {
  const all = [platbook, ...options.peers];
  const leftOut = findLeftOut(all, options.folder);
  const asked = all.filter(({ name }) => leftOut[name] === undefined);
  // Only kinds that all of them support, so that the medians cover the same queries.
  const kinds = options.kinds.filter(({ id }) => asked.every(({ cannot }) => cannot[id] === undefined));
  const times = new Map<string, ColdAnswer[]>(asked.map(({ name }) => [name, []]));
  const disagreements: Disagreement[] = [];
  for (const kind of kinds) {
    for (const question of buildQuestions(kind, options.counties, options.rounds, seed)) {
      const answers = new Map<string, Answer>();
      for (const engine of asked) {
        const cold = await askCold(engine, engine === platbook ? options.home : options.folder, question);
        answers.set(engine.name, cold.answer);
        times.get(engine.name)?.push(cold);
      }
      disagreements.push(...compare(kind, question, answers));
    }
  }
  return {
    engines: Object.fromEntries([...times].map(([name, cold]) => [name, figureOf(cold)])),
    leftOut,
    disagreements,
  };
}

function compare(kind: QuestionKind, question: Question, answers: ReadonlyMap<string, Answer>): Disagreement[] {
  const ours = answers.get(platbook.name);
  if (!ours) return [];
  return [...answers].flatMap(([name, theirs]) => findDisagreements(kind.id, name, [question], [ours], [theirs]));
}

function figureOf(cold: readonly ColdAnswer[]): ColdFigure {
  const times = cold.map(({ openAndAsk }) => openAndAsk);
  return {
    median: median(times),
    least: Math.min(...times),
    most: Math.max(...times),
    medianSinceStart: median(cold.map(({ sinceStart }) => sinceStart)),
    queries: cold.length,
  };
}
