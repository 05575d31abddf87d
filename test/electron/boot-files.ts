/** Checks of what goes between a page and the files and receivers of this computer. */
import fs from 'node:fs';
import path from 'node:path';
import { ask, check, electron, home, last, scratch } from './boot-support.ts';

const { called, circumstances } = electron;
let shelved = 0;

/** A file on the shelf of the home, as the engine leaves it. */
function shelve(name: string): string {
  shelved += 1;
  const id = String(shelved).padStart(32, 'a');
  const folder = path.join(process.env.PLATBOOK_HOME ?? '', 'exports', id);
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, name), `of ${name}`);
  return id;
}

export async function checkFiles(): Promise<void> {
  const target = path.join(scratch, 'mine.csv');
  circumstances.savePath = target;
  fs.writeFileSync(target, 'of yesterday');
  const id = shelve('county.csv');
  const unknown = await ask('save_file', { id: 'f'.repeat(32) });
  const paths = await Promise.all(['../../x', 'x', `${id}/`, ''].map((wrong) => ask('save_file', { id: wrong })));
  check(
    'a file that is not on the shelf is not saved',
    !unknown.ok && paths.every(({ ok }) => !ok) && called('dialog.showSaveDialog').length === 0,
  );
  const { webContents: page } = last(electron.BrowserWindow.getAllWindows());
  page.url = 'platbook-app://sample/';
  check('a page has the files of its own home alone', !(await ask('save_file', { id })).ok);
  page.url = home;
  const { ok, value } = await ask('save_file', { id });
  const asked = last(called('dialog.showSaveDialog')).args[0] as { defaultPath?: string };
  check(
    'an export is saved where the user says, by its own name at first',
    ok && value === target && path.basename(asked.defaultPath ?? '') === 'county.csv',
  );
  check(
    'it is saved whole',
    fs.readFileSync(target, 'utf8') === 'of county.csv' && fs.readdirSync(scratch).length === 1,
  );
  check('what was saved can be shown', (await ask('show_file', { path: target })).ok);
  circumstances.savePath = undefined;
  check('a dialog that is closed saves nothing', (await ask('save_file', { id })).value === null);
  circumstances.savePath = path.join(scratch, 'no', 'such', 'folder.csv');
  check('a place that cannot be written is told', !(await ask('save_file', { id })).ok);
  check('only a PDF is opened', !(await ask('open_pdf', { id })).ok && called('shell.openPath').length === 0);
  const pdf = await ask('open_pdf', { id: shelve('parcel-7.pdf') });
  check(
    'a sheet is opened by the system',
    pdf.ok && String(last(called('shell.openPath')).args[0]).endsWith('parcel-7.pdf'),
  );
}

export async function checkReceiver(): Promise<void> {
  const gps = (source: string, place: string) => ask('set_location', { on: true, source, place });
  const news = () => called('page.send').filter(({ args }) => args[1] === 'platbook:position');
  const refused = await Promise.all([
    gps('file', '/etc/passwd'),
    gps('serial', '/etc/passwd'),
    gps('serial', '/dev/../etc/passwd'),
    gps('gpsd', 'example.org:2947'),
    gps('gpsd', '8.8.8.8:2947'),
  ]);
  check(
    'a page cannot name any file or machine as a receiver',
    refused.every(({ ok }) => !ok),
  );
  const recording = path.join(scratch, 'walk.nmea');
  fs.writeFileSync(recording, '$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n'.repeat(9));
  circumstances.chosenFiles = [recording];
  await ask('choose_files');
  check('a recording that was chosen may be played', (await gps('file', recording)).ok);
  await ask('watch_position');
  for (let look = 0; news().length === 0 && look < 100; look++) await new Promise((done) => setTimeout(done, 50));
  const heard = news().at(-1)?.args[2] as { position: { latitude: number } } | undefined;
  check('a page that watches is told', Math.abs((heard?.position.latitude ?? 0) - 48.1173) < 1e-4);
  await ask('unwatch_position');
}
