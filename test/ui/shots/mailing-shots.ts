/** Letters to the owners of a list: a draft beside an earlier mailing that came back; the parts of it on small windows. */
import type { Page } from 'playwright-core';
import type { Engine } from '../../../engine/engine.ts';
import { type ReadOutputOf, runRead } from '../../../engine/reads/index.ts';
import { explainedValue } from '../../../engine/value-explained.ts';
import { runChange } from '../../../engine/work/index.ts';
import { shownValue } from '../../../engine/work/shown-value.ts';
import { keepValue } from '../../../engine/work/stored-values.ts';
import { goTo, type Shot } from './shot.ts';

/** Values as if they were bought; parcels that have none stay without. */
export function valueAll(engine: Engine, ids: readonly number[]): void {
  const now = engine.now();
  for (const id of ids)
    try {
      const explained = shownValue(engine, id, explainedValue(engine.land, id, now));
      keepValue(engine.account, { property_id: id, valued_at: now.toISOString(), explained });
    } catch {
      // It gets no letter.
    }
}

const offers = {
  tiers: [
    { acres_from: 5, acres_to: 20, of: 'low', amount: 42 },
    { acres_from: 20, acres_to: 60, of: 'low', amount: 45 },
    { acres_from: 60, acres_to: 80, of: 'middle', amount: 35 },
  ],
  round_to: 500,
  not_under: 5000,
  not_over: 120_000,
} as const;

const change = async (engine: Engine, name: string, input: object) =>
  (await runChange(engine, name, input)).data as Record<string, number>;
const read = (engine: Engine, id: number) => runRead(engine, 'mailing', { mailing_id: id }) as ReadOutputOf<'mailing'>;

/** Two lists with a mailing each; once. */
export async function fillMailings(engine: Engine): Promise<void> {
  if (runRead(engine, 'mailings', {}).mailings.length > 0) return;
  const ids = engine.land.file.column<number>(
    "SELECT property_id FROM parcels WHERE status = 'current' AND acres BETWEEN 5 AND 79 ORDER BY property_id LIMIT 330",
  );
  valueAll(engine, ids);
  const list = async (name: string, some: readonly number[]) =>
    (await change(engine, 'make_list', { name, of: { ids: some } })).list_id;
  const sent = await change(engine, 'make_mailing', {
    ...{ name: 'Riverfront, spring', list_id: await list('Riverfront', ids.slice(170)), rule: offers },
  });
  const sentId = sent.mailing_id ?? 0;
  await change(engine, 'write_letters', { mailing_id: sentId });
  await change(engine, 'mark_sent', { mailing_id: sentId });
  const codes = read(engine, sentId).letters.map(({ code }) => code ?? '');
  for (const code of codes.filter((_, i) => i % 19 === 5)) await change(engine, 'mark_returned', { code });
  const outcomes = ['no', 'lead', 'no', 'lead', 'accepted'];
  for (const [i, code] of codes.filter((_, i) => i % 13 === 3).entries())
    await change(engine, 'log_reply', { code, outcome: outcomes[i % outcomes.length] });
  await change(engine, 'add_mailing_cost', { mailing_id: sentId, what: 'Printing and postage', amount: 91.4 });
  const harrow = await list('Harrow Hill, drawn area', ids.slice(0, 170));
  await change(engine, 'make_mailing', { name: 'Letters to Harrow Hill', list_id: harrow, rule: offers });
}

/** @param name of the mailing that is opened */
const opened =
  (name: string, after?: (page: Page) => Promise<unknown>): NonNullable<Shot['act']> =>
  async (page, engine) => {
    await fillMailings(engine);
    await goTo('lists')(page);
    await page.reload();
    // What was shown last may be remembered.
    await page.locator('.lists-side, .mailing-head').waitFor();
    const back = page.locator('.mailing-head').getByRole('button', { name: 'Lists', exact: true });
    if (await back.isVisible()) await back.click();
    await page.getByRole('navigation', { name: 'Lists' }).getByRole('button', { name }).click();
    await page.locator('.mailing .letter-grid .grid-row[id]').first().waitFor();
    await after?.(page);
  };

const draft = opened('Letters to Harrow Hill', async (page) => {
  await page.locator('.letter-grid[data-focus=table] .grid-row[id]').first().click();
  await page.locator('[data-focus=table]').focus();
  for (const key of ['k', 'o', 'ArrowDown']) await page.keyboard.press(key);
  await page.locator('.look-rows [aria-pressed=true]').nth(1).waitFor();
});
const edited = opened('Letters to Harrow Hill', async (page) => {
  await page.getByRole('button', { name: 'Edit the offer of 20 to 60 acres' }).click();
  await page.getByLabel('Percent').waitFor();
});
const part = (label: string) => (page: Page) => page.getByRole('radio', { name: label }).click();
const phone = { width: 390, height: 844 };
const small = { width: 1024, height: 680 };

export const mailingShots: readonly Shot[] = [
  { name: 'mailing-draft', act: draft },
  { name: 'mailing-rule', act: edited },
  { name: 'mailing-sent', act: opened('Riverfront, spring') },
  { name: 'mailing-1024x680', size: small, act: opened('Letters to Harrow Hill') },
  { name: 'mailing-rule-1024x680', size: small, act: opened('Letters to Harrow Hill', part('Rule')) },
  { name: 'mailing-sent-1024x680', size: small, act: opened('Riverfront, spring', part('After mailing')) },
  { name: 'mailing-390x844', size: phone, act: opened('Letters to Harrow Hill') },
  { name: 'mailing-rule-390x844', size: phone, act: opened('Letters to Harrow Hill', part('Rule')) },
  { name: 'mailing-sent-390x844', size: phone, act: opened('Riverfront, spring', part('After mailing')) },
  {
    name: 'mailing-all-390x844',
    size: phone,
    act: opened('Letters to Harrow Hill', (page) => page.getByRole('button', { name: /^All letters/ }).click()),
  },
];
