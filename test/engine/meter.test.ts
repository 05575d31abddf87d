import { describe, expect, test } from 'vitest';
import { billingPeriod } from '../../engine/account/billing-period.ts';
import { changePlan } from '../../engine/account/plan.ts';
import { checkHome } from '../../engine/check.ts';
import { EngineError } from '../../engine/index.ts';
import { overageCents } from '../../engine/operations/get-usage.ts';
import { engineOn, sampleHome } from '../support/homes.ts';

const county = { county: '99001', page_size: 1 };

/** A clock that the test sets. */
function clock(start: string) {
  let time = new Date(start);
  return {
    now: () => time,
    set: (iso: string) => {
      time = new Date(iso);
    },
  };
}

const codeOf = (error: unknown) => (error instanceof EngineError ? error.code : String(error));

describe('the billing period', () => {
  test.each([
    // now, anchor day, start, end
    ['2026-11-20T10:00:00Z', 1, '2026-11-01', '2026-12-01'],
    ['2026-11-20T10:00:00Z', 20, '2026-11-20', '2026-12-20'],
    ['2026-11-19T23:59:59Z', 20, '2026-10-20', '2026-11-20'],
    ['2026-12-31T23:59:59Z', 1, '2026-12-01', '2027-01-01'],
    // February has no 31st: its last day is used.
    ['2027-02-27T00:00:00Z', 31, '2027-01-31', '2027-02-28'],
    ['2027-02-28T00:00:00Z', 31, '2027-02-28', '2027-03-31'],
    ['2028-02-29T00:00:00Z', 30, '2028-02-29', '2028-03-30'],
  ])('that holds %s with anchor day %i is %s to %s', (now, anchor, start, end) => {
    const period = billingPeriod(new Date(now), anchor);
    expect([period.start, period.end]).toEqual([`${start}T00:00:00.000Z`, `${end}T00:00:00.000Z`]);
  });
});

describe('a call', () => {
  test('is charged by its price once, and nothing when it finds nothing', async () => {
    const engine = engineOn(sampleHome());
    expect((await engine.call('filter_properties', county)).tokens).toBe(30);
    expect((await engine.call('filter_properties', { county: '33019' })).tokens).toBe(0);
    expect((await engine.call('search_properties', { fips: '99001', apn: '12-201' })).tokens).toBe(10);
    expect((await engine.call('search_properties', { fips: '99001', apn: 'NO-SUCH' })).tokens).toBe(0);
    expect((await engine.call('get_property', { id: 1 })).tokens).toBe(10);
    await expect(engine.call('get_property', { id: 99_999_999 })).rejects.toMatchObject({ code: 'not_found' });
    const { data } = await engine.call('get_usage', {});
    expect(data).toMatchObject({ tier: 'starter', tokens_used: 50, tokens_included: 30_000, tokens_overage: 0 });
  });

  test('over all pages of a list is one charge', async () => {
    const engine = engineOn(sampleHome());
    const ids = new Set<number>();
    for await (const parcel of engine.each('filter_properties', { county: '99001', acres_min: 1, page_size: 200 }))
      ids.add(parcel.property_id);
    expect(ids.size).toBeGreaterThan(400);
    expect((await engine.call('get_usage', {})).data.tokens_used).toBe(30);
  });

  test('that would pass the cap is refused, not charged, and free ones still pass', async () => {
    const engine = engineOn(sampleHome());
    changePlan(engine.account, { cap_tokens: 59 });
    await engine.call('filter_properties', county);
    await expect(engine.call('filter_properties', county)).rejects.toMatchObject({ code: 'usage_limit_exceeded' });
    expect((await engine.call('filter_properties', { county: '33019' })).tokens).toBe(0);
    expect((await engine.call('get_property', { id: 1 })).tokens).toBe(10);
    expect((await engine.call('get_usage', {})).data.tokens_used).toBe(40);
  });

  test('of many at once: exactly as many pass as the cap holds', async () => {
    const engine = engineOn(sampleHome());
    changePlan(engine.account, { cap_tokens: 100 });
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => engine.call('get_property', { id: 1 }).then(() => 'charged', codeOf)),
    );
    expect(outcomes.filter((outcome) => outcome === 'charged')).toHaveLength(10);
    expect(outcomes.filter((outcome) => outcome === 'usage_limit_exceeded')).toHaveLength(10);
    expect((await engine.call('get_usage', {})).data.tokens_used).toBe(100);
  });

  test('needs the plan that the contract names, in its order', async () => {
    const engine = engineOn(sampleHome());
    const refusal = () => engine.call('get_property', { id: 1 }).then(() => 'answered', codeOf);
    changePlan(engine.account, { pro: false, tier: null, invoice_paid: false });
    expect(await refusal()).toBe('subscription_required');
    changePlan(engine.account, { pro: true });
    expect(await refusal()).toBe('tier_upgrade_required');
    changePlan(engine.account, { tier: 'free' });
    expect(await refusal()).toBe('tier_upgrade_required');
    changePlan(engine.account, { tier: 'growth' });
    expect(await refusal()).toBe('payment_required');
    changePlan(engine.account, { invoice_paid: true });
    expect(await refusal()).toBe('answered');
  });
});

describe('an Idempotency-Key', () => {
  const caller = { mode: 'script' as const, idempotencyKey: 'march-list' };

  test('charges once under 20 parallel calls and answers all of them', async () => {
    const engine = engineOn(sampleHome());
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => engine.call('filter_properties', county, caller)),
    );
    expect(new Set(answers.map(({ data }) => data.count)).size).toBe(1);
    expect(answers.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(30);
  });

  test('is refused for another input or operation', async () => {
    const engine = engineOn(sampleHome());
    await engine.call('filter_properties', county, caller);
    await expect(engine.call('filter_properties', { ...county, page: 2 }, caller)).rejects.toMatchObject({
      code: 'validation_error',
    });
    await expect(engine.call('get_property', { id: 1 }, caller)).rejects.toMatchObject({ code: 'validation_error' });
  });

  test('is forgotten after 24 hours', async () => {
    const time = clock('2026-11-20T10:00:00Z');
    const engine = engineOn(sampleHome(), { now: time.now });
    await engine.call('filter_properties', county, caller);
    time.set('2026-11-21T09:59:00Z');
    expect((await engine.call('filter_properties', county, caller)).tokens).toBe(0);
    time.set('2026-11-21T10:01:00Z');
    expect((await engine.call('filter_properties', county, caller)).tokens).toBe(30);
  });
});

describe('usage', () => {
  test('restarts with each period and counts overage in cents, rounded up', async () => {
    const time = clock('2026-10-31T23:00:00Z');
    const engine = engineOn(sampleHome(), { now: time.now });
    changePlan(engine.account, { tokens_included: 25, overage_cents_per_1000: 150 });
    await engine.call('filter_properties', county);
    // 5 tokens above 25 at 150 cents a thousand: 0.75 cents, so 1.
    expect((await engine.call('get_usage', {})).data).toEqual({
      tier: 'starter',
      tokens_used: 30,
      tokens_included: 25,
      tokens_overage: 5,
      overage_amount_cents: 1,
      period_start: '2026-10-01T00:00:00.000Z',
      period_end: '2026-11-01T00:00:00.000Z',
    });
    time.set('2026-11-01T00:00:00Z');
    expect((await engine.call('get_usage', {})).data.tokens_used).toBe(0);
    await engine.call('get_property', { id: 1 });
    expect((await engine.call('get_usage', {})).data.tokens_used).toBe(10);
  });

  test.each([
    [100_000, 1.1, 110],
    [50_000, 1.1, 55],
    [100_001, 1.1, 111],
    [1, 0.000001, 1],
    [0, 150, 0],
    [2_000_000_000, 999.999999, 1_999_999_998],
  ])('of %i tokens above at %d cents a thousand is exactly %i cents', (tokens, price, cents) => {
    expect(overageCents(tokens, price)).toBe(cents);
  });

  test('is nothing at all without a contract', async () => {
    const engine = engineOn(sampleHome());
    await engine.call('get_property', { id: 1 });
    changePlan(engine.account, { tier: null });
    expect((await engine.call('get_usage', {})).data).toEqual({
      tier: null,
      tokens_used: 0,
      tokens_included: 0,
      tokens_overage: 0,
      overage_amount_cents: 0,
      period_start: null,
      period_end: null,
    });
    expect((await engine.call('get_usage_breakdown', {})).data).toEqual({
      period_start: null,
      period_end: null,
      records: [],
    });
  });

  test('keeps counting when the anchor day is moved within a period, and the ledger still adds up', async () => {
    const time = clock('2026-11-20T10:00:00Z');
    const engine = engineOn(sampleHome(), { now: time.now });
    await engine.call('filter_properties', county);
    changePlan(engine.account, { period_anchor_day: 15 });
    expect((await engine.call('get_usage', {})).data.tokens_used).toBe(30);
    await engine.call('get_property', { id: 1 });
    expect((await engine.call('get_usage', {})).data.tokens_used).toBe(40);
    expect(checkHome(engine).find(({ name }) => name === 'ledger adds up')).toMatchObject({ ok: true });
  });

  test('loses nothing when the anchor day is moved and moved back', async () => {
    const engine = engineOn(sampleHome(), { now: () => new Date('2026-11-20T10:00:00Z') });
    const used = async () => (await engine.call('get_usage', {})).data.tokens_used;
    await engine.call('filter_properties', county);
    changePlan(engine.account, { period_anchor_day: 15 });
    await engine.call('filter_properties', county);
    changePlan(engine.account, { period_anchor_day: 1 });
    expect(await used()).toBe(60);
    await engine.call('get_property', { id: 1 });
    expect(await used()).toBe(70);
    expect(checkHome(engine).filter(({ ok }) => !ok)).toEqual([]);
  });

  test('breaks down by day, endpoint and mode to the same sum', async () => {
    const time = clock('2026-11-20T10:00:00Z');
    const engine = engineOn(sampleHome(), { now: time.now });
    await engine.call('filter_properties', county);
    await engine.call('get_property', { id: 1 }, { mode: 'app' });
    time.set('2026-11-21T10:00:00Z');
    await engine.call('get_property', { id: 2 }, { mode: 'app' });
    await engine.call('get_property', { id: 3 }, { mode: 'app' });
    expect((await engine.call('get_usage_breakdown', {})).data.records).toEqual([
      { date: '2026-11-20', endpoint: 'public_parcel_filter', mode: 'script', tokens_used: 30 },
      { date: '2026-11-20', endpoint: 'public_property_detail', mode: 'app', tokens_used: 10 },
      { date: '2026-11-21', endpoint: 'public_property_detail', mode: 'app', tokens_used: 20 },
    ]);
  });
});
