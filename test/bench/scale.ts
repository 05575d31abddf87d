/**
 * `node test/bench/scale.ts`: 10,000,000 parcels in 60 counties. Opening must stay under a second, a filter of one
 * county as fast as with that county alone, one over all counties linear in rows for any filter, and memory within its
 * budget, even with a quarter of what all counties need. Takes half an hour and 15 GB; `--parcels` and `--counties`
 * make it smaller, `--keep DIR` keeps the homes.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { tableText } from '../../engine/cli/output.ts';
import { openEngine } from '../../engine/engine.ts';
import { importParcels } from '../../engine/importing/merge/import-parcels.ts';
import type { Engine } from '../../engine/index.ts';
import { cacheOf } from '../../engine/query/county-index.ts';
import { findByColumns } from './engines/platbook-columns.ts';
import { type GeneratedCounty, writeGeneratedCounty } from './generated-county.ts';
import { buildQuestions, type Question, questionKinds } from './questions.ts';
import { median, megabytes, milliseconds, quantile, whole } from './statistics.ts';

const seed = 20_261_120;
const variants = 60;

const { values } = parseArgs({
  options: {
    parcels: { type: 'string', default: '10000000' },
    counties: { type: 'string', default: '60' },
    keep: { type: 'string' },
    /** Set by the script itself: measures a home in a process of its own. */
    measure: { type: 'string' },
  },
});

const fipsOf = (number: number): string => String(20_001 + 2 * number);

/** Ten counties to a row, a fifth of a degree of room between them. */
const placeOf = (number: number) => ({ west: -104 + (number % 10) * 2.2, south: 30 + Math.floor(number / 10) * 2.2 });

async function importCounty(engine: Engine, folder: string, number: number, parcels: number): Promise<GeneratedCounty> {
  const file = path.join(folder, 'county.ndjson');
  const fips = fipsOf(number);
  const county = writeGeneratedCounty(file, parcels, seed, { fips, number, ...placeOf(number) });
  const job = {
    files: [file],
    fips,
    homeKind: 'real',
    anywhere: true,
    source: 'bench',
    date: '2026-11-20',
    now: engine.now,
  } as const;
  const report = await importParcels(engine.land, job);
  fs.rmSync(file);
  if (report.new !== parcels) throw new Error(`Expected ${parcels} parcels of ${fips}, found ${report.new}.`);
  return county;
}

const countiesFile = (home: string): string => path.join(home, 'counties.json');

async function makeHome(home: string, counties: number, parcels: number): Promise<number> {
  const began = performance.now();
  fs.mkdirSync(home, { recursive: true });
  const engine = openEngine({ home, create: true, keepsIndexes: false });
  const made: GeneratedCounty[] = [];
  for (let number = 0; number < counties; number++) {
    made.push(await importCounty(engine, home, number, parcels));
    console.error(
      `${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  county ${number + 1} of ${counties}`,
    );
  }
  engine.close();
  // Last: what has no such file was not finished.
  fs.writeFileSync(countiesFile(home), JSON.stringify(made));
  return (performance.now() - began) / 1000;
}

interface Times {
  readonly times: readonly number[];
  /** Of every query, so that homes can be compared. */
  readonly counts: readonly number[];
}

interface Measured {
  readonly openMilliseconds: number;
  readonly firstMilliseconds: number;
  /** By query: of the first county. */
  readonly one: Readonly<Record<string, Times>>;
  /** By query, then by number of counties. */
  readonly many: Readonly<Record<string, Readonly<Record<string, Times>>>>;
  /** With the usual budget: of the columns, and of the process. */
  readonly columnBytes: number;
  readonly residentBytes: number;
  readonly small: SmallBudget;
  readonly parcels: number;
}

/** One county after the other, with memory for a few of them. */
interface SmallBudget {
  readonly budgetBytes: number;
  readonly mostBytes: number;
  readonly counties: number;
  readonly times: Times;
  /** Whether every count was the one given with all the memory. */
  readonly isSame: boolean;
}

/** Without the charge: the disk determines the time of a commit, which is the same for every filter. */
function ask(engine: Engine, questions: readonly Question[]): Times {
  const [times, counts]: [number[], number[]] = [[], []];
  for (const question of questions) {
    const began = performance.now();
    const { count } = findByColumns(engine, question);
    times.push(performance.now() - began);
    counts.push(count);
  }
  return { times, counts };
}

/** Without the first, which opens what all of them need. */
const warm = ({ times, counts }: Times): Times => ({ times: times.slice(1), counts });

/** The query of one county, over several. */
const askedOf = (question: Question, counties: readonly GeneratedCounty[]): Question => {
  const { county, ...rest } = question.body;
  return { ...question, body: { ...rest, counties: counties.map(({ fips }) => fips) } };
};

const oneCounty = questionKinds.filter(({ isOfManyCounties }) => !isOfManyCounties);
/** Those that name a county, and no place within it. */
const overMany = oneCounty.filter(({ id }) => ['Q1', 'Q2', 'Q3', 'Q6', 'Q7'].includes(id));

/** In this process: opens the home, asks about its first county, then about more and more of them. */
function measure(home: string): Measured {
  const counties = JSON.parse(fs.readFileSync(countiesFile(home), 'utf8')) as GeneratedCounty[];
  const began = performance.now();
  const engine = openEngine({ home, keepsIndexes: false, steadyNow: () => 0 });
  const openMilliseconds = performance.now() - began;
  const one: Record<string, Times> = {};
  const many: Record<string, Record<string, Times>> = {};
  let firstMilliseconds = Number.NaN;
  for (const kind of oneCounty) {
    const questions = buildQuestions(kind, counties.slice(0, 1), variants + 1, seed);
    const before = performance.now();
    if (Number.isNaN(firstMilliseconds)) {
      ask(engine, questions.slice(0, 1));
      firstMilliseconds = performance.now() - before;
    }
    one[kind.id] = warm(ask(engine, questions));
  }
  for (const kind of overMany) {
    const questions = buildQuestions(kind, counties.slice(0, 1), variants + 1, seed);
    many[kind.id] = {};
    for (const share of [4, 2, 1]) {
      const some = counties.slice(0, Math.max(1, Math.floor(counties.length / share)));
      const found = ask(
        engine,
        questions.map((question) => askedOf(question, some)),
      );
      Object.assign(many[kind.id] ?? {}, { [some.length]: warm(found) });
    }
  }
  const columnBytes = cacheOf(engine.land).byteLength;
  const residentBytes = process.memoryUsage().rss;
  const small = withSmallBudget(engine, counties);
  const parcels = engine.land.file.get<{ n: number }>('SELECT count(*) AS n FROM parcels')?.n ?? 0;
  engine.close();
  return { openMilliseconds, firstMilliseconds, one, many, columnBytes, residentBytes, small, parcels };
}

/** Another budget: with little memory the answers are the same. */
function limitColumnMemory({ land }: Engine, bytes: number): void {
  const cache = cacheOf(land);
  cache.budgetBytes = bytes;
  cache.shrink();
}

/** Twice over all counties in turn, the worst order for a cache that evicts the least recently used. */
function withSmallBudget(engine: Engine, counties: readonly GeneratedCounty[]): SmallBudget {
  const [kind = oneCounty[0]] = overMany;
  if (!kind) throw new Error('there is no question to ask');
  const questions = [...counties, ...counties].map((county) => {
    const [question] = buildQuestions(kind, [county], 1, seed);
    return question as Question;
  });
  // Only what these queries need.
  limitColumnMemory(engine, 0);
  limitColumnMemory(engine, Number.POSITIVE_INFINITY);
  const { counts } = ask(engine, questions);
  const budgetBytes = Math.ceil(cacheOf(engine.land).byteLength / 4);
  limitColumnMemory(engine, budgetBytes);
  let mostBytes = 0;
  const times: number[] = [];
  const found: number[] = [];
  for (const question of questions) {
    const asked = ask(engine, [question]);
    times.push(asked.times[0] ?? Number.NaN);
    found.push(asked.counts[0] ?? -1);
    mostBytes = Math.max(mostBytes, cacheOf(engine.land).byteLength);
  }
  const isSame = found.every((count, i) => count === counts[i]);
  return {
    budgetBytes,
    mostBytes,
    counties: cacheOf(engine.land).counties,
    times: { times, counts: found },
    isSame,
  };
}

const measureApart = (home: string): Measured =>
  JSON.parse(
    execFileSync(process.execPath, [import.meta.filename, '--measure', home], { maxBuffer: 2 ** 28 }).toString(),
  ) as Measured;

const figure = ({ times }: Times): string =>
  `${milliseconds(median(times))} ms, p95 ${milliseconds(quantile(times, 0.95))}`;

interface Line {
  readonly what: string;
  readonly figure: string;
}

const ratio = (a: number, b: number): string => `${(a / b).toFixed(2)}×`;

/** A county among all beside the same county alone, query by query. */
function oneLines(alone: Measured, together: Measured): Line[] {
  return oneCounty.flatMap(({ id, title }) => {
    const [small, large] = [alone.one[id], together.one[id]];
    if (!small || !large) return [];
    // An area names no county: it is run on all of them.
    const isSame = small.counts.every((count, i) => count === large.counts[i]);
    const [mine, theirs] = [median(large.times), median(small.times)];
    return [
      {
        what: `${id} ${title}`,
        figure: `${figure(large)}; alone in its file ${figure(small)}: ${ratio(mine, theirs)}, ${isSame ? 'same counts' : 'OTHER COUNTS'}`,
      },
    ];
  });
}

/** The cost of a parcel must not rise with their number. */
function manyLines({ many }: Measured, each: number): Line[] {
  return Object.entries(many).flatMap(([id, byCount]) => {
    const perParcel = (count: string) => (1e6 * median(byCount[count]?.times ?? [])) / (Number(count) * each);
    const counts = Object.keys(byCount);
    const [least = '1'] = counts;
    return counts.map((count) => ({
      what: `${id} over ${count} counties, ${whole(Number(count) * each)} parcels`,
      figure: `${figure(byCount[count] as Times)}; ${perParcel(count).toFixed(3)} ns a parcel, ${ratio(perParcel(count), perParcel(least))} of that over ${least}`,
    }));
  });
}

function memoryLines({ columnBytes, residentBytes, small }: Measured): Line[] {
  const isUnder = small.mostBytes <= small.budgetBytes ? 'under it' : 'OVER IT';
  return [
    { what: 'columns in memory after all', figure: megabytes(columnBytes) },
    { what: 'resident after all', figure: megabytes(residentBytes) },
    {
      what: 'Q1 county by county, memory for a quarter of them',
      figure: `${figure(small.times)}; at most ${megabytes(small.mostBytes)} of ${megabytes(small.budgetBytes)}: ${isUnder}; ${small.counties} counties open, ${small.isSame ? 'same counts' : 'OTHER COUNTS'}`,
    },
  ];
}

async function main(): Promise<void> {
  const [counties, parcels] = [Number(values.counties), Number(values.parcels)];
  const folder = values.keep ?? fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-scale-'));
  const each = Math.floor(parcels / counties);
  const [small, large] = [path.join(folder, 'small'), path.join(folder, 'large')];
  try {
    if (!fs.existsSync(countiesFile(small))) await makeHome(small, 1, each);
    if (!fs.existsSync(countiesFile(large)))
      console.error(`imported in ${whole(await makeHome(large, counties, each))} s`);
    const [alone, together] = [measureApart(small), measureApart(large)];
    const opening = `${milliseconds(together.openMilliseconds)} ms (1,000: ${together.openMilliseconds < 1000 ? 'met' : 'MISSED'})`;
    const lines: Line[] = [
      { what: 'parcels, counties', figure: `${whole(together.parcels)}, ${counties}` },
      {
        what: 'load of the machine',
        figure: os
          .loadavg()
          .map((load) => load.toFixed(1))
          .join(', '),
      },
      { what: 'opening', figure: opening },
      { what: 'first filter of a county', figure: `${milliseconds(together.firstMilliseconds)} ms` },
      ...oneLines(alone, together),
      ...manyLines(together, each),
      ...memoryLines(together),
    ];
    console.log(
      tableText(
        ['what', 'figure'],
        lines.map((line) => ({ ...line })),
      ),
    );
  } finally {
    if (values.keep === undefined) fs.rmSync(folder, { recursive: true, force: true });
  }
}

if (values.measure === undefined) await main();
else console.log(JSON.stringify(measure(values.measure)));
