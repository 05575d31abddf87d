/** Deals: stages, next steps, offers and timelines against a plain model, undone and redone; a CSV out and in; what leaves. */
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shareLand } from '../../engine/backup/share-land.ts';
import type { Engine } from '../../engine/engine.ts';
import { type ReadInputOf, type ReadName, type ReadOutputOf, runRead } from '../../engine/reads/index.ts';
import { endOfWeek, stageLabel, stageNames } from '../../engine/spec/deals.ts';
import { EngineError } from '../../engine/spec/errors.ts';
import { type ChangeInputOf, type ChangeName, type ChangeOutputOf, runChange } from '../../engine/work/index.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';
import { runs } from '../support/runs.ts';

const change = async <Name extends ChangeName>(engine: Engine, name: Name, input: ChangeInputOf<Name>) => {
  const { data, undo } = await runChange(engine, name, input);
  return { data: data as ChangeOutputOf<Name>, undo };
};
const read = <Name extends ReadName>(engine: Engine, name: Name, input: ReadInputOf<Name>) =>
  runRead(engine, name, input) as ReadOutputOf<Name>;

async function refusal(work: Promise<unknown>): Promise<EngineError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

/** A Saturday: its week ends on the next day. */
const now = () => new Date('2026-11-28T15:00:00Z');
const opened = () => engineOn(sampleHome(), { now });

const dealRows = ({ account }: Engine) => account.file.all('SELECT * FROM deals ORDER BY property_id');
const logRows = ({ account }: Engine) =>
  account.file.all('SELECT property_id, at, what, detail FROM deal_log ORDER BY property_id, log_id');

interface Model {
  readonly deals: Map<number, Record<string, unknown>>;
  readonly log: Map<number, { what: string; detail: string | null }[]>;
}

type Step = Omit<ChangeInputOf<'update_deal'>, 'offer_percent' | 'offer_of'>;

const day = '2026-11-28';
const blank = {
  ...{ stage: 'watching', since: day, next_on: null, next_what: null, offer: null },
  ...{ offer_formula: null, offered_on: null, agreed: null, note: null },
};

type Deal = Record<string, unknown>;

function dealAfter(before: Deal, { stage, offer, ids: _ids, log: _log, today: _today, ...rest }: Step): Deal {
  const moved = stage && stage !== before.stage ? { stage, since: day } : {};
  const isNew = offer !== undefined && offer !== before.offer;
  const offered = isNew ? { offer, offer_formula: null, offered_on: offer === null ? null : day } : {};
  return { ...before, ...rest, ...moved, ...offered };
}

const dollars = (value: unknown): string => (value === null ? 'none' : `$${Number(value).toLocaleString('en-US')}`);

const linesOf = (before: Deal, is: Deal, log: Step['log']) => [
  ...(is.stage === before.stage ? [] : [{ what: 'stage', detail: stageLabel(String(is.stage)) }]),
  ...['offer', 'agreed'].flatMap((what) => (before[what] === is[what] ? [] : [{ what, detail: dollars(is[what]) }])),
  ...(log ? [{ what: log.what, detail: log.detail ?? null }] : []),
];

/** What `update_deal` says it does, written from its docs alone. */
function follow({ deals, log }: Model, step: Step): Model {
  const next: Model = { deals: new Map(deals), log: new Map(log) };
  for (const id of step.ids) {
    next.deals.delete(id);
    next.log.delete(id);
    if (step.stage === null) continue;
    const before = deals.get(id) ?? { property_id: id, ...blank };
    const deal = dealAfter(before, step);
    next.deals.set(id, deal);
    const lines = linesOf(deals.has(id) ? before : { ...before, stage: null }, deal, step.log);
    next.log.set(id, [...(log.get(id) ?? []), ...lines]);
  }
  return next;
}

const rowsOfModel = ({ deals, log }: Model) => ({
  deals: [...deals].sort(([a], [b]) => a - b).map(([, deal]) => deal),
  log: [...log]
    .sort(([a], [b]) => a - b)
    .flatMap(([id, lines]) => lines.map((line) => ({ property_id: id, at: now().toISOString(), ...line }))),
});

const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null, freq: 4 });
const step: fc.Arbitrary<Step> = fc
  .record(
    {
      ids: fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 4 }),
      stage: fc.option(fc.constantFrom(...stageNames), { nil: null, freq: 6 }),
      next_on: orNull(fc.constantFrom('2026-11-27', '2026-11-28', '2026-11-29', '2026-12-07')),
      next_what: orNull(fc.constantFrom('Call back', 'Send deed, "signed"')),
      offer: orNull(fc.constantFrom(0, 17_000, 50_000)),
      agreed: orNull(fc.constantFrom(21_500, 60_000)),
      note: orNull(fc.constantFrom('=2+3', 'Two\nlines')),
      log: fc.record({
        what: fc.constantFrom('call', 'reply'),
        detail: fc.constantFrom('Wants 62,000', 'two\nlines \\n'),
      }),
    },
    { requiredKeys: ['ids'] },
  )
  .map((one) => one as Step);
const action = fc.oneof(
  { weight: 4, arbitrary: step },
  { weight: 1, arbitrary: fc.constant('undo' as const) },
  { weight: 1, arbitrary: fc.constant('redo' as const) },
);

test('random histories with undo and redo leave the tables that a plain model has', async () => {
  const engine = opened();
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 30 }), async (actions) => {
      engine.account.file.exec('DELETE FROM deals; DELETE FROM deal_log; DELETE FROM journal;');
      const states: Model[] = [{ deals: new Map(), log: new Map() }];
      let at = 0;
      for (const one of actions) {
        if (one === 'undo') {
          await change(engine, 'undo', {});
          at = Math.max(0, at - 1);
        } else if (one === 'redo') {
          await change(engine, 'redo', {});
          at = Math.min(states.length - 1, at + 1);
        } else {
          const { undo } = await change(engine, 'update_deal', one);
          const after = follow(states[at] as Model, one);
          const isSame = JSON.stringify(rowsOfModel(after)) === JSON.stringify(rowsOfModel(states[at] as Model));
          expect(undo === null).toBe(isSame);
          if (!isSame) states.splice(++at, states.length, after);
        }
        expect({ deals: dealRows(engine), log: logRows(engine) }).toEqual(rowsOfModel(states[at] as Model));
      }
    }),
    { numRuns: runs(20, 200) },
  );
}, 240_000);

test('a call through the API is one undo in the app, whatever the number of parcels', async () => {
  const engine = opened();
  const ids = Array.from({ length: 500 }, (_, i) => i + 1);
  const { data } = await engine.call('update_deal', { ids, stage: 'mailed', next_on: '2026-12-01' });
  expect(data).toEqual({ changed: 500, without_value: 0, entry: 1, sentence: 'Moved 500 parcels to Mailed' });
  await change(engine, 'undo', {});
  expect([dealRows(engine), logRows(engine)]).toEqual([[], []]);
});

test('the desk counts overdue, today, this week and no next step, open deals alone; the page is in the order of days', async () => {
  const engine = opened();
  const put = (ids: number[], more: object) => engine.call('update_deal', { ids, ...more });
  await put([1], { stage: 'replied', next_on: '2026-11-27' });
  await put([2], { stage: 'dropped', next_on: '2026-11-20' });
  await put([3, 4], { next_on: '2026-11-28' });
  await put([5], { next_on: '2026-11-29' });
  await put([6], { stage: 'offer_made', next_on: '2026-11-30', offer: 40_000 });
  await put([7], { stage: 'to_mail' });
  const list = async (input: object) =>
    (await engine.callUnchecked('list_deals', input, { mode: 'script' })).data as never;
  const all: { groups: unknown; desk: Record<string, unknown>; results: Record<string, unknown>[] } = await list({});
  expect(endOfWeek('2026-11-28')).toBe('2026-11-29');
  // 3 and 4 today, 5 on Sunday; Monday is another week.
  expect(all.desk).toMatchObject({ open: 6, overdue: 1, today: 2, week: 3, no_next_step: 1 });
  expect(all.groups).toEqual({ overdue: 1, today: 2, week: 1, later: 1, none: 1 });
  expect(all.results.map(({ property_id: id, due }) => [id, due])).toEqual([
    [1, 'overdue'],
    ...[3, 4].map((id) => [id, 'today']),
    [5, 'week'],
    [6, 'later'],
    [7, 'none'],
  ]);
  const idsOf = async (input: object) =>
    ((await list(input)) as { results: { property_id: number }[] }).results.map(({ property_id: id }) => id);
  expect(await idsOf({ due: ['overdue', 'none'] })).toEqual([1, 7]);
  expect(await idsOf({ stage: ['dropped'] })).toEqual([2]);
  expect(await idsOf({ ids: [2, 6] })).toEqual([2, 6]);
  expect(await idsOf({ offer_min: 40_000 })).toEqual([6]);
  expect(await idsOf({ next_after: '2026-11-29', next_before: '2026-11-30' })).toEqual([5]);
  expect(await idsOf({ page: 2, page_size: 4 })).toEqual([6, 7]);
  const owner = String(all.results[0]?.owner_name).toLowerCase();
  expect(await idsOf({ words: owner })).toContain(1);
  // Filters of the app's searches name the same deals.
  const matching = (filter: ReadInputOf<'result_page'>['filter']) =>
    read(engine, 'result_page', { filter: { county: '99001', ...filter }, columns: ['apn'] }).rows.map(
      (row) => row.property_id,
    );
  expect(matching({ stage: ['offer_made', 'dropped'] })).toEqual([2, 6]);
  expect(matching({ next_before: '2026-11-28' })).toEqual([1, 2]);
  expect(matching({ next_after: '2026-11-30' })).toEqual([6]);
  expect(matching({ offer_min: 40_000, offer_max: 40_000 })).toEqual([6]);
  expect(matching({ touched_since: '2026-11-29' })).toEqual([]);
  expect(matching({ touched_since: '2026-11-28' })).toHaveLength(7);
});

test('an offer keeps its day and formula when the value moves, and is a share of the value paid for', async () => {
  const engine = opened();
  const paid = (low: number, middle: number, high: number) =>
    engine.account.file.run(
      `INSERT INTO stored_values VALUES (1, '2026-10-09T00:00:00.000Z', ?)
       ON CONFLICT (property_id) DO UPDATE SET explained = excluded.explained`,
      JSON.stringify({ numbers: { mean_adjusted_price: middle }, range: { low, high } }),
    );
  paid(110_000, 150_000, 190_000);
  const { data } = await engine.call('update_deal', { ids: [1, 2], offer_percent: 45 });
  // 45 % of 110,000 is 49,500, to the nearest thousand 50,000.
  expect(data).toMatchObject({ changed: 2, without_value: 1 });
  const words = '45 % of the low value $110,000, to the nearest $1,000';
  const deal = { offer: 50_000, offer_formula: words, offered_on: '2026-11-28' };
  expect(dealRows(engine)[0]).toMatchObject(deal);
  expect(dealRows(engine)[1]).toMatchObject({ offer: null, offer_formula: null });
  paid(10_000, 15_000, 20_000);
  await engine.call('update_deal', { ids: [1], offer: 50_000, note: 'again' });
  expect(dealRows(engine)[0]).toMatchObject(deal);
  await engine.call('update_deal', { ids: [1], offer: 6_000, offered_on: '2026-11-20' });
  expect(dealRows(engine)[0]).toMatchObject({
    ...{ offer: 6_000, offered_on: '2026-11-20' },
    offer_formula: '40 % of the value $15,000 of 9 Oct 2026',
  });
});

test('bad input is refused with what was found, and nothing changes', async () => {
  const engine = opened();
  const details = async (input: object) =>
    (await refusal(engine.callUnchecked('update_deal', { ids: [1], ...input }, { mode: 'script' }))).details;
  expect(await details({ next_on: '1926-03-01' })).toEqual({
    next_on: ['expected a day from 2000-01-01 to 2099-12-31, found "1926-03-01"'],
  });
  expect(await details({ next_on: '2026-02-30' })).toMatchObject({
    next_on: [expect.stringContaining('"2026-02-30"')],
  });
  expect(await details({ stage: 'prospect' })).toMatchObject({ stage: [expect.stringContaining('"prospect"')] });
  expect(await details({ offer: -1 })).toMatchObject({ offer: [expect.stringContaining('-1')] });
  expect(await details({ ids: [99_999_999] })).toEqual({ ids: ['there is no parcel 99999999'] });
  expect(await details({ offer: 1, offer_percent: 2 })).toBeTruthy();
  expect([dealRows(engine), logRows(engine)]).toEqual([[], []]);
});

async function busy(): Promise<Engine> {
  const engine = opened();
  await engine.call('update_deal', {
    ids: [11, 12],
    stage: 'mailed',
    next_on: '2026-12-01',
    next_what: '=Second letter',
  });
  await engine.call('update_deal', { ids: [12], log: { what: 'call', detail: 'Wants 62,000\n"or more" \\n' } });
  await engine.call('update_deal', { ids: [13], stage: 'offer_made', offer: 50_000, offer_formula: 'half, by heart' });
  await engine.call('update_deal', { ids: [14], stage: 'closed', agreed: 61_000, note: 'Two\nlines, "quoted"' });
  return engine;
}

const csvOf = async (engine: Engine): Promise<Buffer> => {
  const made = await read(engine, 'make_deals_csv', {});
  const folder = path.join(engine.home, 'exports');
  const found = fs
    .readdirSync(engine.home, { recursive: true, encoding: 'utf8' })
    .find((name) => name.includes(made.id) && name.endsWith('.csv'));
  if (!found) throw new Error(`no file of ${made.id} below ${folder}`);
  return fs.readFileSync(path.join(engine.home, found));
};

test('the desk leaves whole: its CSV read into a home without deals gives equal tables', async () => {
  const engine = await busy();
  const bytes = await csvOf(engine);
  const other = opened();
  const { data } = await change(other, 'import_deals', { bytes: bytes.toString('base64'), name: 'desk.csv' });
  expect(data).toEqual({ rows: 4, matched: 4, several: 0, none: 0, blank: 0, changed: 4 });
  expect(dealRows(other)).toEqual(dealRows(engine));
  expect(logRows(other)).toEqual(logRows(engine));
  await change(other, 'undo', {});
  expect(dealRows(other)).toEqual([]);
});

test('a spreadsheet comes in by APN: matched and none counted, its own words for stages named, else refused', async () => {
  const engine = opened();
  const apns = engine.land.file.column<string>("SELECT apn FROM parcels WHERE apn <> '' ORDER BY property_id LIMIT 2");
  const sheet = (lines: string[]) => ({ bytes: Buffer.from(lines.join('\n')).toString('base64'), name: 'mine.csv' });
  const lines = [
    'Parcel Number,Status,Follow-up,Notes',
    `${apns[0]},Letter sent,12/1/2026,"a, b"`,
    'no-such-1,mailed,,',
    ',,,x',
  ];
  expect((await refusal(change(engine, 'import_deals', sheet(lines)))).details).toEqual({
    stage: [expect.stringMatching(/^expected one of Watching, .*found "Letter sent"$/)],
  });
  const { data } = await change(engine, 'import_deals', { ...sheet(lines), stages: { 'Letter sent': 'Mailed' } });
  expect(data).toEqual({ rows: 2, matched: 1, several: 0, none: 1, blank: 1, changed: 1 });
  expect(dealRows(engine)).toMatchObject([{ stage: 'mailed', next_on: '2026-12-01', note: 'a, b', offer: null }]);
  const old = sheet(['apn,date', `${apns[0]},1926-01-01`]);
  expect((await refusal(change(engine, 'import_deals', old))).details).toMatchObject({
    next_on: [expect.stringContaining('1926-01-01')],
  });
  await change(engine, 'import_deals', sheet(['apn,note,offer', `${apns[0]},,5000`]));
  expect(dealRows(engine)).toMatchObject([{ note: 'a, b', offer: 5000, next_on: '2026-12-01' }]);
  const told = sheet([
    'apn,timeline',
    `${apns[0]},2026-11-23T09:12:00.000Z shrug: x`,
    `${apns[0]},2026-99-23T09:12Z call`,
  ]);
  expect((await refusal(change(engine, 'import_deals', told))).details).toEqual({
    timeline: [expect.stringContaining('shrug'), expect.stringContaining('2026-99-23')],
  });
  const foreign = sheet(['apn', ...Array.from({ length: 200 }, (_, i) => `ZZZ-${i}`)]);
  const { code, message } = await refusal(change(engine, 'import_deals', foreign));
  expect(code).toBe('import_refused');
  for (const apn of ['"ZZZ-0"', '"ZZZ-4"', `"${apns[0]}"`]) expect(message).toContain(apn);
  expect((await refusal(change(engine, 'import_deals', sheet(['name', 'x'])))).details).toMatchObject({
    apn: [expect.stringContaining('found name')],
  });
  expect(dealRows(engine)).toHaveLength(1);
});

test('nothing of a deal is in a copy to share, a feed or the public answers about parcels', async () => {
  const engine = opened();
  const secret = 'KRYPTONITE';
  await engine.call('update_deal', {
    ...{ ids: [1, 2, 3], stage: 'under_contract', note: secret, next_what: secret, offer_formula: secret, offer: 1 },
    log: { what: 'call', detail: secret },
  });
  const target = path.join(emptyHome(), 'shared.sqlite');
  await shareLand(engine.home, target);
  expect(fs.readFileSync(target).includes(secret)).toBe(false);
  for (const name of ['land.sqlite', 'people.sqlite'])
    expect(fs.readFileSync(path.join(engine.home, name)).includes(secret), name).toBe(false);
  const found = await engine.call('filter_properties', { county: '99001', page_size: 500 });
  const detail = await engine.call('get_property', { id: 1 });
  expect(JSON.stringify([found, detail])).not.toContain(secret);
  expect(JSON.stringify([found, detail])).not.toMatch(/under_contract|next_what/);
});

test('an export has the deal’s columns beside the parcel’s own, and only where there is a deal', async () => {
  const engine = await busy();
  const text = await read(engine, 'make_tsv', { what: { ids: [13, 20] } });
  expect(JSON.stringify(text)).toMatch(/Offer made/);
  const none = await read(engine, 'make_tsv', { what: { ids: [20] } });
  expect(JSON.stringify(none)).not.toMatch(/next_what|Next step/);
});
