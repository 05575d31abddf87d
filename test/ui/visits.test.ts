/** Photos dropped on the window: a camera's clock is asked, the answer places them, and one undo takes them back. */
import { describe, expect, test } from 'vitest';
import { runChange } from '../../engine/work/index.ts';
import { makeJpeg } from '../support/make-photo.ts';
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
    await page.evaluate(`{
      const data = new DataTransfer();
      const bytes = Uint8Array.from(atob(${JSON.stringify(photo)}), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], 'DSC_1.JPG'));
      document.querySelector('.main').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
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
