/** The first query of a new process: opens, queries, reports the time. Loads only the engine under test. */
import type { Answer, BenchEngine } from './engines/engine.ts';
import type { Question } from './questions.ts';

export interface ColdAnswer {
  /** From opening the file to the answer. */
  readonly openAndAsk: number;
  /** The same with the start of Node and of the modules. */
  readonly sinceStart: number;
  readonly answer: Answer;
}

const modules: Readonly<Record<string, () => Promise<BenchEngine>>> = {
  Platbook: async () => (await import('./engines/platbook.ts')).platbook,
  DuckDB: async () => (await import('./engines/duckdb.ts')).duckdb,
  SpatiaLite: async () => (await import('./engines/spatialite.ts')).spatialite,
};

const [name = '', folder = '', text = ''] = process.argv.slice(2);
const engine = await modules[name]?.();
if (!engine) throw new RangeError(`no engine is called ${name}`);
engine.preload?.();
const question = JSON.parse(text) as Question;
const began = performance.now();
const database = await engine.open(folder);
const read = await database.ask(question);
const ended = performance.now();
const answer: ColdAnswer = { openAndAsk: ended - began, sinceStart: ended, answer: read() };
process.send?.(answer, () => process.exit());
