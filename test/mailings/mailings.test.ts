/** A mailing of a list from draft to figures: what it writes, what it refuses, every step undone; on the command line. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { type ReadOutputOf, runRead } from '../../engine/reads/index.ts';
import { EngineError } from '../../engine/spec/errors.ts';
import { type ChangeInputOf, type ChangeName, type ChangeOutputOf, runChange } from '../../engine/work/index.ts';
import { keepValue } from '../../engine/work/stored-values.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';
import { platbook } from '../support/platbook.ts';

const now = () => new Date('2026-11-28T15:00:00Z');

const change = async <Name extends ChangeName>(engine: Engine, name: Name, input: ChangeInputOf<Name>) =>
  (await runChange(engine, name, input)) as { data: ChangeOutputOf<Name>; mark?: { entry: number } | null };
const show = (engine: Engine, id: number) => runRead(engine, 'mailing', { mailing_id: id }) as ReadOutputOf<'mailing'>;

const leftOut = ({ left_out: groups }: ReadOutputOf<'mailing'>) =>
  groups.map(({ reason, parcels }) => [reason, parcels.map(({ property_id: id }) => id)] as const);
const looked = ({ look_at: some }: ReadOutputOf<'mailing'>) => some.map(({ property_id: id }) => id);

async function refusal(work: Promise<unknown>): Promise<EngineError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

const tables = ['mailings', 'mailing_choices', 'letters', 'replies', 'mailing_costs', 'deals', 'do_not_mail'];
const state = ({ account }: Engine) => tables.map((table) => account.file.all(`SELECT * FROM ${table} ORDER BY 1, 2`));

const rule = {
  tiers: [{ acres_from: 0, acres_to: null, of: 'low' as const, amount: 45 }],
  round_to: 500,
  not_under: 1000,
  not_over: null,
};

/** A list of twelve parcels of a county, valued but for the last two. */
async function listed() {
  const engine = engineOn(sampleHome(), { now });
  const ids = engine.land.file.column<number>(
    `SELECT min(property_id) FROM parcels WHERE status = 'current' AND owner_type = 'individual' AND acres > 5
     AND mailing_address IS NOT NULL AND mailing_city IS NOT NULL AND mailing_zip IS NOT NULL AND last_sale_date < '2026'
     GROUP BY mailing_key ORDER BY 1 LIMIT 12`,
  );
  const { data } = await change(engine, 'make_list', { name: 'Harrow Hill', of: { ids } });
  for (const id of ids.slice(0, 10)) {
    const priced = await engine.call('get_property_ai_comp_value', { id }).catch(() => null);
    const middle = priced?.data.mean_adjusted_price ?? 50_000;
    const explained = {
      numbers: { mean_adjusted_price: middle, confidence_score: 70 },
      range: { low: 0.7 * middle, high: 1.4 * middle },
      ...{ is_low_confidence: false, acres: 20, used: [{ distance_km: 2 }], warnings: [] },
    };
    keepValue(engine.account, { property_id: id, valued_at: now().toISOString(), explained: explained as never });
  }
  return { engine, ids, listId: data.list_id };
}

test('a draft follows its list; written, sent and answered it moves deals, and each step is one undo', async () => {
  const { engine, ids, listId } = await listed();
  const began = state(engine);
  const steps: unknown[] = [];
  const step = async <Name extends ChangeName>(name: Name, input: ChangeInputOf<Name>) => {
    steps.push(state(engine));
    return (await change(engine, name, input)).data;
  };
  const { mailing_id: id } = await step('make_mailing', { name: 'Letters', list_id: listId, rule });
  const draft = show(engine, id);
  expect(draft).toMatchObject({ written_on: null, parcels: 12, list_name: 'Harrow Hill', quiet_days: 180 });
  expect(draft.letters.map(({ property_id }) => property_id)).toEqual(ids.slice(0, 10));
  expect(leftOut(draft)).toEqual([['no_value', ids.slice(10)]]);
  expect(draft.left_out[0]).toMatchObject({ words: 'No value yet', parcels: [{ apn: expect.any(String) }, {}] });
  await step('choose_letters', { mailing_id: id, ids: ids.slice(0, 1), choice: 'leave_out' });
  await step('choose_letters', { mailing_id: id, ids: ids.slice(1, 3), choice: 'keep' });
  expect(await step('write_letters', { mailing_id: id })).toMatchObject({ letters: 9, left_out: 3 });
  const written = show(engine, id);
  const [first, second, third] = written.letters;
  expect(first?.code).toMatch(/^M1-1[0-9A-Y]$/);
  expect(leftOut(written)).toEqual([
    ['by_you', ids.slice(0, 1)],
    ['no_value', ids.slice(10)],
  ]);
  const deal = () =>
    engine.account.file.get<Record<string, unknown>>('SELECT * FROM deals WHERE property_id = ?', ids[1]);
  expect(deal()).toMatchObject({ stage: 'to_mail', offer: first?.offer, offer_formula: first?.offer_formula });
  await step('mark_sent', { mailing_id: id, on: '2026-11-20' });
  expect(deal()).toMatchObject({ stage: 'mailed', offer: first?.offer });
  await step('add_mailing_cost', { mailing_id: id, what: 'Printing and postage', amount: 9 });
  const code = (letter: typeof first): string => letter?.code ?? '';
  await step('mark_returned', { code: code(second) });
  expect(await step('log_reply', { code: code(first), outcome: 'lead', price: 30_000, note: 'Call Friday' })).toEqual({
    ...{ property_id: ids[1], mailing_id: id, proposed_stage: 'replied', do_not_mail: false },
  });
  // The person moves it.
  expect(deal()).toMatchObject({ stage: 'mailed' });
  await step('log_reply', { code: code(first), outcome: 'accepted', stage: 'under_contract' });
  expect(deal()).toMatchObject({ stage: 'under_contract' });
  expect(await step('log_reply', { code: code(third).toLowerCase(), outcome: 'take_off' })).toMatchObject({
    do_not_mail: true,
  });
  const { figures } = show(engine, id);
  expect(figures).toMatchObject({ letters: 9, sent: 9, cost: 9 });
  expect([figures.returned.count, figures.replies.count, figures.leads.count, figures.accepted.count]).toEqual([
    ...[1, 2, 1, 1],
  ]);
  expect(figures.leads.share).toBeCloseTo(1 / 8, 10);
  expect(figures.cost_per_lead?.amount).toBe(9);
  expect(figures.cost_per_lead?.low).toBeLessThan(9);
  // A second mailing of the list: sent eight days ago, or blocked.
  const { mailing_id: next } = await step('make_mailing', { name: 'Again', list_id: listId, rule });
  const again = Object.fromEntries(leftOut(show(engine, next)).map(([reason, left]) => [reason, left.length]));
  expect(again).toEqual({ do_not_mail: 1, mailed: 8, no_value: 2 });
  expect(show(engine, next).letters.map(({ property_id }) => property_id)).toEqual(ids.slice(0, 1));
  while (steps.length > 0) {
    const before = steps.pop();
    await runChange(engine, 'undo', {});
    expect(state(engine)).toEqual(before);
  }
  expect(state(engine)).toEqual(began);
});

test('the letters to look at stay in their places with what was said of them', async () => {
  const { engine, listId } = await listed();
  // Half of the county's own value or less, and more than all of it: letters with doubts.
  const high = { ...rule, tiers: [{ ...rule.tiers[0], of: 'high' as const, amount: 150 }] };
  const { mailing_id: id } = (await change(engine, 'make_mailing', { name: 'x', list_id: listId, rule: high as never }))
    .data;
  const before = show(engine, id);
  const [first, second, third] = looked(before);
  expect(third).toBeDefined();
  await change(engine, 'choose_letters', { mailing_id: id, ids: [first ?? 0], choice: 'leave_out' });
  await change(engine, 'choose_letters', { mailing_id: id, ids: [second ?? 0], choice: 'keep' });
  const after = show(engine, id);
  expect(looked(after)).toEqual(looked(before));
  expect(after.look_at.slice(0, 3).map(({ choice }) => choice)).toEqual(['leave_out', 'keep', null]);
  expect(after.letters).toHaveLength(before.letters.length - 1);
});

test('refuses what cannot be, and says what it found', async () => {
  const { engine, ids, listId } = await listed();
  const { mailing_id: id } = (await change(engine, 'make_mailing', { name: 'Letters', list_id: listId, rule })).data;
  const told = async (work: Promise<unknown>) => {
    const { message, details } = await refusal(work);
    return `${message} ${JSON.stringify(details ?? '')}`;
  };
  const overlapping = { ...rule, tiers: [...rule.tiers, ...rule.tiers] };
  expect(await told(change(engine, 'change_mailing', { mailing_id: id, rule: overlapping }))).toMatch(
    /expected tiers apart/,
  );
  expect(await told(change(engine, 'make_mailing', { name: 'x', list_id: 99 }))).toMatch(/there is no list 99/);
  expect(await told(change(engine, 'add_mailing_cost', { mailing_id: id, what: 'x', amount: -1 }))).toMatch(
    /dollars of 0 or more, found -1/,
  );
  expect(await told(change(engine, 'mark_sent', { mailing_id: id }))).toMatch(/not written yet/);
  expect(
    await told(change(engine, 'choose_letters', { mailing_id: id, ids: [1, 2, 3, 4, 5, 6], choice: 'keep' })),
  ).toMatch(/not in the list/);
  await change(engine, 'write_letters', { mailing_id: id });
  const code = show(engine, id).letters[0]?.code ?? '';
  expect(await told(change(engine, 'log_reply', { code, outcome: 'lead' }))).toMatch(/not sent yet/);
  for (const on of ['1926-11-20', '2027-11-20', '2026-02-31'])
    expect(await told(change(engine, 'mark_sent', { mailing_id: id, on }))).toContain(on);
  await change(engine, 'mark_sent', { mailing_id: id });
  const wrong = `${code.slice(0, -1)}${code.endsWith('7') ? '8' : '7'}`;
  expect(await told(change(engine, 'log_reply', { code: wrong, outcome: 'lead' }))).toMatch(/a sign of it is wrong/);
  expect(await told(change(engine, 'log_reply', { code: 'M1-999V', outcome: 'lead' }))).toMatch(
    /No letter has|is wrong/,
  );
  expect(await told(change(engine, 'change_mailing', { mailing_id: id, rule: null }))).toMatch(
    /were written on 2026-11-28/,
  );
  expect(await told(change(engine, 'write_letters', { mailing_id: id }))).toMatch(/stay as they are/);
  expect(ids.length).toBe(12);
});

test('withholds the offer of a doubtful value until the letter is kept', async () => {
  const { engine, ids, listId } = await listed();
  engine.account.file.run(
    `UPDATE stored_values SET explained = json_set(explained, '$.is_low_confidence', json('true')) WHERE property_id = ?`,
    ids[4],
  );
  const { mailing_id: id } = (await change(engine, 'make_mailing', { name: 'Letters', list_id: listId, rule })).data;
  const fifth = () => show(engine, id).letters.find(({ property_id }) => property_id === ids[4]);
  expect(fifth()).toMatchObject({ offer: null, withheld: 'low_confidence' });
  expect(fifth()?.doubts.map(({ kind }) => kind)).toContain('low_confidence');
  expect(looked(show(engine, id))).toContain(ids[4]);
  await change(engine, 'choose_letters', { mailing_id: id, ids: ids.slice(4, 5), choice: 'keep' });
  expect(fifth()).toMatchObject({ withheld: null, choice: 'keep' });
  expect(fifth()?.offer).toBeGreaterThan(0);
});

test('the command line takes a list to letters, replies and a table', async () => {
  const { engine } = await listed();
  const { home } = engine;
  const run = async (...args: string[]) => {
    const { code, out, err } = await platbook(home, 'mailings', ...args);
    expect(code, err).toBe(0);
    return out;
  };
  expect(await run('make', 'Harrow Hill', '--rule', '45 % of low')).toMatch(
    /^Mailing 1\nHarrow Hill, draft: 10 letters of 12 parcels, 10 with offers/,
  );
  expect(await run('write', '1')).toMatch(/^10 letters written, 0 without an offer; 2 parcels get none/);
  await run('sent', '1');
  const code = show(engine, 1).letters[2]?.code ?? '';
  expect(await run('reply', code, 'lead', '--price', '$30,000')).toMatch(/Proposed stage of the deal: replied/);
  expect(await run('show', '1')).toMatch(/Leads: 1 of 10: 10\.0 % \(1\.8 to 40\.4\)/);
  const file = path.join(emptyHome(), 'letters.csv');
  expect(await run('export', '1', file)).toMatch(/letters\.csv: 10 letters/);
  const lines = fs.readFileSync(file, 'utf8').trim().split('\r\n');
  expect(lines).toHaveLength(11);
  expect(lines[3]).toContain(code);
});
