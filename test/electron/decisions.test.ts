/** The shell's decisions, without Electron: every branch is a plain function. */
import fs from 'node:fs';
import path from 'node:path';
import type { BrowserWindowConstructorOptions } from 'electron/main';
import { describe, expect, test } from 'vitest';
import { closeQuestion, mustAsk } from '../../electron/close-policy.ts';
import { parseDeepLink } from '../../electron/deep-link.ts';
import { openSettings, parseSettings } from '../../electron/desktop-settings.ts';
import { acceleratorOf, menuTable, menuTemplate } from '../../electron/menu-table.ts';
import { openedWith } from '../../electron/opened-with.ts';
import { mayDownload, mayHave, mayLoad } from '../../electron/page-policy.ts';
import {
  type HostEffect,
  type HostEvent,
  type HostState,
  idleHost,
  nextHostStep,
} from '../../electron/supervisor-state.ts';
import { placeWindow } from '../../electron/window-bounds.ts';
import { windowOptions } from '../../electron/window-options.ts';
import { emptyHome } from '../support/homes.ts';
import { root } from './built-app.ts';

describe('the life of a host', () => {
  /** Events with their times; what each of them had done. */
  function live(events: readonly (readonly [HostEvent['kind'], number])[]): { state: HostState; effects: string[][] } {
    let state = idleHost;
    const words = (effect: HostEffect) =>
      effect.kind === 'timer'
        ? `timer ${effect.milliseconds}`
        : effect.kind === 'tell'
          ? `tell ${effect.what}`
          : effect.kind;
    const effects = events.map(([kind, now]) => {
      const step = nextHostStep(state, { kind } as HostEvent, now);
      state = step.state;
      return step.effects.map(words);
    });
    return { state, effects };
  }

  test('is started, told ready, asked whether it lives', () => {
    const { state, effects } = live([
      ['start', 0],
      ['ready', 500],
      ['timer', 5500],
      ['pong', 5501],
      ['timer', 10_500],
    ]);
    expect(effects).toEqual([
      ['fork', 'timer 180000'],
      ['tell ready', 'timer 5000'],
      ['ping', 'timer 5000'],
      [],
      ['ping', 'timer 5000'],
    ]);
    expect(state).toMatchObject({ phase: 'ready', unanswered: 1 });
  });

  test('one that ends is started again after a moment that grows, and given up after eight ends in a row', () => {
    const ends = Array.from(
      { length: 8 },
      () =>
        [
          ['ready', 0],
          ['exited', 0],
          ['timer', 0],
        ] as const,
    ).flat();
    const { state, effects } = live([['start', 0], ...ends]);
    const delays = effects
      .flat()
      .filter((word) => /^timer (50|200|500|1000|2000|5000)$/.test(word) && word !== 'timer 5000');
    expect(delays).toEqual(['timer 50', 'timer 200', 'timer 500', 'timer 1000', 'timer 2000']);
    expect(effects.flat().filter((word) => word === 'fork')).toHaveLength(8);
    expect(effects.flat()).toContain('tell given_up');
    expect(state).toMatchObject({ phase: 'given_up', failures: 8 });
    expect(nextHostStep(state, { kind: 'start' }, 0).state).toMatchObject({ phase: 'starting', failures: 0 });
  });

  test('a minute of good work makes the next end a first one', () => {
    const early = live([
      ['start', 0],
      ['ready', 0],
      ['exited', 10],
      ['timer', 60],
      ['ready', 100],
      ['exited', 59_000],
    ]);
    expect(early.state.failures).toBe(2);
    const late = live([
      ['start', 0],
      ['ready', 0],
      ['exited', 10],
      ['timer', 60],
      ['ready', 100],
      ['exited', 60_100],
    ]);
    expect(late.state.failures).toBe(1);
  });

  test('one that says nothing for six pings is killed, and one that never becomes ready as well', () => {
    const silent = live([['start', 0], ['ready', 0], ...Array.from({ length: 7 }, () => ['timer', 0] as const)]);
    expect(silent.effects.at(-1)).toEqual(['kill']);
    expect(silent.effects.flat().filter((word) => word === 'ping')).toHaveLength(6);
    expect(
      live([
        ['start', 0],
        ['timer', 180_000],
      ]).effects.at(-1),
    ).toEqual(['kill']);
  });

  test('one that refuses its home is not started again until somebody asks', () => {
    const { state, effects } = live([
      ['start', 0],
      ['refused', 10],
      ['exited', 20],
      ['timer', 30],
    ]);
    expect(effects.slice(1)).toEqual([['kill', 'tell refused'], [], []]);
    expect(nextHostStep(state, { kind: 'start' }, 40).effects[0]).toEqual({ kind: 'fork' });
  });

  test('stopping asks first and kills after five seconds; a host that is not there is stopped at once', () => {
    expect(
      live([
        ['start', 0],
        ['ready', 0],
        ['stop', 1],
        ['timer', 5001],
        ['exited', 5002],
      ]).effects.slice(2),
    ).toEqual([['ask_to_stop', 'timer 5000'], ['kill'], ['tell stopped']]);
    expect(live([['stop', 0]]).effects).toEqual([['tell stopped']]);
    expect(
      live([
        ['start', 0],
        ['exited', 0],
        ['stop', 1],
        ['timer', 50],
      ]).state.phase,
    ).toBe('stopped');
  });
});

describe('where a window opens', () => {
  const laptop = { x: 0, y: 25, width: 1440, height: 875 };
  const second = { x: 1440, y: 0, width: 1920, height: 1080 };

  test('the first time in the middle of the main screen, no larger than it', () => {
    expect(placeWindow(null, [second])).toMatchObject({ x: 1440 + 240, y: 90, width: 1440, height: 900 });
    expect(placeWindow(null, [laptop])).toMatchObject({ x: 0, y: 25, width: 1440, height: 875 });
  });

  test('where it was, while that screen is there', () => {
    const was = { x: 1500, y: 100, width: 1200, height: 800, isMaximized: false };
    expect(placeWindow(was, [laptop, second])).toMatchObject({ x: 1500, y: 100, width: 1200, height: 800 });
    // The second screen is gone: the middle of the one that is left.
    expect(placeWindow(was, [laptop])).toMatchObject({ x: 120, y: 25 + 38, width: 1200, height: 800 });
  });

  test('wholly on the screen, when it hung over an edge', () => {
    const was = { x: 900, y: 600, width: 1100, height: 700, isMaximized: false };
    expect(placeWindow(was, [laptop])).toMatchObject({ x: 340, y: 200, width: 1100, height: 700 });
  });

  test('on a screen smaller than the least size, as large as the screen', () => {
    const small = { x: 0, y: 0, width: 800, height: 600 };
    expect(placeWindow(null, [small])).toEqual({ ...small, minWidth: 800, minHeight: 600 });
  });
});

test('Electron’s own types refuse an option that it does not have', () => {
  const parts = { place: placeWindow(null, []), preload: '', icon: '', hasDevTools: false };
  const options: BrowserWindowConstructorOptions = windowOptions(parts);
  // @ts-expect-error misspelt: the compiler says so
  const misspelt: BrowserWindowConstructorOptions = { webPreferences: { sandBox: true } };
  // @ts-expect-error of another type
  const mistyped: BrowserWindowConstructorOptions = { webPreferences: { contextIsolation: 'yes' } };
  expect([options.webPreferences?.sandbox, misspelt, mistyped]).toHaveLength(3);
});

describe('links and files', () => {
  test('a link holds a parcel’s number and nothing else', () => {
    expect(parseDeepLink('platbook://parcel/42')).toEqual({ parcel: 42 });
    expect(parseDeepLink('platbook://parcel/42/')).toEqual({ parcel: 42 });
    for (const text of [
      'platbook://parcel/',
      'platbook://parcel/4 2',
      'platbook://parcel/42?x',
      'platbook://parcel/42#x',
      'PLATBOOK://parcel/42',
      'x platbook://parcel/42',
      'platbook://parcel/9999999999999999',
      'platbook://parcel/42\n',
    ])
      expect(parseDeepLink(text)).toBeNull();
  });

  test('a command line is searched for links and for files that are there and can be read', () => {
    const there = ['/data/county.gpkg', '/data/sub/roads.ZIP', '/data/notes.md'];
    const look = (file: string) => (there.includes(file) ? 'file' : file === '/data/Alder County' ? 'folder' : null);
    const args = [
      '--flag',
      'county.gpkg',
      'sub/roads.ZIP',
      'notes.md',
      'gone.shp',
      'Alder County',
      'https://example.org/x.gpkg',
      'platbook://parcel/7',
      '/data/county.gpkg',
      '',
    ];
    expect(openedWith(args, '/data', look)).toEqual({
      parcel: 7,
      files: ['/data/county.gpkg', '/data/sub/roads.ZIP', '/data/Alder County'],
    });
  });
});

describe('what a page may', () => {
  test('load: its own files, blobs and data; nothing of a network or the disk', () => {
    for (const address of [
      'platbook-app://home/',
      'platbook-app://sample/assets/x.js',
      'blob:platbook-app://home/1',
      'data:image/png;base64,',
    ])
      expect(mayLoad(address)).toBe(true);
    for (const address of [
      '',
      'https://example.org/',
      'http://127.0.0.1/',
      'ws://localhost/',
      'file:///x',
      'platbook-app://x/',
      'ftp://x/',
      'blob:https://example.org/1',
    ])
      expect(mayLoad(address)).toBe(false);
  });

  test('have: copying, and the place when the switch is on', () => {
    expect(mayHave('geolocation', 'platbook-app://home/', true)).toBe(true);
    expect(mayHave('geolocation', 'platbook-app://home/', false)).toBe(false);
    expect(mayHave('geolocation', 'https://example.org/', true)).toBe(false);
    expect(mayHave('camera', 'platbook-app://home/', true)).toBe(false);
    expect(mayHave('screen-wake-lock', 'platbook-app://home/', false)).toBe(true);
    expect(mayHave('screen-wake-lock', 'https://example.org/', false)).toBe(false);
  });

  test('save: what it made itself', () => {
    expect(mayDownload('blob:platbook-app://home/1-2')).toBe(true);
    expect(mayDownload('platbook-app://home/assets/x.js')).toBe(false);
  });
});

describe('the menu', () => {
  /** The renderer's own table, by its text: it imports pages, which this project does not compile. */
  const commands = fs.readFileSync(path.join(root, 'renderer', 'commands.ts'), 'utf8');
  const screens = fs.readFileSync(path.join(root, 'renderer', 'screens', 'screens.tsx'), 'utf8');
  const rows = menuTable.flatMap((column) => column.rows).filter((row) => row !== 'line');

  test('asks for commands that the window has, with the keys that they have there', () => {
    const asked = rows.flatMap((row) => ('command' in row ? [row] : []));
    expect(asked.length).toBeGreaterThan(10);
    for (const { command, keys } of asked) {
      const screen = /^screen-(.+)$/.exec(command)?.[1];
      if (screen) expect(screens, command).toContain(`id: '${screen}'`);
      else {
        expect(commands, command).toContain(`id: '${command}'`);
        const there = new RegExp(`id: '${command}',[^}]*?keys: (?:'([^']*)'|null)`).exec(commands)?.[1];
        // A key without Ctrl would be taken from fields in which the user types.
        expect(keys, command).toBe(there?.includes('+') ? there : undefined);
      }
    }
  });

  test('has no accelerator twice', () => {
    const keys = rows.flatMap((row) => ('keys' in row && row.keys ? [acceleratorOf(row.keys)] : []));
    expect(new Set(keys).size).toBe(keys.length);
    expect(acceleratorOf('shift+mod+z')).toBe('Shift+CommandOrControl+Z');
  });

  test('has the app’s own menu on a Mac alone', () => {
    const ears = { command: () => {}, action: () => {} };
    expect(menuTemplate(menuTable, 'darwin', ears)[0]).toEqual({ role: 'appMenu' });
    const plain = menuTemplate(menuTable, 'linux', ears);
    expect(plain.map(({ label }) => label)).toEqual(['File', 'Edit', 'View', 'Help']);
    expect(JSON.stringify(plain[0])).toContain('"role":"quit"');
  });
});

describe('settings', () => {
  const first = {
    windows: {},
    listener: { on: false, port: 4780 },
    location: { on: false, source: 'system', place: '' },
  };

  test('are those of the first start where a file does not fit', () => {
    for (const text of [
      '',
      'null',
      '7',
      '[]',
      '{"listener":{"on":"yes"}}',
      '{"windows":{"home":{"x":"1"}}}',
      '{"listener":{"on":true,"port":70000}}',
      '{"location":{"on":true,"source":"serial","place":"/etc/passwd"}}',
      '{"location":{"on":true,"source":"gpsd","place":"example.org"}}',
    ])
      expect(parseSettings(text)).toEqual(first);
  });

  test('come back as they were written', () => {
    const folder = path.join(emptyHome(), 'made', 'when needed');
    const bounds = { x: -10, y: 5, width: 1200, height: 800, isMaximized: true };
    openSettings(folder).change({
      windows: { sample: bounds },
      listener: { on: true, port: 5000 },
      location: { on: true, source: 'serial', place: '/dev/ttyUSB0' },
    });
    expect(openSettings(folder).get()).toEqual({
      windows: { sample: bounds },
      listener: { on: true, port: 5000 },
      location: { on: true, source: 'serial', place: '/dev/ttyUSB0' },
    });
    expect(fs.readdirSync(folder)).toEqual(['desktop.json']);
  });
});

describe('closing', () => {
  test('asks only while work runs and no window would be left', () => {
    expect(mustAsk({ runningJobs: 0, isLast: true, isQuitting: true })).toBe(false);
    expect(mustAsk({ runningJobs: 1, isLast: false, isQuitting: false })).toBe(false);
    expect(mustAsk({ runningJobs: 1, isLast: true, isQuitting: false })).toBe(true);
    expect(mustAsk({ runningJobs: 1, isLast: false, isQuitting: true })).toBe(true);
  });

  test('the last button of the question, and closing it, changes nothing', () => {
    for (const isQuitting of [true, false]) {
      const { box, answers } = closeQuestion({ runningJobs: 2, isLast: true, isQuitting });
      expect(answers[box.cancelId ?? -1]).toBe('stay');
      expect(box.buttons).toHaveLength(answers.length);
      expect(box.message).toBe('2 jobs are still at work.');
    }
  });
});
