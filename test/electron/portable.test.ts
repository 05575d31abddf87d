/** The folder for people without npm: the Linux one is run; those of other systems are built and looked through. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { makePortable, type runtimes } from '../../engine/bin/dist-portable.mjs';
import { linkIn, openCommand } from '../../engine/bin/launch.mjs';
import { requireOrSkip } from '../support/require.ts';
import { buildApp } from './built-app.ts';

let built: Awaited<ReturnType<typeof buildApp>> | undefined;
let out = '';

beforeAll(async () => {
  built = await buildApp();
  out = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook portable '));
});

afterAll(() => {
  built?.remove();
  fs.rmSync(out, { recursive: true, force: true });
});

const made = new Map<string, ReturnType<typeof makePortable>>();

/** Each platform's folder, made once. */
function make(platform: keyof typeof runtimes): ReturnType<typeof makePortable> {
  const folder = made.get(platform) ?? makePortable({ platform, out, ...(built ? { built: built.built } : {}) });
  made.set(platform, folder);
  return folder;
}

const filesOf = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));

const firstBytes = (file: string, count: number): string => {
  const descriptor = fs.openSync(file, 'r');
  const bytes = Buffer.alloc(count);
  fs.readSync(descriptor, bytes, 0, count, 0);
  fs.closeSync(descriptor);
  return bytes.toString('hex');
};

/** A machine with only basic tools and a browser opener, which records what it is asked to open. */
function machineWithoutNode(): { PATH: string; opened: () => string } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-bin-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  for (const tool of ['sh', 'dirname'])
    fs.symlinkSync(
      [`/usr/bin/${tool}`, `/bin/${tool}`].find((file) => fs.existsSync(file)) ?? '',
      path.join(folder, tool),
    );
  const note = path.join(folder, 'opened');
  fs.writeFileSync(path.join(folder, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > '${note}'\n`, { mode: 0o755 });
  return { PATH: folder, opened: () => (fs.existsSync(note) ? fs.readFileSync(note, 'utf8') : '') };
}

interface Started {
  readonly child: ChildProcess;
  readonly output: () => string;
}

function start(launcher: string, PATH: string, home: string, ...args: string[]): Started {
  const child = spawn(launcher, args, { env: { PATH, HOME: home, XDG_DATA_HOME: home }, cwd: '/' });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  child.stderr.on('data', (chunk) => {
    text += chunk;
  });
  return { child, output: () => text };
}

/** A browser's use of the one-time link, and the page's requests with its cookie. */
async function openLink(link: string) {
  const opened = await fetch(link, { redirect: 'manual' });
  expect(opened.status).toBe(303);
  const base = new URL(link).origin;
  const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const ask = async (question: string, input: unknown) => {
    const headers = { cookie, origin: base, 'content-type': 'application/json', 'idempotency-key': 'press-1' };
    const answer = await fetch(`${base}/app/${question}`, { method: 'POST', headers, body: JSON.stringify(input) });
    expect(answer.status).toBe(200);
    return (await answer.json()) as { data: unknown; tokens?: number };
  };
  return { base, cookie, ask };
}

const ended = (child: ChildProcess): Promise<number | null> => new Promise((resolve) => child.on('exit', resolve));

const isLinux = process.platform === 'linux' && process.arch === 'x64';

describe('the portable folder', () => {
  test.skipIf(!requireOrSkip('the Linux portable folder', isLinux, 'it is run on Linux x64 alone'))(
    'is run from a folder with spaces, with no npm and no Node on the path: first start, the sample, a search, a second start, the end',
    async () => {
      const { folder, bytes, runtimeBytes, packages } = make('linux-x64');
      console.log(
        `portable folder: ${(bytes / 1e6).toFixed(0)} MB, of which Node ${(runtimeBytes / 1e6).toFixed(0)} MB; ${packages} packages`,
      );
      expect(folder).toContain(' ');
      const home = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook home '));
      onTestFinished(() => fs.rmSync(home, { recursive: true, force: true }));
      const machine = machineWithoutNode();
      const launcher = path.join(folder, 'platbook.sh');
      const { child, output } = start(launcher, machine.PATH, home);
      await expect.poll(machine.opened, { timeout: 30_000 }).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/open\/[\w-]{40,}$/);

      const first = await openLink(machine.opened());
      const page = await fetch(first.base, { headers: { cookie: first.cookie } });
      expect(await page.text()).toContain('<div id="root">');
      const { link } = (await first.ask('open-sample', {})).data as { link: string };
      const sample = await openLink(link);
      const answer = await sample.ask('call/filter_properties', { county: '99001', acres_min: 40 });
      expect(answer.tokens).toBe(30);
      expect((answer.data as { count: number }).count).toBeGreaterThan(0);

      // A second start while the first one holds the port.
      const second = start(launcher, machine.PATH, home);
      const firstLink = `${first.base}/`;
      await expect.poll(machine.opened, { timeout: 30_000 }).not.toContain(firstLink);
      await expect.poll(second.output, { timeout: 30_000 }).toMatch(/listening on/);
      second.child.kill('SIGTERM');
      expect(await ended(second.child)).toBe(0);

      expect(output()).not.toMatch(/fault|Error/);
      child.kill('SIGTERM');
      expect(await ended(child)).toBe(0);
      expect(fs.readdirSync(path.join(home, 'platbook')).filter((file) => file.endsWith('-wal'))).toEqual([]);
    },
  );

  test.skipIf(!isLinux)('can load every package that the engine names, with the files that were left of it', () => {
    const { folder } = make('linux-x64');
    const app = path.join(folder, 'app');
    const engine = path.join(app, 'dist', 'engine');
    const namedIn = (place: string): string[] =>
      filesOf(place)
        .filter((file) => file.endsWith('.js'))
        .flatMap((file) => [
          ...fs
            .readFileSync(path.join(place, file), 'utf8')
            .matchAll(/(?:from |import\(|import |resolve\()'([^'.][^']*)'/g),
        ])
        .map(([, to]) => to ?? '')
        .filter((to) => !to.startsWith('node:'));
    // Each compression of a raster has a package of its own, which is only imported when a file has it.
    const decoders = namedIn(path.join(app, 'node_modules', 'geotiff'));
    expect(decoders).toContain('pako');
    const packages = [...new Set([...namedIn(engine), ...decoders])].sort();
    expect(packages.length).toBeGreaterThan(15);
    const script = `for (const name of ${JSON.stringify(packages)}) try { await import(name) } catch (error) { console.log(name + ': ' + error.message) }`;
    const answer = spawnSync(path.join(folder, 'runtime', 'node'), ['--input-type=module', '-e', script], {
      cwd: app,
      encoding: 'utf8',
    });
    expect(`${answer.stdout}${answer.stderr}`).toBe('');
  });

  test('for Windows holds a Windows Node, its own driver alone, and a launcher with its line ends (not run here)', () => {
    const { folder } = make('win32-x64');
    expect(firstBytes(path.join(folder, 'runtime', 'node.exe'), 2)).toBe('4d5a');
    const launcher = fs.readFileSync(path.join(folder, 'platbook.cmd'), 'latin1');
    expect(launcher).toMatch(/^@echo off\r\n/);
    expect(launcher.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(launcher).toContain('"%~dp0runtime\\node.exe" "%~dp0app\\launch.mjs" %*');
    expect(filesOf(folder).filter((file) => file.endsWith('.node'))).toEqual([
      'app/node_modules/better-sqlite3/prebuilds/win32-x64.node',
    ]);
  });

  // MH_MAGIC_64 in little-endian order, then CPU_TYPE_ARM64 or CPU_TYPE_X86_64.
  test.each([
    ['darwin-arm64', 'cffaedfe0c000001'],
    ['darwin-x64', 'cffaedfe07000001'],
  ] as const)(
    'for macOS holds a Mach-O Node, its own driver alone, and a launcher that may be run: %s (not run here)',
    (platform, magic) => {
      const { folder } = make(platform);
      expect(firstBytes(path.join(folder, 'runtime', 'node'), 8)).toBe(magic);
      const launcher = path.join(folder, 'platbook.command');
      expect(fs.readFileSync(launcher, 'utf8')).toMatch(/^#!\/bin\/sh\n[^\r]+$/);
      expect(fs.statSync(launcher).mode & 0o111).toBe(0o111);
      expect(fs.statSync(path.join(folder, 'runtime', 'node')).mode & 0o111).toBe(0o111);
      expect(filesOf(folder).filter((file) => file.endsWith('.node'))).toEqual([
        `app/node_modules/better-sqlite3/prebuilds/${platform}.node`,
      ]);
    },
  );

  test('holds no tests, source maps, types, shell or development files, and the licenses of what it ships', () => {
    const { folder } = make('linux-x64');
    const files = filesOf(folder);
    expect(files.filter((file) => /\.map$|\.[cm]?ts$|(^|\/)tests?\//.test(file))).toEqual([]);
    expect(files.filter((file) => /^app\/(dist\/electron|renderer|test|\.)/.test(file))).toEqual([]);
    expect(
      files.filter((file) => /node_modules\/(electron|vite|react|typescript|@types|playwright-core)\//.test(file)),
    ).toEqual([]);
    const licences = fs.readFileSync(path.join(folder, 'LICENCES.txt'), 'utf8');
    // Those of packages that Node loads, and of those Vite bundled into the pages.
    for (const name of ['better-sqlite3', 'commander', 'gdal3.js', 'react', 'radix-ui', '@fontsource-variable/inter'])
      expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'));
    expect(files).toContain('runtime/LICENSE');
  });
});

describe('the launcher', () => {
  test('knows the link among what serve prints', () => {
    expect(linkIn('App: http://127.0.0.1:4780/open/aB3_-x')).toBe('http://127.0.0.1:4780/open/aB3_-x');
    for (const line of [
      'listening on http://127.0.0.1:4780',
      'App: http://example.org/open/x',
      'App: http://127.0.0.1:1/open/x&calc',
      '',
    ])
      expect(linkIn(line)).toBeNull();
  });

  test('opens it as each system does', () => {
    const link = 'http://127.0.0.1:1/open/x';
    expect(openCommand('linux', link)).toEqual({ command: 'xdg-open', args: [link] });
    expect(openCommand('darwin', link)).toEqual({ command: 'open', args: [link] });
    expect(openCommand('win32', link).args.slice(-2)).toEqual(['""', link]);
  });
});
