/** One engine in a process of its own, so that its memory is its own and no other's garbage is collected in its time. */
import type { Answer, OpenEngine } from './engines/engine.ts';
import { getEngine } from './engines/index.ts';
import type { Question } from './questions.ts';

export interface Requests {
  load: { readonly landFile: string; readonly folder: string };
  open: { readonly folder: string };
  ask: { readonly questions: readonly Question[]; readonly warmUps: number };
  facts: null;
  close: null;
}

export interface Asked {
  /** Milliseconds of count and page, without the first ones that warmed up. */
  readonly times: readonly number[];
  /** Of every query, including the first. */
  readonly answers: readonly Answer[];
  /** Milliseconds of the count alone; null where it is not measured. */
  readonly countTimes: readonly number[] | null;
  /** Bytes that each count reads at least; null if unknown. */
  readonly bytesTouched: readonly (number | null)[];
}

export interface EngineFacts {
  readonly version: string;
  readonly residentBytes: number;
}

const engine = getEngine(process.argv[2] ?? '');
let database: OpenEngine | null = null;

function opened(): OpenEngine {
  if (!database) throw new Error(`${engine.name} is not open`);
  return database;
}

async function ask({ questions, warmUps }: Requests['ask']): Promise<Asked> {
  const [times, answers]: [number[], Answer[]] = [[], []];
  const open = opened();
  for (const question of questions) {
    const began = performance.now();
    const read = await open.ask(question);
    times.push(performance.now() - began);
    answers.push(read());
  }
  return {
    times: times.slice(warmUps),
    answers,
    countTimes: countTimes(open, questions, answers)?.slice(warmUps) ?? null,
    bytesTouched: questions.map((question) => open.touched?.(question) ?? null).slice(warmUps),
  };
}

function countTimes(open: OpenEngine, questions: readonly Question[], answers: readonly Answer[]): number[] | null {
  const { count } = open;
  if (!count) return null;
  return questions.map((question, i) => {
    const began = performance.now();
    const found = count(question);
    const time = performance.now() - began;
    if (found !== answers[i]?.count) {
      throw new Error(
        `The count alone is ${found}, with its page ${answers[i]?.count}: ${JSON.stringify(question.body)}`,
      );
    }
    return time;
  });
}

const handlers: { [Name in keyof Requests]: (request: Requests[Name]) => unknown } = {
  load: ({ landFile, folder }) => engine.load(landFile, folder),
  open: async ({ folder }) => {
    database = await engine.open(folder);
  },
  ask,
  facts: async (): Promise<EngineFacts> => ({
    residentBytes: opened().residentMemory(),
    version: await opened().version(),
  }),
  close: async () => {
    await opened().close();
    database = null;
  },
};

// The bench was stopped: answers are no longer wanted.
process.on('disconnect', () => process.exit());
process.on('message', async (message: { name: keyof Requests; request: never }) => {
  try {
    const result = await handlers[message.name](message.request);
    process.send?.({ result });
  } catch (error) {
    process.send?.({ problem: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
