/**
 * `node test/bench/trace.ts FOLDER [Q4a,Q5]`: where the time of one call goes, from socket to socket, in microseconds, on
 * a folder kept by the bench (`--keep DIR`: `DIR/one`, or `DIR/many` for Q9). Every part runs alone and warm, in turns
 * with the others; a figure is the median over the variants of the least of their rounds. Its calls enter the ledger of
 * the kept home.
 */
import fs from 'node:fs';
import path from 'node:path';
import { createKey } from '../../engine/account/api-keys.ts';
import { readPlan, requirePlan } from '../../engine/account/plan.ts';
import { tableText } from '../../engine/cli/output.ts';
import type { CountyColumns } from '../../engine/columns/county-columns.ts';
import { withAllMatches } from '../../engine/columns/evaluate.ts';
import { openEngine } from '../../engine/engine.ts';
import { startServer } from '../../engine/http/server.ts';
import type { Engine } from '../../engine/index.ts';
import { LocalLand } from '../../engine/land/local-land.ts';
import { filterNotices } from '../../engine/land/notices.ts';
import { operationsByName } from '../../engine/operations/index.ts';
import { parseFilterRequest } from '../../engine/query/filter-request.ts';
import { countiesFor, findParcels, type ParcelQuestion, parcelTests } from '../../engine/query/find-parcels.ts';
import { summariesOf } from '../../engine/query/parcel-query.ts';
import { findProblems } from '../../engine/spec/validate.ts';
import { askOf, pageOf } from './engines/platbook-columns.ts';
import type { GeneratedCounty } from './generated-county.ts';
import { keptConnection, plainServer } from './http-client.ts';
import { buildQuestions, type Question, questionKinds } from './questions.ts';
import { median } from './statistics.ts';

const [folder, only = 'Q3,Q4a,Q4b,Q5'] = process.argv.slice(2);
if (folder === undefined) throw new RangeError('expected a folder kept by `npm run bench -- --keep DIR`, as DIR/one');
const variants = 25;
const rounds = 20;

type Note = (part: string, milliseconds: number) => void;

/** Runs kernels and the exact test under a clock, in the place of the county's own. */
function watchKernels(county: CountyColumns, note: Note): () => void {
  const kernels = county.kernels as unknown as Record<string, (...values: number[]) => number>;
  const own = { ...kernels };
  for (const [name, kernel] of Object.entries(own)) {
    const part = `  kernels: ${areaKernels.has(name) ? name : 'the others'}`;
    kernels[name] = (...values) => timed(part, note, () => kernel(...values));
  }
  return () => void Object.assign(kernels, own);
}

const areaKernels = new Set(['boxes', 'classify', 'grid', 'decide']);

function timed<Result>(part: string, note: Note, work: () => Result): Result {
  const began = performance.now();
  const result = work();
  note(part, performance.now() - began);
  return result;
}

function traceSteps({ land }: Engine, asked: ParcelQuestion, note: Note): void {
  const tests = parcelTests(land);
  land.file.snapshot(() => {
    const counties = countiesFor(land, asked) ?? [];
    timed('steps', note, () => withAllMatches(counties, asked.steps, tests, () => 0));
    const inside = new Map<string, number>();
    const add: Note = (part, spent) => void inside.set(part, (inside.get(part) ?? 0) + spent);
    const undo = counties.map((county) => watchKernels(county, add));
    const meetArea: typeof tests.meetArea = (ids, area) =>
      timed('  shapes read and tested', add, () => tests.meetArea(ids, area));
    withAllMatches(counties, asked.steps, { meetArea }, () => 0);
    for (const one of undo) one();
    for (const [part, spent] of inside) note(part, spent);
  });
}

/** Every part that runs in the engine, by itself. */
async function trace(engine: Engine, question: Question, note: Note): Promise<void> {
  const { land } = engine;
  const { operation: name, body } = question;
  const operation = operationsByName.get(name);
  if (!operation) throw new Error(`no operation ${name}`);
  const input = { ...body, page: question.page, page_size: question.pageSize };
  timed('plan and limit', note, () => requirePlan(readPlan(engine.account)));
  timed('validate', note, () => findProblems(operation.input, input));
  const request =
    name === 'filter_properties'
      ? parseFilterRequest(body)
      : parseFilterRequest({ county: (body as { fips: string }).fips });
  const asked = timed('parse, and plan the steps', note, () => askOf(question)(land));
  const [page, ordering] = pageOf(question);
  timed('snapshot and counties', note, () => land.file.snapshot(() => countiesFor(land, asked)));
  traceSteps(engine, asked, note);
  const found = timed('count and page', note, () => findParcels(land, () => asked, page, ordering));
  const ids = found.results.map(({ property_id: id }) => id);
  timed('rows of the page', note, () => summariesOf(land, ids));
  await timed('notices', note, () => filterNotices(new LocalLand(land), request, found));
  timed('JSON: the body', note, () => JSON.parse(JSON.stringify(body)));
  timed('JSON: the answer', note, () => JSON.stringify(found));
  for (const [part, isFree] of [
    ['call, free', true],
    ['call', false],
  ] as const) {
    const began = performance.now();
    await engine.callUnchecked(name, input, { mode: 'script', ...(isFree ? { isFree } : {}) });
    note(part, performance.now() - began);
  }
}

/** Over a kept connection: the same call, and a bare server that answers with the same text. */
async function overHttp(engine: Engine, questions: readonly Question[], notes: readonly Note[]): Promise<void> {
  const server = await startServer(engine, { port: 0, rate: { burst: 1_000_000, perSecond: 1_000_000 } });
  const { key } = createKey(engine.account, 'bench', ['read'], engine.now());
  const { ask, close } = keptConnection(key);
  for (const [i, { operation, body, page, pageSize }] of questions.entries()) {
    const route = operationsByName.get(operation)?.http;
    const query = new URLSearchParams({ page: String(page), page_size: String(pageSize) });
    const fields = route?.method === 'GET' ? (body as Record<string, string>) : {};
    for (const [field, value] of Object.entries(fields)) query.set(field, value);
    const address = `${server.baseUrl}/api/public/v1/${route?.path}?${query}`;
    const sent = route?.method === 'GET' ? undefined : JSON.stringify(body);
    const plain = await plainServer(await ask(address, sent));
    for (let round = 0; round < rounds; round++) {
      const began = performance.now();
      await ask(plain.address, sent);
      const between = performance.now();
      await ask(address, sent);
      notes[i]?.('a bare server', between - began);
      notes[i]?.('over HTTP', performance.now() - between);
    }
    plain.close();
  }
  close();
  await server.close();
}

const homeOf = path.join(folder, 'home');
const { counties } = JSON.parse(fs.readFileSync(path.join(folder, 'kept.json'), 'utf8')) as {
  counties: readonly GeneratedCounty[];
};
const engine = openEngine({ home: homeOf, steadyNow: () => 0, keepsIndexes: false });
const wanted = questionKinds.filter(({ id }) => only.split(',').includes(id));
/** By part, then by question. */
const table = new Map<string, Record<string, unknown>>();
for (const kind of wanted) {
  const questions = buildQuestions(kind, counties, variants, 9);
  const least = questions.map(() => new Map<string, number>());
  const notes = least.map(
    (parts): Note =>
      (part, spent) =>
        void parts.set(part, Math.min(parts.get(part) ?? Number.POSITIVE_INFINITY, spent)),
  );
  for (let round = 0; round < rounds; round++) {
    for (const [i, question] of questions.entries()) await trace(engine, question, notes[i] as Note);
  }
  await overHttp(engine, questions, notes);
  for (const part of new Set(least.flatMap((parts) => [...parts.keys()]))) {
    const values = least.flatMap((parts) => parts.get(part) ?? []);
    table.set(part, { ...table.get(part), part, [kind.id]: Math.round(median(values) * 1000) });
  }
}
engine.close();
console.log(tableText(['part', ...wanted.map(({ id }) => id)], [...table.values()]));
