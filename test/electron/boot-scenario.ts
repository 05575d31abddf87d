/**
 * Boots the real main of a folder under the double and says which of the checks below fail. A process of its own, so that
 * a test can run it on sources that were changed on purpose.
 * Arguments: the folder of main.ts, `first` or `second` (whether another Platbook runs already), a folder for settings.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OnBeforeRequestListenerDetails } from 'electron/main';
import { checkFiles, checkReceiver } from './boot-files.ts';
import {
  type Asker,
  ask,
  check,
  electron,
  failed,
  folder,
  home,
  isPrevented,
  last,
  place,
  scratch,
  turn,
} from './boot-support.ts';

const { called, circumstances, emitApp, ipcHandlers, processes, sessionHandlers } = electron;

const mayHave = (permission: string, page: string): boolean => {
  let answer = false;
  const granted = (is: boolean): void => {
    answer = is;
  };
  sessionHandlers.request?.({ getURL: () => page } as never, permission as never, granted, {
    requestingUrl: page,
  } as never);
  const checked = sessionHandlers.check?.(null, permission as never, page, {} as never) ?? true;
  if (checked !== answer) failed.push(`the two ways to ask for ${permission} answer alike`);
  return answer;
};

const isCancelled = (url: string): boolean => {
  let answer = false;
  sessionHandlers.beforeRequest?.({ url } as OnBeforeRequestListenerDetails, ({ cancel }) => {
    answer = cancel === true;
  });
  return answer;
};

function checkOrder(): void {
  const ready = place('ready');
  const scheme = place('protocol.registerSchemesAsPrivileged');
  const sandbox = place('app.enableSandbox');
  check('scheme, sandbox, ready come in this order', scheme >= 0 && scheme < sandbox && sandbox < ready);
  check('the scheme is handled once Electron is ready', place('protocol.handle') > ready);
  check('what can start a page comes after the scheme is handled', place('BrowserWindow') > place('protocol.handle'));
  const [schemes] = called('protocol.registerSchemesAsPrivileged').map(({ args }) => args[0]) as {
    scheme: string;
    privileges: Record<string, boolean>;
  }[][];
  const privileges = schemes?.[0]?.privileges ?? {};
  check('the scheme is standard and secure', privileges.standard === true && privileges.secure === true);
  check(
    'the scheme does not bypass the policy',
    !privileges.bypassCSP && !privileges.corsEnabled && !privileges.allowServiceWorkers,
  );
  check(
    'settings lie beside the home, not in it',
    String(last(called('app.setPath')).args[1]).endsWith('Platbook Desktop'),
  );
}

function checkWindow(): void {
  const { webPreferences: page = {} } = last(electron.BrowserWindow.getAllWindows()).options;
  check('the window is sandboxed and isolated', page.sandbox === true && page.contextIsolation === true);
  check(
    'the window has no Node',
    [page.nodeIntegration, page.nodeIntegrationInWorker, page.nodeIntegrationInSubFrames].every((is) => is === false),
  );
  check(
    'the window keeps web security',
    page.webSecurity === true && page.allowRunningInsecureContent === false && page.experimentalFeatures === false,
  );
  check(
    'the window has no webview, no spelling from the network, no tools in a build',
    page.webviewTag === false && page.spellcheck === false && page.devTools === false,
  );
  check('the preload is the bundle', path.basename(page.preload ?? '') === 'preload.cjs');
  check('the window shows the home', last(called('window.loadURL')).args[0] === home);
}

function checkPages(): void {
  const { webContents: page } = last(electron.BrowserWindow.getAllWindows());
  for (const event of ['will-navigate', 'will-frame-navigate', 'will-redirect']) {
    const goes = (url: string): boolean => !isPrevented((sent) => page.emit(event, sent), url);
    check(
      `${event} away is refused`,
      !goes('https://example.org/') && !goes('file:///etc/passwd') && !goes('platbook-app://other/'),
    );
    check(`${event} within is let be`, goes('platbook-app://sample/'));
  }
  check('no page opens a window', page.windowOpen({ url: home } as never).action === 'deny');
  check(
    'no page holds a webview',
    isPrevented((sent) => page.emit('will-attach-webview', sent)),
  );
}

async function checkPermissions(): Promise<void> {
  const asked = [
    'media',
    'notifications',
    'usb',
    'serial',
    'hid',
    'midi',
    'fullscreen',
    'openExternal',
    'clipboard-read',
  ];
  check(
    'devices and the like are refused',
    asked.every((name) => !mayHave(name, home)),
  );
  check(
    'copying is allowed to our pages alone',
    mayHave('clipboard-sanitized-write', home) && !mayHave('clipboard-sanitized-write', 'https://example.org'),
  );
  check('the place is refused while the switch is off', !mayHave('geolocation', home));
  const { value: first } = await ask('read_location');
  check('the place is off at first', JSON.stringify(first) === '{"on":false,"source":"system","place":""}');
  await ask('set_location', { on: true, source: 'system', place: '' });
  check('the place is given once the switch is on', mayHave('geolocation', home));
  check('the place is never given to others', !mayHave('geolocation', 'https://example.org'));
  await ask('set_location', { on: false, source: 'system', place: '' });
  check('the switch can be taken back', !mayHave('geolocation', home));
  check('no device is given', sessionHandlers.device?.({} as never) === false);
  check(
    'nothing of a network is loaded',
    ['https://example.org/', 'http://127.0.0.1:4780/', 'ws://x/', 'file:///etc/passwd'].every(isCancelled),
  );
  check('our own files are loaded', !isCancelled(`${home}assets/x.js`));
  const saved = (url: string) =>
    !isPrevented((event) => electron.emitSession('will-download', event, { getURL: () => url }));
  check('only what the page made is saved', saved(`blob:${home}1`) && !saved('https://example.org/x.zip'));
}

async function checkQuestions(): Promise<void> {
  const { ok } = await ask('read_location');
  check('our own page is answered', ok);
  const strangers: Asker[] = [
    { url: 'https://example.org/' },
    { url: 'file:///x' },
    { isChild: true },
    { sender: 99 },
    { url: 'platbook-app://other/' },
  ];
  const answers = await Promise.all(strangers.map((one) => ask('choose_files', {}, one)));
  check(
    'a frame, page or window that is not ours is refused',
    answers.every((answer) => !answer.ok) && called('dialog.showOpenDialog').length === 0,
  );
  const off = { on: false, source: 'system', place: '' };
  const wrong = [{ ...off, on: 'yes' }, { ...off, more: 1 }, { ...off, source: 'x' }, { on: true }, null, [], 'x', {}];
  const refused = await Promise.all(wrong.map((input) => ask('set_location', input)));
  check(
    'a wrong input is refused',
    refused.every((answer) => !answer.ok),
  );
  check(
    'a file that was not chosen is not shown',
    !(await ask('show_file', { path: '/etc/passwd' })).ok && called('shell.showItemInFolder').length === 0,
  );
  await ask('choose_files');
  check('a file that was chosen is shown', (await ask('show_file', { path: '/data/county.gpkg' })).ok);
  check('every question of the bridge has its answer', ipcHandlers.size === 12);
}

async function checkHost(): Promise<void> {
  await ask('connect');
  const host = last(processes);
  check(
    'the host is started with its home',
    JSON.stringify(last(called('process.postMessage')).args[0]).includes('"kind":"start"'),
  );
  check('no port is handed out before the host is ready', called('page.postMessage').length === 0);
  host.emit('message', { kind: 'ready' });
  const toHost = last(called('process.postMessage')).args as [{ kind: string }, { name: string }[]];
  const toPage = last(called('page.postMessage')).args as [number, string, null, { name: string }[]];
  check(
    'each side gets its end of one channel',
    toHost[0].kind === 'port' &&
      toHost[1][0]?.name === 'port of the host' &&
      toPage[1] === 'platbook:port' &&
      toPage[3][0]?.name === 'port of the page',
  );
  host.emit('message', { kind: 'told', sentence: 'Restored the backup.' });
  host.emit('message', { kind: 'worker_start', worker: 1 });
  const { env } = last(called('utilityProcess.fork')).args[2] as { env?: Record<string, string> };
  const own = env?.TMPDIR ?? os.tmpdir();
  check('a job has a temporary folder of its own', own !== os.tmpdir() && fs.existsSync(own) && env?.TEMP === own);
  check('a job gives memory back', env?.MALLOC_ARENA_MAX === '1' && env.PLATBOOK_HOME === process.env.PLATBOOK_HOME);
  if (own !== os.tmpdir()) fs.writeFileSync(path.join(own, 'unpacked'), '');
  host.emit('message', { kind: 'worker_kill', worker: 1 });
  check('the temporary folder goes with a job that is killed', !fs.existsSync(own));
  const boxes = called('dialog.showMessageBox').map(({ args }) => args[0] as { message: string });
  check('what the start has done with the files is said', boxes.at(-1)?.message === 'Restored the backup.');
  host.emit('exit', 9);
  await new Promise((resolve) => setTimeout(resolve, 200));
  check('a host that ends is started again', processes.length === 3 && last(processes) !== host);
  last(processes).emit('message', { kind: 'ready' });
  check('the page gets a new port by itself', called('page.postMessage').length === 2);
}

async function checkSystem(): Promise<void> {
  const opened = () => called('page.send').filter(({ args }) => args[1] === 'platbook:opened');
  emitApp('second-instance', {}, ['platbook', 'platbook://parcel/7'], '/');
  check(
    'a link of a second start reaches the page',
    JSON.stringify(last(opened()).args[2]) === '{"parcel":7,"files":[]}',
  );
  fs.writeFileSync(path.join(scratch, 'county.gpkg'), '');
  emitApp('second-instance', {}, ['platbook', 'county.gpkg', '--flag'], scratch);
  const handed = (file: string): boolean =>
    JSON.stringify(last(opened()).args[2]) === JSON.stringify({ parcel: null, files: [file] });
  check('a file of a second start reaches the page, by its whole path', handed(path.join(scratch, 'county.gpkg')));
  const folderOfCounty = path.join(scratch, 'Alder County');
  fs.mkdirSync(folderOfCounty);
  const isTaken = isPrevented((event) => emitApp('open-file', event, folderOfCounty));
  check('a folder that macOS hands over reaches the page', isTaken && handed(folderOfCounty));
  const before = opened().length;
  for (const link of ['platbook://parcel/7?x=1', 'platbook://other/7', 'platbook://parcel/-7', 'platbook://parcel/7e3'])
    emitApp('second-instance', {}, ['platbook', link], '/');
  check('other links reach nobody', opened().length === before);
  interface Item {
    readonly label?: string;
    readonly accelerator?: string;
    readonly registerAccelerator?: boolean;
    readonly submenu?: readonly Item[];
    readonly click?: () => void;
  }
  const items = (last(called('Menu.buildFromTemplate')).args[0] as readonly Item[]).flatMap(
    ({ submenu = [] }) => submenu,
  );
  const palette = items.find(({ label }) => label?.startsWith('Find a Command'));
  check(
    'the menu shows a key that the page has itself',
    palette?.accelerator === 'CommandOrControl+K' && palette.registerAccelerator === false,
  );
  palette?.click?.();
  check(
    'the menu asks the page for its command',
    last(called('page.send')).args.slice(1).join() === 'platbook:command,palette',
  );
}

async function checkEnd(): Promise<void> {
  const window = last(electron.BrowserWindow.getAllWindows());
  const host = last(processes);
  host.emit('message', { kind: 'jobs', running: 1 });
  circumstances.response = 2;
  const before = called('dialog.showMessageBox').length;
  window.pressClose();
  await turn();
  check(
    'closing the last window asks while work runs',
    called('dialog.showMessageBox').length === before + 1 && !window.isDestroyed(),
  );
  host.emit('message', { kind: 'jobs', running: 0 });
  check('work that ends does not end an app with a window', called('app.quit').length === 0);
  window.pressClose();
  check('closing the last window quits', called('app.quit').length === 1);
  check(
    'quitting waits for the files to be closed',
    isPrevented((event) => emitApp('before-quit', event)),
  );
  check('the host is asked to stop', JSON.stringify(last(called('process.postMessage')).args[0]) === '{"kind":"stop"}');
  host.emit('exit', 0);
  await turn();
  check('then the app goes', called('app.quit').length === 2 && !isPrevented((event) => emitApp('before-quit', event)));
}

await import(pathToFileURL(path.join(folder, 'main.ts')).href);
if (circumstances.hasLock) {
  await turn();
  check('nothing is shown before Electron is ready', place('BrowserWindow') < 0);
  electron.makeReady();
  await turn();
  checkOrder();
  checkWindow();
  checkPages();
  await checkPermissions();
  await checkQuestions();
  await checkFiles();
  await checkReceiver();
  await checkHost();
  await checkSystem();
  await checkEnd();
} else {
  electron.makeReady();
  await turn();
  check(
    'a second app goes at once',
    called('app.quit').length === 1 && place('BrowserWindow') < 0 && processes.length === 0,
  );
}
console.log(JSON.stringify(failed));
process.exit(0);
