/** Photos dropped on the window: a camera’s clock is asked, the answer places them, one undo takes them back. And a visit's report. */
import fs from 'node:fs';
import { PDFDocument } from 'pdf-lib';
import { describe, expect, test } from 'vitest';
import { runChange } from '../../engine/work/index.ts';
import { visitsOf } from '../../engine/work/visits.ts';
import { makeJpeg } from '../support/make-photo.ts';
import { findings } from './findings.ts';
import { eventually, hasBrowser, openWindow, searchButton } from './window.ts';

describe.runIf(hasBrowser())('photos dropped on the window', () => {
  test('a camera’s clock is asked, and the answer places its photos', async () => {
    const { page, engine } = await openWindow({});
    await searchButton(page).waitFor();
    const points = Array.from({ length: 60 }, (_, second) => {
      const time = new Date(Date.parse('2026-11-30T14:00:00Z') + second * 1000).toISOString();
      return `<trkpt lat="40.1" lon="${-100.1 + second / 1e5}"><time>${time}</time></trkpt>`;
    });
    const gpx = `<gpx><trk><name>Walk</name><trkseg>${points.join('')}</trkseg></trk></gpx>`;
    await runChange(engine, 'import_field_notes', {
      files: [{ name: 'w.gpx', bytes: Buffer.from(gpx).toString('base64') }],
    });
    const offset = await page.evaluate(() => -new Date('2026-11-30T14:00:30').getTimezoneOffset());
    const local = new Date(Date.parse('2026-11-30T14:00:30Z') + offset * 60_000).toISOString().slice(0, 19);
    const takenAt = local.replaceAll('-', ':').replace('T', ' ');
    const photo = makeJpeg({ width: 40, height: 30, takenAt, camera: ['Nikon', 'D5600'] }).toString('base64');
    // A folder, as WebKit's entries have it, with what a Mac puts beside a photo.
    await page.evaluate(`{
      const bytes = Uint8Array.from(atob(${JSON.stringify(photo)}), (letter) => letter.charCodeAt(0));
      const file = (name) => ({ isFile: true, isDirectory: false, file: (done) => done(new File([bytes], name)) });
      const folder = (...inside) => {
        const parts = [inside, []];
        return { isFile: false, isDirectory: true, createReader: () => ({ readEntries: (done) => done(parts.shift()) }) };
      };
      const entry = folder(file('.DS_Store'), folder(file('DSC_1.JPG'), file('._DSC_1.JPG')));
      const event = new DragEvent('drop', { bubbles: true, cancelable: true });
      Object.defineProperty(event, 'dataTransfer', {
        value: { types: ['Files'], files: [], items: [{ webkitGetAsEntry: () => entry }] },
      });
      document.querySelector('.main').dispatchEvent(event);
    }`);
    await page.getByText('Nikon D5600: 1 photo').waitFor();
    await page.getByRole('button', { name: /^It was right/ }).click();
    await page.getByRole('button', { name: 'Add 1 photo' }).click();
    const placed = () => engine.account.file.column('SELECT track_id FROM photos');
    await eventually(placed).toEqual([1]);
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await eventually(placed).toEqual([]);
    expect(engine.account.file.column('SELECT count(*) FROM staged_photos')).toEqual([0]);
  });
});

describe.runIf(hasBrowser())('the dialog of a visit', () => {
  test('by keyboard: form, what goes out, the PDF; a second visit on the day is another one', async () => {
    const { page, engine } = await openWindow({
      context: {},
      prepare: async (home) => {
        const photo = makeJpeg({ width: 40, height: 30, takenAt: '2026:11:30 09:12:00' }).toString('base64');
        await runChange(home, 'add_photo', { name: 'gate.jpg', bytes: photo, property_id: 2 });
        await runChange(home, 'add_note', { property_id: 2, text: 'Ask about the wall' });
        return { explore: { selected: 2 } };
      },
    });
    await page.getByRole('tab', { name: 'Notes' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Visit report …' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Visit to/ });
    await dialog.getByLabel('Visited by').focus();
    await page.keyboard.type('Mira Quimby');
    await dialog.getByRole('textbox', { name: 'Gate', exact: true }).focus();
    await page.keyboard.type('Locked');
    expect(await dialog.getByLabel('From').inputValue()).toBe('09:12');
    expect(await dialog.getByRole('checkbox', { name: 'Owner names' }).isChecked()).toBe(false);
    expect(await dialog.getByRole('checkbox', { name: 'Mailing addresses of abutters' }).isDisabled()).toBe(true);
    await dialog.getByRole('checkbox', { name: 'Note: Ask about the wall' }).focus();
    await page.keyboard.press('Space');
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport);
      await dialog.getByRole('textbox', { name: 'Gate', exact: true }).waitFor();
      expect(await findings(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    const printed = async () => {
      await dialog.getByRole('button', { name: 'Keep and print' }).focus();
      await page.keyboard.press('Enter');
      await dialog.getByRole('region', { name: 'The report made last' }).waitFor({ timeout: 60_000 });
    };
    await printed();
    const kept = () => visitsOf(engine).map(({ visit }) => [visit.day, visit.started, visit.visitor, visit.notes]);
    const first = ['2026-11-30', '09:12', 'Mira Quimby', [1]];
    expect(kept()).toEqual([first]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Save …' }).press('Enter'),
    ]);
    expect((await PDFDocument.load(fs.readFileSync(await download.path()))).getPageCount()).toBeGreaterThan(0);
    await dialog.locator('select').selectOption('A new one');
    await eventually(() => dialog.getByLabel('Visited by').inputValue()).toBe('');
    await dialog.getByLabel('Visited by').fill('Ann');
    await printed();
    expect(kept()).toEqual([['2026-11-30', '09:12', 'Ann', undefined], first]);
  });
});
