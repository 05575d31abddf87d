/** The parcel sheet from the window: saved from the parcel, opened for printing; and a file dropped in a browser. */
import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runRead } from '../../engine/reads/index.ts';
import { emptyHome } from '../support/homes.ts';
import { requireOrSkip } from '../support/require.ts';
import { eventually, hasBrowser, openWindow, parcelTitle, searchButton } from './window.ts';

const available = hasBrowser();
const hasReader = requireOrSkip(
  'pdftotext',
  spawnSync('pdftotext', ['-v']).status === 0,
  'it reads the sheet back (apt-get install poppler-utils)',
);

async function openParcel(expected?: RegExp) {
  const window = await openWindow({ context: {}, map: true, ...(expected ? { expected } : {}) });
  const { page } = window;
  await searchButton(page).click();
  await page.locator('.grid-body .grid-row').first().click();
  await parcelTitle(page).waitFor();
  return { ...window, apn: await parcelTitle(page).innerText() };
}

describe.runIf(available && hasReader)('the parcel sheet', () => {
  test('is saved from the parcel and from the palette, and costs nothing', async () => {
    const { page, apn, ledger } = await openParcel();
    const paid = ledger();
    const saved = async (press: () => Promise<void>): Promise<string> => {
      const [download] = await Promise.all([page.waitForEvent('download'), press()]);
      const file = path.join(emptyHome(), download.suggestedFilename());
      await download.saveAs(file);
      expect(path.basename(file)).toMatch(/^parcel-[\w.-]+\.pdf$/);
      return execFileSync('pdftotext', [file, '-'], { encoding: 'utf8' });
    };
    expect(await saved(() => page.getByRole('button', { name: 'Parcel sheet (PDF), free' }).click())).toContain(apn);
    const fromPalette = saved(async () => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('save the parcel sheet');
      await page.keyboard.press('Enter');
    });
    expect(await fromPalette).toContain(apn);
    expect(ledger()).toEqual(paid);
    if (process.env.PLATBOOK_SHOTS) await page.screenshot({ path: `${process.env.PLATBOOK_SHOTS}/sheet.png` });
  });

  test('Ctrl+P opens it in a tab as a PDF, for the viewer to print', async () => {
    // Chromium's own viewer consists of files of its own: requests for them prove that it shows the sheet.
    const viewer: string[] = [];
    const { page } = await openParcel(/left this machine: chrome(-extension)?:|404 .*favicon/);
    page.context().on('request', (request) => viewer.push(new URL(request.url()).protocol));
    const [tab] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Control+p')]);
    await eventually(() => tab.url()).toContain('/app/print/');
    await eventually(() => viewer).toContain('chrome-extension:');
    const heads = await page.evaluate(async (url) => {
      const { headers } = await fetch(url);
      return ['content-type', 'content-disposition', 'content-security-policy'].map((name) => headers.get(name));
    }, tab.url());
    expect(heads.slice(0, 2)).toEqual(['application/pdf', 'inline']);
    expect(heads[2]).toMatch(/^default-src 'none'.*frame-ancestors 'none'$/);
  });

  test('nothing but a PDF is shown instead of saved', async () => {
    const { page, engine } = await openWindow({ context: {}, expected: /404/ });
    const data = await runRead(engine, 'make_export', {
      what: { filter: { county: '99001' } },
      format: 'geojson',
    });
    const { id } = data as { id: string };
    const status = (path: string) => page.evaluate(async (to) => (await fetch(to)).status, path);
    expect([await status(`/app/download/${id}`), await status(`/app/print/${id}`)]).toEqual([200, 404]);
  });

  test('without a parcel Ctrl+P says what to do, and prints nothing', async () => {
    const { page } = await openWindow({ context: {} });
    await searchButton(page).waitFor();
    await page.keyboard.press('Control+p');
    await page.getByText('Select a parcel to print its sheet').waitFor();
    expect(page.context().pages()).toHaveLength(1);
  });
});

describe.runIf(available)('a file dropped on the window in a browser', () => {
  test('leads to the folder list and says why; text that is dragged does not', async () => {
    const { page } = await openWindow({ context: {} });
    await searchButton(page).waitFor();
    const drop = (fill: string) =>
      page.evaluate(`{
        const data = new DataTransfer();
        ${fill}
        document.querySelector('.main').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      }`);
    await drop(`data.setData('text/plain', 'x');`);
    expect(page.url()).not.toContain('#/import');
    await drop(`data.items.add(new File(['x'], 'county.gpkg'));`);
    await page.getByText('A browser does not reveal the path of a dropped file').waitFor();
    await page.getByRole('region', { name: 'Files of this computer' }).waitFor();
    expect(page.url()).toContain('#/import');
  });

  test('a walk comes into the field notes, is undone, and is shown on the map; a file of both is asked about', async () => {
    const { page, engine } = await openWindow({ context: {}, expected: /status of 400/ });
    await searchButton(page).waitFor();
    const drop = (name: string, text: string) =>
      page.evaluate(`{
        const data = new DataTransfer();
        data.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
        document.querySelector('.main').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      }`);
    const waypoints = () => engine.account.file.column('SELECT name FROM waypoints ORDER BY name');
    await drop('walk.gpx', '<gpx><wpt lat="91" lon="1"/><wpt lat="40" lon="-100"><name>Pin</name></wpt></gpx>');
    await page.getByText('Brought in 1 waypoint and 0 tracks from walk.gpx').waitFor();
    await page.getByText('Left out: 1 points without a place on the globe.').waitFor();
    expect(waypoints()).toEqual(['Pin']);
    await page.getByRole('button', { name: 'Show on map' }).click();
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await page.getByText('Undone: Brought in').waitFor();
    expect(waypoints()).toEqual([]);
    await drop('both.csv', 'name,apn,lat,lon\nGate,12-1,40,-100\n');
    await page.getByRole('button', { name: 'Bring in the walk' }).click();
    await page.getByText('from both.csv').waitFor();
    expect(waypoints()).toEqual(['Gate']);
    await drop('bad.gpx', '<gpx><wpt');
    await page.getByText('bad.gpx: damaged GPX').waitFor();
  });
});
