/** Skip trace in the window: its text before charging, what it finds and stores, and when it refuses. */
import { MessageChannel } from 'node:worker_threads';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { type ReadOutputOf, runRead } from '../../engine/reads/index.ts';
import type { MessagePortLike } from '../../engine/rpc/messages.ts';
import { servePort } from '../../engine/rpc/serve-port.ts';
import { portClient } from '../../renderer/client/port-client.ts';
import { missingIn } from '../../renderer/trace/trace-dialog.tsx';
import {
  copiedPhones,
  dncOf,
  formatPhone,
  type Phone,
  personPlace,
  type TracedPerson,
} from '../../renderer/trace/trace-words.ts';
import { copyOfHome, engineOn, sampleHome } from '../support/homes.ts';
import { findings } from './findings.ts';
import { countOf, eventually, hasBrowser, openWindow, remembered } from './window.ts';

const available = hasBrowser();

const phone = (number: string, dnc: boolean | null, line_type: Phone['line_type'] = 'Mobile'): Phone => ({
  number,
  dnc,
  line_type,
});

describe('a trace in words', () => {
  test('a number is written as people write it, and what is not known of it is said', () => {
    expect(formatPhone('9375550117')).toBe('(937) 555-0117');
    expect([true, null, false].map((dnc) => dncOf(phone('9375550117', dnc)))).toEqual([
      { text: 'DNC Yes', look: 'bad' },
      { text: 'DNC Unknown', look: 'warn' },
      { text: 'DNC No', look: '' },
    ]);
  });

  test('a copy omits numbers on the registry unless requested, and describes each number', () => {
    const phones = [phone('9375550117', true, 'Landline'), phone('9375550164', null, null), phone('9375550190', false)];
    expect(copiedPhones(phones, false)).toBe('(937) 555-0164\tUnknown\tDNC Unknown\n(937) 555-0190\tMobile\tDNC No');
    expect(copiedPhones(phones, true).split('\n')[0]).toBe('(937) 555-0117\tLandline\tDNC Yes');
  });

  test('places read as sentences', () => {
    const person = {
      firstName: 'Ana',
      lastName: 'Ferreira',
      address: '31 Larkspur Court',
      city: 'Dayton',
      state: 'OH',
    };
    expect(personPlace({ ...person, zip: '45402' })).toBe('31 Larkspur Court, Dayton, OH 45402');
    expect(personPlace({ firstName: 'A', lastName: 'B', zip: '45402' })).toBe('45402');
  });

  test('sends the typed text once it names a person and a place', () => {
    const typed = { first_name: '', last_name: '', address: '', city: '', state: '', zip: '' };
    expect(missingIn({ ...typed, first_name: 'Ana' })).toBe('A first and a last name are needed.');
    const named = { ...typed, first_name: 'Ana', last_name: 'Ferreira' };
    expect(missingIn({ ...named, city: 'Dayton' })).toBe('The ZIP is needed, or city and state.');
    expect(missingIn({ ...named, zip: '4540' })).toBe('A ZIP has five digits.');
    expect([missingIn({ ...named, zip: '45402' }), missingIn({ ...named, city: 'Dayton', state: 'oh' })]).toEqual([
      null,
      null,
    ]);
  });
});

interface OwnerRow {
  readonly property_id: number;
  readonly owner_name: string;
  readonly owner_type: string | null;
}

interface Owners {
  readonly matched: number;
  readonly unmatched: number;
  readonly company: number;
}

/** The same in every copy of the sample. */
let known: Promise<Owners> | undefined;

/** Parcels whose owner the sample's contacts know, with a number on the registry and one that is not, and others. */
const findOwners = (engine: Engine): Promise<Owners> => {
  known ??= lookForOwners(engine);
  return known;
};

async function lookForOwners(engine: Engine): Promise<Owners> {
  const rows = engine.land.file.all<OwnerRow>(
    "SELECT property_id, owner_name, owner_type FROM parcels WHERE status = 'current' AND mailing_zip IS NOT NULL ORDER BY property_id LIMIT 400",
  );
  const company = rows.find(({ owner_type: type }) => type === 'company')?.property_id;
  let matched: number | undefined;
  let unmatched: number | undefined;
  let dnc = false;
  const twin = openEngine({ home: copyOfHome(sampleHome()), keepsIndexes: false });
  for (const { property_id: id } of rows.filter(({ owner_type: type }) => type === 'individual')) {
    twin.account.file.run('DELETE FROM trace_calls');
    const answer = await twin.call('skip_trace_property_owner', { id }).catch(() => null);
    if (answer?.data.matched === false) unmatched ??= id;
    const kinds = new Set(answer?.data.phones.map(({ dnc: on }) => on === true));
    if (kinds.size === 2 && !dnc) [matched, dnc] = [id, true];
    if (matched !== undefined && unmatched !== undefined) break;
  }
  twin.close();
  if (matched === undefined || unmatched === undefined || company === undefined)
    throw new Error('the sample has changed');
  return { matched, unmatched, company };
}

async function openOwner(page: Page, id: number): Promise<void> {
  await countOf(page);
  await page.evaluate((selected) => {
    const before = JSON.parse(localStorage.getItem('platbook.explore') ?? '{}');
    localStorage.setItem('platbook.explore', JSON.stringify({ ...before, selected, detailTab: 'owner' }));
  }, id);
  await page.reload();
  await page.getByRole('heading', { name: 'Skip trace' }).waitFor();
}

const traceButton = (page: Page) => page.locator('.detail [data-focus=trace-button]');
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const reading = { permissions: ['clipboard-read', 'clipboard-write'] };

describe('what a trace found', () => {
  test('is kept by both doors of the app and by no other', async () => {
    const engine = engineOn(sampleHome());
    const { matched } = await findOwners(engine);
    const stored = (): ReadOutputOf<'stored_trace'>['trace'] =>
      (runRead(engine, 'stored_trace', { id: matched }) as ReadOutputOf<'stored_trace'>).trace;
    await engine.call('skip_trace_property_owner', { id: matched });
    expect(stored()).toBeNull();
    const { port1, port2 } = new MessageChannel();
    onTestFinished(() => port1.close());
    servePort(engine, port1 as unknown as MessagePortLike);
    const client = portClient(port2 as unknown as MessagePortLike);
    const { data, tokens } = await client.call('skip_trace_property_owner', { id: matched }, { action: 'press' });
    expect(tokens).toBe(20);
    expect(stored()).toMatchObject({ result: data, is_same_person: true });
    const { person } = runRead(engine, 'trace_preview', { id: matched }) as ReadOutputOf<'trace_preview'>;
    expect(stored()?.asked).toEqual(person);

    await client.call('get_property_ai_comp_value', { id: matched }, { action: 'value' });
    const { stored: value } = runRead(engine, 'stored_value', { id: matched }) as ReadOutputOf<'stored_value'>;
    expect(value?.value.used.length).toBeGreaterThan(0);
  });

  test('is answered even where it cannot be kept', async () => {
    const engine = engineOn(sampleHome());
    const { matched } = await findOwners(engine);
    const other = openEngine({ home: engine.home, keepsIndexes: false });
    onTestFinished(() => other.close());
    const { port1, port2 } = new MessageChannel();
    onTestFinished(() => port1.close());
    servePort(engine, port1 as unknown as MessagePortLike);
    engine.people.file.pragma('busy_timeout = 0');
    other.people.file.exec('BEGIN IMMEDIATE');
    const client = portClient(port2 as unknown as MessagePortLike);
    const { data } = await client.call('skip_trace_property_owner', { id: matched }, { action: 'press' });
    other.people.file.exec('ROLLBACK');
    expect(data.matched).toBe(true);
    expect(runRead(engine, 'stored_trace', { id: matched })).toEqual({ trace: null });
  });
});

describe.runIf(available)('the Owner tab', () => {
  test('says exactly what is searched and what it costs; matched costs 20, is kept, and copies without DNC unless ticked', async () => {
    const { page, engine, ledger } = await openWindow({ context: reading });
    const { matched } = await findOwners(engine);
    await openOwner(page, matched);
    const { person } = runRead(engine, 'trace_preview', { id: matched }) as ReadOutputOf<'trace_preview'>;
    const words = (await page.locator('.trace').innerText()).replaceAll(/\s+/g, ' ');
    expect(words).toContain(`Looks in your own contact lists for ${person?.firstName.toUpperCase()}`);
    expect(words).toContain(person && personPlace(person));
    expect(await traceButton(page).innerText()).toMatch(/^Skip trace\s*uses 20 when matched$/);
    expect(words).toContain('Your own contacts: no limit.');
    expect(ledger()).toEqual([]);

    await traceButton(page).dblclick();
    await page.locator('.phones li').first().waitFor();
    await eventually(() => ledger()).toEqual([{ endpoint: 'public_skip_trace', mode: 'app', tokens: 20 }]);
    const phones = (runRead(engine, 'stored_trace', { id: matched }) as ReadOutputOf<'stored_trace'>).trace?.result
      .phones;
    const shown = await page.locator('.phones li').allInnerTexts();
    expect(shown.map((line) => line.replaceAll(/\s+/g, ' '))).toEqual(
      phones?.map((one) => `${formatPhone(one.number)} ${one.line_type ?? 'Unknown'} ${dncOf(one).text}`),
    );
    // Unknown is amber, never as quiet as No.
    for (const tag of await page.locator('.phones .tag', { hasText: 'Unknown' }).all())
      expect(await tag.getAttribute('class')).toContain('warn');

    await page.getByRole('button', { name: /^Copy \d+ number/ }).click();
    await eventually(() => clipboard(page)).toBe(copiedPhones(phones ?? [], false));
    await page.getByRole('checkbox', { name: /on Do Not Call/ }).click();
    await page.getByRole('button', { name: /^Copy \d+ number/ }).click();
    await eventually(() => clipboard(page)).toBe(copiedPhones(phones ?? [], true));

    await page.reload();
    await page.locator('.phones li').first().waitFor();
    await page.getByText(/^Traced \d+ \w+ \d{4}, kept on this computer$/).waitFor();
    expect(await traceButton(page).innerText()).toMatch(/^Refresh\s*uses 20 when matched$/);
    expect(ledger()).toHaveLength(1);
  });

  test('finding no one is an answer and free; a company is refused beforehand with the reason', async () => {
    const { page, engine, ledger } = await openWindow();
    const { unmatched, company } = await findOwners(engine);
    await openOwner(page, unmatched);
    await traceButton(page).click();
    await page.getByText('Your contact lists have no person of this name at this place.').waitFor();
    expect(ledger()).toEqual([]);
    await openOwner(page, company);
    await page.getByText(/This parcel is owned by a company \(.+\); only individual owners can be traced\./).waitFor();
    expect(await traceButton(page).isDisabled()).toBe(true);
  });

  test('has no limit: the traces of the API this minute hold none of its own up', async () => {
    const { page, engine, ledger } = await openWindow();
    const { matched } = await findOwners(engine);
    for (let i = 0; i < 20; i++) engine.account.file.run('INSERT INTO trace_calls (called_at) VALUES (?)', Date.now());
    await openOwner(page, matched);
    await traceButton(page).click();
    await page.locator('.phones li').first().waitFor();
    expect(ledger()).toHaveLength(1);
  });

  test('without contact lists it says how to bring them', async () => {
    const { page, engine } = await openWindow();
    const { matched } = await findOwners(engine);
    engine.people.file.run('DELETE FROM contacts');
    await openOwner(page, matched);
    await page.getByText('No contact list yet.').waitFor();
    expect(await traceButton(page).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Import contacts' }).click();
    await eventually(() => new URL(page.url()).hash).toBe('#/import');
  });

  test('numbers of an owner whom the record no longer names say so', async () => {
    const { page, engine } = await openWindow();
    const { matched } = await findOwners(engine);
    await openOwner(page, matched);
    await traceButton(page).click();
    await page.locator('.phones li').first().waitFor();
    engine.land.file.run("UPDATE parcels SET owner_name = 'OTHER NORA' WHERE property_id = ?", matched);
    await page.reload();
    await page.getByText('It names somebody else now.').waitFor();
    await page.getByText('NORA OTHER').waitFor();
  });

  test('a person is deleted by the keyboard: what is said before, what is gone after, and no number stays', async () => {
    const { page, engine } = await openWindow();
    const { matched } = await findOwners(engine);
    const records = () => engine.people.file.get<{ n: number }>('SELECT count(*) AS n FROM contacts')?.n ?? 0;
    const before = records();
    await openOwner(page, matched);
    await traceButton(page).click();
    await page.locator('.phones li').first().waitFor();
    const opener = page.getByRole('button', { name: 'Delete this person from my contacts' });
    await opener.focus();
    await page.keyboard.press('Enter');
    const question = page.getByRole('region', { name: 'Delete this person' });
    await question.getByText(/for good\? This cannot be undone\./).waitFor();
    await question.getByText(/Backups and exports that you saved before still hold the person/).waitFor();
    // What is focused first is Cancel, and gives the focus back.
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    await eventually(() => opener.evaluate((button) => document.activeElement === button)).toBe(true);
    expect(records()).toBe(before);

    await page.keyboard.press('Enter');
    await question.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText(/ is deleted: 1 record and 1 kept trace\./).waitFor();
    await page.getByText(/^Restoring|Backups and exports that were saved before/).waitFor();
    expect(records()).toBe(before - 1);
    expect(await page.locator('.phones li').count()).toBe(0);
    expect(await traceButton(page).isDisabled()).toBe(true);
    expect(runRead(engine, 'stored_trace', { id: matched })).toEqual({ trace: null });
    await page.reload();
    await page.getByText(/is on the opt-out list of this home/).waitFor();
    expect(await traceButton(page).isDisabled()).toBe(true);

    // The dialog knows the person by the typed name, too, and does not say "Not matched".
    const { person } = runRead(engine, 'trace_preview', { id: matched }) as { person: TracedPerson };
    await page.getByRole('button', { name: 'Trace another name or address' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/is on the opt-out list of this home/).waitFor();
    expect(await dialog.locator('[data-focus=trace-button]').isDisabled()).toBe(true);
    expect(await dialog.getByText('Not matched').count()).toBe(0);
    await page.keyboard.press('Escape');

    // Settings count the list, and take the person off it.
    await page.getByRole('link', { name: 'Settings' }).click();
    const list = page.getByRole('region', { name: 'Opt-out list' });
    await list.getByText(/^The list has \d+ entr/).waitFor();
    await list.getByLabel('First name').fill(person.firstName);
    await list.getByLabel('Last name').fill(person.lastName);
    await list.getByLabel('ZIP').fill(person.zip ?? '');
    await list.getByRole('button', { name: 'Take off the list' }).click();
    await eventually(() => list.getByRole('status').innerText()).toMatch(/off the list\.$/);
    expect(runRead(engine, 'trace_preview', { id: matched })).toMatchObject({ is_opted_out: false });
    await list.getByLabel('or a phone number').fill('2015550100');
    await list.getByRole('button', { name: 'Take off the list' }).click();
    await list.getByText('This is not on the list.').waitFor();
  });

  test('a person whose name was typed is deleted by the mouse, in the dialog', async () => {
    const { page, engine } = await openWindow();
    await countOf(page);
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('What do you want to do?').fill('skip trace');
    await page.keyboard.press('Enter');
    await page.getByLabel('First name').fill('Bill');
    await page.getByLabel('Last name').fill('Dubois');
    await page.getByRole('textbox', { name: 'ZIP', exact: true }).fill('00142');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Skip trace/ })
      .click();
    await page.locator('.phones li').first().waitFor();
    await page.getByRole('button', { name: 'Delete this person from my contacts' }).click();
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText(/^BILL DUBOIS is deleted: 1 record and 1 kept trace\./).waitFor();
    expect(await page.locator('.phones li').count()).toBe(0);
    const left =
      "SELECT count(*) FROM contacts WHERE last_name = 'DUBOIS' AND zip = '00142' AND first_name LIKE 'WILL%'";
    expect(engine.people.file.column(left)).toEqual([0]);
  });

  test('everything at the mailing address is summed and selected together, for nothing, and the filters stay', async () => {
    const { page, engine, ledger } = await openWindow();
    const row = engine.land.file.get<{ id: number; n: number; acres: number }>(
      `SELECT min(property_id) AS id, count(*) AS n, sum(coalesce(acres, calculated_acres)) AS acres FROM parcels
       WHERE mailing_key IS NOT NULL AND status = 'current' GROUP BY mailing_key ORDER BY n DESC LIMIT 1`,
    );
    await openOwner(page, row?.id ?? 0);
    const portfolio = page.getByRole('region', { name: 'Portfolio' });
    await portfolio.getByRole('heading', { name: `${row?.n} parcels with this mailing address` }).waitFor();
    const acres = (row?.acres ?? 0).toLocaleString('en-US', { maximumFractionDigits: 2 });
    expect(await portfolio.locator('p').first().innerText()).toContain(`${acres} ac`);
    const { filter } = await remembered(page);
    await portfolio.getByRole('button', { name: `Show all ${row?.n} on the map` }).click();
    await eventually(() => page.locator('.status').innerText()).toContain(`${row?.n} selected`);
    expect((await remembered(page)).filter).toEqual(filter);
    await portfolio.getByRole('button', { name: 'Use this address as the only filter' }).click();
    await eventually(async () => (await remembered(page)).filter).toEqual({ owner_parcel_id: row?.id });
    await eventually(() => countOf(page)).toBe(row?.n);
    expect(ledger()).toEqual([]);
  });

  test('a name is typed and traced from the palette by the keyboard alone, and kept', async () => {
    const { page, ledger } = await openWindow();
    await countOf(page);
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('What do you want to do?').fill('skip trace');
    await page.keyboard.press('Enter');
    await page.getByLabel('First name').focus();
    await page.keyboard.type('Bill');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Dubois');
    await page.getByText('The ZIP is needed, or city and state.').waitFor();
    for (let i = 0; i < 4; i++) await page.keyboard.press('Tab');
    await page.keyboard.type('00142');
    await page.getByText('BILL DUBOIS').waitFor();
    await page.keyboard.press('Tab');
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('data-focus'))).toBe(
      'trace-button',
    );
    await page.keyboard.press('Enter');
    await page.locator('.dialog .phones li').first().waitFor();
    expect(ledger()).toEqual([{ endpoint: 'public_skip_trace', mode: 'app', tokens: 20 }]);
    await page.keyboard.press('Escape');
    await eventually(() => page.locator('.dialog').count()).toBe(0);
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('What do you want to do?').fill('skip trace');
    await page.keyboard.press('Enter');
    await page.locator('.dialog .phones li').first().waitFor();
    expect(ledger()).toHaveLength(1);
  });

  test('axe finds nothing serious or critical in any of its states, in any theme', { timeout: 180_000 }, async () => {
    const { page, engine } = await openWindow({ mode: 'development' });
    const { matched, company } = await findOwners(engine);
    await openOwner(page, matched);
    await traceButton(page).click();
    await page.locator('.phones li').first().waitFor();
    expect(await findings(page), 'matched').toEqual([]);
    await page.getByRole('button', { name: 'Trace another name or address' }).click();
    await page.locator('.dialog').waitFor();
    expect(await findings(page), 'typed').toEqual([]);
    await page.keyboard.press('Escape');
    engine.people.file.run('DELETE FROM contacts');
    await openOwner(page, company);
    expect(await findings(page), 'company, no contacts').toEqual([]);
  });
});
