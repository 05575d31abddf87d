import { describe, expect, test } from 'vitest';
import { changePlan } from '../../engine/account/plan.ts';
import type { Engine } from '../../engine/engine.ts';
import { daysOf, roundUp } from '../../renderer/screens/usage-charts.tsx';
import { findings } from './findings.ts';
import { eventually, goTo, hasBrowser, numberIn, openWindow } from './window.ts';

const available = hasBrowser();

interface Row {
  readonly charged_at: string;
  readonly endpoint: string;
  readonly mode: string;
  readonly tokens: number;
  readonly request_id: string;
}

const ledgerOf = (engine: Engine): Row[] =>
  engine.account.file.all<Row>('SELECT * FROM ledger ORDER BY ledger_id DESC');

/** Two searches of the window, one of a script, one look at the market. @returns the request id of the last */
async function spend(engine: Engine): Promise<string> {
  for (const mode of ['app', 'app', 'script'] as const)
    await engine.call('filter_properties', { county: '99001' }, { mode });
  return (await engine.call('get_market_stats', { fips: '99001' }, { mode: 'direct' })).requestId;
}

test('days run from the first of a period to the one before its end', () => {
  expect(daysOf('2028-02-28T00:00:00.000Z', '2028-03-02T00:00:00.000Z')).toEqual([
    '2028-02-28',
    '2028-02-29',
    '2028-03-01',
  ]);
});

test.each([
  [1, 1],
  [3, 5],
  [50, 50],
  [51, 100],
  [130, 200],
])('%d reaches to %d on the axis', (value, top) => {
  expect(roundUp(value)).toBe(top);
});

describe.runIf(available)('the usage screen', () => {
  test('shows totals, bars and calls that are the ledger’s, with the request id that the answer had', async () => {
    const { page, engine } = await openWindow();
    const requestId = await spend(engine);
    await goTo(page, 'usage');
    await eventually(async () => numberIn(await page.getByTestId('used').innerText())).toBe(100);
    const rows = ledgerOf(engine);
    // 3 × 30 + 10.
    expect(rows.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(100);
    const bars = await page
      .locator('.day-bar')
      .evaluateAll((all) =>
        all.map(
          (bar) =>
            [
              bar.getAttribute('data-day'),
              Number(bar.getAttribute('data-tokens')),
              Number(bar.getAttribute('height')),
            ] as const,
        ),
      );
    const today = rows[0]?.charged_at.slice(0, 10);
    expect(bars.filter(([, tokens]) => tokens > 0)).toEqual([[today, 100, 120]]);
    const sums = await page
      .locator('[data-endpoint]')
      .evaluateAll((all) =>
        all.map((cell) => [
          cell.getAttribute('data-endpoint'),
          cell.getAttribute('data-mode'),
          Number(cell.textContent),
        ]),
      );
    expect(sums).toEqual([
      ['public_parcel_filter', 'app', 60],
      ['public_parcel_filter', 'script', 30],
      ['public_market_stats', 'direct', 10],
    ]);
    expect(await page.locator('.request-id .mono').allInnerTexts()).toEqual(rows.map((row) => row.request_id));
    expect(rows[0]?.request_id).toBe(requestId);
    // A charge of another program is there at the next look.
    await engine.call('filter_properties', { county: '99001' }, { mode: 'direct' });
    await goTo(page, 'settings');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await goTo(page, 'usage');
    await eventually(async () => numberIn(await page.getByTestId('used').innerText())).toBe(130);
  });

  test('says what was used above the plan, and where there is none', async () => {
    const { page, engine } = await openWindow();
    await spend(engine);
    changePlan(engine.account, { tokens_included: 60, overage_cents_per_1000: 500 });
    await goTo(page, 'usage');
    // 100 − 60 = 40 tokens at $5 a thousand are 20 cents.
    await eventually(() => page.getByTestId('overage').innerText()).toMatch(/^40 above those included, \$0\.20 /);
    changePlan(engine.account, { tier: null });
    await page.reload();
    await page.getByRole('heading', { name: 'No plan is active' }).waitFor();
  });

  test('on a phone prices and calls are within the page', async () => {
    const { page, engine } = await openWindow({ context: { viewport: { width: 390, height: 844 } } });
    await spend(engine);
    await goTo(page, 'usage');
    await page.getByRole('heading', { name: 'Last calls' }).waitFor();
    const cells = await page.locator('.usage-body td').evaluateAll((all) => {
      const edge = document.querySelector('.usage-body')?.getBoundingClientRect().right ?? 0;
      return all.map((cell) => cell.getBoundingClientRect().right <= edge + 1);
    });
    expect(cells.length).toBeGreaterThan(24);
    expect(cells).not.toContain(false);
  });

  test('axe finds nothing serious or critical, in any theme', async () => {
    const { page, engine } = await openWindow({ mode: 'development' });
    await goTo(page, 'usage');
    await page.getByRole('heading', { name: 'No tokens used in this period' }).waitFor();
    expect(await findings(page), 'nothing used').toEqual([]);
    await spend(engine);
    await page.reload();
    await page.getByRole('heading', { name: 'Last calls' }).waitFor();
    expect(await findings(page), 'used').toEqual([]);
  });
});
